/**
 * A map of the entries that were set last. It keeps at least `size` of them and fewer than twice as many, in two maps that swap. A single map
 * that deletes its oldest key walks over all keys deleted before it, which takes longer with each deletion.
 */
export class RecentMap<K, V> {
  readonly #size: number;
  #recent = new Map<K, V>();
  #older = new Map<K, V>();

  /** `size`: how many entries are kept at least, above 0. */
  constructor(size: number) {
    this.#size = size;
  }

  has(key: K): boolean {
    return this.#recent.has(key) || this.#older.has(key);
  }

  get(key: K): V | undefined {
    const found = this.#recent.get(key);
    return found !== undefined || this.#recent.has(key) ? found : this.#older.get(key);
  }

  /** Sets the entry, which is the newest then. */
  set(key: K, value: V): void {
    this.#recent.delete(key);
    this.#older.delete(key);
    this.#recent.set(key, value);
    if (this.#recent.size < this.#size) return;
    this.#older = this.#recent;
    this.#recent = new Map();
  }

  /** The entry set longest ago comes first. */
  *[Symbol.iterator](): IterableIterator<[K, V]> {
    yield* this.#older;
    yield* this.#recent;
  }
}
