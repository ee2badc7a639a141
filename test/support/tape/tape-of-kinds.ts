/** A tape with every kind of rows, for tests of what is written from a tape. */
import { storedRate } from '../../../src/tape/file/funding-rates.ts';
import type { Manifest } from '../../../src/tape/file/manifest.ts';
import { TapeWriter } from '../../../src/tape/write.ts';

export const T = 1_735_689_600_000;

/** Every kind, digits up to 15, values that no double holds exactly, and rows of one millisecond. */
export function makeTape(folder: string, digits = 15): Manifest {
  const writer = new TapeWriter(folder, { source: 'test' });
  const trades = writer.stream('BTCUSDT', 'trades', { priceDecimals: 1, sizeDecimals: 3 });
  for (let k = 0; k < 3000; k++) trades.trade(T + (k >> 1), 9_000_000_000_000 + k, 600_000 + ((k * 7) % 1001), 1 + (k % 999), k % 2);
  const quotes = writer.stream('BTCUSDT', 'quotes', { priceDecimals: 1, sizeDecimals: 3 });
  quotes.quote(T, 600_001, 1, 600_002, 10);
  quotes.quote(T + 5, 600_003, 333, 600_004, 1);
  const bars = writer.stream('PEPEUSDT', 'bars', { priceDecimals: 12, sizeDecimals: 0 }, 60_000);
  bars.bar(T, 10_123_457, 10_123_459, 10_123_451, 10_123_453, Math.floor(10 ** digits) - 1);
  bars.bar(T + 60_000, 10_123_453, 10_123_453, 10_123_453, 10_123_453, 0);
  writer.stream('BTCUSDT', 'marks', { priceDecimals: 1, sizeDecimals: 0 }).single(T + 1, 600_007);
  const funding = writer.stream('BTCUSDT', 'funding', { priceDecimals: 0, sizeDecimals: 0 });
  funding.single(T, storedRate(-1_234_567, 12));
  funding.single(T + 28_800_000, storedRate(1, 4));
  return writer.finish();
}
