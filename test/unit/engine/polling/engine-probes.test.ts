/**
 * A trigger order (E13) of unknown outcome. No list shows it while it waits, so only the answer to a cancel (E16) shows that it is absent.
 */
import { expect, test } from 'vitest';
import { CANCEL_TRIGGER } from '../../../../src/domain/codes.ts';
import { polledRig, rejection, settleReads, type Rig } from '../../../support/engine/engine-kit.ts';

/** Seconds until the order is presumed not to exist. `answer` gets each probe and the seconds that have passed. */
function presumedAfter(r: Rig, answer: (seq: number, second: number) => void): number | 'never' {
  const seq = r.ctx().placeTrigger({ market: r.ctx().markets[0]!, side: 'LONG', size: 0.01, trigger: 1010 });
  r.venue.unknown(seq, 'time-out');
  let seen = r.venue.commands.length;
  for (let second = 1; second <= 180; second++) {
    r.advance(1_000);
    for (const { kind, seq: probe } of r.venue.commands.slice(seen)) if (kind === CANCEL_TRIGGER) answer(probe, second);
    seen = r.venue.commands.length;
    for (let left = 4; left > 0 && r.open.length > 0; left--) settleReads(r, [], []);
    if (r.log.events().includes('presumed-not-landed')) return second;
  }
  return 'never';
}

test('a trigger order is not presumed gone while no probe of it was answered: its symbol stays halted [outcomes E13]', () => {
  const r = polledRig();
  expect(presumedAfter(r, (seq) => r.venue.unknown(seq, 'time-out'))).toBe('never');
  expect(r.kernel.status().halts).toMatchObject([{ code: 'outcome-unknown' }]);
});

test('a probe that is refused before the horizon is not enough: the order may land after it [outcomes E13]', () => {
  const r = polledRig();
  const early = (seq: number, second: number): void =>
    second < 30 ? r.venue.rejected(seq, rejection('order-not-found')) : r.venue.unknown(seq, 'time-out');
  expect(presumedAfter(r, early)).toBe('never');
});

test('when the venue refuses a probe after the horizon, the trigger order is presumed not to exist [outcomes E13]', () => {
  const r = polledRig();
  const second = presumedAfter(r, (seq) => r.venue.rejected(seq, rejection('order-not-found')));
  expect(second).toBeGreaterThanOrEqual(60);
  expect(second).toBeLessThan(100);
});
