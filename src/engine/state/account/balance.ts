/**
 * Compares the account balance (E9) with the fees, profit and funding that own trades explain. A balance read is judged only when every
 * order record (E17, E18) up to that moment has been read: the lists may lag by `lagMs`. Judging earlier would report money of a fill that
 * is listed late as a withdrawal.
 * size: one balance, from its first read to what is reported
 */
import { assert } from '../../../base/failure/assert.ts';
import { RecentMap } from '../../../base/collections/recent-map.ts';
import type { Instrument } from '../../../domain/instrument.ts';
import { ONE } from '../../../domain/amounts/units.ts';

/** Smallest difference that is reported: one coin, and 0.05 % of the balance. */
const LEAST = ONE;
const SMALL = 0.0005;
/** A difference above this share of the balance, or of the equity if that is less, is always reported, also where trades that the balance may lack could explain it. */
const LARGE = 0.01;
/** Number of consecutive judged reads that must show a difference before it is reported. */
const READS = 2;
/** An amount that is known to ± half of this counts as exact: a hundredth of a coin. */
const EXACT = LEAST / 100;
/** Longest queue of reads that wait to be judged; beyond it the oldest is dropped. */
const WAITING = 300;
/** Number of orders of which it is kept what they have booked. */
const ORDERS = 10_000;
/** How far before the last exact balance a record that explains a difference may have been created, in milliseconds. */
const BEFORE_MS = 60_000;

/** A change of the balance between two venue times. The amount is exact to ± `doubt`. */
interface Entry {
  from: number;
  readonly to: number;
  readonly money: number;
  readonly doubt: number;
}

/** One read of the balance, and of the equity with what is unrealised: a venue time that it is not newer than, when the venue took it, and our time of arrival. */
interface BalanceRead {
  readonly balance: number;
  readonly equity: number;
  readonly takenAt: number;
  readonly time: number;
  readonly arrivedAt: number;
}

/** What the records of one order have booked, and the venue time of the last of them. */
interface Booked {
  readonly money: number;
  readonly at: number;
}

/** All records of orders must be read before the oldest waiting read can be judged: it shows a difference. */
export const UNREAD = 'unread';

/** An unexplained change between two reads: `amount` above zero left the account, below zero came in. */
export interface Gap {
  readonly amount: number;
  readonly before: number;
  readonly after: number;
  /** True if changes whose results no record shows may be this much. */
  readonly isUncertain?: boolean;
  /** If it came up over a restart: the balance of the last snapshot before. */
  readonly left?: number | undefined;
}

/** What a restart needs to go on: the explained balance at a venue time, and what was booked later. */
export interface SavedBalance {
  readonly base: number;
  readonly doubt: number;
  readonly at: number;
  readonly entries: readonly Entry[];
  readonly booked: readonly (readonly [venueId: string, Booked])[];
}

/** Profit less fees. Venues differ in the sign of fees; if makers are paid a rebate, the sign is kept as reported. */
export function earned({ makerFeeRate }: Instrument, profit: number, fee: number): number {
  return profit - (makerFeeRate < 0 ? fee : Math.abs(fee));
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
  /** Venue time of the first of them. */
  #differsAt = 0;
  /** By venue id. */
  readonly #booked = new RecentMap<string, Booked>(ORDERS);
  /** Venue time of the last read that matched exactly, or of the first read: older records are in the balance. */
  #exactAt = -Infinity;
  /** Venue time up to which everything is in the explained balance; −Infinity before the first read. */
  #foldedUpTo = -Infinity;
  /** After a restart: the balance before it, and the venue time up to which a difference is from then; until the first read Infinity. */
  #left = Number.NaN;
  #leftUntil = -Infinity;
  /** The difference, if the balance does not lag, and the venue time since which reads show the same. */
  #shown = 0;
  #shownSince = Infinity;
  /** Bounds of the amount by all reads since the difference came up. */
  #least = -Infinity;
  #most = Infinity;
  #boundedAt = -Infinity;
  /** When the last complete read of the order history began. */
  #recordsAt = -Infinity;

  /** `lagMs`: longest delay of any list of the venue, in milliseconds. */
  constructor(lagMs: number) {
    this.#lagMs = lagMs;
  }

  /** For a snapshot; undefined before the first read. */
  saved(): SavedBalance | undefined {
    if (Number.isNaN(this.#base)) return undefined;
    const at = Math.max(this.#foldedUpTo, this.#firstAt - this.#lagMs);
    // JSON has no −Infinity.
    const entries = this.#entries.map((one) => ({ ...one, from: Math.max(0, one.from) }));
    return { base: this.#base, doubt: this.#doubt, at, entries, booked: [...this.#booked].filter(([, one]) => one.at > at) };
  }

  /** Goes on where an earlier process ended. */
  restore({ base, doubt, at, entries, booked }: SavedBalance): void {
    this.#base = base;
    this.#doubt = doubt;
    this.#foldedUpTo = at;
    this.#exactAt = at + this.#lagMs;
    this.#entries = entries.map((one) => ({ ...one }));
    for (const [venueId, one] of booked) this.#booked.set(venueId, one);
    this.#left = entries.reduce((sum, { money }) => sum + money, base);
    this.#leftUntil = Infinity;
  }

  /** Adds `money` that came in between the venue times `from` and `to`. */
  book(from: number, to: number, money: number, doubt = 0): void {
    assert(!Number.isNaN(money), 'money that is booked is a number', to);
    assert(doubt >= 0, 'the doubt of money is at least 0', doubt);
    if (to <= this.#firstAt - this.#lagMs || (money === 0 && doubt === 0)) return;
    const isAround = from <= this.#firstAt || to <= this.#firstAt;
    // The first balance contains what was before it, unless it lags.
    this.#entries.push({ from, to, money: to <= this.#firstAt ? 0 : money, doubt: isAround ? doubt + Math.abs(money) : doubt });
  }

  /**
   * Books what an order has earned less its fees, by a record with the venue time `to`. What its earlier records have booked is not booked
   * again; `before` is that amount if they are forgotten.
   */
  bookOrder(venueId: string, from: number, to: number, money: number, before = 0): void {
    const last = this.#booked.get(venueId);
    if (last !== undefined && to < last.at) return;
    this.#booked.set(venueId, { money, at: to });
    assert(last === undefined || to >= last.at, 'records of an order are booked in their order', to, 'order', venueId);
    this.book(Math.max(from, last?.at ?? -Infinity), to, money - (last?.money ?? before));
  }

  /** The same for an order that the bot does not hold: of another party, of a bracket, or settled. One that the balance contains is left out. */
  bookOthers(venueId: string, from: number, to: number, money: number): void {
    if (!this.#booked.has(venueId) && to <= this.#exactAt - this.#lagMs) return;
    this.bookOrder(venueId, from, to, money);
    // The reads that bounded a difference did not count it.
    if (to <= this.#boundedAt) this.#bound(-Infinity, Infinity, true);
  }

  /** Venue time from which on the order history has to be read to explain a difference. */
  get recordsSince(): number {
    return Math.max(0, this.#exactAt - this.#lagMs - BEFORE_MS);
  }

  /** The order history was read, and its read began at `began` of our clock: what it shows is booked. */
  recordsRead(began: number): void {
    this.#recordsAt = began;
  }

  /** The venue's clock was set: nothing that was seen is later than `now` by it. */
  clockMoved(now: number): void {
    this.#firstAt = Math.min(this.#firstAt, now);
    this.#exactAt = Math.min(this.#exactAt, now);
    this.#foldedUpTo = Math.min(this.#foldedUpTo, now);
    this.#boundedAt = Math.min(this.#boundedAt, now);
    this.#differsAt = Math.min(this.#differsAt, now);
    if (this.#leftUntil !== Infinity) this.#leftUntil = Math.min(this.#leftUntil, now + this.#lagMs);
    this.#entries = this.#entries.map((one) => ({ ...one, from: Math.min(one.from, now), to: Math.min(one.to, now) }));
    this.#shownSince = Infinity;
    this.#reads.length = 0;
  }

  /** Queues a read of the balance. `takenAt`: the venue time of the answer. `equity`: NaN if it is not known. */
  read(balance: number, time: number, arrivedAt: number, takenAt = time, equity = Number.NaN): void {
    if (Number.isNaN(this.#base)) {
      this.#base = balance;
      this.#firstAt = time;
      this.#exactAt = time;
      const early = this.#entries;
      this.#entries = [];
      // A balance that lags may lack what was booked just before it.
      for (const { from, to, money, doubt } of early) this.book(from, to, money, doubt);
      return;
    }
    if (this.#leftUntil === Infinity) this.#leftUntil = time + this.#lagMs;
    if (this.#reads.push({ balance, equity: Number.isNaN(equity) ? balance : equity, time, arrivedAt, takenAt }) > WAITING)
      this.#reads.shift();
  }

  /** Judges the reads that are complete. `isKnownUntil(moment)` is true if every trade before that moment of our clock has been read. */
  judge(isKnownUntil: (moment: number) => boolean): Gap | typeof UNREAD | null {
    while (this.#reads.length > 0 && isKnownUntil(this.#reads[0]!.arrivedAt)) {
      const gap = this.#judged(this.#reads[0]!);
      if (gap === UNREAD) return UNREAD;
      this.#reads.shift();
      if (gap !== null) return gap;
    }
    return null;
  }

  #judged(read: BalanceRead): Gap | typeof UNREAD | null {
    const { arrivedAt, balance, equity, time, takenAt } = read;
    this.#fold(time - this.#lagMs);
    // The balance may lag as long as any list: trades within that time may or may not be in it.
    const open = this.#entries.filter(({ from }) => from <= time);
    const least = open.reduce((sum, { money, doubt }) => sum + Math.min(0, money) - doubt, 0);
    const most = open.reduce((sum, { money, doubt }) => sum + Math.max(0, money) + doubt, 0);
    const slack = this.#doubt + Math.max(LEAST, Math.abs(balance) * SMALL);
    const gap = this.#base - balance;
    // Most balances do not lag: with all trades up to its time this one shows the amount.
    const shown = open.reduce((sum, { to, money }) => (to <= takenAt ? sum + money : sum), gap);
    const isSteady = this.#isSteady(shown, time, Math.max(LEAST, Math.abs(balance) * SMALL));
    if (gap + most >= -slack && gap + least <= slack) {
      this.#gaps = 0;
      const isLarge = Math.abs(shown) > Math.max(LEAST, Math.min(Math.abs(balance), Math.abs(equity)) * LARGE);
      if (isLarge && (isSteady || open.length === 0)) return this.#large(shown, read, open);
      if (open.length === 0) this.#anchor(balance, time);
      return null;
    }
    if (this.#gaps === 0) this.#differsAt = time;
    this.#bound(gap + least, gap + most, this.#gaps === 0);
    this.#boundedAt = time;
    // Within the lag it is open whether a trade is in the balance. Later reads show it, and each bounds the same amount.
    const isOpen = this.#most - this.#least > EXACT && time < this.#differsAt + this.#lagMs;
    if (this.#gaps < READS - 1 || isOpen) {
      this.#gaps++;
      return null;
    }
    // Orders that the bot does not hold, such as brackets at the venue, may explain it: their records say exactly what they earned.
    if (this.#recordsAt < arrivedAt + this.#lagMs) return UNREAD;
    this.#gaps = 0;
    // The range stays as doubt until a read is exact.
    const amount = Math.min(this.#most, Math.max(this.#least, shown));
    this.#doubt += Math.max(this.#most - amount, amount - this.#least);
    return this.#reported(amount, balance, this.#differsAt);
  }

  /** True if reads have shown the same difference for longer than the balance may lag: a trade that it lacked would be in it by now. */
  #isSteady(shown: number, time: number, slack: number): boolean {
    if (this.#shownSince === Infinity || Math.abs(shown - this.#shown) > slack) {
      this.#shown = shown;
      this.#shownSince = time;
    }
    return time > this.#shownSince + this.#lagMs;
  }

  /** A large difference that trades within the lag, or changes without a record, could explain: it is reported all the same. */
  #large(amount: number, { arrivedAt, balance, time }: BalanceRead, open: readonly Entry[]): Gap | typeof UNREAD {
    if (this.#recordsAt < arrivedAt + this.#lagMs) return UNREAD;
    const doubt = open.reduce((sum, one) => sum + one.doubt, this.#doubt);
    const gap = this.#reported(amount, balance, this.#shownSince);
    if (open.length === 0) this.#anchor(balance, time);
    return { ...gap, isUncertain: Math.abs(amount) <= doubt + LEAST };
  }

  #reported(amount: number, balance: number, since: number): Gap {
    this.#base -= amount;
    assert(Number.isFinite(this.#base), 'the explained balance is a number', this.#base);
    assert(this.#doubt >= 0, 'the doubt of a balance is at least 0', this.#doubt);
    this.#shownSince = Infinity;
    const left = since <= this.#leftUntil ? this.#left : undefined;
    this.#leftUntil = -Infinity;
    return { amount, before: balance + amount, after: balance, left };
  }

  /** The difference is between `least` and `most` by this read. Bounds that exclude those before show that another amount has moved since. */
  #bound(least: number, most: number, isFirst: boolean): void {
    const isOther = isFirst || least > this.#most + EXACT || most < this.#least - EXACT;
    this.#least = isOther ? least : Math.max(this.#least, least);
    this.#most = isOther ? most : Math.min(this.#most, most);
    assert(this.#least <= this.#most + EXACT, 'the bounds of a difference are in order', this.#least - this.#most);
  }

  /** Entries that ended by `until` are certainly in the balance. */
  #fold(until: number): void {
    this.#foldedUpTo = Math.max(this.#foldedUpTo, until);
    this.#entries = this.#entries.filter(({ to, money, doubt }) => {
      if (to > until) return true;
      this.#base += money;
      this.#doubt += doubt;
      return false;
    });
  }

  /** This read matches exactly: later reads are compared with it. */
  #anchor(balance: number, time: number): void {
    this.#base = balance;
    this.#doubt = 0;
    this.#firstAt = -Infinity;
    this.#exactAt = time;
  }
}
