/**
 * A running 128-bit digest over integers (four murmur3-style 32-bit lanes), cheap enough for every fill of a backtest. It proves "same
 * inputs, same result"; it is not a cryptographic hash.
 */
export class Digest {
  #a = 0x9747b28c | 0;
  #b = 0x5bd1e995 | 0;
  #c = 0x1b873593 | 0;
  #d = 0x85ebca6b | 0;
  #count = 0;

  /** Mixes in one safe integer (its low and high words both count). */
  integer(value: number): void {
    const low = value | 0;
    const high = Math.floor(value / 4294967296) | 0;
    this.#a = Math.imul(this.#a ^ low, 0xcc9e2d51);
    this.#a ^= this.#a >>> 15;
    this.#b = Math.imul(this.#b ^ high ^ this.#a, 0x1b873593);
    this.#b ^= this.#b >>> 13;
    this.#c = Math.imul((this.#c + this.#b) ^ low, 0x85ebca6b);
    this.#c ^= this.#c >>> 16;
    this.#d = Math.imul((this.#d + this.#c) ^ high, 0xc2b2ae35);
    this.#d ^= this.#d >>> 14;
    this.#count++;
  }

  /** Mixes in a string: its length, then each UTF-16 code unit, like `integer` with a high word of 0. */
  text(value: string): void {
    this.integer(value.length);
    let a = this.#a;
    let b = this.#b;
    let c = this.#c;
    let d = this.#d;
    for (let i = 0; i < value.length; i++) {
      const unit = value.charCodeAt(i);
      a = Math.imul(a ^ unit, 0xcc9e2d51);
      a ^= a >>> 15;
      b = Math.imul(b ^ a, 0x1b873593);
      b ^= b >>> 13;
      c = Math.imul((c + b) ^ unit, 0x85ebca6b);
      c ^= c >>> 16;
      d = Math.imul((d + c) | 0, 0xc2b2ae35);
      d ^= d >>> 14;
    }
    this.#a = a;
    this.#b = b;
    this.#c = c;
    this.#d = d;
    this.#count += value.length;
  }

  /** 32 hexadecimal digits for everything mixed in so far. */
  hex(): string {
    const lane = (x: number, salt: number): string => {
      let z = Math.imul(x ^ this.#count ^ salt, 0x85ebca6b);
      z = Math.imul(z ^ (z >>> 13), 0xc2b2ae35);
      return ((z ^ (z >>> 16)) >>> 0).toString(16).padStart(8, '0');
    };
    return lane(this.#a, 1) + lane(this.#b, 2) + lane(this.#c, 3) + lane(this.#d, 4);
  }
}
