/** Fee models: the rates of a fill. To add one, add a row to the table. Rates are 10^-8 of the value; below zero is a rebate. */
import { DAY_MS } from '../../base/time/time-spans.ts';
export interface FeeModel {
  /** The rate of a fill at `time`, where `rate` is the instrument's own. */
  rate(isMaker: boolean, rate: number, time: number): number;
  /** A fill of this value (10^-8 of the quote coin) was made at `time`, which never goes back. */
  filled(value: number, time: number): void;
}

export interface FeeTier {
  /** 30-day volume from which the tier holds, 10^-8 of the quote coin. */
  readonly from: bigint;
  readonly maker: number;
  readonly taker: number;
}

export interface FeeTerms {
  /** By volume, ascending. */
  readonly tiers: readonly FeeTier[];
  /** Volume of the 30 days before the first fill, 10^-8 of the quote coin. */
  readonly volume: bigint;
}

interface Row {
  readonly doc: string;
  /** null for the rates of the instrument, which cost nothing. Each account has a model of its own. */
  readonly make: (terms: FeeTerms) => FeeModel | null;
}

export const FEE_MODELS = {
  flat: { doc: 'the rates of the instrument', make: () => null },
  tiers: { doc: 'the rates of the tier that the volume of 30 days reaches', make: (terms) => new TieredFees(terms) },
} as const satisfies Readonly<Record<string, Row>>;

export type FeeModelName = keyof typeof FEE_MODELS;

const DAYS = 30;

/**
 * The tier of a day is that of the 30 UTC days before it, as venues set it once a day. Below the first tier the instrument's own rates
 * hold. The volume given for the time before the first fill counts as traded on the day before, and so for 30 days.
 */
class TieredFees implements FeeModel {
  readonly #terms: FeeTerms;
  /** Volume by day, oldest first. */
  readonly #days: { readonly day: number; volume: bigint }[] = [];
  #today = -1;
  #tier: FeeTier | null = null;

  constructor(terms: FeeTerms) {
    this.#terms = terms;
  }

  rate(isMaker: boolean, rate: number, time: number): number {
    this.#comeTo(Math.floor(time / DAY_MS));
    if (this.#tier === null) return rate;
    return isMaker ? this.#tier.maker : this.#tier.taker;
  }

  filled(value: number, time: number): void {
    this.#comeTo(Math.floor(time / DAY_MS));
    this.#days.at(-1)!.volume += BigInt(value);
  }

  #comeTo(day: number): void {
    if (day === this.#today) return;
    if (this.#today < 0) this.#days.push({ day: day - 1, volume: this.#terms.volume });
    this.#today = day;
    while (this.#days.length > 0 && this.#days[0]!.day < day - DAYS) this.#days.shift();
    const volume = this.#days.reduce((sum, one) => sum + one.volume, 0n);
    this.#tier = this.#terms.tiers.findLast((tier) => volume >= tier.from) ?? null;
    this.#days.push({ day, volume: 0n });
  }
}
