/**
 * One leg (position side LONG or SHORT of an instrument) in local state. `total` is what fills prove; position reads only propose. Lots
 * that may exist beyond the total, or may be gone, are kept separately, and risk uses the worse end. Entry prices are statistics and
 * therefore doubles. @hot
 */
import { assert } from '../../../base/failure/assert.ts';

/** Lots of a leg that were closed, and that trades have to account for. */
export interface ClosedLots {
  readonly lots: number;
  /** In quote coin. */
  readonly price: number;
  readonly why: string;
  /** Latest time by our clock at which they were closed; Infinity if unknown. */
  readonly at: number;
  /** True if an order or a bracket of the strategy closed them whose trades account for it. */
  readonly isOwn: boolean;
}

/** Lots whose close strategies got before the fill that had opened them. */
export interface ClosedAhead extends ClosedLots {
  /** The strategy whose trades account for it. */
  readonly strategy: string;
}

export class Leg {
  /** 2 · instrument + side. */
  declare readonly index: number;
  /** Lots that fills prove, or that repeated reads have confirmed. */
  total = 0;
  /**
   * Lots of the total that no order of this bot opened: a person, another program, or what was there before the journal began. Closes by
   * own orders take the own lots first, closes by others theirs.
   */
  foreign = 0;
  /** Lots that were closed before any fill showed what had opened them: the next opening fills are theirs. */
  closedBeforeOpen = 0;
  /**
   * Lots of the leg by the events that strategies got: without events that wait, and without changes whose cause is not known yet. Below
   * zero if a close was reported before the open that it closes.
   */
  delivered = 0;
  readonly closedAhead: ClosedAhead[] = [];
  /** Change of the total whose cause is being read: strategies get it when the cause is known (positions/foreign-changes.ts). */
  unexplained = 0;
  /** Lots that live orders may still open or close. */
  opening = 0;
  closing = 0;
  /** Lots that ended orders may have opened or closed beyond their known fills. */
  mayOpen = 0;
  mayClose = 0;
  /** Lots by which a read shows more, or fewer, than own orders can explain. */
  excess = 0;
  missing = 0;
  /** True while the size of the leg is undecided: opens on it are refused. */
  isDoubted = false;
  doubtedSince = -Infinity;
  /** Average entry price in ticks; NaN if flat or unknown. */
  entry = Number.NaN;
  /** True if `entry` is the exact average of the lots in `total`: since the last agreeing read, only opening fills of known price. */
  isEntryExact = false;
  /** Lots as last read, whether or not fills prove them. */
  shown = 0;
  /** Average entry price in ticks as read, and the venue time since which reads show the same. */
  shownEntry = Number.NaN;
  entrySince = Infinity;
  /** Entry price before the last closing change: needed for a bracket that already closed the leg. */
  lastEntry = Number.NaN;
  /** Money, as last read. */
  margin = 0;
  realised = 0;
  /** Lots not locked by any closing order, as last read; Infinity if unknown. */
  available = Infinity;
  /** Margin mode that the venue last showed while the leg was held; −1 if unknown. */
  marginMode = -1;
  /** Prices in the quote coin as last read; NaN before. */
  mark = Number.NaN;
  liquidation = Number.NaN;
  /** When the total last changed other than by a position read: older reads are not compared with it. */
  changedAt = -Infinity;
  /** When the total last became zero: a close that was made before is not one of what the leg holds now. */
  flatAt = -Infinity;
  /** Venue time of the newest own fill in the total: a position record that is older does not contain that fill. */
  provenAt = -Infinity;
  /** When the last own order of the leg ended; −Infinity if none is known. */
  endedAt = -Infinity;
  /** Lots in the newest list of all positions (E19) and in the newest read of the symbol alone (E20), and when these reads began. */
  listed = 0;
  listedAt = -Infinity;
  alone = 0;
  aloneAt = -Infinity;
  /** Venue time of the last change in the newest read of the symbol alone; −Infinity if that does not show the leg. */
  aloneUpdatedAt = -Infinity;
  /** Newest update time (`uTime`) that a read has shown: later records are never older. */
  shownAt = -Infinity;
  /** The newest of both when the clock of the venue was last set; it is not set back. */
  #recordedAt = -Infinity;
  /** Venue time of the last change in the newest read that agreed with the total: what traded later is not in it. 0 for none. */
  agreedUpTo = 0;
  /** Signed lots that were reported as another party's before any record showed them, and the venue time until which they traded. */
  attributedWithoutRecord = 0;
  attributedUntil = 0;

  /** Number of halts of this leg alone. Counted by state/halts.ts. */
  halts = 0;
  /** True if a strategy has a handler for position changes here. */
  hasPositionHandler = false;

  constructor(index: number) {
    this.index = index;
  }

  /** Upper and lower bound of the leg in lots, without live orders. */
  get maxLots(): number {
    return this.total + this.mayOpen + this.excess;
  }
  get minLots(): number {
    const lots = this.total - this.mayClose - this.missing;
    return lots > 0 ? lots : 0;
  }

  /** Share of the mark price between it and the liquidation price: Infinity without a position, NaN if either price is not known. */
  get toLiquidation(): number {
    return this.total > 0 ? Math.abs(this.mark - this.liquidation) / this.mark : Infinity;
  }

  /** Lots in the newest read of the leg since the start; NaN before the first. */
  get readLots(): number {
    if (this.aloneAt === -Infinity && this.listedAt === -Infinity) return Number.NaN;
    return this.aloneAt >= this.listedAt ? this.alone : this.listed;
  }

  /** Lots of the total that own orders opened. A gain whose cause is still being read is not one of them. */
  get own(): number {
    const own = this.total - this.foreign - (this.unexplained > 0 ? this.unexplained : 0);
    return own > 0 ? own : 0;
  }

  /** The total, below zero by what was closed before its opening was shown. */
  get proven(): number {
    return this.total - this.closedBeforeOpen;
  }

  /** A read that began at `sentAt` shows so many lots, last changed at `updatedAt` of the venue. */
  read(isAlone: boolean, lots: number, sentAt: number, updatedAt: number): void {
    if (isAlone) {
      this.alone = lots;
      this.aloneAt = sentAt;
      this.aloneUpdatedAt = updatedAt;
    } else {
      this.listed = lots;
      this.listedAt = sentAt;
    }
  }

  /** The size of the leg is undecided from now on. */
  doubt(now: number): void {
    if (!this.isDoubted) this.doubtedSince = now;
    this.isDoubted = true;
  }

  /** An own fill opened `size` lots at `price` ticks (0: unknown). */
  opened(size: number, price: number, now: number): void {
    assert(Number.isSafeInteger(size), 'a fill opens whole lots', size);
    assert(size > 0, 'a fill opens lots above zero', size);
    assert(price >= 0, 'the price of a fill is at least 0', price);
    this.changedAt = now;
    const lots = size > this.closedBeforeOpen ? size - this.closedBeforeOpen : 0;
    this.closedBeforeOpen -= size - lots;
    if (lots === 0) return;
    const before = this.total;
    const after = before + lots;
    if (price > 0) {
      if (before === 0 || Number.isNaN(this.entry)) this.entry = price;
      else this.entry = (this.entry * before + price * lots) / after;
    } else this.isEntryExact = false;
    this.total = after;
    this.#check();
  }

  /** An own fill closed `lots`. More than the total means that local state was behind: what had opened the rest is not shown yet. */
  closed(lots: number, now: number): void {
    assert(Number.isSafeInteger(lots), 'a fill closes whole lots', lots);
    assert(lots > 0, 'a fill closes lots above zero', lots);
    const after = this.total > lots ? this.total - lots : 0;
    this.closedBeforeOpen += lots - (this.total - after);
    this.total = after;
    if (this.foreign > after) this.foreign = after;
    // The order of opening fills relative to this close at the venue is unknown.
    this.isEntryExact = false;
    if (this.entry > 0) this.lastEntry = this.entry;
    if (after === 0) this.#flat(now);
    this.changedAt = now;
    this.#check();
  }

  /** The first that is known of the leg: strategies see it as it is. `foreign`: lots of it that no order of this bot opened. */
  begin(lots: number, foreign: number): void {
    assert(foreign >= 0, 'lots of others are at least 0', foreign);
    this.adopt(lots, -Infinity);
    this.foreign = Math.min(foreign, this.total);
    this.delivered = lots;
  }

  /** Others opened lots of the total, or closed them if below zero. */
  byOthers(lots: number): void {
    assert(Number.isSafeInteger(lots), 'others trade whole lots', lots);
    this.foreign = Math.min(Math.max(0, this.foreign + lots), this.total);
    this.#check();
  }

  /** A read agrees with the total; the last change that it shows was at this venue time. A total that is being explained agrees with nothing. */
  agreed(upTo: number): void {
    assert(!Number.isNaN(upTo), 'a read agrees up to a time');
    if (this.unexplained === 0) this.agreedUpTo = Math.max(this.agreedUpTo, upTo);
  }

  /**
   * The first answer of a process has the time `venueTime`. If its clock is the venue's, what traded since is not in the leg. It may be a copy:
   * which lists are new is not decided by it alone.
   */
  clockShown(venueTime: number): void {
    this.agreedUpTo = setBack(this.agreedUpTo, venueTime, 0);
  }

  /**
   * The venue's clock shows `venueTime`, and was set by `byMs`: times of the leg that are later were written by the clock of before. If they
   * stayed, all that trades until then would count as older than the leg. A clock that comes to them again sets forth from when lists are new;
   * what agreed with reads stays at its earlier time.
   */
  clockSet(venueTime: number, byMs: number): void {
    this.#recordedAt = Math.max(this.#recordedAt, this.provenAt, this.shownAt);
    this.agreedUpTo = setBack(this.agreedUpTo, venueTime, byMs);
    this.provenAt = setBack(this.provenAt, venueTime, byMs);
    this.shownAt = setBack(this.shownAt, venueTime, byMs);
    if (byMs > 0) this.provenAt = Math.max(this.provenAt, Math.min(this.#recordedAt, venueTime));
  }

  /** Strategies got an event that changes the leg by `lots`. */
  tell(lots: number): void {
    assert(Number.isSafeInteger(lots), 'a strategy sees whole lots', lots);
    this.delivered += lots;
  }

  /** Sets what is proven to `lots`, because reads have confirmed it against the fills. Below zero as `proven` may be. */
  adopt(lots: number, now: number): void {
    assert(Number.isSafeInteger(lots), 'a leg has whole lots', lots);
    this.total = lots > 0 ? lots : 0;
    this.closedBeforeOpen = this.total - lots;
    this.foreign = Math.min(this.foreign, this.total);
    this.isEntryExact = false;
    if (this.entry > 0) this.lastEntry = this.entry;
    if (this.total === 0) this.#flat(now);
    this.#check();
    assert(this.proven === lots, 'what is proven is what was adopted', this.proven);
  }

  /** What holds after each change. */
  #check(): void {
    assert(this.total >= 0, 'the total of a leg is at least 0 lots', this.total);
    assert(this.closedBeforeOpen >= 0, 'lots closed before their open are at least 0', this.closedBeforeOpen);
    assert(this.total === 0 || this.closedBeforeOpen === 0, 'a leg with lots has opened all that was closed', this.closedBeforeOpen);
    assert(this.foreign >= 0, 'lots of others are at least 0', this.foreign);
    assert(this.foreign <= this.total, 'lots of others are part of the total', this.foreign);
  }

  #flat(now: number): void {
    this.entry = Number.NaN;
    this.flatAt = now;
  }
}

function setBack(time: number, venueTime: number, byMs: number): number {
  return time > venueTime ? Math.min(venueTime, time + byMs) : time;
}
