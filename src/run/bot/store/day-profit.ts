/**
 * Computes what the bot earned today and yesterday, UTC: realised profit, fees and funding of the journal, and the change of the equity.
 */
import { DAY_MS } from '../../../base/time/time-spans.ts';
import { Decimal } from '../../../domain/amounts/decimal.ts';
import { ONE } from '../../../domain/amounts/units.ts';
import type { DayAnswer } from '../../../control/answers.ts';
import type { JournalRecord } from '../../../ports/store.ts';
import { bookedIn } from '../answers/fill-answers.ts';
import { FundingTotals, type SavedTotals } from '../answers/funding-totals.ts';
import { shownEquity } from '../answers/shown-equity.ts';

/** Sums of a day in money, as kept in the snapshot. */
interface Sums {
  /** Days since 1970. */
  readonly day: number;
  profit: string;
  fees: string;
  funding: string;
  /** First and last equity that was seen on the day, in money; null before the first. */
  equity: { readonly first: number; readonly since: number; readonly last: number } | null;
}

export interface SavedDays {
  readonly today: Sums | null;
  readonly before: Sums | null;
  readonly totals: SavedTotals;
}

export const NO_DAYS: SavedDays = { today: null, before: null, totals: [] };

export class DayProfit {
  #today: Sums | null;
  #before: Sums | null;
  readonly #totals: FundingTotals;

  constructor({ today, before, totals }: SavedDays) {
    this.#today = today === null ? null : { ...today };
    this.#before = before;
    this.#totals = new FundingTotals(totals);
  }

  /** Processes a journal record, as it is written. */
  add(record: JournalRecord): void {
    const { fee, profit } = bookedIn(record);
    const funding = record.kind === 'funding' ? this.#totals.paid(record) : 0;
    if (fee === '' && profit === '' && funding === 0) return;
    const sums = this.#of(record.time);
    if (sums === null) return;
    sums.fees = plus(sums.fees, fee);
    sums.profit = plus(sums.profit, profit);
    sums.funding = new Decimal(sums.funding).plus(new Decimal(funding).dividedBy(ONE)).toFixed();
  }

  /** Notes the equity in money. NaN if it is unknown. */
  see(now: number, equity: number): void {
    const sums = this.#of(now);
    if (sums === null || !Number.isFinite(equity)) return;
    sums.equity = { first: sums.equity?.first ?? equity, since: sums.equity?.since ?? now, last: equity };
  }

  get today(): DayAnswer | null {
    return this.#today === null ? null : figuresOf(this.#today);
  }

  /** The day before today; null if the bot did not run then. */
  get yesterday(): DayAnswer | null {
    const [today, before] = [this.#today, this.#before];
    return today === null || before?.day !== today.day - 1 ? null : figuresOf(before);
  }

  saved(): SavedDays {
    const copy = (sums: Sums | null): Sums | null => (sums === null ? null : { ...sums });
    return { today: copy(this.#today), before: copy(this.#before), totals: this.#totals.saved() };
  }

  /** The sums of the day of `time`; null for a day that has ended. */
  #of(time: number): Sums | null {
    const day = Math.floor(time / DAY_MS);
    if (day < (this.#today?.day ?? -Infinity)) return null;
    if (day !== this.#today?.day) {
      this.#before = this.#today;
      this.#today = { day, profit: '0', fees: '0', funding: '0', equity: null };
    }
    return this.#today;
  }
}

function plus(sum: string, amount: string): string {
  return amount === '' ? sum : new Decimal(sum).plus(amount).toFixed();
}

function figuresOf({ day, profit, fees, funding, equity }: Sums): DayAnswer {
  const net = new Decimal(profit).minus(fees).plus(funding);
  const shown = (amount: string): string => new Decimal(amount).toFixed(2);
  return {
    day: new Date(day * DAY_MS).toISOString().slice(0, 10),
    profit: shown(profit),
    fees: shown(fees),
    funding: shown(funding),
    net: net.toFixed(2),
    equity: equity === null ? '' : shownEquity(equity.last).minus(shownEquity(equity.first)).toFixed(2),
    equitySince: equity?.since ?? 0,
  };
}
