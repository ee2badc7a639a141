/** The path of a bar against one that is written out point by point. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BUY, SELL } from '../../src/domain/codes.ts';
import { BarPath, POINTS, type RawBar } from '../../src/tape/bar-path.ts';

interface Point {
  readonly time: number;
  readonly price: number;
  readonly isTurn: boolean;
}

/** Four steps from the open to one extreme, four to the other, four to the close; a step that changes no price is left out. */
function pointsOf({ time, open, high, low, close }: RawBar, barMs: number, lowFirst: boolean): Point[] {
  const at = (step: number): number => time + Math.floor((step * (barMs - 1)) / (POINTS - 1));
  const turns = [open, lowFirst ? low : high, lowFirst ? high : low, close];
  const points: Point[] = [{ time, price: open, isTurn: true }];
  for (let way = 0; way < 3; way++) {
    const [from, to] = [turns[way]!, turns[way + 1]!];
    if (from === to) continue;
    for (let k = 1; k <= 4; k++) {
      const price = k === 4 ? to : Math.round(from + ((to - from) * k) / 4);
      if (k === 4 || price !== points.at(-1)!.price) points.push({ time: at(way * 4 + k), price, isTurn: k === 4 });
    }
  }
  if (points.at(-1)!.time < time + barMs - 1) points.push({ time: at(12), price: close, isTurn: true });
  return points;
}

/** By point: its part of the volume, in order of time; of fewer lots than points the turns alone get a part, a lot at least. */
function sizesOf(points: readonly Point[], volume: number): number[] {
  if (volume === 0) return points.map(() => 0);
  const trading = volume < points.length ? points.filter(({ isTurn }) => isTurn) : points;
  const sum = (k: number): number => Math.floor((volume * k) / trading.length);
  return points.map((point) => {
    const k = trading.indexOf(point);
    return k < 0 ? 0 : Math.max(1, sum(k + 1) - sum(k));
  });
}

function sidesOf(points: readonly Point[], before: number): number[] {
  let last = before;
  let side: number = BUY;
  return points.map(({ price }) => {
    if (price !== last) side = price > last ? BUY : SELL;
    last = price;
    return side;
  });
}

const bars = fc.record({
  aligned: fc.boolean(),
  move: fc.constantFrom(1, 3, 8, 1000),
  at: fc.array(fc.nat(1_000_000), { minLength: 5, maxLength: 5 }),
  volume: fc.oneof(fc.nat(20), fc.nat(1_000_000)),
  barMs: fc.constantFrom(60_000, 1000, 300_000, 5000, 7777, 86_400_000),
  lowFirst: fc.boolean(),
});

test('time, price, size and side of every point', () => {
  fc.assert(
    fc.property(bars, ({ aligned, move, at, volume, barMs, lowFirst }) => {
      const [open, close, up, down, before] = at.map((x) => x % (move + 1)) as [number, number, number, number, number];
      const bar: RawBar = {
        time: 1_700_000_000_000 + (aligned ? 0 : at[0]! % 1000),
        open: 1000 + open,
        close: 1000 + close,
        high: 1000 + Math.max(open, close) + up,
        low: 1000 + Math.min(open, close) - down,
        volume,
        before: 1000 + before,
        atr: 5,
      };
      const path = new BarPath({ kind: 'fixed', value: 2 }, 1, barMs);
      const outline = new BarPath({ kind: 'fixed', value: 2 }, 1, barMs);
      outline.outline(bar, lowFirst);
      // A path is used again for another bar.
      path.set({ ...bar, time: bar.time - barMs, volume: 999, high: bar.high + 77 }, !lowFirst);
      path.set(bar, lowFirst);
      const points = pointsOf(bar, barMs, lowFirst);
      const columns = [path.time, path.price, path.size, path.side].map((column) => [...column.subarray(0, path.count)]);
      expect(columns).toEqual([
        points.map(({ time }) => time),
        points.map(({ price }) => price),
        sizesOf(points, volume),
        sidesOf(points, bar.before),
      ]);
      expect(outline.count).toBe(points.length);
      const traded = sizesOf(points, volume).filter((lots) => lots > 0);
      if (volume > 0) expect([outline.trades, outline.firstLots]).toEqual([traded.length, traded[0]]);
      if (volume > 0) expect(Math.max(volume, outline.trades)).toBe(traded.reduce((sum, lots) => sum + lots, 0));
      expect([outline.below, outline.above]).toEqual([path.below, path.above]);
      outline.span({ ...bar, isLowFirst: lowFirst });
      const later = points.slice(1).map(({ price }) => price);
      expect([outline.lowest, outline.highest]).toEqual([Math.min(...later), Math.max(...later)]);
      expect(path.isWhole).toBe(volume >= points.length);
    }),
    { numRuns: 2000 },
  );
});
