/**
 * Sequence numbers → slots: open addressing with linear probing and backward-shift deletion on typed arrays. Numbers that are
 * live together are close together, so the number itself is the hash. @hot
 */
export class SeqIndex {
  #seqs = new Float64Array(256);
  #slots = new Int32Array(256);
  #mask = 255;
  #count = 0;

  /** The slot of `seq`, or −1. */
  get(seq: number): number {
    const mask = this.#mask;
    let at = seq & mask;
    for (let found = this.#seqs[at]!; found !== 0; found = this.#seqs[at]!) {
      if (found === seq) return this.#slots[at]!;
      at = (at + 1) & mask;
    }
    return -1;
  }

  /** `seq` is above zero and not in the index. */
  set(seq: number, slot: number): void {
    if (this.#count * 2 > this.#mask) this.#grow();
    const mask = this.#mask;
    let at = seq & mask;
    while (this.#seqs[at]! !== 0) at = (at + 1) & mask;
    this.#seqs[at] = seq;
    this.#slots[at] = slot;
    this.#count++;
  }

  delete(seq: number): void {
    const mask = this.#mask;
    const seqs = this.#seqs;
    let at = seq & mask;
    while (seqs[at]! !== seq) {
      if (seqs[at]! === 0) return;
      at = (at + 1) & mask;
    }
    this.#count--;
    let hole = at;
    for (;;) {
      at = (at + 1) & mask;
      const moved = seqs[at]!;
      if (moved === 0) break;
      const home = moved & mask;
      // The entry may fill the hole when its home is not cyclically between the hole (exclusive) and its place (inclusive).
      if (((at - home) & mask) >= ((at - hole) & mask)) {
        seqs[hole] = moved;
        this.#slots[hole] = this.#slots[at]!;
        hole = at;
      }
    }
    seqs[hole] = 0;
  }

  #grow(): void {
    const seqs = this.#seqs;
    const slots = this.#slots;
    const size = seqs.length * 2;
    this.#seqs = new Float64Array(size); // hot-ok: growth
    this.#slots = new Int32Array(size); // hot-ok: growth
    this.#mask = size - 1;
    this.#count = 0;
    for (let i = 0; i < seqs.length; i++) if (seqs[i]! !== 0) this.set(seqs[i]!, slots[i]!);
  }
}
