/** Excursions and markouts of random fills on random markets are those that a slow search over all rows finds. */
import { expect, test } from 'vitest';
import { Random } from '../../../src/base/random.ts';
import { CLOSE, LONG, OPEN, SHORT } from '../../../src/domain/codes.ts';
import { MarketWatch } from '../../../src/report/market/market-watch.ts';
import { numbersIn } from '../../support/backtest/fill-columns.ts';

interface Rows {
  readonly time: Float64Array;
  readonly bid: Float64Array;
  readonly ask: Float64Array;
}

interface Fill {
  readonly time: number;
  readonly market: number;
  readonly side: number;
  readonly effect: number;
  readonly price: number;
  readonly size: number;
  /** The row of its market that it comes before. */
  readonly place: number;
}

/** Rows of one market, taken together. The fills of a stretch happen in it or, if `isAfter`, before the next row of any market. */
interface Stretch {
  readonly market: number;
  readonly from: number;
  readonly to: number;
  readonly isAfter: boolean;
  readonly fills: readonly Fill[];
}

const MARKETS = 2;
const ROWS = 700;
/** Rows that the columns of a stream hold at a time. */
const BLOCK = 64;
const EMPTY: Rows = { time: new Float64Array(ROWS), bid: new Float64Array(ROWS), ask: new Float64Array(ROWS) };

/** Stretches of the markets in turn, and the rows of each. Two stretches share no millisecond. */
function draw(random: Random): { markets: Rows[]; stretches: Stretch[] } {
  const markets = Array.from({ length: MARKETS }, () => structuredClone(EMPTY));
  const ends = markets.map(() => 0);
  const prices = markets.map(() => 10_000);
  const held = markets.map(() => [0, 0]);
  const stretches: Stretch[] = [];
  let now = 1_000;
  while (ends.every((end) => end < ROWS)) {
    const market = random.below(MARKETS);
    const { time, bid, ask } = markets[market]!;
    const from = ends[market]!;
    const to = Math.min(ROWS, from - (from % BLOCK) + BLOCK, from + 1 + random.below(random.below(8) === 0 ? 120 : 6));
    now += 1 + random.below(random.below(8) === 0 ? 8_000 : 300);
    for (let k = from; k < to; k++) {
      if (k > from) now += random.below(3) === 0 ? 0 : random.below(900);
      prices[market]! += random.below(21) - 10;
      time[k] = now;
      bid[k] = prices[market]!;
      ask[k] = prices[market]! + 1 + random.below(5);
    }
    ends[market] = to;
    const isAfter = random.below(3) === 0;
    const fills: Fill[] = [];
    for (let row = from; random.below(3) > 0;) {
      row += random.below(to - row);
      const at = isAfter ? now : time[row]!;
      const place = isAfter ? to : time.findIndex((one, k) => k >= from && one >= at);
      const side = random.below(2) === 0 ? LONG : SHORT;
      const lots = held[market]!;
      const effect = lots[side]! > 0 && random.below(2) === 0 ? CLOSE : OPEN;
      const size = 1 + random.below(effect === OPEN ? 5 : lots[side]!);
      lots[side]! += effect === OPEN ? size : -size;
      fills.push({ time: at, market, side, effect, price: bid[row]! + random.below(7) - 3, size, place });
    }
    stretches.push({ market, from, to, isAfter, fills });
  }
  return { markets: markets.map((rows, k) => cut(rows, ends[k]!)), stretches };
}

const cut = ({ time, bid, ask }: Rows, end: number): Rows => ({
  time: time.subarray(0, end),
  bid: bid.subarray(0, end),
  ask: ask.subarray(0, end),
});

/** Columns as those of a stream: the next block overwrites them. */
class Columns implements Rows {
  readonly time = new Float64Array(BLOCK);
  readonly bid = new Float64Array(BLOCK);
  readonly ask = new Float64Array(BLOCK);

  /** The block with row `from`. */
  load({ time, bid, ask }: Rows, from: number): void {
    const first = from - (from % BLOCK);
    for (const [own, all] of [
      [this.time, time],
      [this.bid, bid],
      [this.ask, ask],
    ] as const) {
      own.fill(1);
      own.set(all.subarray(first, first + BLOCK));
    }
  }
}

/** By definition: extremes of the rows between the first fill and the last, and of all fill prices. */
function slowExcursions(fills: readonly Fill[], markets: readonly Rows[]): number[][] {
  const found: number[][] = [];
  for (const market of markets.keys()) {
    for (const side of [LONG, SHORT]) {
      let held = 0;
      let leg: Fill[] = [];
      fills.forEach((fill, index) => {
        if (fill.side !== side || fill.market !== market) return;
        held += fill.effect === OPEN ? fill.size : -fill.size;
        leg.push(fill);
        if (held > 0) return;
        const column = side === LONG ? markets[market]!.bid : markets[market]!.ask;
        const prices = [...leg.map(({ price }) => price), ...column.subarray(leg[0]!.place, fill.place)];
        const [low, high] = [Math.min(...prices), Math.max(...prices)];
        found.push(side === LONG ? [index, low, high] : [index, -high, -low]);
        leg = [];
      });
    }
  }
  return found.sort((a, b) => a[0]! - b[0]!).map(([, worst, best]) => [worst!, best!]);
}

/** By definition: the middle of the last row that is not after the horizon. */
function slowMarkouts(fills: readonly Fill[], markets: readonly Rows[]): { sum: number; count: number }[] {
  return [1_000, 5_000, 30_000].map((ms) => {
    const shares = fills.flatMap(({ time: at, market, side, effect, price }) => {
      const { time, bid, ask } = markets[market]!;
      if (at + ms >= time.at(-1)!) return [];
      const row = time.findLastIndex((one) => one <= at + ms);
      const sign = side === effect ? 1 : -1;
      return [(sign * ((bid[row]! + ask[row]!) / 2 - price)) / price];
    });
    return { sum: shares.reduce((all, one) => all + one, 0), count: shares.length };
  });
}

test('on 300 times two random markets, however the rows are cut into stretches', () => {
  for (let seed = 1; seed <= 300; seed++) {
    const { markets, stretches } = draw(new Random(seed));
    const watch = new MarketWatch(
      MARKETS,
      markets.map((_, instrument) => ({ instrument, mirrors: [] })),
    );
    const prices = markets.map(() => ({ bid: 0, ask: 0, last: 0 }));
    watch.follow(prices);
    const columns = markets.map(() => new Columns());
    for (const { market, from, to, isAfter, fills } of stretches) {
      const { time, bid, ask } = markets[market]!;
      const fill = (): void => {
        for (const one of fills) {
          const seen = Math.max(from, one.place - (isAfter ? 1 : 0));
          prices[market] = { bid: bid[seen]!, ask: ask[seen]!, last: 0 };
          watch.fill(one.time, market, false, one.side, one.effect, one.price, one.size);
        }
      };
      if (!isAfter) fill();
      prices[market] = { bid: bid[to - 1]!, ask: ask[to - 1]!, last: 0 };
      const block = columns[market]!;
      if (from % BLOCK === 0) block.load(markets[market]!, from);
      const first = from - (from % BLOCK);
      // A report of a live session gives each row in columns of its own.
      const isOwn = seed % 3 === 0;
      if (isOwn && watch.isActive) watch.rows(market, time.slice(from, to), bid.slice(from, to), ask.slice(from, to), 0, to - from);
      else if (watch.isActive) watch.rows(market, block.time, block.bid, block.ask, from - first, to - first);
      if (watch.isActive && to % BLOCK === 0 && !isOwn) watch.settle(market);
      if (isAfter) fill();
    }
    watch.end();
    const all = stretches.flatMap(({ fills }) => fills);
    const found = numbersIn(watch.excursions);
    expect([seed, Array.from({ length: found.length / 2 }, (_, k) => found.slice(2 * k, 2 * k + 2))]).toEqual([
      seed,
      slowExcursions(all, markets),
    ]);
    slowMarkouts(all, markets).forEach(({ sum, count }, h) => {
      expect([seed, h, watch.markoutFills[h]]).toEqual([seed, h, count]);
      expect(Math.abs(watch.markoutSums[h]! - sum), `seed ${seed}, ${h}: ${watch.markoutSums[h]} ${sum} of ${count}`).toBeLessThan(1e-12);
    });
  }
});
