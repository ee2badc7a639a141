/**
 * Decides which prices of one instrument are accepted. A crossed, locked or empty quote is rejected. A price far from the accepted one is
 * held: strategies do not see it and opens are refused until other evidence confirms it. Evidence is a price of another kind (quote, trade,
 * 24-hour ticker, mark price) near it, or repeated reads without contradiction. Allocates nothing per price. @hot
 */

/** The accepted price is the median of this many polled quotes. */
const RING = 9;
/** A held price repeated this often, over at least this time, is accepted if no other evidence contradicts it. */
const READS = 5;
const READS_OVER_MS = 1_000;
/** Evidence of another kind is valid for this long. */
const EVIDENCE_MS = 15_000;
/** An accepted price older than this contradicts nothing. */
const FORGOTTEN_MS = 60_000;
/** Band limit that no price passes: low = NONE, high = −NONE. */
const NONE = Infinity;

/** Kinds of evidence. */
const QUOTE = 0;
const TRADE = 1;
const TICKER = 2;
const MARK = 3;
const KINDS = 4;

export class PriceFilter {
  /** Prices strictly between these, with bid below ask, are accepted without further checks. None is while a price is held, or polled. */
  low = NONE;
  high = -NONE;
  /** Number of held prices and rejected quotes. */
  held = 0;
  rejected = 0;
  /** Largest accepted distance from the accepted price, as a share; Infinity accepts every valid price. */
  declare readonly jump: number;
  /** True if every price arrives at its own time: the next one is compared with the last accepted one. If false, with the median. */
  declare private readonly isRealTime: boolean;
  /** The accepted price, 0 before the first, and when it was last confirmed. */
  private center = 0;
  private confirmedAt = -Infinity;
  /** False until a second polled price agrees with the first one; opens are refused before that. */
  private isProven = false;
  private readonly ring = new Float64Array(RING);
  /** The same prices from low to high. */
  private readonly sorted = new Float64Array(RING);
  private ringCount = 0;
  /** Last reported price of each kind, accepted or not, and its time. */
  private readonly reported = new Float64Array(KINDS);
  private readonly reportedAt = new Float64Array(KINDS).fill(-Infinity);
  /** The held price (0 for none), how often it was repeated, and since when. */
  private heldPrice = 0;
  private heldCount = 0;
  private heldSince = 0;
  private heldKind = QUOTE;

  constructor(jump: number, isRealTime: boolean) {
    this.jump = jump;
    this.isRealTime = isRealTime;
  }

  /** The held price in ticks, 0 for none. */
  get heldTicks(): number {
    return this.heldPrice;
  }

  /** The accepted price in ticks, 0 before the first. */
  get accepted(): number {
    return this.center;
  }

  /** Since when a price is held; 0 if none is. */
  get heldAt(): number {
    return this.heldPrice > 0 ? this.heldSince : 0;
  }

  /** True while opens must be refused: a price is held, or the first one is not confirmed yet. */
  get isDoubtful(): boolean {
    return this.heldPrice > 0 || (!this.isProven && !this.isRealTime && this.center > 0 && this.jump !== Infinity);
  }

  /**
   * True if the quote is accepted. `last` is the price accepted before it and `lastAt` its time: pushed rows within the band bypass this
   * filter.
   */
  quote(bid: number, ask: number, last: number, lastAt: number, now: number): boolean {
    if (bid > this.low && ask < this.high && bid < ask) return true;
    if (!(bid > 0 && ask > bid)) {
      this.rejected++;
      return false;
    }
    return this.#price(QUOTE, (bid + ask) / 2, last, lastAt, now);
  }

  /** The same for a trade. */
  trade(price: number, last: number, lastAt: number, now: number): boolean {
    if (price > this.low && price < this.high) return true;
    if (!(price > 0)) {
      this.rejected++;
      return false;
    }
    return this.#price(TRADE, price, last, lastAt, now);
  }

  /** Takes the last price of the 24-hour ticker: evidence that is never held itself. True if it is accepted. */
  ticker(price: number, now: number): boolean {
    if (!(price > 0)) return false;
    this.reported[TICKER] = price;
    this.reportedAt[TICKER] = now;
    return this.center === 0 || this.#isNear(price, this.center);
  }

  /** Takes the mark price in ticks: only evidence. */
  mark(price: number, now: number): void {
    if (!(price > 0)) return;
    this.reported[MARK] = price;
    this.reportedAt[MARK] = now;
  }

  #price(kind: number, price: number, last: number, lastAt: number, now: number): boolean {
    this.reported[kind] = price;
    this.reportedAt[kind] = now;
    if (this.isRealTime && last > 0) {
      this.#centerOn(last);
      this.confirmedAt = lastAt;
    }
    if (this.center === 0 || this.#isNear(price, this.center) || this.jump === Infinity) {
      // A ticker or trade near the accepted price does not decide about a held quote; the next quote does.
      if (kind !== QUOTE && this.heldPrice > 0 && this.heldKind === QUOTE) return true;
      return this.#accept(kind, price, now);
    }
    if (this.#isConfirmed(kind, price, now)) {
      this.ringCount = 0;
      return this.#accept(kind, price, now);
    }
    this.held++;
    this.low = NONE;
    this.high = -NONE;
    return false;
  }

  #accept(kind: number, price: number, now: number): true {
    this.isProven = this.center > 0;
    this.heldPrice = 0;
    this.heldCount = 0;
    this.confirmedAt = now;
    if (this.isRealTime) this.#centerOn(price);
    // Trades move the accepted price if there are no quotes.
    else if (kind === QUOTE || now - this.reportedAt[QUOTE]! > EVIDENCE_MS) this.#addToRing(price);
    return true;
  }

  #centerOn(price: number): void {
    this.center = price;
    // Whole ticks, so that bulk rows are compared with identical numbers.
    this.low = this.jump === Infinity ? 0 : Math.floor(price - price * this.jump);
    this.high = this.jump === Infinity ? Infinity : Math.ceil(price + price * this.jump);
  }

  /** The ring restarts after a confirmed jump, so that the median contains only new prices. */
  #addToRing(price: number): void {
    const { ring, sorted } = this;
    const known = Math.min(this.ringCount, RING);
    const slot = this.ringCount++ % RING;
    // The place of the price that leaves; while the ring fills, the first free one.
    let at = known;
    if (known === RING) for (at = 0; sorted[at] !== ring[slot];) at++;
    for (; at > 0 && sorted[at - 1]! > price; at--) sorted[at] = sorted[at - 1]!;
    for (; at + 1 < known && sorted[at + 1]! < price; at++) sorted[at] = sorted[at + 1]!;
    sorted[at] = price;
    ring[slot] = price;
    this.center = sorted[Math.min(this.ringCount, RING) >> 1]!;
  }

  /** Stores the price as held. True if that makes it accepted. */
  #isConfirmed(kind: number, price: number, now: number): boolean {
    if (this.heldPrice > 0 && this.#isNear(price, this.heldPrice)) {
      if (kind === this.heldKind) this.heldCount++;
    } else {
      this.heldCount = 1;
      this.heldSince = now;
      this.heldKind = kind;
    }
    this.heldPrice = price;
    if (this.heldCount < 2) return false;
    if (this.#isBacked(kind, price, now) || now - this.confirmedAt > FORGOTTEN_MS) return true;
    return this.heldCount >= READS && now - this.heldSince >= READS_OVER_MS && !this.#isContradicted(kind, now);
  }

  /** True if the newest price of another kind, reported since this one is held, is near it. */
  #isBacked(kind: number, price: number, now: number): boolean {
    for (let other = 0; other < KINDS; other++) {
      const at = this.reportedAt[other]!;
      if (other !== kind && at >= this.heldSince && now - at <= EVIDENCE_MS && this.#isNear(this.reported[other]!, price)) return true;
    }
    return false;
  }

  /** True if a price of another kind, reported since this one is held, is near the accepted price. */
  #isContradicted(kind: number, now: number): boolean {
    for (let other = 0; other < KINDS; other++) {
      const at = this.reportedAt[other]!;
      if (other !== kind && at >= this.heldSince && now - at <= EVIDENCE_MS && this.#isNear(this.reported[other]!, this.center))
        return true;
    }
    return false;
  }

  #isNear(price: number, to: number): boolean {
    return Math.abs(price - to) <= to * this.jump;
  }
}
