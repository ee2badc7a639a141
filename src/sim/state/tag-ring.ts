/**
 * The tags of the ended orders of an account, by their place in a ring. Orders end roughly in the order of their tags, so most blocks of
 * places can be left out of a search by the least and the largest tag in them.
 */

/** Places of a block: a power of two. */
const BLOCK = 64;

export class TagRing {
  readonly #tags: number[] = [];
  /** By block: no tag in it is below, none above. Exact after its last place was set. */
  readonly #low: number[] = [];
  readonly #high: number[] = [];

  get length(): number {
    return this.#tags.length;
  }

  at(place: number): number | undefined {
    return this.#tags[place];
  }

  /** Sets the tag of a place, which exists or is the next one. */
  set(place: number, tag: number): void {
    const block = Math.floor(place / BLOCK);
    this.#tags[place] = tag;
    if (block === this.#low.length) {
      this.#low[block] = tag;
      this.#high[block] = tag;
    } else if (place % BLOCK === BLOCK - 1) this.#measure(block);
    else {
      this.#low[block] = Math.min(this.#low[block]!, tag);
      this.#high[block] = Math.max(this.#high[block]!, tag);
    }
  }

  /** Sets all tags. */
  fill(tags: readonly number[]): void {
    this.#tags.length = 0;
    this.#low.length = 0;
    this.#high.length = 0;
    for (const [place, tag] of tags.entries()) this.set(place, tag);
  }

  /** The places with this tag. */
  placesOf(tag: number): number[] {
    const found: number[] = [];
    for (let block = 0; block < this.#low.length; block++) {
      if (tag < this.#low[block]! || tag > this.#high[block]!) continue;
      const end = Math.min((block + 1) * BLOCK, this.#tags.length);
      for (let place = block * BLOCK; place < end; place++) if (this.#tags[place] === tag) found.push(place);
    }
    return found;
  }

  #measure(block: number): void {
    let low = Infinity;
    let high = -Infinity;
    for (let place = block * BLOCK; place < (block + 1) * BLOCK; place++) {
      const tag = this.#tags[place]!;
      if (tag < low) low = tag;
      if (tag > high) high = tag;
    }
    this.#low[block] = low;
    this.#high[block] = high;
  }
}
