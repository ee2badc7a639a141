import { describe, expect, test } from 'vitest';
import type { Query } from '../../src/ports/venue.ts';
import { QuestionLanes } from '../../src/sim/port/question-lanes.ts';

const BUCKETS = { quotes: 'market', stats: 'market', trades: 'market', account: 'own', pending: 'own', positions: 'own', history: 'own' };

/** Asks by script and tells what left when. */
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
  for (;;) {
    clock.time = Math.min(todo[0]?.[0] ?? Infinity, lanes.nextDue);
    if (clock.time === Infinity) return out;
    for (let ask = todo[0]; ask !== undefined && ask[0] === clock.time; ask = todo[0]) {
      todo.shift();
      lanes.query(queryOf(ask[1]));
    }
    lanes.run(clock.time);
  }
}

function queryOf(kind: Query['kind']): Query {
  if (kind === 'trades') return { kind, instrument: 0, before: '', limit: 1000 };
  return kind === 'history' ? { kind, instrument: 0, clientId: '', since: 0 } : { kind, instrument: 0 };
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

  test('the most urgent goes first, the oldest among equals, also one that came while others waited', () => {
    const asks = [
      [0, 'stats'],
      [1, 'stats'],
      [2, 'trades'],
      [3, 'quotes'],
      [4, 'quotes'],
      [150, 'quotes'],
    ] as const;
    const order = ['0 stats', '105 quotes', '210 quotes', '315 quotes', '420 trades', '525 stats'];
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
    expect(left(asks, 10, 5)).toEqual(['5 quotes', '5 history', '5 pending', '5 positions', '110 trades']);
  });
});
