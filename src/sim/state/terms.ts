/** What the venue holds its accounts to, as types: leverage, funding, the steps of a liquidation, and its own side of the money. */
import type { Money } from '../../domain/units.ts';

/** Leverage of the two legs of a symbol: whole numbers of at least 1. */
export interface Leverage {
  readonly long: number;
  readonly short: number;
}

/**
 * What longs pay shorts at every moment of funding; see state/funding.ts. The rate is a decimal string, a share of the leg's
 * value for one interval, signed: above zero longs pay.
 */
export interface FundingSpec {
  /** `constant`: the rate as it is. `premium`: the rate and how far the mark stands from the slow middle of the book. */
  readonly model: 'constant' | 'premium';
  /** Milliseconds between two moments, a whole number of seconds; moments are its multiples since the epoch. */
  readonly everyMs: number;
  /** Of the instruments that name none of their own. */
  readonly rate: string;
}

/**
 * A step of the venue against an account that cannot carry its maintenance margin: its orders cancelled, a leg reduced to the
 * tier below, a leg closed, or a loss taken over by the insurance fund. Figures are of before the step.
 */
export interface LiquidationStep {
  readonly time: number;
  readonly account: number;
  readonly step: 'cancel' | 'reduce' | 'close' | 'insurance';
  /** −1 where it concerns the account's whole cross margin. */
  readonly instrument: number;
  /** LONG or SHORT; −1 where it is about no leg. */
  readonly side: number;
  /** Lots that the venue closes by it, else 0. */
  readonly size: number;
  /** Ticks; 0 where it is about no leg. */
  readonly mark: number;
  /** What backs the leg or the cross legs, and the maintenance margin that it has to exceed. */
  readonly backing: Money;
  readonly maintenance: Money;
}

/** The venue's side of all money, 10^-8: what it has got and given since the deposits. Beyond 2^53 the figures are rounded. */
export interface SimClearing {
  readonly fees: Money;
  /** What the market has won of the accounts: −Σ realised. */
  readonly market: Money;
  readonly funding: Money;
  /** The insurance fund, which begins empty. */
  readonly insurance: Money;
  /** Spot coins, fees among them. */
  readonly coins: readonly { readonly coin: string; readonly amount: number }[];
}
