import { describe, expect, test } from 'vitest';
import { TimerQueue } from '../../../../src/base/time/timer-queue.ts';
import { PendingQueries } from '../../../../src/engine/polling/queries.ts';
import { Cases, type Case } from '../../../../src/engine/polling/cases.ts';
import { RecordingVenue } from '../../../support/engine/engine-kit.ts';

function bench() {
  const core = { now: 0, timerQueue: new TimerQueue() };
  const venue = new RecordingVenue();
  const turns: string[] = [];
  const owner = {
    turn: (one: Case): void => {
      turns.push(`${core.now} ${one.key}`);
      cases.ask(one, { kind: 'account', instrument: one.key });
    },
    answered: (): void => undefined,
    failed: (): void => undefined,
  };
  const cases: Cases<Case> = new Cases(core, new PendingQueries(venue), owner);
  const runTo = (time: number): void => {
    while (core.timerQueue.next <= time) {
      core.now = core.timerQueue.next;
      core.timerQueue.run(core.timerQueue.take(core.now), core.now);
    }
    core.now = time;
  };
  const made = (key: number): Case => {
    const one = { key, nextAt: Infinity };
    cases.open(one);
    return one;
  };
  return { cases, venue, turns, runTo, made };
}

describe('repeated queries of a case', () => {
  test('a case has its turn at its time, and none while its query is in flight', () => {
    const { cases, venue, turns, runTo, made } = bench();
    const [one, other] = [made(1), made(2)];
    cases.wait(other, 300);
    cases.wait(one, 100);
    runTo(250);
    expect(turns).toEqual(['100 1']);
    expect(cases.asked(venue.queries[0]!)).toBe(one);
    cases.wait(one, 200);
    runTo(10_000);
    expect(turns).toEqual(['100 1', '300 2', '450 1']);
  });

  test('an answer counts once, and only for a case that is still open', () => {
    const { cases, venue, runTo, made } = bench();
    const one = made(1);
    cases.wait(one, 0);
    runTo(0);
    cases.close(one);
    const again = made(1);
    expect(cases.asked(venue.queries[0]!), 'it is another case under the same key').toBeNull();
    cases.wait(again, 0);
    runTo(0);
    expect(cases.asked(venue.queries[1]!)).toBe(again);
    expect(cases.asked(venue.queries[1]!)).toBeNull();
  });

  test('a closed case has no turn', () => {
    const { cases, turns, runTo, made } = bench();
    const one = made(1);
    cases.wait(one, 100);
    cases.close(one);
    runTo(1_000);
    expect(turns).toEqual([]);
    expect([cases.count, cases.has(1), [...cases.all()]]).toEqual([0, false, []]);
  });
});
