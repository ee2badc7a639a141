/** A command: an intent that risk allowed and that has its durable number. One flat shape, so that it can be pooled and journaled. */
import type { Brand } from '../base/brand.ts';

/**
 * All fields are plain integers (see codes.ts for the sets) so that one object can be reused per command: whoever receives
 * one copies what it needs before it returns. A price or trigger of 0 means "none".
 */
export interface Command {
  /** PLACE, MODIFY, … */
  kind: number;
  /** This command's own number; for PLACE, MODIFY, PLACE_TRIGGER, PLACE_SPOT it is also the number of the order that comes to be. */
  seq: number;
  /** Number of the order acted on (MODIFY, CANCEL, CANCEL_TRIGGER, CANCEL_SPOT), else 0. */
  target: number;
  /** Venue id of that order when known, else "". */
  targetVenueId: string;
  instrument: number;
  /** LONG or SHORT; for spot BUY or SELL. */
  side: number;
  /** OPEN or CLOSE. */
  effect: number;
  /** LIMIT or MARKET. */
  type: number;
  /** Limit price in ticks, 0 for none. For MODIFY: the new price, 0 to keep. */
  price: number;
  /** Size in lots. For MODIFY: the new size, 0 to keep. */
  size: number;
  /** 1 for POST_ONLY. */
  postOnly: number;
  marginMode: number;
  /** Trigger price in ticks (PLACE_TRIGGER), and what is watched. */
  trigger: number;
  triggerBy: number;
  /** Preset exits in ticks; `…Limit` is the execute price, 0 for market. */
  takeProfit: number;
  takeProfitLimit: number;
  stopLoss: number;
  stopLossLimit: number;
  /** ADJUST_MARGIN: signed money. */
  amount: number;
  /** When the command was made, and for how many ms from then it may be sent; 0 for ever. */
  time: number;
  validMs: number;
}

/** Minted by engine/risk/risk.ts and nowhere else. */
export type Approved<T> = T & Brand<object, 'Approved'>;

/** A command for who keeps commands. Times are such from the start: a field that is a small integer at first changes what all of them are. */
export class CommandRecord implements Command {
  kind = 0;
  seq = 0;
  target = 0;
  targetVenueId = '';
  instrument = 0;
  side = 0;
  effect = 0;
  type = 0;
  price = 0;
  size = 0;
  postOnly = 0;
  marginMode = 0;
  trigger = 0;
  triggerBy = 0;
  takeProfit = 0;
  takeProfitLimit = 0;
  stopLoss = 0;
  stopLossLimit = 0;
  amount = 0;
  time = -Infinity;
  validMs = 0;
}

/** Where commands are made: `free` is nobody's until the command that is made in it is executed, and may be another one then. */
export interface FreeCommands {
  readonly free: Command;
}

export function emptyCommand(): Command {
  return new CommandRecord();
}

/**
 * Client order ids: `<bot>-<epoch>-<sequence>`, base 36, at most 32 characters of [A-Za-z0-9-]. A pure function of durable
 * numbers, never of time or chance, so a restart says the same id again and a foreign order is recognised by its prefix.
 */
export interface IdentitySpec {
  /** 1 to 8 letters or digits that name the bot. */
  readonly bot: string;
  /** Grows with every lease or rotated journal. */
  readonly epoch: number;
}

export function formatClientId(identity: IdentitySpec, seq: number): string {
  return `${identity.bot}-${identity.epoch.toString(36)}-${seq.toString(36)}`;
}

/** The sequence in `id`, or 0 when the id is not of this bot. `epoch` is −1 then. */
export function parseClientId(bot: string, id: string): { epoch: number; seq: number } {
  const none = { epoch: -1, seq: 0 };
  if (!id.startsWith(`${bot}-`)) return none;
  const parts = id.slice(bot.length + 1).split('-');
  const [epochText, seqText] = parts;
  if (parts.length !== 2 || epochText === undefined || seqText === undefined) return none;
  if (!/^[0-9a-z]{1,9}$/.test(epochText) || !/^[0-9a-z]{1,10}$/.test(seqText)) return none;
  return { epoch: Number.parseInt(epochText, 36), seq: Number.parseInt(seqText, 36) };
}
