/**
 * Compares the account balance (E9) with the fees, profit and funding that own trades explain. A balance read is judged only when every
 * order record (E17, E18) up to that moment has been read: the lists may lag by `lagMs`. Judging earlier would report money of a fill that
 * is listed late as a withdrawal.
 */
import { MONEY_DECIMALS } from '../../domain/units.ts';

/** Smallest difference that is reported: one coin, and 0.05 % of the balance. */
const LEAST = 10 ** MONEY_DECIMALS;
const SMALL = 0.0005;
/** Number of consecutive judged reads that must show a difference before it is reported. */
const READS = 2;
/** Longest queue of reads that wait to be judged; beyond it the oldest is dropped. */
const WAITING = 300;

/** A change of the balance between two venue times. The amount is exact to ± `doubt`. */
interface Entry {
  from: number;
  readonly to: number;
  readonly money: number;
  readonly doubt: number;
}

/** One read of the balance: its venue time, and our time of arrival. */
interface BalanceRead {
  readonly balance: number;
  readonly time: number;
  readonly arrivedAt: number;
}

/** An unexplained change between two reads: `amount` above zero left the account, below zero came in. */
export interface Gap {
  readonly amount: number;
  readonly before: number;
  readonly after: number;
}

export class Balance {
  readonly #lagMs: number;
  /** The explained balance and its uncertainty. Entries booked later are added by `#fold`. */
  #base = Number.NaN;
  #doubt = 0;
  /** Venue time of the first read: it may or may not contain trades around that time. −Infinity once a later read matched exactly. */
  #firstAt = -Infinity;
  #entries: Entry[] = [];
  readonly #reads: BalanceRead[] = [];
  #gaps = 0;

  /** `lagMs`: longest delay of any list of the venue, in milliseconds. */
  constructor(lagMs: number) {
    this.#lagMs = lagMs;
  }

  /** Adds `money` that came in between the venue times `from` and `to`. */
  book(from: number, to: number, money: number, doubt = 0): void {
    if (to <= this.#firstAt - this.#lagMs || (money === 0 && doubt === 0)) return;
    const isAround = from <= this.#firstAt || to <= this.#firstAt;
    this.#entries.push({ from, to, money, doubt: isAround ? doubt + Math.abs(money) : doubt });
  }

  /** Queues a read of the balance. */
  read(balance: number, time: number, arrivedAt: number): void {
    if (Number.isNaN(this.#base)) {
      this.#base = balance;
      this.#firstAt = time;
      this.#entries = [];
      return;
    }
    if (this.#reads.push({ balance, time, arrivedAt }) > WAITING) this.#reads.shift();
  }

  /** Judges the reads that are complete. `isKnownUntil(moment)` is true if every trade before that moment of our clock has been read. */
  judge(isKnownUntil: (moment: number) => boolean): Gap | null {
    while (this.#reads.length > 0 && isKnownUntil(this.#reads[0]!.arrivedAt)) {
      const gap = this.#judged(this.#reads.shift()!);
      if (gap !== null) return gap;
    }
    return null;
  }

  #judged({ balance, time }: BalanceRead): Gap | null {
    this.#fold(time - this.#lagMs);
    // The balance may lag as long as any list: trades within that time may or may not be in it.
    const open = this.#entries.filter(({ from }) => from <= time);
    const least = open.reduce((sum, { money, doubt }) => sum + Math.min(0, money) - doubt, 0);
    const most = open.reduce((sum, { money, doubt }) => sum + Math.max(0, money) + doubt, 0);
    const slack = this.#doubt + Math.max(LEAST, Math.abs(balance) * SMALL);
    const gap = this.#base - balance;
    if (gap + most >= -slack && gap + least <= slack) {
      this.#gaps = 0;
      if (open.length === 0) this.#anchor(balance);
      return null;
    }
    this.#gaps++;
    if (this.#gaps < READS) return null;
    this.#gaps = 0;
    // The midpoint of the possible range is reported once. The rest of the range stays as doubt until a read is exact.
    const amount = gap + (least + most) / 2;
    this.#base -= amount;
    this.#doubt += (most - least) / 2;
    return { amount, before: balance + amount, after: balance };
  }

  /** Entries that ended by `until` are certainly in the balance. */
  #fold(until: number): void {
    this.#entries = this.#entries.filter(({ to, money, doubt }) => {
      if (to > until) return true;
      this.#base += money;
      this.#doubt += doubt;
      return false;
    });
  }

  /** This read matches exactly: later reads are compared with it. */
  #anchor(balance: number): void {
    this.#base = balance;
    this.#doubt = 0;
    this.#firstAt = -Infinity;
  }
}
