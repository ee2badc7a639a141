/** The table of what must hold in every run of a crashtest, and the judgement of one run. */
import { ONE } from '../../domain/amounts/units.ts';
import type { RecordedRun } from './recorded-run.ts';

/** Why a strategy failed. */
export interface Finding {
  readonly rule: CrashRule;
  /** What was seen, with figures. */
  readonly what: string;
}

/** Rule → what it demands. */
export const CRASH_RULES = {
  errors: 'no handler throws, returns a promise or uses what is forbidden',
  nonsense: 'no intent has a size, price, side or field that makes no sense',
  limits: 'the strategy does not keep asking for what its limits refuse',
  rejections: 'the venue does not keep refusing orders for their size or price',
  rate: 'the commands of a minute stay below the bound',
  size: 'a leg never holds more than the size that is allowed',
  stops: 'each filled opening order has a stop-loss at the venue',
  orders: 'after a stop no opening order rests',
  flat: 'after a stop no position is left',
  state: 'what save returns can be restored, and is saved again unchanged',
  repeat: 'the same market gives the same commands again',
  ahead: 'a market that is cut off gives the same commands up to the cut',
} as const;
export type CrashRule = keyof typeof CRASH_RULES;

/** What may be left after a stop: anything; no opening order; no opening order and no position. */
export type EndRule = 'any' | 'without-opens' | 'flat';

export interface CrashBounds {
  /** Commands in any minute, at most. */
  readonly perMinute: number;
  /** Size of a leg in base coin, at most; null: not checked. */
  readonly maxSize: number | null;
  readonly needsStops: boolean;
  readonly ends: EndRule;
}

/** Rules that refuse what can never be meant. */
const NONSENSE = ['bad-amount', 'bad-side', 'unknown-field', 'wrong-product', 'exit-side', 'nothing-to-modify'];
/** Rules of limits on size, value and number. A strategy may meet them now and then. */
const LIMITS = /^(flood|max-|open-orders|exposure|position|order-size|notional|intents)/;
/** Refusals of the venue that are a matter of size or price. */
const SIZES = [
  'exceeds-position',
  'size-too-small',
  'size-too-large',
  'insufficient-balance',
  'price-invalid',
  'size-precision',
  'price-precision',
];
/** More of them than this, and a share of all orders, are too many. */
const OFTEN = 20;
const SHARE = 0.1;

/** What is wrong with one run. */
export function findingsOf({ record, report, positions, restingOpens }: RecordedRun, bounds: CrashBounds): Finding[] {
  const found: Finding[] = [];
  const add = (rule: CrashRule, what: string): void => void found.push({ rule, what });
  const errors = record.lines.filter(({ event }) => event === 'strategy-error');
  const [error] = errors;
  if (error !== undefined) add('errors', `${String(error.fields['handler'])} at ${error.at} ms: ${firstLine(error.fields['error'])}`);
  else if (report.failed.length > 0) add('errors', `it was stopped ${report.failed[0]!.why}`);

  const refused = Object.entries(report.orders.refused);
  const { orders } = record;
  const isMany = (count: number): boolean => count > OFTEN && count > SHARE * orders.length;
  for (const [rule, count] of refused) {
    if (NONSENSE.includes(rule)) add('nonsense', `refused by ${rule}: ${count}`);
    else if (LIMITS.test(rule) && isMany(count)) add('limits', `refused by ${rule}: ${count}`);
  }
  for (const reason of SIZES) {
    const count = orders.filter(({ state, why }) => state === 'rejected' && why === reason).length;
    if (isMany(count)) add('rejections', `the venue refused ${count} of ${orders.length} orders: ${reason}`);
  }
  const busiest = busiestMinute(record.commands.map(({ at }) => at));
  if (busiest > bounds.perMinute) add('rate', `${busiest} commands in a minute; allowed are ${bounds.perMinute}`);
  if (bounds.maxSize !== null) {
    const largest = largestLeg(report.fills);
    if (largest > bounds.maxSize + 1e-9) add('size', `a leg held ${largest}; allowed is ${bounds.maxSize}`);
  }
  if (bounds.needsStops) {
    const bare = orders.filter(({ effect, filled, stopLoss }) => effect === 'OPEN' && Number(filled) > 0 && stopLoss === null);
    if (bare.length > 0) add('stops', `${bare.length} filled opening orders had no stop-loss, the first at ${bare[0]!.at} ms`);
  }
  if (bounds.ends !== 'any' && restingOpens > 0) add('orders', `${restingOpens} opening orders still rest`);
  if (bounds.ends === 'flat' && positions.length > 0)
    add('flat', `still held: ${positions.map(({ symbol, side, size }) => `${symbol} ${side} ${size}`).join(', ')}`);
  return found;
}

function firstLine(value: unknown): string {
  return String(value).split('\n', 1)[0] ?? '';
}

/** Most times within any minute. `times` are in order. */
function busiestMinute(times: readonly number[]): number {
  let most = 0;
  for (let from = 0, to = 0; to < times.length; to++) {
    while (times[to]! - times[from]! >= 60_000) from++;
    most = Math.max(most, to - from + 1);
  }
  return most;
}

function largestLeg(fills: RecordedRun['report']['fills']): number {
  const held = new Map<string, number>();
  let most = 0;
  for (const { symbol, positionSide, side, size } of fills) {
    if (positionSide === 'SPOT') continue;
    const leg = `${symbol} ${positionSide}`;
    const isOpen = (side === 'BUY') === (positionSide === 'LONG');
    const now = (held.get(leg) ?? 0) + (isOpen ? 1 : -1) * Number(size);
    held.set(leg, now);
    most = Math.max(most, now);
  }
  return Math.round(most * ONE) / ONE;
}
