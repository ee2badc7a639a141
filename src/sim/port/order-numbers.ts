/**
 * @hot The venue's order number by the bot's sequence, for orders that may still work. The low bits of a sequence choose a place;
 * what a newer order finds there and still works moves to a map.
 */
/** A power of two. */
const PLACES = 256;
const MASK = PLACES - 1;

export class OrderNumbers {
  /** By place: the sequence, 0 for none, and the order's number. */
  readonly #keys: number[] = Array.from({ length: PLACES }, () => 0);
  readonly #numbers: number[] = Array.from({ length: PLACES }, () => 0);
  readonly #older = new Map<number, number>();
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
    // An order that ended as it came in was forgotten before it had its place.
    if (before !== 0 && this.#isWorking(this.#numbers[at]!)) this.#older.set(before, this.#numbers[at]!);
    this.#keys[at] = seq;
    this.#numbers[at] = orderNo;
  }

  /** Order `seq` has ended. */
  forget(seq: number): void {
    const at = seq & MASK;
    if (this.#keys[at] === seq) this.#keys[at] = 0;
    else if (this.#older.size > 0) this.#older.delete(seq);
  }
}
