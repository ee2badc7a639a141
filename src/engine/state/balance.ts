/**
 * The balance of the account (E9) against what own orders brought by their records (E17, E18). A read of the balance is judged late: when
 * everything that traded before it must have been read, because lists begun that much later than they can lag have come, and no order of
 * before is open. Until then nothing is said, so that a fill which is shown later than its money is never taken for a theft.
 */
import { MONEY_DECIMALS } from '../../domain/units.ts';

/** Differences below this are not told: one coin, and half a thousandth of the balance. */
const LEAST = 10 ** MONEY_DECIMALS;
const SMALL = 0.0005;
/** So many judged reads in a row must show a difference. */
const READS = 2;
/** Reads that wait for their judgement; a longer queue loses the oldest. */
const WAITING = 300;

/** Money that came or went between two of the venue's times, give or take `doubt`. */
interface Entry {
  from: number;
  readonly to: number;
  readonly money: number;
  readonly doubt: number;
}

/** One read of the balance: the venue's time of it, and when it arrived. */
interface Look {
  readonly balance: number;
  readonly time: number;
  readonly arrivedAt: number;
}

/** Money that left (above zero) or came, as two reads show it. */
export interface Gap {
  readonly amount: number;
  readonly before: number;
  readonly after: number;
}

export class Balance {
  readonly #lagMs: number;
  /** The balance that is explained, and how exactly; what was booked since is in the entries. */
  #base = Number.NaN;
  #doubt = 0;
  /** The venue's time of the first read: what traded around it may be in it or not. Infinity once a later read was judged to be right. */
  #firstAt = -Infinity;
  #entries: Entry[] = [];
  readonly #looks: Look[] = [];
  #gaps = 0;

  /** `lagMs`: no list of the venue is later than this. */
  constructor(lagMs: number) {
    this.#lagMs = lagMs;
  }

  /** `money` came between the venue's times `from` and `to`. */
  book(from: number, to: number, money: number, doubt = 0): void {
    if (to <= this.#firstAt - this.#lagMs || (money === 0 && doubt === 0)) return;
    const isAround = from <= this.#firstAt || to <= this.#firstAt;
    this.#entries.push({ from, to, money, doubt: isAround ? doubt + Math.abs(money) : doubt });
  }

  /** The balance was read. */
  read(balance: number, time: number, arrivedAt: number): void {
    if (Number.isNaN(this.#base)) {
      this.#base = balance;
      this.#firstAt = time;
      this.#entries = [];
      return;
    }
    if (this.#looks.push({ balance, time, arrivedAt }) > WAITING) this.#looks.shift();
  }

  /** Judges the reads of which all is known: `isKnownUntil` says whether all that traded before a moment of our clock has been read. */
  judge(isKnownUntil: (moment: number) => boolean): Gap | null {
    while (this.#looks.length > 0 && isKnownUntil(this.#looks[0]!.arrivedAt)) {
      const gap = this.#judged(this.#looks.shift()!);
      if (gap !== null) return gap;
    }
    return null;
  }

  #judged({ balance, time }: Look): Gap | null {
    this.#fold(time - this.#lagMs);
    // The account may be as late as any list: what traded within that time may be in it or not.
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
    // The middle of what it may be. It is told once: what it may be beside that is doubt until a read is exact.
    const amount = gap + (least + most) / 2;
    this.#base -= amount;
    this.#doubt += (most - least) / 2;
    return { amount, before: balance + amount, after: balance };
  }

  /** What was over by then is in the balance for certain. */
  #fold(until: number): void {
    this.#entries = this.#entries.filter(({ to, money, doubt }) => {
      if (to > until) return true;
      this.#base += money;
      this.#doubt += doubt;
      return false;
    });
  }

  /** This read is right, and exact: later ones are judged from it. */
  #anchor(balance: number): void {
    this.#base = balance;
    this.#doubt = 0;
    this.#firstAt = -Infinity;
  }
}
