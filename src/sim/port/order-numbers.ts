/**
 * @hot The venue's order number by the bot's sequence, for orders that may still work. The low bits of a sequence choose a place;
 * what a newer order finds there and still works moves to a map.
 */
/** A power of two. */
const PLACES = 256;
const MASK = PLACES - 1;

export class OrderNumbers {
  /** By place: the sequence, 0 for none, and the order's number. */
  readonly #keys = new Float64Array(PLACES);
  readonly #numbers = new Float64Array(PLACES);
  readonly #older = new Map<number, number>();
  /** When the map is next rid of what has ended. */
  #full = PLACES;
  readonly #isWorking: (orderNo: number) => boolean;

  constructor(isWorking: (orderNo: number) => boolean) {
    this.#isWorking = isWorking;
  }

  /** The number of order `seq`, 0 when it is not known (any more). */
  get(seq: number): number {
    const at = seq & MASK;
    if (this.#keys[at] === seq) return this.#numbers[at]!;
    return this.#older.size === 0 ? 0 : (this.#older.get(seq) ?? 0);
  }

  set(seq: number, orderNo: number): void {
    const at = seq & MASK;
    const before = this.#keys[at]!;
    if (before !== 0 && this.#isWorking(this.#numbers[at]!)) this.#older.set(before, this.#numbers[at]!);
    this.#keys[at] = seq;
    this.#numbers[at] = orderNo;
    if (this.#older.size > this.#full) this.#sweep();
  }

  #sweep(): void {
    for (const [seq, orderNo] of this.#older) if (!this.#isWorking(orderNo)) this.#older.delete(seq);
    this.#full = Math.max(PLACES, this.#older.size * 2);
  }
}
