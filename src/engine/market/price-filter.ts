/**
 * Decides which prices of one instrument are believed. A quote that is crossed, locked or empty never is. A price that lies far from the
 * believed one is held: strategies do not see it and nothing is opened until other evidence confirms it, which is a price of another
 * kind (quote, trade, 24h ticker, mark price) beside it, or the same price read again and again while nothing speaks against it.
 * Makes nothing per price. @hot
 */

/** The believed price is the median of so many polled quotes. */
const RING = 9;
/** A held price that comes this often in a row, over at least this time, is believed if no other evidence contradicts it. */
const READS = 5;
const READS_OVER_MS = 1_000;
/** Evidence of another kind counts for this long. */
const EVIDENCE_MS = 15_000;
/** What was believed this long ago contradicts nothing. */
const FORGOTTEN_MS = 60_000;
/** The widest `Math.max` of band limits that no price passes. */
const NONE = Infinity;

/** Kinds of evidence. */
const QUOTE = 0;
const TRADE = 1;
const TICKER = 2;
const MARK = 3;
const KINDS = 4;

export class PriceFilter {
  /** Prices strictly between these, with the bid below the ask, are believed without a further look. No price is while one is held. */
  low = NONE;
  high = -NONE;
  /** Prices held and quotes rejected so far. */
  held = 0;
  rejected = 0;
  /** How far a price may be from the believed one, as a share of it; Infinity believes every price that is one. */
  declare readonly jump: number;
  /** Each price is seen as it is made: the last believed one is what the next is compared with, else the median of the last. */
  declare private readonly isPushed: boolean;
  /** The believed price, 0 before the first, and when it was last confirmed. */
  private center = 0;
  private believedAt = -Infinity;
  /** Polled quotes: the first one opens nothing until a second price agrees. */
  private isProven = false;
  private readonly ring = new Float64Array(RING);
  private readonly sorted = new Float64Array(RING);
  private ringCount = 0;
  /** The last price of each kind as the venue told it, believed or not, and when. */
  private readonly told = new Float64Array(KINDS);
  private readonly toldAt = new Float64Array(KINDS).fill(-Infinity);
  /** The held price, how often it came in a row, and since when; 0 for none. */
  private heldPrice = 0;
  private heldCount = 0;
  private heldSince = 0;
  private heldKind = QUOTE;

  constructor(jump: number, isPushed: boolean) {
    this.jump = jump;
    this.isPushed = isPushed;
  }

  /** The held price in ticks, 0 for none. */
  get heldTicks(): number {
    return this.heldPrice;
  }

  /** The believed price in ticks, 0 before the first. */
  get believed(): number {
    return this.center;
  }

  /** True while nothing may be opened: a price is held, or the first one is not confirmed yet. */
  get isDoubtful(): boolean {
    return this.heldPrice > 0 || (!this.isProven && !this.isPushed && this.center > 0 && this.jump !== Infinity);
  }

  /**
   * Whether the quote is believed. `last` is the price believed before it and `lastAt` its time: pushed rows within the band pass by
   * this filter, so that it does not know of them.
   */
  quote(bid: number, ask: number, last: number, lastAt: number, now: number): boolean {
    if (this.isPushed && bid > this.low && ask < this.high && bid < ask) return true;
    if (!(bid > 0 && ask > bid)) {
      this.rejected++;
      return false;
    }
    return this.#price(QUOTE, (bid + ask) / 2, last, lastAt, now);
  }

  /** The same for a trade. */
  trade(price: number, last: number, lastAt: number, now: number): boolean {
    if (this.isPushed && price > this.low && price < this.high) return true;
    if (!(price > 0)) {
      this.rejected++;
      return false;
    }
    return this.#price(TRADE, price, last, lastAt, now);
  }

  /** The last price of the 24h ticker: evidence that is itself never held. Whether it is believed. */
  ticker(price: number, now: number): boolean {
    if (!(price > 0)) return false;
    this.told[TICKER] = price;
    this.toldAt[TICKER] = now;
    return this.center === 0 || this.#isNear(price, this.center);
  }

  /** The mark price, in ticks: evidence and nothing else. */
  mark(price: number, now: number): void {
    if (!(price > 0)) return;
    this.told[MARK] = price;
    this.toldAt[MARK] = now;
  }

  #price(kind: number, price: number, last: number, lastAt: number, now: number): boolean {
    this.told[kind] = price;
    this.toldAt[kind] = now;
    if (this.isPushed && last > 0) {
      this.#centerOn(last);
      this.believedAt = lastAt;
    }
    if (this.center === 0 || this.#isNear(price, this.center) || this.jump === Infinity) {
      // A ticker or a trade that agrees says nothing new of a quote that is held: the next quote does.
      if (kind !== QUOTE && this.heldPrice > 0 && this.heldKind === QUOTE) return true;
      return this.#believe(kind, price, now);
    }
    if (this.#isConfirmed(kind, price, now)) {
      this.ringCount = 0;
      return this.#believe(kind, price, now);
    }
    this.held++;
    this.low = NONE;
    this.high = -NONE;
    return false;
  }

  #believe(kind: number, price: number, now: number): true {
    this.isProven = this.center > 0;
    this.heldPrice = 0;
    this.heldCount = 0;
    this.believedAt = now;
    if (this.isPushed) this.#centerOn(price);
    // Trades move the believed price where there are no quotes.
    else if (kind === QUOTE || now - this.toldAt[QUOTE]! > EVIDENCE_MS) this.#addToRing(price);
    return true;
  }

  #centerOn(price: number): void {
    this.center = price;
    // Whole ticks, so that rows in bulk are compared with the very same numbers.
    this.low = this.jump === Infinity ? 0 : Math.floor(price - price * this.jump);
    this.high = this.jump === Infinity ? Infinity : Math.ceil(price + price * this.jump);
  }

  /** The ring begins anew after a confirmed jump, so that the median is of the new prices alone. */
  #addToRing(price: number): void {
    this.ring[this.ringCount++ % RING] = price;
    const count = Math.min(this.ringCount, RING);
    const sorted = this.sorted;
    for (let k = 0; k < count; k++) {
      const value = this.ring[k]!;
      let at = k;
      while (at > 0 && sorted[at - 1]! > value) {
        sorted[at] = sorted[at - 1]!;
        at--;
      }
      sorted[at] = value;
    }
    this.center = sorted[count >> 1]!;
  }

  /** Notes the price as held. Whether that makes it believed. */
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
    if (this.#isBacked(kind, price, now) || now - this.believedAt > FORGOTTEN_MS) return true;
    return this.heldCount >= READS && now - this.heldSince >= READS_OVER_MS && !this.#isContradicted(kind, now);
  }

  /** Whether the newest price of another kind, told since this one is held, lies beside it. */
  #isBacked(kind: number, price: number, now: number): boolean {
    for (let other = 0; other < KINDS; other++) {
      const at = this.toldAt[other]!;
      if (other !== kind && at >= this.heldSince && now - at <= EVIDENCE_MS && this.#isNear(this.told[other]!, price)) return true;
    }
    return false;
  }

  /** Whether a price of another kind that came since then lies beside the believed one. */
  #isContradicted(kind: number, now: number): boolean {
    for (let other = 0; other < KINDS; other++) {
      const at = this.toldAt[other]!;
      if (other !== kind && at >= this.heldSince && now - at <= EVIDENCE_MS && this.#isNear(this.told[other]!, this.center)) return true;
    }
    return false;
  }

  #isNear(price: number, to: number): boolean {
    return Math.abs(price - to) <= to * this.jump;
  }
}
