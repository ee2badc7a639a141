/** A poll that is brought forward: that of the instrument that was named, or that of all, and no other. */
import { expect, test } from 'vitest';
import { TimerQueue } from '../../../../src/base/time/timer-queue.ts';
import { Poller } from '../../../../src/engine/polling/poller.ts';
import { PendingQueries } from '../../../../src/engine/polling/queries.ts';
import { planPolls, type PollNeed } from '../../../../src/engine/polling/schedule.ts';
import type { Query } from '../../../../src/ports/venue.ts';
import { NO_ACCOUNT, noFeed, POLLS } from '../../../support/engine/engine-kit.ts';

/** What is asked when `kind` of `instrument` is polled early, in the middle of a period. */
function askedAfter(kinds: readonly PollNeed['kind'][], kind: PollNeed['kind'], instrument: number): string[] {
  const needs = kinds.flatMap((one) => [0, 1, 2].map((k): PollNeed => ({ kind: one, instrument: k, periodMs: 60_000, by: 'test' })));
  const asked: Query[] = [];
  const timerQueue = new TimerQueue();
  const queries = new PendingQueries({ query: (query) => asked.push(query) });
  const poller = new Poller(planPolls(needs, POLLS.budget, ['A', 'B', 'C']), {
    timerQueue,
    queries,
    feedOf: noFeed,
    liveIds: () => null,
    account: NO_ACCOUNT,
  });
  const runUntil = (now: number): void => {
    for (let id = timerQueue.take(now); id >= 0; id = timerQueue.take(now)) timerQueue.run(id, now);
  };
  poller.start(0);
  runUntil(60_000);
  for (const query of asked.splice(0)) queries.take(query);
  poller.pollNow(kind, instrument, 60_000);
  runUntil(60_000);
  return asked.map((query) => `${query.kind} ${query.instrument}`);
}

test.each([0, 1, 2])('a poll of one symbol each brings forward that of instrument %d alone', (instrument) => {
  expect(askedAfter(['account', 'quotes'], 'account', instrument)).toEqual([`account ${instrument}`]);
});

test.each([0, 1, 2])('a poll of all symbols is brought forward for instrument %d', (instrument) => {
  expect(askedAfter(['account', 'quotes'], 'quotes', instrument)).toEqual(['quotes -1']);
});
