/** Bars for candlestick patterns: few shapes on a coarse grid, and rare patterns laid in. The same as in test/golden/ta-lib-vectors.py. */
import { readFileSync } from 'node:fs';
import type { Candle } from '../../../src/indicators/core/inputs.ts';

const BODIES = [0, 0, 1, 2, 4, 16, 24, 40];
const GAPS = [0, 0, 0, 1, -1, 10, -10, 30, -30, 5, -5, 0];
const SHADOWS = [0, 0, 1, 4, 12, 40];
/** Gap to the close before, body, upper and lower shadow. */
type Shape = readonly [gap: number, body: number, upper: number, lower: number];
const TEMPLATES = (
  JSON.parse(readFileSync(new URL('../../golden/pattern-shapes.json', import.meta.url), 'utf8')) as {
    readonly shapes: readonly (readonly Shape[])[];
  }
).shapes;

export function patternBars(count: number): Candle[] {
  let state = 1;
  const draw = (below: number): number => {
    state = (state * 48271) % 2147483647;
    return state % below;
  };
  const bars: Candle[] = [];
  let price = 64000;
  const add = (open: number, body: number, upper: number, lower: number): void => {
    const close = open + body;
    const [high, low] = [Math.max(open, close) + upper, Math.min(open, close) - lower];
    bars.push({ open: open / 64, high: high / 64, low: low / 64, close: close / 64 });
    price = close;
  };
  while (bars.length < count) {
    if (price < 20000) price += 40000;
    if (draw(20) === 0) {
      const shapes = TEMPLATES[draw(TEMPLATES.length)]!;
      const sign = draw(2) === 1 ? 1 : -1;
      for (const [gap, body, upper, lower] of shapes) {
        const open = price + sign * (gap + draw(3) - 1);
        add(open, sign * (body + draw(3) - 1), sign > 0 ? upper : lower, sign > 0 ? lower : upper);
      }
      continue;
    }
    const shape = draw(8);
    const body = BODIES[draw(8)]! * (draw(2) === 1 ? 1 : -1);
    const gap = GAPS[draw(12)]!;
    const upper = shape > 0 ? SHADOWS[draw(6)]! : 0;
    const lower = shape > 0 ? SHADOWS[draw(6)]! : 0;
    let open = price + gap;
    if (draw(4) === 0 && bars.length > 0) {
      const last = bars.at(-1)!;
      open = [last.open, last.high, last.low, last.close][draw(4)]! * 64;
    }
    add(open, body, upper, lower);
  }
  return bars.slice(0, count);
}
