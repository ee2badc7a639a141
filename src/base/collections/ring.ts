/** A queue of reused objects, the oldest first. It grows, and never gives an object back. @hot */

export class Ring<T> {
  count = 0;
  readonly #make: () => T;
  readonly #items: T[] = [];
  #first = 0;

  /** `make` creates an object; its fields are those that all objects of the queue have. */
  constructor(make: () => T) {
    this.#make = make;
  }

  /** Appends an object and returns it, with the values of its last use. The caller writes every field that is read. */
  push(): T {
    if (this.count === this.#items.length) this.#grow();
    let at = this.#first + this.count++;
    if (at >= this.#items.length) at -= this.#items.length;
    return this.#items[at]!;
  }

  /** Removes the oldest object; it is valid until the next `push`. `count` must be above zero. */
  shift(): T {
    const item = this.#items[this.#first]!;
    this.#first = this.#first + 1 === this.#items.length ? 0 : this.#first + 1;
    this.count--;
    return item;
  }

  /** Doubles the capacity, the oldest object first. */
  #grow(): void {
    const items = this.#items;
    const size = Math.max(16, items.length * 2);
    for (let k = 0; k < this.#first; k++) items.push(items.shift()!);
    this.#first = 0;
    while (items.length < size) items.push(this.#make());
  }
}
