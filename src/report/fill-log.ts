/** The fills of a run as growing columns: what a report, a chart or a comparison is made from. Knows nothing of who filled. */
import { Digest } from '../base/digest.ts';
import { FillLabels } from './fill-labels.ts';

/** Rows of the first part, and most rows of a part. */
const FIRST = 1024;
const MOST = 65_536;

/** Columns for so many fills. All values are integers: ticks, lots, money in 10^-8, codes of domain/codes.ts. */
class Columns {
  readonly rows: number;
  readonly time: Float64Array;
  readonly instrument: Int32Array;
  readonly side: Uint8Array;
  readonly effect: Uint8Array;
  readonly price: Float64Array;
  readonly size: Float64Array;
  readonly fee: Float64Array;
  readonly realised: Float64Array;
  readonly liquidity: Uint8Array;
  readonly order: Float64Array;
  readonly label: Uint16Array;

  constructor(rows: number) {
    this.rows = rows;
    this.time = new Float64Array(rows);
    this.instrument = new Int32Array(rows);
    this.side = new Uint8Array(rows);
    this.effect = new Uint8Array(rows);
    this.price = new Float64Array(rows);
    this.size = new Float64Array(rows);
    this.fee = new Float64Array(rows);
    this.realised = new Float64Array(rows);
    this.liquidity = new Uint8Array(rows);
    this.order = new Float64Array(rows);
    this.label = new Uint16Array(rows);
  }

  /** Copies the first `rows` rows of `part` to row `at` on. */
  take(part: Columns, at: number, rows: number): void {
    for (const name of NAMES) this[name].set(part[name].subarray(0, rows), at);
  }
}

const NAMES = ['time', 'instrument', 'side', 'effect', 'price', 'size', 'fee', 'realised', 'liquidity', 'order', 'label'] as const;

/** Fills are added in parts, so that a long run copies none of them; the columns are joined when they are first asked for. */
export class FillLog {
  length = 0;
  /** What the numbers of the column `label` stand for. */
  readonly labels = new FillLabels();
  readonly #full: Columns[] = [];
  #part = new Columns(FIRST);
  /** Rows in `#part`. */
  #at = 0;
  #whole: Columns | null = null;

  get time(): Float64Array {
    return this.#joined().time;
  }
  get instrument(): Int32Array {
    return this.#joined().instrument;
  }
  get side(): Uint8Array {
    return this.#joined().side;
  }
  get effect(): Uint8Array {
    return this.#joined().effect;
  }
  get price(): Float64Array {
    return this.#joined().price;
  }
  get size(): Float64Array {
    return this.#joined().size;
  }
  get fee(): Float64Array {
    return this.#joined().fee;
  }
  get realised(): Float64Array {
    return this.#joined().realised;
  }
  get liquidity(): Uint8Array {
    return this.#joined().liquidity;
  }
  get order(): Float64Array {
    return this.#joined().order;
  }

  /** Number in `labels`. */
  get label(): Uint16Array {
    return this.#joined().label;
  }

  add(
    time: number,
    instrument: number,
    side: number,
    effect: number,
    price: number,
    size: number,
    fee: number,
    realised: number,
    liquidity: number,
    order: number,
    label = 0,
  ): void {
    if (this.#at === this.#part.rows) this.#next();
    const part = this.#part;
    const n = this.#at++;
    part.time[n] = time;
    part.instrument[n] = instrument;
    part.side[n] = side;
    part.effect[n] = effect;
    part.price[n] = price;
    part.size[n] = size;
    part.fee[n] = fee;
    part.realised[n] = realised;
    part.liquidity[n] = liquidity;
    part.order[n] = order;
    part.label[n] = label;
    this.length++;
  }

  /** One digest over all fills in order: time, instrument, side, effect, price, size, fee, liquidity. */
  digest(): string {
    const { time, instrument, side, effect, price, size, fee, liquidity } = this.#joined();
    const digest = new Digest();
    for (let k = 0; k < this.length; k++) {
      digest.integer(time[k]!);
      digest.integer(instrument[k]!);
      digest.integer(side[k]! * 4 + effect[k]! * 2 + liquidity[k]!);
      digest.integer(price[k]!);
      digest.integer(size[k]!);
      digest.integer(fee[k]!);
    }
    return digest.hex();
  }

  #next(): void {
    this.#full.push(this.#part);
    this.#part = new Columns(Math.min(this.length, MOST));
    this.#at = 0;
  }

  /** All fills so far in one. */
  #joined(): Columns {
    if (this.#whole?.rows === this.length) return this.#whole;
    const whole = new Columns(this.length);
    let at = 0;
    for (const part of this.#full) {
      whole.take(part, at, part.rows);
      at += part.rows;
    }
    whole.take(this.#part, at, this.#at);
    this.#whole = whole;
    return whole;
  }
}
