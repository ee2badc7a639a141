/**
 * Chooses the symbols of a strategy: by ranks of candidates by their closed bars. Pure: the same bars give the same choice, and a bar that
 * ends after the moment of the choice is not looked at.
 */
import { DAY_MS, dayAt, MINUTE_MS } from '../base/time/time-spans.ts';
import { dayOf } from './time/cron.ts';

/** What candidates are ranked by; the highest comes first. */
export const UNIVERSE_MEASURES = {
  volume: 'value traded in the window, in quote coin: the volume of each bar times the mean of its high, low and close',
  momentum: 'return over the window: last close ÷ first open − 1',
  volatility: 'realised volatility of the window: the root of the sum of squared log returns from bar to bar',
} as const;
export type UniverseMeasure = keyof typeof UNIVERSE_MEASURES;

/** What becomes of positions in a symbol that is not chosen any more. */
export const LEAVE_POLICIES = {
  close: 'its orders are cancelled and its positions closed at the market',
  'keep-until-flat': 'opening orders are cancelled; the strategy goes on with the position, and cannot open until it is flat',
} as const;
export type LeavePolicy = keyof typeof LEAVE_POLICIES;

/** The section `universe` of a strategy. Times in milliseconds. */
export interface UniverseTerms {
  /** Number of symbols, at most. */
  readonly top: number;
  readonly by: UniverseMeasure;
  /** Choices are at multiples of it since 1970 in UTC; of whole weeks since a Monday. */
  readonly every: number;
  /** What is ranked: the bars of this time before the choice. */
  readonly window: number;
  /** Length of these bars. */
  readonly bars: number;
  /** A symbol needs bars for this long. */
  readonly minAge: number;
  /** Candidates; empty for every futures symbol whose rules are known. */
  readonly from: readonly string[];
  readonly exclude: readonly string[];
  readonly leave: LeavePolicy;
  /** Period of the trade reads of a candidate that is not chosen. */
  readonly poll: number;
}

/** Closed bars of one candidate, oldest first, without holes: a period without a trade has a flat bar of volume 0. */
export interface RankedBars {
  readonly length: number;
  /** Start of each bar. */
  readonly time: ArrayLike<number>;
  readonly open: ArrayLike<number>;
  readonly high: ArrayLike<number>;
  readonly low: ArrayLike<number>;
  readonly close: ArrayLike<number>;
  /** In base coin. */
  readonly volume: ArrayLike<number>;
}

/**
 * Why a candidate cannot be chosen. `gone`: it has not traded since that time, in milliseconds; as of a symbol that was delisted. `unread`: its
 * newest bars are not known yet, as far as that time. `young`, `strategy-bars`: it has so many bars of those that are wanted.
 */
export type Lack =
  | { readonly why: 'no-bars' | 'no-number' }
  | { readonly why: 'gone' | 'unread'; readonly since: number }
  | { readonly why: 'young' | 'strategy-bars'; readonly has: number; readonly of: number };

/** Why a candidate cannot be chosen, in words. */
export function lackText(lack: Lack): string {
  switch (lack.why) {
    case 'no-bars':
      return 'no trade of it is known';
    case 'no-number':
      return 'its bars give no number';
    case 'gone':
      return `it has not traded since ${utc(lack.since)}, as if it were delisted`;
    case 'unread':
      return `its trades are known up to ${utc(lack.since)} only`;
    case 'young':
      return `it has ${lack.has} bars of the ${lack.of} that are ranked`;
    case 'strategy-bars':
      return `it has ${lack.has} bars of the ${lack.of} that the strategy needs`;
  }
}

/** The same for several symbols. */
export const LACKS: Readonly<Record<Lack['why'], string>> = {
  'no-bars': 'no trade of them is known',
  'no-number': 'their bars give no number',
  gone: 'they had not traded for long, as if they were delisted',
  unread: 'their trades were not known up to the choice',
  young: 'they had fewer bars than are ranked',
  'strategy-bars': 'they had fewer bars than the strategy needs',
};

/** "2024-01-01 10:32 UTC". */
function utc(time: number): string {
  const { year, month, date } = dayOf(Math.floor(time / DAY_MS));
  const minutes = Math.floor((time - dayAt(time)) / MINUTE_MS);
  const two = (part: number): string => String(part).padStart(2, '0');
  return `${year}-${two(month)}-${two(date)} ${two(Math.floor(minutes / 60))}:${two(minutes % 60)} UTC`;
}

/** What a candidate is worth at a choice, or why it cannot be chosen. */
export type Ranked = { readonly value: number } | { readonly lacks: Lack };

/** Number of bars of the window, and of those that a candidate must have. */
export function barsOfWindow({ window, bars }: Pick<UniverseTerms, 'window' | 'bars'>): number {
  return Math.round(window / bars);
}
export function barsWantedBy(terms: Pick<UniverseTerms, 'window' | 'bars' | 'minAge'>): number {
  return Math.max(barsOfWindow(terms), Math.ceil(terms.minAge / terms.bars));
}

/** Number of bars to read at a start: the newest moment of choice, whose bars are ranked, is up to `every` ago. */
export function barsReadBy(terms: Pick<UniverseTerms, 'window' | 'bars' | 'minAge' | 'every'>): number {
  return barsWantedBy(terms) + Math.ceil(terms.every / terms.bars);
}

/**
 * Ranks one candidate at the moment `at`. A symbol that did not trade in the last tenth of the window counts as delisted: its flat bars
 * would rank by what it was.
 */
export function rankOf(bars: RankedBars, terms: Pick<UniverseTerms, 'by' | 'window' | 'bars' | 'minAge'>, at: number): Ranked {
  const size = terms.bars;
  let end = bars.length;
  while (end > 0 && bars.time[end - 1]! + size > at) end--;
  if (end === 0) return { lacks: { why: 'no-bars' } };
  const wanted = barsWantedBy(terms);
  const count = barsOfWindow(terms);
  const last = bars.time[end - 1]! + size;
  const quiet = Math.max(1, Math.ceil(count / 10));
  let traded = end;
  while (traded > 0 && bars.volume[traded - 1] === 0 && bars.high[traded - 1] === bars.low[traded - 1]) traded--;
  const tradedAt = traded === 0 ? bars.time[0]! : bars.time[traded - 1]! + size;
  if (tradedAt <= at - quiet * size) return { lacks: { why: 'gone', since: tradedAt } };
  if (last < at) return { lacks: { why: 'unread', since: last } };
  if (end < wanted) return { lacks: { why: 'young', has: end, of: wanted } };
  const value = MEASURES[terms.by](bars, end - count, end);
  return Number.isFinite(value) ? { value } : { lacks: { why: 'no-number' } };
}

const MEASURES: Readonly<Record<UniverseMeasure, (bars: RankedBars, from: number, to: number) => number>> = {
  volume({ high, low, close, volume }, from, to) {
    let sum = 0;
    for (let i = from; i < to; i++) sum += (volume[i]! * (high[i]! + low[i]! + close[i]!)) / 3;
    return sum;
  },
  momentum: ({ open, close }, from, to) => close[to - 1]! / open[from]! - 1,
  volatility({ open, close }, from, to) {
    let sum = 0;
    for (let i = from; i < to; i++) sum += Math.log(close[i]! / (i === from ? open[i]! : close[i - 1]!)) ** 2;
    return Math.sqrt(sum);
  },
};

/** The `top` symbols by their value, the highest first; equal values in the order of their names. */
export function topOf(values: Readonly<Record<string, number>>, top: number): string[] {
  const names = Object.keys(values).sort((a, b) => values[b]! - values[a]! || (a < b ? -1 : 1));
  return names.slice(0, top);
}
