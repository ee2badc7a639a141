import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { PollLane } from '../../src/edge/pace/poll-lane.ts';
import { QUESTION_PRIORITY } from '../../src/ports/limiter.ts';
import type { Query } from '../../src/ports/venue.ts';
import { QuestionLanes } from '../../src/sim/port/question-lanes.ts';

const BUCKETS = {
  quotes: 'market',
  stats: 'market',
  trades: 'market',
  account: 'own',
  pending: 'own',
  positions: 'own',
  history: 'own',
  withdrawals: 'own',
  'spot-symbols': 'market',
};

/** Asks by script and tells what left when. No two questions are equal. */
function left(asks: readonly (readonly [number, Query['kind']])[], perSecond: number, startMs: number): string[] {
  const out: string[] = [];
  const clock = { time: 0, now: () => clock.time };
  const venue = {
    nextDue: Infinity,
    run: () => undefined,
    execute: () => undefined,
    query: (q: Query) => void out.push(`${clock.time} ${q.kind}`),
  };
  const lanes = new QuestionLanes({
    venue,
    clock,
    startMs,
    bucketOf: BUCKETS,
    perSecond: (bucket) => (bucket === 'market' ? perSecond : Infinity),
  });
  const todo = [...asks];
  let asked = 0;
  for (;;) {
    clock.time = Math.min(todo[0]?.[0] ?? Infinity, lanes.nextDue);
    if (clock.time === Infinity) return out;
    for (let ask = todo[0]; ask !== undefined && ask[0] === clock.time; ask = todo[0]) {
      todo.shift();
      lanes.query(queryOf(ask[1], ++asked));
    }
    lanes.run();
  }
}

function queryOf(kind: Query['kind'], instrument: number): Query {
  if (kind === 'trades') return { kind, instrument, before: '', limit: 1000 };
  return kind === 'history' ? { kind, instrument, clientId: '', since: 0 } : { kind, instrument };
}

describe('questions on their way out of the bot', () => {
  test('an idle lane starts them after the time a start takes', () => {
    expect(
      left(
        [
          [10, 'quotes'],
          [1000, 'trades'],
        ],
        10,
        5,
      ),
    ).toEqual(['15 quotes', '1005 trades']);
  });

  test('a bucket starts one per gap, five percent longer than its rate says', () => {
    const asks = [
      [0, 'quotes'],
      [1, 'quotes'],
      [2, 'quotes'],
    ] as const;
    expect(left(asks, 10, 0)).toEqual(['0 quotes', '105 quotes', '210 quotes']);
  });

  test('when one has started, the most urgent that waits is next, the oldest among equals; nothing overtakes it then', () => {
    const asks = [
      [0, 'stats'],
      [1, 'stats'],
      [2, 'trades'],
      [3, 'quotes'],
      [4, 'quotes'],
      [150, 'quotes'],
      [500, 'quotes'],
    ] as const;
    const order = ['0 stats', '105 stats', '210 quotes', '315 quotes', '420 quotes', '525 trades', '630 quotes'];
    expect(left(asks, 10, 0)).toEqual(order);
  });

  test('buckets do not wait for each other, and one without a limit for nothing', () => {
    const asks = [
      [0, 'quotes'],
      [0, 'trades'],
      [0, 'pending'],
      [0, 'history'],
      [0, 'positions'],
    ] as const;
    expect(left(asks, 10, 5)).toEqual(['5 quotes', '5 pending', '5 history', '5 positions', '110 trades']);
  });

  test('equal questions that wait are asked once and both answered; one that has started is not shared', () => {
    const asked: Query[] = [];
    const heard: string[] = [];
    const clock = { time: 0, now: () => clock.time };
    const venue = { nextDue: Infinity, run: () => undefined, execute: () => undefined, query: (query: Query) => void asked.push(query) };
    const lanes = new QuestionLanes({ venue, clock, startMs: 5, bucketOf: BUCKETS, perSecond: () => 10 });
    const nobody = (): void => undefined;
    const inbox = lanes.hearing({
      accepted: nobody,
      rejected: nobody,
      unsent: nobody,
      unknown: nobody,
      answered: (query, _answer, sentAt) => void heard.push(`${names.get(query)} answered ${sentAt}`),
      failed: (query, cause) => void heard.push(`${names.get(query)} ${cause}`),
    });
    const names = new Map<Query, string>();
    const ask = (name: string): void => {
      const query = queryOf('positions', -1);
      names.set(query, name);
      lanes.query(query);
    };
    ask('first');
    ask('second');
    clock.time = 5;
    lanes.run();
    ask('third');
    inbox.answered(asked[0]!, { kind: 'positions', positions: [] }, 5, 6);
    expect(heard).toEqual(['first answered 5', 'second answered 5']);
    clock.time = lanes.nextDue;
    lanes.run();
    expect(asked).toHaveLength(2);
    inbox.failed(asked[1]!, 'timeout');
    expect(heard).toEqual(['first answered 5', 'second answered 5', 'third timeout']);
  });

  test('the lanes of a live run start them in the same order', async () => {
    const asks = [
      [0, 'stats'],
      [20, 'stats'],
      [40, 'trades'],
      [60, 'quotes'],
      [80, 'quotes'],
    ] as const;
    const lane = new PollLane({ clock: { now: () => Date.now() }, buckets: { market: { perSecond: 10 } }, fallback: { perSecond: 10 } });
    const live: string[] = [];
    const started = asks.map(async ([time, kind]) => {
      await sleep(time);
      await lane.schedule({ bucket: 'market', priority: QUESTION_PRIORITY[kind], key: '', run: async () => void live.push(kind) });
    });
    await Promise.all(started);
    await lane.stop();
    expect(live).toEqual(['stats', 'stats', 'quotes', 'quotes', 'trades']);
    expect(left(asks, 10, 5).map((line) => line.split(' ')[1])).toEqual(live);
  });
});
