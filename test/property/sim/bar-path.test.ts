/** What is drawn inside a bar: it has the bar's prices and volume, and every walk that fits them is equally likely. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Random } from '../../../src/base/random.ts';
import { BarPath, type RawBar } from '../../../src/tape/bars/bar-path.ts';
import { drawLevels } from '../../../src/tape/bars/drawn-walk.ts';

const bars = fc.record({
  move: fc.constantFrom(0, 1, 3, 8, 1000),
  at: fc.array(fc.nat(1_000_000), { minLength: 5, maxLength: 5 }),
  volume: fc.oneof(fc.nat(20), fc.nat(1_000_000)),
  barMs: fc.constantFrom(60_000, 1000, 300_000, 7777, 86_400_000),
  seed: fc.nat(),
});

test('its trades make the bar again: open, high, low, close and volume', () => {
  fc.assert(
    fc.property(bars, ({ move, at, volume, barMs, seed }) => {
      const [open, close, up, down, before] = at.map((x) => 1000 + (x % (move + 1))) as [number, number, number, number, number];
      const high = Math.max(open, close) + up - 1000;
      const low = Math.min(open, close) - down + 1000;
      const bar: RawBar = { time: 1_700_000_000_000, open, close, high, low, volume, before, atr: 0 };
      const path = new BarPath({ kind: 'fixed', value: 2 }, 1, barMs);
      const random = new Random(seed);
      path.set(bar, () => random.uniform());
      const { count } = path;
      const prices = [...path.price.subarray(0, count)];
      expect([prices[0], Math.max(...prices), Math.min(...prices), prices.at(-1)]).toEqual([open, high, low, close]);
      const times = [...path.time.subarray(0, count)];
      expect(times[0]).toBe(bar.time);
      expect(times.at(-1)).toBe(bar.time + barMs - 1);
      expect(times.every((time, k) => k === 0 || time >= times[k - 1]!)).toBe(true);
      const sizes = [...path.size.subarray(0, count)];
      const sum = sizes.reduce((total, size) => total + size, 0);
      if (volume >= count || volume === 0) expect(sum).toBe(volume);
      else expect(sum).toBeLessThanOrEqual(Math.max(volume, 4));
      if (volume > 0) {
        const traded = prices.filter((_, k) => sizes[k]! > 0);
        expect([traded[0], Math.max(...traded), Math.min(...traded), traded.at(-1)]).toEqual([open, high, low, close]);
      }
    }),
    { numRuns: 500 },
  );
});

test('every walk that touches both ends and leaves neither is drawn as often as any other', () => {
  const [levels, from, to, steps] = [3, 1, 2, 9];
  const walks: string[] = [];
  const grow = (walk: readonly number[]): void => {
    const level = walk.at(-1)!;
    if (level < 0 || level > levels) return;
    if (walk.length <= steps) {
      grow([...walk, level + 1]);
      grow([...walk, level - 1]);
    } else if (level === to && walk.includes(0) && walk.includes(levels)) walks.push(walk.join(''));
  };
  grow([from]);
  expect(walks.length).toBeGreaterThan(10);
  const counts = new Map(walks.map((walk) => [walk, 0]));
  const random = new Random(7);
  const into = new Uint8Array(steps + 1);
  const draws = 2000 * walks.length;
  for (let k = 0; k < draws; k++) {
    drawLevels(into, levels, from, to, steps, () => random.uniform());
    const walk = [...into].join('');
    expect(counts.has(walk)).toBe(true);
    counts.set(walk, counts.get(walk)! + 1);
  }
  const square = [...counts.values()].reduce((sum, n) => sum + (n - 2000) ** 2 / 2000, 0);
  // Of as many degrees of freedom: five standard deviations.
  expect(square).toBeLessThan(walks.length - 1 + 5 * Math.sqrt(2 * (walks.length - 1)));
});
