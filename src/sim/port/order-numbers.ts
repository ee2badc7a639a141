/**
 * @hot The venue's order number by the bot's sequence, for orders that may still work. The low bits of a sequence choose a place;
 * what a newer order finds there and still works moves to a map.
 */
/** A power of two. */
const PLACES = 256;
const MASK = PLACES - 1;

/** What a place says: the sequence, 0 for none, and the order's number. */
class Place {
  seq = 0;
  orderNo = 0;
}

export class OrderNumbers {
  readonly #places: Place[] = Array.from({ length: PLACES }, () => new Place());
  readonly #older = new Map<number, number>();
  readonly #isWorking: (orderNo: number) => boolean;

  constructor(isWorking: (orderNo: number) => boolean) {
    this.#isWorking = isWorking;
  }

  /** The number of order `seq`, 0 when it is not known (any more). */
  get(seq: number): number {
    const place = this.#places[seq & MASK]!;
    return place.seq === seq ? place.orderNo : this.#olderOf(seq);
  }

  set(seq: number, orderNo: number): void {
    const place = this.#places[seq & MASK]!;
    // An order that ended as it came in was forgotten before it had its place.
    if (place.seq !== 0 && this.#isWorking(place.orderNo)) this.#older.set(place.seq, place.orderNo);
    place.seq = seq;
    place.orderNo = orderNo;
  }

  /** Order `seq` has ended. */
  forget(seq: number): void {
    const place = this.#places[seq & MASK]!;
    if (place.seq === seq) place.seq = 0;
    else if (this.#older.size > 0) this.#older.delete(seq);
  }

  #olderOf(seq: number): number {
    return this.#older.get(seq) ?? 0;
  }
}
