/** The fills of a run as growing columns: what a report, a chart or a comparison is made from. Knows nothing of who filled. */
import { Digest } from '../base/digest.ts';

const START = 1024;

/** All values are integers: ticks, lots, money in 10^-8, codes of domain/codes.ts. */
export class FillLog {
  length = 0;
  time = new Float64Array(START);
  instrument = new Int32Array(START);
  side = new Uint8Array(START);
  effect = new Uint8Array(START);
  price = new Float64Array(START);
  size = new Float64Array(START);
  fee = new Float64Array(START);
  realised = new Float64Array(START);
  liquidity = new Uint8Array(START);
  order = new Float64Array(START);

  add(
    time: number,
    instrument: number,
    side: number,
    effect: number,
    price: number,
    size: number,
    fee: number,
    realised: number,
    liquidity: number,
    order: number,
  ): void {
    const n = this.length;
    if (n === this.time.length) this.#grow();
    this.time[n] = time;
    this.instrument[n] = instrument;
    this.side[n] = side;
    this.effect[n] = effect;
    this.price[n] = price;
    this.size[n] = size;
    this.fee[n] = fee;
    this.realised[n] = realised;
    this.liquidity[n] = liquidity;
    this.order[n] = order;
    this.length = n + 1;
  }

  /** One digest over all fills in order: time, instrument, side, effect, price, size, fee, liquidity. */
  digest(): string {
    const digest = new Digest();
    for (let k = 0; k < this.length; k++) {
      digest.integer(this.time[k]!);
      digest.integer(this.instrument[k]!);
      digest.integer(this.side[k]! * 4 + this.effect[k]! * 2 + this.liquidity[k]!);
      digest.integer(this.price[k]!);
      digest.integer(this.size[k]!);
      digest.integer(this.fee[k]!);
    }
    return digest.hex();
  }

  #grow(): void {
    const floats = (old: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> => {
      const grown = new Float64Array(old.length * 2);
      grown.set(old);
      return grown;
    };
    const bytes = (old: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> => {
      const grown = new Uint8Array(old.length * 2);
      grown.set(old);
      return grown;
    };
    this.time = floats(this.time);
    this.price = floats(this.price);
    this.size = floats(this.size);
    this.fee = floats(this.fee);
    this.realised = floats(this.realised);
    this.order = floats(this.order);
    this.side = bytes(this.side);
    this.effect = bytes(this.effect);
    this.liquidity = bytes(this.liquidity);
    const instruments = new Int32Array(this.instrument.length * 2);
    instruments.set(this.instrument);
    this.instrument = instruments;
  }
}
