/** What five common indicators cost for each bar in CPU time: the median of the passes over one series, and what they leave on the heap. */
import { atr, bbands, ema, macd, rsi } from '../src/index.ts';
import { sampleBars } from '../src/indicators/core/synthetic-bars.ts';

const BARS = 200_000;
const PASSES = 7;

const bars = sampleBars(BARS);
const five = { rsi: rsi(), ema: ema(), atr: atr(), bands: bbands(), macd: macd() };

function pass(): number {
  const from = process.cpuUsage();
  for (let i = 0; i < bars.length; i++) {
    const bar = bars[i]!;
    five.rsi.update(bar);
    five.ema.update(bar);
    five.atr.update(bar);
    five.bands.update(bar);
    five.macd.update(bar);
  }
  const { user, system } = process.cpuUsage(from);
  return BARS / ((user + system) / 1000);
}

pass();
globalThis.gc?.();
const before = process.memoryUsage().heapUsed;
const speeds = Array.from({ length: PASSES }, pass).toSorted((a, b) => a - b);
globalThis.gc?.();
const heapMb = (process.memoryUsage().heapUsed - before) / 2 ** 20;
console.log(JSON.stringify({ perMs: speeds[(PASSES - 1) / 2], best: speeds.at(-1), heapMb }));
