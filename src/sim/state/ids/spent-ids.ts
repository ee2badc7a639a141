/**
 * A set of used client ids whose orders are forgotten. It holds at least the newest 524,288 ids in at most 17 MB. Each is stored as a 64-bit
 * hash (cyrb53 by bryc, public domain, with both words kept). With half a million ids a new id collides with a chance of 3 in 10¹⁴.
 */
import { Lazy } from '../../../base/lazy.ts';

const GENERATION = 1 << 19;
const SLOTS_MIN = 1 << 12;

let high = 0;
let low = 0;

function hash(text: string): void {
  let a = 0xdeadbeef;
  let b = 0x41c6ce57;
  for (let k = 0; k < text.length; k++) {
    const c = text.charCodeAt(k);
    a = Math.imul(a ^ c, 2_654_435_761);
    b = Math.imul(b ^ c, 1_597_334_677);
  }
  a = Math.imul(a ^ (a >>> 16), 2_246_822_507) ^ Math.imul(b ^ (b >>> 13), 3_266_489_909);
  b = Math.imul(b ^ (b >>> 16), 2_246_822_507) ^ Math.imul(a ^ (a >>> 13), 3_266_489_909);
  high = b >>> 0;
  // Two zeros mean an empty slot.
  low = a >>> 0 || 1;
}

/** A hash set with open addressing over pairs of words, at most half full. */
class Generation {
  size = 0;
  #words = new Uint32Array(2 * SLOTS_MIN);

  /** Slot of the pair, or the empty slot where it belongs. */
  #find(h: number, l: number): number {
    const words = this.#words;
    const mask = words.length / 2 - 1;
    let slot = (l ^ h) & mask;
    while (words[2 * slot + 1] !== 0 && (words[2 * slot] !== h || words[2 * slot + 1] !== l)) slot = (slot + 1) & mask;
    return 2 * slot;
  }

  has(h: number, l: number): boolean {
    return this.#words[this.#find(h, l) + 1] !== 0;
  }

  add(h: number, l: number): void {
    if (4 * (this.size + 1) > this.#words.length) this.#widen();
    const at = this.#find(h, l);
    if (this.#words[at + 1] !== 0) return;
    this.#words[at] = h;
    this.#words[at + 1] = l;
    this.size++;
  }

  #widen(): void {
    const old = this.#words;
    this.#words = new Uint32Array(2 * old.length);
    this.size = 0;
    for (let k = 0; k < old.length; k += 2) if (old[k + 1] !== 0) this.add(old[k]!, old[k + 1]!);
  }

  /** The pairs at this moment, as a flat list. */
  list(): Lazy {
    const words = this.#words.slice();
    return new Lazy(() => pairsOf(words));
  }

  static of(pairs: readonly number[]): Generation {
    const made = new Generation();
    for (let k = 0; k < pairs.length; k += 2) made.add(pairs[k]!, pairs[k + 1]!);
    return made;
  }
}

function* pairsOf(words: Uint32Array): Generator<number, void> {
  for (let k = 0; k < words.length; k += 2) {
    if (words[k + 1] === 0) continue;
    yield words[k]!;
    yield words[k + 1]!;
  }
}

/** The two generations in a snapshot. */
export type SavedIds = readonly [young: readonly number[], old: readonly number[]];

export class SpentIds {
  #young = new Generation();
  #old = new Generation();

  add(name: string): void {
    hash(name);
    this.#young.add(high, low);
    if (this.#young.size < GENERATION) return;
    this.#old = this.#young;
    this.#young = new Generation();
  }

  has(name: string): boolean {
    hash(name);
    return this.#young.has(high, low) || this.#old.has(high, low);
  }

  snapshot(): readonly [young: Lazy, old: Lazy] {
    return [this.#young.list(), this.#old.list()];
  }

  restore([young, old]: SavedIds): void {
    this.#young = Generation.of(young);
    this.#old = Generation.of(old);
  }
}
