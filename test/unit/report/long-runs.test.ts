/** Fills and trades of runs so long that most of them leave the memory. */
import fc from 'fast-check';
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { Random } from '../../../src/base/random.ts';
import { CLOSE, LONG, MAKER, OPEN, TAKER } from '../../../src/domain/codes.ts';
import { createInstrument } from '../../../src/domain/instrument.ts';
import { FillLog } from '../../../src/report/fills/fill-log.ts';
import { fillSums } from '../../../src/report/trades/fill-sums.ts';
import { MarketWatch } from '../../../src/report/market/market-watch.ts';
import { OrderBrackets } from '../../../src/report/fills/order-brackets.ts';
import { ROWS_KEPT } from '../../../src/report/fills/row-pages.ts';
import { joined } from '../../../src/statistics/samples/columns.ts';
import { pageStores } from '../../../src/run/backtest/counts/number-pages.ts';
import { BTC, ETH, SPOT_BTC } from '../../support/sim/sim-kit.ts';

const INSTRUMENTS = [BTC, ETH, SPOT_BTC].map((spec, index) => createInstrument(spec, index));

describe('a long run', () => {
  test('says the same when most of a long run is in a file', () => {
    const runs = [new FillLog(), new FillLog(pageStores())].map((log) => {
      const seen = new MarketWatch(3, [], log.openStore);
      // Trades of two fills, so many that fills, trades and excursions leave the memory.
      for (let k = 0; k < 60_001; k++) {
        const [effect, price] = [k % 2 === 0 ? OPEN : CLOSE, 1000 + ((k * 7919) % 501)];
        log.add(
          k * 10,
          0,
          (k >> 1) & 1,
          effect,
          price,
          1 + ((k >> 1) % 3),
          k % 5,
          effect === CLOSE ? (k % 1001) - 500 : 0,
          k % 3 === 0 ? MAKER : TAKER,
          1,
        );
        seen.fill(k * 10, 0, false, (k >> 1) & 1, effect, price, 1);
        seen.rows(0, Float64Array.of(k * 10), Float64Array.of(price - 3), Float64Array.of(price + 2), 0, 1);
      }
      seen.end();
      const sums = fillSums(log, INSTRUMENTS, { excursions: seen.excursions });
      const { trips, ...rest } = sums;
      const { net, side, heldMs, mae, mfe } = trips.columns;
      const text = [net, side, heldMs, mae, mfe].map((column) => createHash('sha256').update(joined(column)).digest('hex'));
      return { rest, text, count: trips.count, wins: trips.wins, nets: trips.nets, last: trips.newest(3), mfe: joined(mfe).slice(-5) };
    });
    expect(runs[1]).toEqual(runs[0]);
    expect(runs[0]!.count).toBeGreaterThan(ROWS_KEPT + 2 * 4096);
    expect(runs[0]!.mfe.some((share) => share > 0)).toBe(true);
  });

  test('has the newest trades, also of those that left the memory and were closed in parts', () => {
    const log = new FillLog(pageStores());
    const [stop, target] = [log.labels.number('s', 'stop'), log.labels.number('s', 'target')];
    for (let k = 0; k < 20_000; k++) {
      log.add(k, 0, LONG, OPEN, 1000, 2, 1, 0, TAKER, 1);
      // Every third trade has two exits, some of them two reasons.
      const parts = k % 3 === 0 ? [1, 1] : [2];
      for (const size of parts)
        log.add(k, 0, LONG, CLOSE, 1000 + (k % 50), size, 1, k % 7, TAKER, k % 5 === 0 && size === 1 ? -stop : -target);
      if (k % 15 === 0) log.add(k, 0, LONG, OPEN, 1000, 2, 1, 0, TAKER, 1);
      if (k % 15 === 0) for (const label of [stop, target]) log.add(k, 0, LONG, CLOSE, 1001, 1, 1, k, TAKER, -label);
    }
    const { trips } = fillSums(log, INSTRUMENTS, {});
    const all = trips.newest();
    expect(all).toHaveLength(trips.count);
    expect(all.filter(({ exits }) => exits!.length === 2)).toHaveLength(1334);
    expect(all.flatMap(({ exits }) => exits!.map(({ reason }) => reason)).every((reason) => reason !== '')).toBe(true);
    // Page turns, the newest page alone, and none.
    for (const most of [0, 1, 10, 31, 4096, 4097, 9000, trips.count - 1, trips.count, trips.count + 1]) {
      expect(trips.newest(most)).toEqual(most === 0 ? [] : all.slice(-most));
    }
  });

  test('has the labels and the brackets of all its orders, whichever is asked for', () => {
    const run = fc.record({ seed: fc.nat(), orders: fc.integer({ min: 1, max: 120_000 }), first: fc.constantFrom(1, 4095, 1_000_003) });
    fc.assert(
      fc.property(run, ({ seed, orders, first }) => {
        const random = new Random(seed);
        const { labels } = new FillLog(pageStores());
        const brackets = new OrderBrackets(pageStores());
        const kept: { reason: string; stop: number; target: number }[] = [];
        let replacing = 0;
        for (let k = 0; k < orders; k++) {
          const reason = random.below(3) === 0 ? '' : `r${random.below(5)}`;
          const stop = random.below(3) * random.below(1000);
          const target = random.below(2) * random.below(1000);
          // Mostly a young order is replaced, but any may be.
          const back = k > 0 && random.below(4) === 0 ? 1 + random.below(random.below(50) === 0 ? k : Math.min(k, 20)) : 0;
          if (back === 0) {
            labels.placed(first + k, 's', reason);
            brackets.note(first + k, stop, target);
            kept.push({ reason, stop, target });
          } else {
            replacing++;
            const old = kept[k - back]!;
            labels.modified(first + k, 's', reason, first + k - back);
            brackets.replace(first + k, first + k - back, stop, target);
            kept.push({ reason: reason || old.reason, stop: stop || old.stop, target: target || old.target });
          }
        }
        const saidOf = (k: number): unknown => {
          const seq = first + k;
          return { reason: labels.all[labels.of(seq)]!.reason, stop: brackets.stopLoss(seq), target: brackets.takeProfit(seq) };
        };
        for (let n = 0; n < 200; n++) {
          const k = random.below(orders);
          expect(saidOf(k)).toEqual(kept[k]);
        }
        for (let k = 0; k < orders; k += 61) expect(saidOf(k)).toEqual(kept[k]);
        expect(labels.orders().reduce((sum, count) => sum + count, 0)).toBe(orders - replacing);
      }),
      { numRuns: 12 },
    );
  });
});
