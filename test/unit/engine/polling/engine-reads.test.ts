import { describe, expect, test } from 'vitest';
import { BUY } from '../../../../src/domain/codes.ts';
import type { TradeReport } from '../../../../src/domain/report.ts';
import type { Lots, Millis, Ticks } from '../../../../src/domain/amounts/units.ts';
import { TimerQueue } from '../../../../src/base/time/timer-queue.ts';
import { PendingQueries } from '../../../../src/engine/polling/queries.ts';
import { Poller } from '../../../../src/engine/polling/poller.ts';
import { TradeFeed } from '../../../../src/engine/polling/trade-feed.ts';
import type { PlannedPoll } from '../../../../src/engine/polling/schedule.ts';
import type { Query } from '../../../../src/ports/venue.ts';
import { NO_ACCOUNT, noFeed } from '../../../support/engine/engine-kit.ts';

type TradesQuery = Query & { readonly kind: 'trades' };

/** A venue whose list of trades the test provides, the newest first, in pages. */
function feedOn(listed: number[], maxPages = 5, timeOf = (id: number) => id, pageSize = 3) {
  const open: TradesQuery[] = [];
  const queries = new PendingQueries({ query: (query) => open.push(query as TradesQuery) });
  const told: string[] = [];
  const firsts: string[][] = [];
  const feed = new TradeFeed(
    0,
    queries,
    {
      first: (_i, trades) => firsts.push(trades.map(({ tradeId }) => tradeId)),
      gap: () => told.push('gap'),
      trade: (report) => told.push(report.tradeId),
      caughtUp: (_i, delivered) => told.push(`caught up, ${delivered} new`),
    },
    { pageSize, maxPages },
  );
  const limits: number[] = [];
  const round = (): string[] => {
    told.length = 0;
    limits.length = 0;
    expect(feed.poll()).toBe(true);
    for (let query = open.shift(); query !== undefined; query = open.shift()) {
      const { before, limit } = query;
      limits.push(limit);
      const page = listed.filter((id) => before === '' || id < Number(before)).slice(-limit);
      const asker = queries.take(query);
      asker?.answered(query, { kind: 'trades', trades: page.reverse().map((id) => trade(id, timeOf(id))) }, 0);
    }
    return [...told];
  };
  return { feed, round, limits, firsts };
}

function trade(id: number, time = id): TradeReport {
  return { instrument: 0, tradeId: String(id), price: 1 as Ticks, size: 1 as Lots, aggressor: BUY, venueTime: time as Millis };
}

describe('trades from pages', () => {
  test('the first page is history: it sets the newest id and delivers nothing', () => {
    const { round, firsts } = feedOn([1, 2, 3, 4, 5]);
    expect(round()).toEqual(['caught up, 0 new']);
    round();
    expect(firsts).toEqual([['3', '4', '5']]);
  });

  test('pages are read back until they overlap, and delivered oldest first', () => {
    const listed = [1, 2];
    const { round, feed } = feedOn(listed);
    round();
    listed.push(3, 4, 5, 6, 7, 8, 9);
    expect(round()).toEqual(['3', '4', '5', '6', '7', '8', '9', 'caught up, 7 new']);
    expect(round()).toEqual(['caught up, 0 new']);
    expect(feed.gaps).toBe(0);
  });

  test('unordered or repeated trades are delivered once and in order', () => {
    const listed = [1];
    const { round } = feedOn(listed);
    round();
    listed.push(4, 2, 3);
    expect(round()).toEqual(['2', '3', '4', 'caught up, 3 new']);
    listed.push(6, 5, 6, 5);
    expect(round()).toEqual(['5', '6', 'caught up, 2 new']);
  });

  test('a round requests about as many as the last ones had, and more with each page', () => {
    const listed = [1];
    const { round, limits, feed } = feedOn(listed, 5, (id) => id, 1000);
    round();
    expect(limits).toEqual([20]);
    listed.push(...Array.from({ length: 1000 }, (_, k) => k + 2));
    expect(round().at(-1)).toBe('caught up, 1000 new');
    // 582 is the oldest of the first 420: the missing ones are counted by ids.
    expect(limits).toEqual([20, 80, 320, 601]);
    round();
    expect(limits).toEqual([1000]);
    for (let k = 0; k < 20; k++) round();
    expect(limits).toEqual([35]);
    expect(feed.gaps).toBe(0);
  });

  test('ids far apart or too long for numbers cause neither larger pages nor lost trades', () => {
    const listed = [1_000_000];
    const { round, limits, feed } = feedOn(listed, 5, (id) => id, 1000);
    round();
    listed.push(...Array.from({ length: 50 }, (_, k) => 1_001_000 + 1000 * k), 2 ** 54);
    expect(round().at(-1)).toBe('caught up, 51 new');
    expect(limits).toEqual([20, 80]);
    listed.push(...Array.from({ length: 200 }, (_, k) => 2 ** 54 + 4 * (k + 1)));
    expect(round().at(-1)).toBe('caught up, 200 new');
    expect(limits).toEqual([84, 336]);
    expect(feed.gaps).toBe(0);
  });

  test('without trades at the first read, the end of the list is no gap', () => {
    const listed: number[] = [];
    const { round, feed } = feedOn(listed);
    expect(round()).toEqual(['caught up, 0 new']);
    listed.push(1, 2, 3, 4);
    expect(round()).toEqual(['1', '2', '3', '4', 'caught up, 4 new']);
    expect(feed.gaps).toBe(0);
  });

  test('a list that ends before the newest known trade has lost some', () => {
    const listed = [1, 2];
    const { round, feed } = feedOn(listed);
    round();
    listed.splice(0, 2, 8, 9);
    expect(round()).toEqual(['gap', '8', '9', 'caught up, 2 new']);
    expect(feed.gaps).toBe(1);
  });

  test('a venue that restarts its trade ids is followed, with a gap', () => {
    const listed = [1001, 1002, 1003];
    const { round, feed } = feedOn(listed, 5, (id) => (id < 100 ? 2000 + id : id));
    round();
    listed.splice(0, 3, 1, 2);
    expect(round()).toEqual(['gap', '1', '2', 'caught up, 2 new']);
    listed.push(3);
    expect(round()).toEqual(['3', 'caught up, 1 new']);
    expect(feed.gaps).toBe(1);
  });

  test('a page that lags behind is not taken for restarted ids', () => {
    const listed = [1, 2, 3, 4, 5];
    const { round, feed } = feedOn(listed);
    round();
    listed.pop();
    expect(round()).toEqual(['caught up, 0 new']);
    listed.push(5, 6);
    expect(round()).toEqual(['6', 'caught up, 1 new']);
    expect(feed.gaps).toBe(0);
  });

  test('more pages than a round may read are a gap, also without a known trade', () => {
    const listed: number[] = [];
    const { round, feed } = feedOn(listed, 2);
    round();
    listed.push(1, 2, 3, 4, 5, 6, 7);
    expect(round()).toEqual(['gap', '2', '3', '4', '5', '6', '7', 'caught up, 6 new']);
    expect(feed.gaps).toBe(1);
  });
});

describe('polls', () => {
  const plan = (periodMs: number, phaseMs: number): PlannedPoll => {
    return { kind: 'quotes', instrument: -1, periodMs, phaseMs, bucket: 'public', weight: 1 };
  };

  /** When polls are sent between `start` and `end`; each is answered `answerMs` later. */
  function asked(planned: PlannedPoll, start: number, end: number, answerMs = 1): { times: number[]; skipped: number } {
    const times: number[] = [];
    const timerQueue = new TimerQueue();
    let now = start;
    let answerAt = Infinity;
    let open: Query | null = null;
    const queries = new PendingQueries({
      query(query) {
        times.push(now);
        open = query;
        answerAt = now + answerMs;
      },
    });
    const poller = new Poller(
      { polls: [planned], text: '' },
      { timerQueue, queries, feedOf: noFeed, liveIds: () => null, account: NO_ACCOUNT },
    );
    poller.start(start);
    for (; now <= end; now++) {
      if (answerAt <= now && open !== null) {
        answerAt = Infinity;
        queries.take(open)?.answered(open, { kind: 'quotes', quotes: [] }, now);
      }
      for (let id = timerQueue.take(now); id >= 0; id = timerQueue.take(now)) timerQueue.run(id, now);
    }
    return { times, skipped: poller.skipped };
  }

  test.each([1_000_000, 1_000_033, 1_000_099])('poll once at the start and then at fixed times, whenever they began: %i', (start) => {
    const { times } = asked(plan(100, 20), start, 1_000_420);
    expect(times[0]).toBe(start + 20);
    expect(times.filter((time) => time > 1_000_120)).toEqual([1_000_220, 1_000_320, 1_000_420]);
  });

  test('a late poll does not delay those after it', () => {
    expect(asked(plan(100, 0), 1_000_050, 1_000_300).times).toEqual([1_000_050, 1_000_100, 1_000_200, 1_000_300]);
  });

  test('a poll is skipped while its last query is unanswered', () => {
    const { times, skipped } = asked(plan(100, 0), 1_000_000, 1_000_400, 150);
    expect(times).toEqual([1_000_000, 1_000_200, 1_000_400]);
    expect(skipped).toBe(2);
  });
});
