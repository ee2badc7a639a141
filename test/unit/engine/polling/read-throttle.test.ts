/** The read throttle on virtual time: when requests start, in which order, and what becomes of those that do not. */
import { describe, expect, test } from 'vitest';
import { ReadThrottle, type ReadThrottleOptions } from '../../../../src/engine/polling/read-throttle.ts';
import type { Query } from '../../../../src/ports/venue.ts';
import { FAILED } from '../../../../src/ports/venue-event.ts';
import { ManualClock } from '../../../support/engine/engine-kit.ts';
import { SayingVenue } from '../../../support/engine/saying-venue.ts';

const BUCKETS: ReadThrottleOptions['bucketOf'] = {
  quotes: 'market',
  stats: 'market',
  trades: 'market',
  account: 'own',
  pending: 'orders',
  positions: 'positions',
  history: 'orders',
  withdrawals: 'own',
  'spot-symbols': 'market',
};

type Rig = ReturnType<typeof rig>;

/** A throttle on a clock that starts at 0, and what left it when. */
function rig(options: Partial<ReadThrottleOptions> = {}) {
  const clock = new ManualClock();
  clock.time = 0;
  const left: string[] = [];
  const asked: Query[] = [];
  const heard: string[] = [];
  const reads = {
    query(query: Query) {
      asked.push(query);
      left.push(`${clock.time} ${query.kind}`);
    },
  };
  const throttle = new ReadThrottle({ reads, clock, bucketOf: BUCKETS, perSecond: () => 10, ...options });
  throttle.connect({
    take({ kind, query, sentAt, text }) {
      heard.push(`${query!.instrument} ${kind === FAILED ? text : `answered ${sentAt}`}`);
    },
  });
  return { clock, throttle, left, asked, heard, venue: new SayingVenue(throttle) };
}

/** Drains the throttle at each moment that it names, up to `until`. */
function pass({ clock, throttle }: Rig, until: number): void {
  for (; throttle.nextDue <= until; throttle.drain(clock.time)) clock.time = Math.max(clock.time, throttle.nextDue);
  clock.time = until;
}

let last = 0;

/** No two queries of this are equal. */
function queryOf(kind: Query['kind'], instrument = ++last): Query {
  if (kind === 'trades') return { kind, instrument, before: '', limit: 1000 };
  return kind === 'history' ? { kind, instrument, clientId: '', since: 0 } : { kind, instrument };
}

/** Asks by script, and tells what left when. */
function leftAfter(asks: readonly (readonly [number, Query['kind']])[], options: Partial<ReadThrottleOptions> = {}): string[] {
  const r = rig(options);
  for (const [time, kind] of asks) {
    pass(r, time);
    r.throttle.query(queryOf(kind));
  }
  pass(r, 100_000);
  return r.left;
}

test('a request that younger ones overtake all the time gets its turn after 50 of them', () => {
  const r = rig({ bucketOf: { ...BUCKETS, account: 'orders' } });
  r.throttle.query(queryOf('history'));
  r.throttle.query(queryOf('account'));
  for (let k = 0; k < 120; k++) {
    r.throttle.query(queryOf('history'));
    pass(r, r.clock.time + 106);
  }
  const places = r.left.flatMap((line, k) => (line.endsWith('account') ? [k] : []));
  // The first of all was there before it.
  expect(places).toEqual([51]);
});

describe('a query leaves', () => {
  test('at once where its bucket is free, at the next drain and not inside of the call', () => {
    const r = rig();
    r.clock.time = 10;
    r.throttle.query(queryOf('quotes'));
    expect([r.left, r.throttle.nextDue <= 10]).toEqual([[], true]);
    r.throttle.drain(10);
    expect([r.left, r.throttle.nextDue]).toEqual([['10 quotes'], Infinity]);
  });

  test('one a gap in a bucket, five percent longer than its rate says', () => {
    const asks = [
      [0, 'quotes'],
      [1, 'quotes'],
      [2, 'quotes'],
    ] as const;
    expect(leftAfter(asks)).toEqual(['0 quotes', '105 quotes', '210 quotes']);
  });

  test('with the most urgent first, the oldest among equals, whenever one can start', () => {
    const asks = [
      [0, 'stats'],
      [1, 'stats'],
      [2, 'trades'],
      [3, 'quotes'],
      [4, 'quotes'],
      [150, 'quotes'],
      [500, 'quotes'],
    ] as const;
    const order = ['0 stats', '105 quotes', '210 quotes', '315 quotes', '420 trades', '525 quotes', '630 stats'];
    expect(leftAfter(asks)).toEqual(order);
  });

  test('without waiting for other buckets, or for anything where there is no limit', () => {
    const asks = [
      [0, 'quotes'],
      [0, 'trades'],
      [0, 'pending'],
      [0, 'history'],
      [0, 'positions'],
    ] as const;
    const perSecond = (bucket: string): number => (bucket === 'market' ? 10 : Infinity);
    expect(leftAfter(asks, { perSecond })).toEqual(['0 quotes', '0 pending', '0 history', '0 positions', '105 trades']);
  });

  test('never more of a bucket in a second than its rate, whatever is asked', () => {
    const asks = Array.from({ length: 200 }, (_, k) => [k * 7, k % 3 === 0 ? 'quotes' : 'trades'] as const);
    const times = leftAfter(asks, { perSecond: () => 20 }).map((line) => Number(line.split(' ')[0]));
    expect(times).toHaveLength(200);
    for (let k = 20; k < times.length; k++) expect(times[k]! - times[k - 20]!).toBeGreaterThanOrEqual(1_000);
  });
});

describe('equal queries', () => {
  test('that wait are sent once and all answered; one that has left is not shared', () => {
    const r = rig();
    const positions = (): Query => queryOf('positions', 7);
    r.throttle.query(positions());
    r.throttle.query(positions());
    r.throttle.drain(0);
    r.throttle.query(positions());
    r.venue.answered(r.asked[0]!, { kind: 'positions', positions: [] }, 5, 6);
    expect(r.heard).toEqual(['7 answered 5', '7 answered 5']);
    pass(r, 1_000);
    expect(r.asked).toHaveLength(2);
    r.venue.failed(r.asked[1]!, 'timeout');
    expect(r.heard.slice(2)).toEqual(['7 timeout']);
  });

  test('of pending orders are not served by one that may end before the last page', () => {
    const known = (): ReadonlySet<string> => new Set();
    const whole: Query = { kind: 'pending', instrument: 0 };
    const short: Query = { kind: 'pending', instrument: 0, known };
    const sentOf = (...queries: Query[]): number[] => {
      const r = rig({ perSecond: () => Infinity });
      for (const query of queries) r.throttle.query({ ...query });
      pass(r, 0);
      return r.asked.map((query) => queries.findIndex((one) => 'known' in one === 'known' in query));
    };
    expect(sentOf(short, whole)).toEqual([0, 1]);
    expect(sentOf(whole, short)).toEqual([0]);
    expect(sentOf(short, short)).toEqual([0]);
  });
});

describe('a refusal for too many requests', () => {
  test('pauses its bucket alone; a shorter pause does not end a longer one', () => {
    const r = rig();
    r.throttle.backOff('market', 500);
    r.throttle.backOff('market', 100);
    r.throttle.query(queryOf('quotes'));
    r.throttle.query(queryOf('account'));
    pass(r, 10_000);
    expect(r.left).toEqual(['0 account', '500 quotes']);
  });

  test('halves the rate, which comes back step by step [N7]', () => {
    const gapAt = (refusals: number, idleMs: number): number => {
      const r = rig();
      for (let k = 0; k < refusals; k++) {
        r.clock.time += 100;
        r.throttle.backOff('market', r.clock.time);
      }
      pass(r, r.clock.time + idleMs);
      r.throttle.query(queryOf('quotes'));
      r.throttle.query(queryOf('quotes'));
      pass(r, r.clock.time + 60_000);
      const [first = 0, second = 0] = r.left.map((line) => Number(line.split(' ')[0]));
      return second - first;
    };
    expect(gapAt(0, 0)).toBe(105);
    expect(gapAt(1, 0)).toBe(210);
    // The first of two refusals had come back by half a percent.
    expect(gapAt(2, 0)).toBe(Math.ceil(105 / 0.2525));
    expect(gapAt(20, 0)).toBeGreaterThan(1_400);
    expect(gapAt(1, 5_000)).toBe(140);
    expect(gapAt(1, 10_000)).toBe(105);
  });

  test('counts once for several requests that were under way together', () => {
    const r = rig();
    r.throttle.backOff('market', 1_000);
    r.throttle.backOff('market', 2_000);
    r.throttle.query(queryOf('quotes'));
    r.throttle.query(queryOf('quotes'));
    pass(r, 10_000);
    expect(r.left).toEqual(['2000 quotes', '2210 quotes']);
  });

  test('holds reads of orders and positions for a part of the pause only while an exit is undecided [N7]', () => {
    let isOpen = false;
    const r = rig({ isExitOpen: () => isOpen });
    for (const bucket of ['orders', 'positions', 'market']) r.throttle.backOff(bucket, 60_000, 100);
    for (const kind of ['history', 'positions', 'quotes'] as const) r.throttle.query(queryOf(kind));
    pass(r, 3_000);
    expect(r.left).toEqual([]);
    isOpen = true;
    pass(r, 59_000);
    // It is found at the next look, a quarter of a second later at most.
    const times = r.left.map((line) => Number(line.split(' ')[0]));
    expect(r.left.map((line) => line.split(' ')[1])).toEqual(['history', 'positions']);
    for (const time of times) expect(time).toBeLessThanOrEqual(3_250);
    pass(r, 60_000);
    expect(r.left.at(-1)).toBe('60000 quotes');
  });
});

describe('a further request of a query', () => {
  test('takes a turn of its own, by its priority', () => {
    const r = rig();
    const told: string[] = [];
    const request = (name: string, priority: number): void =>
      r.throttle.request({
        bucket: 'market',
        priority,
        start: () => void told.push(`${r.clock.time} ${name}`),
        drop: (why) => void told.push(why),
      });
    request('late', 7);
    request('urgent', 1);
    r.throttle.query(queryOf('quotes'));
    pass(r, 1_000);
    expect([told, r.left]).toEqual([['0 urgent', '210 late'], ['105 quotes']]);
  });
});

describe('what does not leave', () => {
  test('has failed: beyond the room of a bucket at once', () => {
    const r = rig({ maxWaiting: 2 });
    for (const instrument of [1, 2, 3]) r.throttle.query(queryOf('quotes', instrument));
    r.throttle.query(queryOf('account', 4));
    expect(r.heard).toEqual(['3 queue-full']);
  });

  test('has failed when the throttle stops, with all that shared it, and so has all that comes later', () => {
    const r = rig();
    r.throttle.query(queryOf('quotes', 1));
    r.throttle.query(queryOf('quotes', 1));
    r.throttle.stop();
    r.throttle.query(queryOf('account', 2));
    expect(r.heard).toEqual(['1 stopped', '1 stopped', '2 stopped']);
    pass(r, 10_000);
    expect([r.left, r.throttle.nextDue]).toEqual([[], Infinity]);
  });
});
