/** What the bot earned today and yesterday, UTC: realised profit, fees and funding of the journal, and the change of the equity. */
import { DAY_MS } from '../../../base/time-spans.ts';
import { Decimal } from '../../../domain/decimal.ts';
import { ONE } from '../../../domain/units.ts';
import type { DayAnswer } from '../../../control/answers.ts';
import type { JournalRecord } from '../../../ports/store.ts';
import { bookedIn } from '../answers/fills.ts';

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
  /** Funding since the position was opened, by position. */
  readonly funded: Readonly<Record<string, number>>;
}

export const NO_DAYS: SavedDays = { today: null, before: null, funded: {} };

export class DayProfit {
  #today: Sums | null;
  #before: Sums | null;
  readonly #funded: Map<string, number>;

  constructor({ today, before, funded }: SavedDays) {
    this.#today = today === null ? null : { ...today };
    this.#before = before;
    this.#funded = new Map(Object.entries(funded));
  }

  /** Processes a journal record, as it is written. */
  add(record: JournalRecord): void {
    const { fee, profit } = bookedIn(record);
    const funding = record.kind === 'funding' ? this.#paid(record) : 0;
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
    return { today: copy(this.#today), before: copy(this.#before), funded: Object.fromEntries(this.#funded) };
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

  /** Funding of a position since the record before, in units of 10⁻⁸. */
  #paid({ data }: JournalRecord): number {
    const leg = `${String(data['symbol'])} ${String(data['side'])} `;
    const position = leg + String(data['openedAt']);
    const before = this.#funded.get(position) ?? 0;
    // A leg has one position: the ones before have ended.
    for (const key of this.#funded.keys()) if (key.startsWith(leg)) this.#funded.delete(key);
    this.#funded.set(position, Number(data['total']));
    return Number(data['total']) - before;
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
    equity: equity === null ? '' : new Decimal(equity.last).minus(equity.first).dividedBy(ONE).toFixed(2),
    equitySince: equity?.since ?? 0,
  };
}
