/**
 * Names of bars: "1m" and "4h" by time, "tick:500" by number of trades, "volume:10" by base coin, "value:100000" by quote coin, "range:25" and
 * "renko:25" by price in quote coin. "ha:1m" is the Heikin-Ashi form of another.
 */

export type BarRule = 'time' | 'tick' | 'volume' | 'value' | 'range' | 'renko';

export interface Timeframe {
  /** The name in its shortest form: "60s" becomes "1m". */
  readonly name: string;
  readonly rule: BarRule;
  /** Milliseconds, number of trades, base coin, or quote coin: what fills a bar. */
  readonly size: number;
  readonly isHeikinAshi: boolean;
}

const UNITS = [
  ['w', 604_800_000],
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
  ['ms', 1],
] as const;

/** Weeks begin on Monday: 1970-01-05 was the first one. */
const MONDAY = 4 * 86_400_000;
const WEEK = 604_800_000;

const KNOWN =
  'a timeframe is a time such as "1s", "5m", "1h", "1d", "1w", or "tick:500", "volume:10", "value:100000", "range:25", "renko:25"';

/** @throws RangeError that lists the known forms */
export function parseTimeframe(text: string): Timeframe {
  const isHeikinAshi = text.startsWith('ha:');
  const plain = isHeikinAshi ? text.slice(3) : text;
  const time = /^(\d+)(ms|s|m|h|d|w)$/.exec(plain);
  if (time !== null) {
    const unit = UNITS.find(([name]) => name === time[2])![1];
    const size = Number(time[1]) * unit;
    if (Number.isSafeInteger(size) && size > 0) return named('time', size, timeframeOf(size), isHeikinAshi);
  }
  const other = /^(tick|volume|value|range|renko):(\d+(?:\.\d+)?)$/.exec(plain);
  if (other !== null) {
    const rule = other[1] as BarRule;
    const size = Number(other[2]);
    if (size > 0 && (rule !== 'tick' || Number.isInteger(size))) return named(rule, size, `${rule}:${size}`, isHeikinAshi);
  }
  throw new RangeError(`${KNOWN}, each also as "ha:1m" for Heikin-Ashi; found "${text}"`);
}

function named(rule: BarRule, size: number, name: string, isHeikinAshi: boolean): Timeframe {
  return { name: isHeikinAshi ? `ha:${name}` : name, rule, size, isHeikinAshi };
}

/** The same bars, by the same name, of a market that moves `speed` times as fast as real time. */
export function atSpeed(timeframe: Timeframe, speed: number): Timeframe {
  return timeframe.rule === 'time' ? { ...timeframe, size: Math.max(1, Math.round(timeframe.size / speed)) } : timeframe;
}

/** The name of a period in milliseconds: 60,000 is "1m". */
export function timeframeOf(periodMs: number): string {
  const [name, unit] = UNITS.find(([, length]) => periodMs % length === 0) ?? UNITS[5];
  return `${periodMs / unit}${name}`;
}

/** Start of the period in which `time` lies: a multiple of the period since 1970, whole weeks since a Monday. */
export function periodStart(time: number, periodMs: number): number {
  const from = periodMs % WEEK === 0 ? MONDAY : 0;
  return Math.floor((time - from) / periodMs) * periodMs + from;
}
