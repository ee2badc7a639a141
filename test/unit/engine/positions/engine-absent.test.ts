/** The horizon of an order that never arrived goes on over restarts (src/engine/orders/unknown/resolver.ts). */
import { describe, expect, test } from 'vitest';
import { foldRecords } from '../../../../src/engine/recovery/registry.ts';
import { orderReport, polledRig, POLLS, rig, settleReads, START } from '../../../support/engine/engine-kit.ts';
import { ambiguous, findsNothing, silence } from '../../../support/engine/unknown-outcome.ts';

describe('a series of restarts', () => {
  /** Processes of 8 s one after another, each from the journal alone or with snapshots. Between them our clock, or the venue's, is moved. */
  function lives(count: number, isSnapshot: boolean, oursMs = 0, venueMs = 0): { presumedAt: number; states: (string | undefined)[] } {
    const first = polledRig();
    findsNothing(first);
    const n = ambiguous(first);
    const states: (string | undefined)[] = [];
    let [r, snapshot, off, venueOff] = [first, null as ReturnType<typeof foldRecords> | null, 0, 0];
    for (let life = 0; life < count; life++) {
      for (let ms = 0; ms < 8_000; ms += 100) {
        r.advance(100);
        for (let left = 3; left > 0 && r.open.length > 0; left--) settleReads(r, [], [], r.clock.time - off + venueOff);
        if (r.log.events().includes('presumed-not-landed')) return { presumedAt: r.clock.time - off - START, states };
      }
      states.push(r.kernel.phase === 'armed' ? r.ctx().order(n)?.state : undefined);
      snapshot = isSnapshot ? r.kernel.snapshot() : foldRecords(snapshot, r.records);
      const next = rig({}, { polls: POLLS });
      findsNothing(next);
      off += oursMs;
      venueOff += venueMs;
      next.clock.time = r.clock.time + 1_000 + oursMs;
      next.kernel.restore(JSON.parse(JSON.stringify(snapshot)) as typeof snapshot);
      next.kernel.inbox.start();
      r = next;
    }
    return { presumedAt: Infinity, states };
  }

  test.each([false, true])('an order that never arrived is given up after the horizon of all of them, with snapshots %s', (isSnapshot) => {
    const { presumedAt, states } = lives(12, isSnapshot);
    expect(presumedAt).toBeGreaterThanOrEqual(72_000);
    expect(presumedAt).toBeLessThan(85_000);
    expect(new Set(states)).toEqual(new Set(['unknown']));
  });

  test.each([
    [100_000, 0],
    [-100_000, 0],
    [0, 100_000],
    [0, -100_000],
  ])('our clock set by %d ms in between, or the venue’s by %d, brings it no nearer', (oursMs, venueMs) => {
    expect(lives(9, false, oursMs, venueMs).presumedAt).toBeGreaterThanOrEqual(72_000);
  });

  test('a later command about the order begins the horizon again', () => {
    const r = polledRig();
    findsNothing(r);
    const a = r.ctx().limit(r.ctx().markets[0]!, 'LONG', 'OPEN', 999, 0.01);
    const resting = r.venue.last();
    r.venue.unknown(a, 'timeout');
    silence(r, 30_000);
    expect(foldRecords(null, r.records).orders[0]).toMatchObject({ seq: a, absent: { venueTime: START + 101 } });
    for (let s = 0; s < 10; s++) {
      r.advance(1_000);
      settleReads(r, [orderReport(resting, 'open')], []);
    }
    expect(r.ctx().order(a)!.state).toBe('working');
    r.venue.unknown(r.ctx().modify(a, { limit: 998 }), 'timeout');
    expect(foldRecords(null, r.records).orders.map(({ absent }) => absent)).toEqual([undefined, undefined]);
    expect(r.kernel.snapshot().orders.map(({ absent }) => absent)).toEqual([undefined, undefined]);
  });
});
