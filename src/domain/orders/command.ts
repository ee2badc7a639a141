/** A command: an intent that risk approved and that has a durable number. One flat shape, so that it can be pooled and journaled. */
import type { Brand } from '../../base/brand.ts';

/**
 * All fields are plain integers (codes.ts has the enumerations), so that one object can be reused: receivers copy what they need before
 * they return. A price or trigger of 0 means none.
 */
export interface Command {
  /** PLACE, MODIFY, … */
  kind: number;
  /** Number of the command; for PLACE, MODIFY, PLACE_TRIGGER and PLACE_SPOT it is also the number of the new order. */
  seq: number;
  /** Number of the order acted on (MODIFY, CANCEL, CANCEL_TRIGGER, CANCEL_SPOT), or of the one that a PLACE repeats; else 0. */
  target: number;
  /** Venue id of that order if known, else "". */
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
  /** Time in force: GTC, POST_ONLY (time-in-force.ts). */
  force: number;
  marginMode: number;
  /** Trigger price in ticks (PLACE_TRIGGER), and the price that it is compared with. */
  trigger: number;
  triggerBy: number;
  /** Bracket prices in ticks; `…Limit` is the limit price of its order, 0 for market. */
  takeProfit: number;
  takeProfitLimit: number;
  stopLoss: number;
  stopLossLimit: number;
  /** ADJUST_MARGIN: signed money. */
  amount: number;
  /** Time when the command was created, and for how many milliseconds it may be sent; 0 for ever. */
  time: number;
  validMs: number;
}

/** Created only by engine/risk/risk.ts. */
export type Approved<T> = T & Brand<object, 'Approved'>;

/** A stored command. `time` starts as a fraction or infinity, so that V8 keeps the field as a double. */
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
  force = 0;
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

/** Provides the record for the next command: `free` may be filled until the command is executed, and may be another object then. */
export interface FreeCommands {
  readonly free: Command;
}

export function emptyCommand(): Command {
  return new CommandRecord();
}

/**
 * Client order ids: `<bot>-<epoch>-<sequence>`, base 36, at most 32 characters of [A-Za-z0-9-]. They depend only on durable numbers, never
 * on time or chance. So a restart produces the same id, and foreign orders are recognised by their prefix.
 */
export interface IdentitySpec {
  /** Name of the bot: 1 to 8 letters or digits. */
  readonly bot: string;
  /** Increases with every start and every rotation. */
  readonly epoch: number;
}

export function formatClientId(identity: IdentitySpec, seq: number): string {
  return `${identity.bot}-${identity.epoch.toString(36)}-${seq.toString(36)}`;
}

/** First number of the client ids that a watchdog issues for a silent bot: "w" and six digits. No journal counts so far. */
const WATCHDOG_SEQ = 32 * 36 ** 6;
/** Largest number of legs, and of closes of one leg in an epoch, that these ids tell apart. */
const WATCHDOG_MOST = 36 ** 3;

/** The client id of close number `count` of a leg: the same for the same epoch and leg, so that a repeat is refused by the venue. */
export function watchdogClientId(identity: IdentitySpec, leg: number, count: number): string {
  if (leg >= WATCHDOG_MOST || count >= WATCHDOG_MOST) throw new RangeError(`no client id for close ${count} of leg ${leg}`);
  return formatClientId(identity, WATCHDOG_SEQ + leg * WATCHDOG_MOST + count);
}

/** Leg and number of a close in an id that a watchdog issued. */
export function watchdogCount(seq: number): { readonly leg: number; readonly count: number } {
  const place = seq - WATCHDOG_SEQ;
  return { leg: Math.floor(place / WATCHDOG_MOST), count: place % WATCHDOG_MOST };
}

/** True for the number in an id that a watchdog issued. */
export function isWatchdogSeq(seq: number): boolean {
  return seq >= WATCHDOG_SEQ;
}

/** The sequence number in `id`. If the id is not of this bot, it is 0 and `epoch` is −1. */
export function parseClientId(bot: string, id: string): { epoch: number; seq: number } {
  const first = bot.length + 1;
  const dash = id.indexOf('-', first);
  if (dash < 0 || id.charCodeAt(bot.length) !== DASH || !id.startsWith(bot)) return { epoch: -1, seq: 0 };
  const epoch = base36(id, first, dash, 9);
  const seq = base36(id, dash + 1, id.length, 10);
  return epoch < 0 || seq < 0 ? { epoch: -1, seq: 0 } : { epoch, seq };
}

const DASH = 45;

/** The number of 1 to `most` digits 0-9 and a-z between two places; −1 for anything else. */
function base36(text: string, from: number, to: number, most: number): number {
  if (to === from || to - from > most) return -1;
  let value = 0;
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at);
    const digit = code >= 48 && code <= 57 ? code - 48 : code >= 97 && code <= 122 ? code - 87 : -1;
    if (digit < 0) return -1;
    value = value * 36 + digit;
  }
  return value;
}
