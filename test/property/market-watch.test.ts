/** Excursions and markouts of random fills on a random market are those that a slow search over all rows finds. */
import { expect, test } from 'vitest';
import { Random } from '../../src/base/random.ts';
import { CLOSE, LONG, OPEN, SHORT } from '../../src/domain/codes.ts';
import { MarketWatch } from '../../src/report/market-watch.ts';
import { numbersIn } from '../support/fill-columns.ts';

interface Fill {
  readonly time: number;
  readonly side: number;
  readonly effect: number;
  readonly price: number;
  readonly size: number;
}

const ROWS = 400;

function market(random: Random): { time: Float64Array; bid: Float64Array; ask: Float64Array } {
  const [time, bid, ask] = [new Float64Array(ROWS), new Float64Array(ROWS), new Float64Array(ROWS)];
  let [now, price] = [1_000, 10_000];
  for (let k = 0; k < ROWS; k++) {
    now += random.below(3) === 0 ? 0 : random.below(900);
    price += random.below(21) - 10;
    time[k] = now;
    bid[k] = price;
    ask[k] = price + 1 + random.below(5);
  }
  return { time, bid, ask };
}

/** Opens, increases and closes both legs in turn, at row times or between them. */
function fillsOn(random: Random, { time, bid }: { time: Float64Array; bid: Float64Array }): { fills: Fill[]; at: number[] } {
  const fills: Fill[] = [];
  const at: number[] = [];
  const held = [0, 0];
  for (let k = 0; k < ROWS; k++) {
    if (random.below(4) > 0) continue;
    const side = random.below(2) === 0 ? LONG : SHORT;
    const effect = held[side]! > 0 && random.below(2) === 0 ? CLOSE : OPEN;
    const size = effect === OPEN ? 1 + random.below(5) : 1 + random.below(held[side]!);
    held[side]! += effect === OPEN ? size : -size;
    fills.push({ time: time[k]!, side, effect, price: bid[k]! + random.below(7) - 3, size });
    at.push(k);
  }
  return { fills, at };
}

/** By definition: extremes of the rows from the time of the first fill to before that of the last, and of all fill prices. */
function slowExcursions(fills: readonly Fill[], { time, bid, ask }: ReturnType<typeof market>): number[][] {
  const found: number[][] = [];
  for (const side of [LONG, SHORT]) {
    let held = 0;
    let leg: Fill[] = [];
    fills.forEach((fill, index) => {
      if (fill.side !== side) return;
      held += fill.effect === OPEN ? fill.size : -fill.size;
      leg.push(fill);
      if (held > 0) return;
      const prices = leg.map(({ price }) => price);
      const column = side === LONG ? bid : ask;
      for (let k = 0; k < ROWS; k++) if (time[k]! >= leg[0]!.time && time[k]! < fill.time) prices.push(column[k]!);
      const [low, high] = [Math.min(...prices), Math.max(...prices)];
      found.push(side === LONG ? [index, low, high] : [index, -high, -low]);
      leg = [];
    });
  }
  return found.sort((a, b) => a[0]! - b[0]!).map(([, worst, best]) => [worst!, best!]);
}

function slowMarkouts(fills: readonly Fill[], { time, bid, ask }: ReturnType<typeof market>): { sum: number; count: number }[] {
  return [1_000, 5_000, 30_000].map((ms) => {
    const shares = fills.flatMap(({ time: at, side, effect, price }) => {
      if (at + ms >= time.at(-1)!) return [];
      const row = time.findLastIndex((one) => one <= at + ms);
      const sign = side === effect ? 1 : -1;
      return [(sign * ((bid[row]! + ask[row]!) / 2 - price)) / price];
    });
    return { sum: shares.reduce((all, one) => all + one, 0), count: shares.length };
  });
}

test('on 300 random markets, however the rows are cut into stretches', () => {
  for (let seed = 1; seed <= 300; seed++) {
    const random = new Random(seed);
    const rows = market(random);
    const { fills, at } = fillsOn(random, rows);
    const watch = new MarketWatch(1, [{ instrument: 0, mirrors: [] }]);
    let next = 0;
    for (let from = 0; from < ROWS;) {
      let to = Math.min(ROWS, from + 1 + random.below(20));
      // Rows before a fill of their millisecond count if they are in its stretch, so a stretch ends with its millisecond here.
      while (to < ROWS && rows.time[to] === rows.time[to - 1]) to++;
      for (; next < fills.length && at[next]! < to; next++) {
        const { time, side, effect, price, size } = fills[next]!;
        watch.fill(time, 0, false, side, effect, price, size);
      }
      if (watch.isActive) watch.rows(0, rows.time, rows.bid, rows.ask, from, to);
      from = to;
    }
    watch.end();
    const found = numbersIn(watch.excursions);
    expect([seed, Array.from({ length: found.length / 2 }, (_, k) => found.slice(2 * k, 2 * k + 2))]).toEqual([
      seed,
      slowExcursions(fills, rows),
    ]);
    slowMarkouts(fills, rows).forEach(({ sum, count }, h) => {
      expect([seed, h, watch.markoutFills[h]]).toEqual([seed, h, count]);
      expect(watch.markoutSums[h]).toBeCloseTo(sum, 12);
    });
  }
});
