/** Types of the venue's rules and of its own money: leverage, funding, liquidation steps, clearing account. */
import type { FundingModelName, RecordedRate } from '../../domain/models/funding.ts';
import type { ImpactModelName, ImpactTerms } from '../../domain/models/impact.ts';
import type { Money } from '../../domain/amounts/units.ts';

/** Leverage of the two legs of a symbol: whole numbers of at least 1. */
export interface Leverage {
  readonly long: number;
  readonly short: number;
}

/**
 * Settings of funding; see state/funding.ts. The rate is a signed decimal string: a share of the leg's value for one interval. If it is
 * positive, longs pay shorts.
 */
export interface FundingSpec {
  readonly model: FundingModelName;
  /** Milliseconds between two payments, in whole seconds. Payments are at its multiples since 1970. */
  readonly everyMs: number;
  /** Rate of instruments without their own. */
  readonly rate: string;
  /** Rates of the `recorded` model. */
  readonly recorded?: readonly RecordedRate[] | undefined;
}

/** Settings of the impact model: how much worse taking orders fill; see domain/models/impact.ts. */
export interface ImpactSpec extends ImpactTerms {
  readonly model: ImpactModelName;
  /** Terms of symbols that differ. */
  readonly bySymbol?: Readonly<Record<string, ImpactTerms>> | undefined;
}

/**
 * A step of a liquidation: orders are cancelled, a leg is reduced to the tier below, a leg is closed, or the insurance fund pays a loss.
 * The figures are those before the step.
 */
export interface LiquidationStep {
  readonly time: number;
  readonly account: number;
  readonly step: 'cancel' | 'reduce' | 'close' | 'insurance';
  /** −1 if the step concerns the whole cross margin of the account. */
  readonly instrument: number;
  /** LONG or SHORT; −1 if the step concerns no leg. */
  readonly side: number;
  /** Lots closed by the step, else 0. */
  readonly size: number;
  /** Mark price in ticks; 0 if the step concerns no leg. */
  readonly mark: number;
  /** Equity behind the leg or the cross legs, and the maintenance margin that it must exceed. */
  readonly backing: Money;
  readonly maintenance: Money;
}

/** The clearing account: money that the venue received minus money that it paid, in 10⁻⁸. Rounded beyond 2⁵³. */
export interface SimClearing {
  readonly fees: Money;
  /** Profit of the market, the counterparty of the accounts: −Σ realised. */
  readonly market: Money;
  readonly funding: Money;
  /** Balance of the insurance fund, which starts at zero. */
  readonly insurance: Money;
  /** Spot coins, fees included. */
  readonly coins: readonly { readonly coin: string; readonly amount: number }[];
}
