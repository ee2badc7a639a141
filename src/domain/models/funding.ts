/**
 * Funding models: when legs pay each other, and at which rate. Rates are 10^-8 of a leg's value for one interval; above zero longs pay
 * shorts. To add one, add a row to the table.
 */
import { firstIndex } from '../../base/collections/first-index.ts';
import { FUNDING_MAX } from '../instrument.ts';
import { ONE } from '../amounts/units.ts';

export interface FundingModel {
  /** The first moment of payment after `time`; NEVER if there is none. */
  after(time: number): number;
  /** The rate of a payment at the moment `at`. */
  rate(market: FundedMarket, at: number): number;
}

/** What a rate may depend on. Prices are in ticks. */
export interface FundedMarket {
  readonly symbol: string;
  /** The rate of the instrument, or of the configuration where it has none. */
  readonly configured: number;
  readonly mark: number;
  /** The slow mid of the book; 0 if it is not known. */
  readonly slow: number;
}

export interface FundingTerms {
  /** Milliseconds between two moments, whole seconds. */
  readonly everyMs: number;
  readonly recorded: readonly RecordedRate[];
}

export interface RecordedRate {
  readonly symbol: string;
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly rate: number;
}

interface Row {
  readonly doc: string;
  readonly make: (terms: FundingTerms) => FundingModel | null;
}

/** A moment that never comes, and that JSON keeps. */
const NEVER = Number.MAX_SAFE_INTEGER;
/** How far the premium may draw the rate from the configured one, 0.05 %. */
const BAND = 50_000;

export const FUNDING_MODELS = {
  off: { doc: 'none', make: () => null },
  /** rate = I, the configured rate. */
  constant: { doc: 'the rate', make: ({ everyMs }) => ({ after: multiplesOf(everyMs), rate: ({ configured }) => configured }) },
  /** With P = trunc((mark − S) · 10^8 / S): min(max(P + min(max(I − P, −BAND), BAND), −0.75 %), 0.75 %), as venues publish it; I without S. */
  premium: {
    doc: 'the rate, and the distance of the mark from the smoothed mid',
    make: ({ everyMs }) => ({ after: multiplesOf(everyMs), rate: premiumRate }),
  },
  /** The rates and moments of a file; a symbol pays nothing at a moment for which it has no rate. */
  recorded: { doc: 'the rates of a file or of the tape, at their times', make: ({ recorded }) => new RecordedFunding(recorded) },
} as const satisfies Readonly<Record<string, Row>>;

export type FundingModelName = keyof typeof FUNDING_MODELS;

/** Moments are the multiples of the interval since 1970, so every 8 hours at 0, 8 and 16 UTC. */
function multiplesOf(everyMs: number): (time: number) => number {
  return (time) => (Math.floor(time / everyMs) + 1) * everyMs;
}

function premiumRate({ configured, mark, slow }: FundedMarket): number {
  if (slow === 0) return configured;
  const premium = Math.trunc(((mark - slow) * ONE) / slow);
  const drawn = premium + Math.min(Math.max(configured - premium, -BAND), BAND);
  return Math.min(Math.max(drawn, -FUNDING_MAX), FUNDING_MAX);
}

class RecordedFunding implements FundingModel {
  /** Ascending. */
  readonly #times: readonly number[];
  readonly #rates: ReadonlyMap<string, number>;

  constructor(rows: readonly RecordedRate[]) {
    this.#times = [...new Set(rows.map(({ time }) => time))].sort((a, b) => a - b);
    this.#rates = new Map(rows.map(({ symbol, time, rate }) => [`${symbol} ${time}`, rate]));
  }

  after(time: number): number {
    const at = firstIndex(0, this.#times.length, (k) => this.#times[k]! > time);
    return this.#times[at] ?? NEVER;
  }

  rate({ symbol }: FundedMarket, at: number): number {
    return this.#rates.get(`${symbol} ${at}`) ?? 0;
  }
}
