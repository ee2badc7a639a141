/** Overlapping answers with trades are joined: each trade once, in order, and gaps are reported. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { TradeReport } from '../../../src/domain/report.ts';
import { TradeStitching } from '../../../src/run/market/trade-stitching.ts';

const trade = (tradeId: string | number, venueTime = Number(tradeId)): TradeReport =>
  ({ instrument: 0, tradeId: String(tradeId), price: 1, size: 1, aggressor: 0, venueTime }) as never;
const ids = (trades: readonly TradeReport[]): string[] => trades.map(({ tradeId }) => tradeId);

describe('overlapping answers', () => {
  test('give each trade once, the oldest first, in whatever order they arrive', () => {
    const stitching = new TradeStitching(null);
    expect(
      ids(
        stitching.take(
          [3, 2, 1].map((id) => trade(id)),
          false,
        ).fresh,
      ),
    ).toEqual(['1', '2', '3']);
    expect(
      stitching.take(
        [3, 2].map((id) => trade(id)),
        false,
      ),
    ).toEqual({ fresh: [], gap: null });
    expect(
      ids(
        stitching.take(
          [2, 3, 4, 5].map((id) => trade(id)),
          false,
        ).fresh,
      ),
    ).toEqual(['4', '5']);
    expect(stitching.take([], false)).toEqual({ fresh: [], gap: null });
  });

  test('lose nothing and repeat nothing, whenever they are requested', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 8 }), { maxLength: 30 }), fc.integer({ min: 8, max: 20 }), (steps, limit) => {
        const stitching = new TradeStitching(null);
        const all: TradeReport[] = [trade(1)];
        const got: string[] = ids(stitching.take(all, false).fresh);
        for (const step of steps) {
          for (let k = 0; k < step; k++) all.push(trade(all.length + 1));
          const answer = all.slice(-limit).toReversed();
          const { fresh, gap } = stitching.take(answer, answer.length === limit);
          // A full answer with only new trades may have missed some.
          expect(gap === null).toBe(!(answer.length === limit && fresh.length === limit));
          got.push(...ids(fresh));
        }
        expect(got).toEqual(ids(all));
      }),
    );
  });

  test('with ids that are not numbers are joined by the content of the last answer', () => {
    const stitching = new TradeStitching(null);
    const [a, b, c] = [trade('a', 5), trade('b', 5), trade('c', 6)] as const;
    expect(ids(stitching.take([a, b], false).fresh)).toEqual(['a', 'b']);
    expect(ids(stitching.take([a, b, c], false).fresh)).toEqual(['c']);
    expect([a, b, c].map((one) => stitching.idOf(one))).toEqual([1, 2, 3]);
  });
});

describe('a gap', () => {
  test('report a gap if a full answer starts after the last trade', () => {
    const stitching = new TradeStitching(null);
    stitching.take([trade(7)], true);
    expect(stitching.take([trade(9), trade(10)], true).gap).toEqual({ cause: 'missed', before: '7', after: '9' });
    expect(stitching.take([trade(10), trade(11)], true).gap).toBeNull();
  });

  test('report restarted ids, and ours continue to grow', () => {
    const stitching = new TradeStitching(null);
    const first = stitching.take([trade(100, 1000), trade(101, 1001)], false).fresh.map((one) => stitching.idOf(one));
    const joined = stitching.take([trade(1, 2000), trade(2, 2001)], false);
    expect(joined.gap).toEqual({ cause: 'ids-restarted', before: '101', after: '1' });
    const second = joined.fresh.map((one) => stitching.idOf(one));
    const third = stitching.take([trade(2, 2001), trade(5, 2002)], false).fresh.map((one) => stitching.idOf(one));
    expect([...first, ...second, ...third]).toEqual([100, 101, 102, 103, 106]);
  });

  test('do not report trades from before as new ones', () => {
    const stitching = new TradeStitching(50);
    expect(stitching.take([trade(50), trade(51), trade(52)], false)).toEqual({
      fresh: [],
      gap: { cause: 'resumed', before: '50', after: '52' },
    });
    const { fresh } = stitching.take([trade(52), trade(53)], false);
    expect(fresh.map((one) => stitching.idOf(one))).toEqual([53]);
    expect(new TradeStitching(50).take([trade(50)], false).gap).toBeNull();
  });
});
