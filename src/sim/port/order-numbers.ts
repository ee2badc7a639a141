/** @hot The venue's order number by the bot's sequence, for orders that may still work; ended ones are swept out when it fills up. */
export class OrderNumbers {
  #keys = new Float64Array(256);
  #numbers = new Float64Array(256);
  #mask = 255;
  #count = 0;
  readonly #isWorking: (orderNo: number) => boolean;

  constructor(isWorking: (orderNo: number) => boolean) {
    this.#isWorking = isWorking;
  }

  /** The number of order `seq`, 0 when it is not known (any more). */
  get(seq: number): number {
    const mask = this.#mask;
    for (let at = seq & mask; ; at = (at + 1) & mask) {
      const key = this.#keys[at]!;
      if (key === seq) return this.#numbers[at]!;
      if (key === 0) return 0;
    }
  }

  set(seq: number, orderNo: number): void {
    if (this.#count * 2 > this.#mask) this.#sweep();
    this.#enter(seq, orderNo);
  }

  #enter(seq: number, orderNo: number): void {
    const mask = this.#mask;
    let at = seq & mask;
    while (this.#keys[at] !== 0 && this.#keys[at] !== seq) at = (at + 1) & mask;
    if (this.#keys[at] === 0) this.#count++;
    this.#keys[at] = seq;
    this.#numbers[at] = orderNo;
  }

  /** Keeps what still works, in a table of at least four times that. */
  #sweep(): void {
    const keys = this.#keys;
    const numbers = this.#numbers;
    let working = 0;
    for (let k = 0; k < keys.length; k++) {
      if (keys[k] === 0) continue;
      if (this.#isWorking(numbers[k]!)) working++;
      else numbers[k] = 0;
    }
    let size = 256;
    while (size < working * 4) size *= 2;
    this.#keys = new Float64Array(size); // hot-ok: once in many commands
    this.#numbers = new Float64Array(size); // hot-ok: once in many commands
    this.#mask = size - 1;
    this.#count = 0;
    for (let k = 0; k < keys.length; k++) if (keys[k] !== 0 && numbers[k] !== 0) this.#enter(keys[k]!, numbers[k]!);
  }
}
