/** Bars of pure noise: fine random walks that have no drift and no memory, folded into bars. */
import { Random } from '../../../src/base/random.ts';
import { TapeWriter } from '../../../src/tape/write.ts';

export const NOISE_START = 1_735_689_600_000;

export interface NoiseBar {
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
}

/** Walks of one tick a step around `from` ticks; the first price of a bar is the last of the one before. */
export function noiseBars(seed: number, count: number, steps: number, from = 500_000): NoiseBar[] {
  const random = new Random(seed);
  const bars: NoiseBar[] = [];
  let price = from;
  for (let k = 0; k < count; k++) {
    const open = price;
    let [high, low] = [price, price];
    for (let step = 0; step < steps;) {
      for (let bits = random.uint32(), left = Math.min(32, steps - step); left > 0; left--, step++, bits >>>= 1) {
        price += (bits & 1) === 0 ? -1 : 1;
        if (price > high) high = price;
        else if (price < low) low = price;
      }
    }
    bars.push({ open, high, low, close: price });
  }
  return bars;
}

/** A tape of such bars of BTCUSDT, with a tick of 0.1. */
export function writeNoise(folder: string, bars: readonly NoiseBar[], barMs: number, volume = 0): void {
  const writer = new TapeWriter(folder, { overwrite: true });
  const stream = writer.stream('BTCUSDT', 'bars', { priceDecimals: 1, sizeDecimals: 3 }, barMs);
  for (const [k, { open, high, low, close }] of bars.entries()) stream.bar(NOISE_START + k * barMs, open, high, low, close, volume);
  writer.finish();
}
