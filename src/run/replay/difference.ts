/** Describes the output of a kernel in words. */
import * as codes from '../../domain/codes.ts';
import { makesOrder } from '../../domain/orders/command-traits.ts';
import type { Command } from '../../domain/orders/command.ts';
import { GTC, TIMES_IN_FORCE } from '../../domain/orders/time-in-force.ts';
import { formatLots, formatMoneyShort, formatTicks, tradedName, type Instrument } from '../../domain/instrument.ts';
import { ASK, COMMAND, ROWS, SAVED, type Output } from '../session/entries.ts';

/** What it is; with `other` of the same kind that reads the same, the fields that differ as well. */
export function textOf(output: Output, instruments: readonly Instrument[], other: Output | null = null): string {
  switch (output.kind) {
    case COMMAND: {
      const { body } = output;
      return commandText(body, instruments, other?.kind === COMMAND ? other.body : null);
    }
    case ASK:
      return `question ${JSON.stringify(output.body)}`;
    case ROWS:
      return `${output.count} records of the journal (sum ${output.sum.toString(16)})`;
    case SAVED:
      return `a snapshot of its state (sum ${output.sum.toString(16)})`;
  }
}

/**
 * A command as a trader says it: "open BTCUSDT SHORT 0.010, limit 60151.7 (order 44)". With `other` of the same words, the fields that differ
 * follow, such as the time until which it may be sent.
 */
export function commandText(command: Command, instruments: readonly Instrument[], other: Command | null = null): string {
  const words = wordsOf(command, instruments);
  return other === null || wordsOf(other, instruments) !== words ? words : `${words}${fieldsText(command, other)}`;
}

function wordsOf(command: Command, instruments: readonly Instrument[]): string {
  const { kind, seq } = command;
  const instrument = instruments[command.instrument];
  const number = `${makesOrder(kind) ? 'order' : 'command'} ${seq}`;
  if (instrument === undefined) return `${codes.COMMANDS[kind] ?? kind} (${number})`;
  return `${actOf(command, instrument)} (${number})`;
}

function actOf(command: Command, instrument: Instrument): string {
  const { kind, target, amount, marginMode } = command;
  const name = tradedName(instrument);
  const leg = `${name} ${codes.SIDES[command.side]}`;
  switch (kind) {
    case codes.PLACE:
    case codes.PLACE_SPOT:
    case codes.PLACE_TRIGGER:
      return [orderOf(command, instrument, leg), ...termsOf(command, instrument)].join(', ');
    case codes.MODIFY:
      return [`change order ${target} of ${leg}`, ...changesOf(command, instrument)].join(', ');
    case codes.CANCEL:
    case codes.CANCEL_SPOT:
      return `cancel order ${target} of ${name}`;
    case codes.CANCEL_TRIGGER:
      return `cancel trigger order ${target} of ${name}`;
    case codes.SET_MARGIN_MODE:
      return `set the margin mode of ${name} to ${codes.MARGIN_MODES[marginMode]}`;
    case codes.ADJUST_MARGIN:
      return `change the margin of ${leg} by ${formatMoneyShort(amount)}`;
    default:
      return `${codes.COMMANDS[kind] ?? kind} ${name}`;
  }
}

function orderOf({ kind, side, effect, size }: Command, instrument: Instrument, leg: string): string {
  const lots = formatLots(size, instrument);
  if (kind === codes.PLACE_SPOT) return `${codes.DIRECTIONS[side]!.toLowerCase()} ${tradedName(instrument)} ${lots}`;
  const verb = codes.EFFECTS[effect]!.toLowerCase();
  return `${kind === codes.PLACE_TRIGGER ? 'trigger order: ' : ''}${verb} ${leg} ${lots}`;
}

/** What an order asks for beside its size: price, trigger, time in force, bracket. */
function termsOf(command: Command, instrument: Instrument): string[] {
  const { type, price, force, trigger, triggerBy, marginMode } = command;
  const by = triggerBy === codes.BY_MARK ? 'mark' : 'last';
  return [
    type === codes.MARKET ? 'at the market' : `limit ${formatTicks(price, instrument)}`,
    ...(trigger === 0 ? [] : [`once the ${by} price is ${formatTicks(trigger, instrument)}`]),
    ...(force === GTC ? [] : [TIMES_IN_FORCE[force]!.name.toLowerCase().replace('_', ' ')]),
    ...(marginMode === codes.ISOLATED ? ['isolated margin'] : []),
    ...bracketOf(command, instrument),
  ];
}

function changesOf(command: Command, instrument: Instrument): string[] {
  const { price, size } = command;
  return [
    ...(price === 0 ? [] : [`limit ${formatTicks(price, instrument)}`]),
    ...(size === 0 ? [] : [`size ${formatLots(size, instrument)}`]),
    ...bracketOf(command, instrument),
  ];
}

function bracketOf({ takeProfit, takeProfitLimit, stopLoss, stopLossLimit }: Command, instrument: Instrument): string[] {
  const part = (name: string, at: number, limit: number): string[] => {
    if (at === 0) return [];
    return [`${name} ${formatTicks(at, instrument)}${limit === 0 ? '' : ` with limit ${formatTicks(limit, instrument)}`}`];
  };
  return [...part('take-profit', takeProfit, takeProfitLimit), ...part('stop-loss', stopLoss, stopLossLimit)];
}

/** Fields of a command that its words leave out. */
const UNSAID = {
  targetVenueId: 'venue id of the order',
  time: 'made at',
  validMs: 'milliseconds in which it may be sent',
  target: 'repeats order',
} as const;

function fieldsText(command: Command, other: Command): string {
  const shown = (Object.keys(command) as (keyof Command)[]).filter((key) => !Object.is(command[key], other[key]));
  if (shown.length === 0) return '';
  return `, ${shown.map((key) => `${key in UNSAID ? UNSAID[key as keyof typeof UNSAID] : key} ${command[key] === '' ? 'unknown' : command[key]}`).join(', ')}`;
}
