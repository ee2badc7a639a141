/** Cancels without an outcome are repeated at a pace, however often they are wanted: a venue that is being worked on is not flooded. */
import { expect, test } from 'vitest';
import { CANCEL } from '../../../../src/domain/codes.ts';
import { polledRig, settleReads, type Rig } from '../../../support/engine/engine-kit.ts';

/** A bot with a resting order, whose cancels have had no outcome; the times of all cancels so far. */
function stuck(until: (r: Rig, order: number) => void, forMs: number): number[] {
  const r = polledRig();
  const order = r.ctx().limit(r.ctx().markets[0]!, 'LONG', 'OPEN', 999, 0.01);
  r.venue.accepted(order, 'v1');
  const times: number[] = [];
  const end = r.clock.time + forMs;
  r.venue.onExecute = ({ kind }) => {
    if (kind === CANCEL) times.push(r.clock.time);
  };
  while (r.clock.time < end) {
    until(r, order);
    r.advance(20);
    for (const { kind, seq } of r.venue.commands.splice(0)) if (kind === CANCEL) r.venue.unknown(seq, 'maintenance');
    // Nothing is read: the venue answers nothing else either.
    for (const query of r.open.splice(0)) r.venue.failed(query, 'maintenance');
  }
  expect(r.ctx().order(order)?.state).toMatch(/working|cancelling/);
  return times.map((time) => time - times[0]!);
}

function gaps(times: readonly number[]): number[] {
  return times.slice(1).map((time, k) => time - times[k]!);
}

test('a kill repeats a cancel at most every two seconds after the first ones, and at least', () => {
  let isKilled = false;
  const times = stuck((r) => {
    if (!isKilled) r.kernel.inbox.operate({ name: 'kill', by: 'ann', why: '' });
    isKilled = true;
  }, 120_000);
  expect(times.length).toBeGreaterThan(55);
  expect(times.length).toBeLessThan(70);
  expect(Math.max(...gaps(times))).toBeLessThan(2_300);
});

test('a strategy that wants it at every turn does not make it faster', () => {
  const times = stuck((r, order) => void r.ctx().cancel(order), 20_000);
  expect(times.length).toBeGreaterThan(8);
  expect(times.length).toBeLessThan(15);
});

test('a kill after the tries are used up cancels at once, not with the next try a minute later', () => {
  let killedAt = 0;
  let from = 0;
  const times = stuck((r, order) => {
    if (from === 0) r.ctx().cancel(order);
    from ||= r.clock.time;
    if (killedAt > 0 || r.clock.time < from + 30_000) return;
    killedAt = r.clock.time - from;
    r.kernel.inbox.operate({ name: 'kill', by: 'ann', why: '' });
  }, 40_000);
  const after = times.filter((time) => time >= killedAt);
  expect(after[0]! - killedAt).toBeLessThan(300);
  expect(after.length).toBeGreaterThanOrEqual(4);
});

test('with an answer of the venue the order is read, and the bot is done', () => {
  const r = polledRig();
  const order = r.ctx().limit(r.ctx().markets[0]!, 'LONG', 'OPEN', 999, 0.01);
  r.venue.accepted(order, 'v1');
  r.ctx().cancel(order);
  r.venue.unknown(r.venue.last().seq, 'maintenance');
  r.advance(260);
  expect(r.venue.commands.filter(({ kind }) => kind === CANCEL)).toHaveLength(2);
  r.venue.accepted(r.venue.last().seq, 'v1');
  settleReads(r, [], []);
  r.advance(100);
  expect(r.ctx().order(order)?.state ?? 'cancelled').toBe('cancelled');
});
