/**
 * The bare loops that speeds are compared with: each workload's arithmetic in one function over typed columns, without engine, simulator and
 * strategy interface. They are the limit of what this runtime can do.
 */
import { Digest } from '../src/base/digest.ts';

const BLOCK = 8192;

export interface TickColumns {
  readonly time: Float64Array;
  readonly price: Int32Array;
  readonly size: Int32Array;
  readonly rows: number;
}

export interface BareResult {
  readonly fills: number;
  readonly position: number;
  /** Σ ∓ price · size over fills, in ticks · lots. */
  readonly cash: number;
  readonly digest: string;
}

/** Numbers of W1: averages over ticks, and the lots of one order. */
const W1 = { fast: 50, slow: 200, size: 1 } as const;

/**
 * W1: SMA 50/200 over trade prices. On a cross it cancels the resting order and places one limit order a tick inside, which fills when a
 * later trade is at or through its price.
 */
export class BareW1 {
  #fastSum = 0;
  #slowSum = 0;
  #seen = 0;
  #above = 0;
  #restingSide = 0; // +1 buy, −1 sell, 0 none
  #restingPrice = 0;
  #position = 0;
  #cash = 0;
  #fills = 0;
  readonly #ring = new Int32Array(256);
  readonly #digest = new Digest();

  run(columns: TickColumns): BareResult {
    for (let from = 0; from < columns.rows; from += BLOCK) this.#block(columns, from, Math.min(columns.rows, from + BLOCK));
    return { fills: this.#fills, position: this.#position, cash: this.#cash, digest: this.#digest.hex() };
  }

  #block(columns: TickColumns, from: number, to: number): void {
    const { time, price } = columns;
    const ring = this.#ring;
    let fastSum = this.#fastSum;
    let slowSum = this.#slowSum;
    let seen = this.#seen;
    let above = this.#above;
    let restingSide = this.#restingSide;
    let restingPrice = this.#restingPrice;
    let position = this.#position;
    let cash = this.#cash;
    for (let r = from; r < to; r++) {
      const p = price[r]!;
      if (restingSide !== 0 && (restingSide > 0 ? p <= restingPrice : p >= restingPrice)) {
        position += restingSide * W1.size;
        cash -= restingSide * restingPrice * W1.size;
        this.#fills++;
        this.#digest.integer(time[r]!);
        this.#digest.integer(restingSide * restingPrice);
        restingSide = 0;
      }
      fastSum += p;
      slowSum += p;
      if (seen >= W1.fast) fastSum -= ring[(seen - W1.fast) & 255]!;
      if (seen >= W1.slow) slowSum -= ring[(seen - W1.slow) & 255]!;
      ring[seen & 255] = p;
      seen++;
      if (seen >= W1.slow) {
        const now = fastSum * 4 > slowSum ? 1 : -1;
        if (now !== above) {
          if (above !== 0) {
            restingSide = now;
            restingPrice = p - now;
          }
          above = now;
        }
      }
    }
    this.#fastSum = fastSum;
    this.#slowSum = slowSum;
    this.#seen = seen;
    this.#above = above;
    this.#restingSide = restingSide;
    this.#restingPrice = restingPrice;
    this.#position = position;
    this.#cash = cash;
  }
}

export interface BookColumns {
  /** One entry per event in time order: 0 a book ticker, 1 a trade. */
  readonly kind: Uint8Array;
  readonly time: Float64Array;
  /** Bid of a ticker, price of a trade. */
  readonly a: Int32Array;
  /** Ask of a ticker, aggressor of a trade (0 buy, 1 sell). */
  readonly b: Int32Array;
  /** Bid size of a ticker, size of a trade. */
  readonly c: Int32Array;
  readonly rows: number;
}

/** W2: lots per quote and how far from the touch. */
const W2 = { size: 10 } as const;

/** W2 at its barest: both quotes moved to the touch on every ticker, filled by trades at or through them. No latency, no queue. */
export class BareW2 {
  #buyPrice = 0;
  #buyLeft = 0;
  #sellPrice = 0;
  #sellLeft = 0;
  #position = 0;
  #cash = 0;
  #fills = 0;
  readonly #digest = new Digest();

  run(columns: BookColumns): BareResult {
    for (let from = 0; from < columns.rows; from += BLOCK) this.#block(columns, from, Math.min(columns.rows, from + BLOCK));
    return { fills: this.#fills, position: this.#position, cash: this.#cash, digest: this.#digest.hex() };
  }

  #block(columns: BookColumns, from: number, to: number): void {
    const { kind, time, a, b, c } = columns;
    let buyPrice = this.#buyPrice;
    let buyLeft = this.#buyLeft;
    let sellPrice = this.#sellPrice;
    let sellLeft = this.#sellLeft;
    for (let r = from; r < to; r++) {
      if (kind[r] === 0) {
        buyPrice = a[r]!;
        sellPrice = b[r]!;
        buyLeft = W2.size;
        sellLeft = W2.size;
      } else if (b[r] === 1) {
        if (a[r]! <= buyPrice && buyLeft > 0) {
          const size = Math.min(buyLeft, c[r]!);
          buyLeft -= size;
          this.#position += size;
          this.#cash -= size * buyPrice;
          this.#fills++;
          this.#digest.integer(time[r]!);
          this.#digest.integer(buyPrice * 1024 + size);
        }
      } else if (a[r]! >= sellPrice && sellLeft > 0) {
        const size = Math.min(sellLeft, c[r]!);
        sellLeft -= size;
        this.#position -= size;
        this.#cash += size * sellPrice;
        this.#fills++;
        this.#digest.integer(time[r]!);
        this.#digest.integer(-sellPrice * 1024 - size);
      }
    }
    this.#buyPrice = buyPrice;
    this.#buyLeft = buyLeft;
    this.#sellPrice = sellPrice;
    this.#sellLeft = sellLeft;
  }
}
