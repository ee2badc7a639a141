/**
 * Seeded pseudo-random numbers: xoshiro128** (Blackman & Vigna, "Scrambled linear pseudorandom number generators", 2021), seeded by
 * splitmix32. Code that needs randomness takes a generator as an argument.
 */
export class Random {
  #a = 0;
  #b = 0;
  #c = 0;
  #d = 0;

  /** `seed` is any integer; equal seeds give equal sequences. */
  constructor(seed: number) {
    let s = seed >>> 0;
    const next = (): number => {
      s = (s + 0x9e3779b9) >>> 0;
      let z = s;
      z = Math.imul(z ^ (z >>> 16), 0x21f0aaad);
      z = Math.imul(z ^ (z >>> 15), 0x735a2d97);
      return (z ^ (z >>> 15)) >>> 0;
    };
    this.#a = next();
    this.#b = next();
    this.#c = next();
    this.#d = next() | 1;
  }

  /** A uniform unsigned 32-bit integer. */
  uint32(): number {
    const x = Math.imul(this.#b, 5);
    const result = Math.imul((x << 7) | (x >>> 25), 9) >>> 0;
    const t = this.#b << 9;
    this.#c ^= this.#a;
    this.#d ^= this.#b;
    this.#b ^= this.#c;
    this.#a ^= this.#d;
    this.#c ^= t;
    this.#d = (this.#d << 11) | (this.#d >>> 21);
    return result;
  }

  /** A uniform double in [0, 1) with 32 random bits. */
  uniform(): number {
    return this.uint32() / 4294967296;
  }

  /** A uniform integer in [0, below). `below` is at most 2^32; the bias is under below / 2^32. */
  below(below: number): number {
    return Math.floor(this.uniform() * below);
  }

  /** A standard normal deviate (Box–Muller, one of the pair). */
  normal(): number {
    const u = 1 - this.uniform();
    return Math.sqrt(-2 * Math.log(u)) * Math.cos(2 * Math.PI * this.uniform());
  }

  /** Copies the state of `other`: both then give the same sequence. */
  copy(other: Random): void {
    this.#a = other.#a;
    this.#b = other.#b;
    this.#c = other.#c;
    this.#d = other.#d;
  }

  /** A new generator derived from this one, so that each part has its own stream. */
  fork(): Random {
    return new Random(this.uint32());
  }
}
