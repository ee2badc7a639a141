/** Finds impossible prices: far from the prices before, and not confirmed by those after. A new level that lasts is a move, however far. */

/** So many rows in a row at a new level make it one. */
const CONFIRMED_BY = 10;
/** Rows that are remembered to be left out by a second pass. */
const KEPT = 10_000;

export class OutlierWatch {
  count = 0;
  /** Numbers of the rows, as they were judged. */
  readonly rows: number[] = [];
  /** Of the first: its time, its price and the price before it, as doubles. */
  firstTime = 0;
  firstPrice = 0;
  firstUsual = 0;
  readonly #factor: number;
  readonly #pending = new Float64Array(CONFIRMED_BY);
  #usual = 0;
  #level = 0;
  #waiting = 0;
  #since = 0;
  #levelTime = 0;
  #rowsAtUsual = 0;

  /** A price is far when it is this many times the usual one, or less than that part of it. */
  constructor(factor: number) {
    this.#factor = factor;
  }

  /** Judges row number `row`: its price, in any unit that stays the same. */
  see(row: number, price: number, time: number): void {
    const usual = this.#usual;
    const factor = this.#factor;
    if (usual === 0 || (price <= usual * factor && price * factor >= usual)) {
      if (this.#waiting > 0) this.#settle();
      this.#usual = price;
      if (this.#rowsAtUsual++ === 0) this.#since = row;
      return;
    }
    this.#far(row, price, time);
  }

  /** What still waits at the end is taken for a move: nothing denies it. */
  end(): void {
    this.#waiting = 0;
  }

  #far(row: number, price: number, time: number): void {
    const level = this.#level;
    const isSameLevel = this.#waiting > 0 && price <= level * this.#factor && price * this.#factor >= level;
    if (!isSameLevel && this.#waiting > 0) this.#settle();
    if (this.#waiting === 0) this.#levelTime = time;
    this.#level = price;
    this.#pending[this.#waiting++] = row;
    if (this.#waiting < CONFIRMED_BY) return;
    // A tape that begins with a wild print: the few rows before the level were the outliers.
    if (this.#rowsAtUsual < CONFIRMED_BY) this.#add(this.#since, this.#rowsAtUsual, this.#usual, price, time);
    this.#usual = price;
    this.#rowsAtUsual = CONFIRMED_BY;
    this.#waiting = 0;
  }

  /** The prices came back: those that wait were outliers. */
  #settle(): void {
    if (this.count === 0) {
      this.firstTime = this.#levelTime;
      this.firstPrice = this.#level;
      this.firstUsual = this.#usual;
    }
    for (let k = 0; k < this.#waiting; k++) {
      this.count++;
      if (this.rows.length < KEPT) this.rows.push(this.#pending[k]!);
    }
    this.#waiting = 0;
  }

  #add(from: number, rows: number, price: number, usual: number, time: number): void {
    if (this.count === 0) {
      this.firstTime = time;
      this.firstPrice = price;
      this.firstUsual = usual;
    }
    for (let row = from; row < from + rows; row++) {
      this.count++;
      if (this.rows.length < KEPT) this.rows.push(row);
    }
  }
}
