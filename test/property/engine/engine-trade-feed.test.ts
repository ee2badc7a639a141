/** The trade feed compared with a market that never stops: every trade once and in order, or a reported gap. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { TradeReport } from '../../../src/domain/report.ts';
import { PendingQueries } from '../../../src/engine/polling/queries.ts';
import { TradeFeed } from '../../../src/engine/polling/trade-feed.ts';
import type { Query } from '../../../src/ports/venue.ts';

const ROUND = fc.record({
  /** Trades before the round, and between its pages. */
  before: fc.nat(12),
  during: fc.array(fc.nat(3), { minLength: 8, maxLength: 8 }),
  /** The page's trades in the venue's order. */
  newestFirst: fc.boolean(),
  failsAtPage: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }),
});

type Round = typeof ROUND extends fc.Arbitrary<infer T> ? T : never;

interface Scene {
  readonly rounds: readonly Round[];
  readonly pageSize: number;
  readonly maxPages: number;
  readonly firstId: number;
}

const SCENE: fc.Arbitrary<Scene> = fc.record({
  rounds: fc.array(ROUND, { minLength: 1, maxLength: 20 }),
  pageSize: fc.integer({ min: 1, max: 5 }),
  maxPages: fc.integer({ min: 1, max: 4 }),
  firstId: fc.constantFrom(1, 95, 9_999_999_990),
});

/** The ids and gaps that the feed tells. `isStated`: answers whose ids fall say so. */
function toldOf({ rounds, pageSize, maxPages, firstId }: Scene, isStated: boolean): (number | 'gap')[] {
  const tape: number[] = [];
  const happen = (count: number): void => {
    for (let k = 0; k < count; k++) tape.push(tape.length === 0 ? firstId : tape.at(-1)! + 1);
  };
  const open: (Query & { kind: 'trades' })[] = [];
  const queries = new PendingQueries({ query: (q) => open.push(q as Query & { kind: 'trades' }) });
  const told: (number | 'gap')[] = [];
  const sink = {
    gap: () => told.push('gap'),
    trade: (t: TradeReport) => told.push(Number(t.tradeId)),
    caughtUp: () => undefined,
    first: () => undefined,
  };
  const feed = new TradeFeed(0, queries, sink, { pageSize, maxPages });
  happen(3);
  rounds.forEach((round, index) => {
    happen(index === 0 ? 0 : round.before);
    expect(feed.poll()).toBe(true);
    expect(feed.poll()).toBe(false);
    for (let page = 1; open.length > 0; page++) {
      const query = open.shift()!;
      const asker = queries.take(query)!;
      expect(page).toBeLessThanOrEqual(maxPages);
      if (page === round.failsAtPage) {
        asker.failed(query, 'timeout');
        continue;
      }
      const below = tape.filter((id) => query.before === '' || id < Number(query.before)).slice(-query.limit);
      const listed = round.newestFirst ? below.toReversed() : below;
      happen(round.during[page % 8]!);
      asker.answered(query, { kind: 'trades', trades: listed.map(report), isFalling: isStated && round.newestFirst }, 0);
    }
  });
  return told;
}

test('trades come once, in order; missing ones are reported as a gap [M1]', () => {
  fc.assert(
    fc.property(SCENE, (scene) => {
      let last = 0;
      let isGap = true;
      for (const one of toldOf(scene, false)) {
        if (one === 'gap') {
          isGap = true;
          continue;
        }
        expect(one).toBeGreaterThan(last);
        if (!isGap) expect(one).toBe(last + 1);
        last = one;
        isGap = false;
      }
    }),
    { numRuns: 400 },
  );
});

test('an answer that says that its ids fall is read as one that does not say so', () => {
  fc.assert(
    fc.property(SCENE, (scene) => {
      expect(toldOf(scene, true)).toEqual(toldOf(scene, false));
    }),
    { numRuns: 400 },
  );
});

function report(id: number): TradeReport {
  return { instrument: 0, tradeId: String(id), price: 1, size: 1, aggressor: 0, venueTime: id } as unknown as TradeReport;
}
