/** The fills of a run as growing columns, from which reports and comparisons are made. */
import { Digest } from '../base/digest.ts';
import { FillLabels } from './fill-labels.ts';

/** Size of the first page, and the largest page size, in fills. */
const FIRST = 1024;
const MOST = 65_536;

/**
 * Numbers per fill in a page: time, instrument · 8 + side · 4 + effect · 2 + liquidity, price, size, fee, realised, and the order number
 * (without an order: minus its label).
 */
const STRIDE = 7;

/** Columns for a number of fills. All values are integers: ticks, lots, money in 10⁻⁸, codes of domain/codes.ts. */
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

  /** Copies the first `fills` of `page` into the rows from `from` on. */
  take(page: Float64Array, fills: number, from: number, labels: FillLabels): void {
    for (let k = 0; k < fills; k++) {
      const at = k * STRIDE;
      const row = from + k;
      const code = page[at + 1]!;
      const order = page[at + 6]!;
      this.time[row] = page[at]!;
      this.instrument[row] = code >> 3;
      this.side[row] = (code >> 2) & 1;
      this.effect[row] = (code >> 1) & 1;
      this.liquidity[row] = code & 1;
      this.price[row] = page[at + 2]!;
      this.size[row] = page[at + 3]!;
      this.fee[row] = page[at + 4]!;
      this.realised[row] = page[at + 5]!;
      this.order[row] = order > 0 ? order : 0;
      this.label[row] = order > 0 ? labels.of(order) : -order;
    }
  }
}

/** Collects fills in pages, so that a growing run copies nothing. The columns are built at the first access. */
export class FillLog {
  /** The labels that the column `label` refers to. */
  readonly labels = new FillLabels();
  readonly #full: Float64Array[] = [];
  #page = new Float64Array(FIRST * STRIDE);
  /** Count of numbers in `#page`, and its capacity. */
  #at = 0;
  #end = FIRST * STRIDE;
  /** Fills in the full pages. */
  #before = 0;
  #whole: Columns | null = null;

  get length(): number {
    return this.#before + this.#at / STRIDE;
  }
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

  /** Label numbers; see `labels`. */
  get label(): Uint16Array {
    return this.#joined().label;
  }

  /** Adds a fill. `order` is the bot's order number; without one, minus the number of its label. */
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
  ): void {
    const page = this.#page;
    const at = this.#at;
    page[at] = time;
    page[at + 1] = (instrument << 3) | (side << 2) | (effect << 1) | liquidity;
    page[at + 2] = price;
    page[at + 3] = size;
    page[at + 4] = fee;
    page[at + 5] = realised;
    page[at + 6] = order;
    this.#at = at + STRIDE;
    if (this.#at === this.#end) this.#turn();
  }

  /** Digest over all fills in order: time, instrument, side, effect, price, size, fee, liquidity. */
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

  /** Starts a new page. */
  #turn(): void {
    this.#full.push(this.#page);
    this.#before = this.length;
    this.#page = new Float64Array(Math.min(this.#before, MOST) * STRIDE);
    this.#at = 0;
    this.#end = this.#page.length;
  }

  /** All fills so far as columns. */
  #joined(): Columns {
    if (this.#whole?.rows === this.length) return this.#whole;
    const whole = new Columns(this.length);
    let row = 0;
    for (const page of this.#full) {
      whole.take(page, page.length / STRIDE, row, this.labels);
      row += page.length / STRIDE;
    }
    whole.take(this.#page, this.#at / STRIDE, row, this.labels);
    this.#whole = whole;
    return whole;
  }
}
