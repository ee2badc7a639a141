/** Halts that only a person lifts: their scope, what they leave allowed, and that a restart keeps them. */
import { describe, expect, test } from 'vitest';
import { foldRecords } from '../../src/engine/records.ts';
import { btc, POLLS, polledRig, rig, settleReads, type Rig } from '../support/engine-kit.ts';

function opens(r: Rig): { long: boolean; short: boolean } {
  const market = r.ctx().markets[0]!;
  return { long: r.ctx().limit(market, 'LONG', 'OPEN', 999, 0.01) > 0, short: r.ctx().limit(market, 'SHORT', 'OPEN', 1001, 0.01) > 0 };
}

describe('a halt that a person lifts', () => {
  test.each([
    ['all', { long: false, short: false }],
    ['BTCUSDT', { long: false, short: false }],
    ['BTCUSDT LONG', { long: false, short: true }],
    ['BTCUSDT SHORT', { long: true, short: false }],
    ['ETHUSDT', { long: true, short: true }],
  ])('of %s stops opens there and nowhere else', (scope, expected) => {
    const r = polledRig();
    expect(r.kernel.hold(scope, 'test', 'a person said so')).toBe(true);
    expect(r.kernel.hold(scope, 'test', 'again')).toBe(false);
    expect(opens(r)).toEqual(expected);
    expect(r.kernel.status().holds).toEqual([{ scope, code: 'test', why: 'a person said so', since: r.clock.time }]);
  });

  test('leaves closes and cancels allowed, and the refusal names the command that lifts it', () => {
    const details: string[] = [];
    const r = polledRig({ onOrder: (event) => void details.push(event.detail) });
    const market = r.ctx().markets[0]!;
    const resting = r.ctx().limit(market, 'LONG', 'OPEN', 998, 0.01);
    r.kernel.accepted(resting, 'v1');
    r.kernel.hold('BTCUSDT LONG', 'test', 'the position changed');
    details.length = 0;
    expect(r.ctx().limit(market, 'LONG', 'OPEN', 998, 0.01)).toBe(0);
    r.advance(0);
    r.kernel.hold('BTCUSDT', 'other', 'so that notices are told');
    expect(details[0]).toBe('opens are halted (BTCUSDT LONG): the position changed; `tickwright resume BTCUSDT` lifts it');
    expect(r.ctx().cancel(resting)).toBe(true);
  });

  test('is lifted by its scope or a wider one, in the journal too', () => {
    const r = polledRig();
    r.kernel.hold('BTCUSDT LONG', 'one', 'why');
    r.kernel.hold('BTCUSDT SHORT', 'two', 'why');
    r.kernel.hold('ETHUSDT', 'three', 'why');
    expect(r.kernel.release('BTCUSDT LONG')).toBe(1);
    expect(r.kernel.release('BTCUSDT')).toBe(1);
    expect(opens(r)).toEqual({ long: true, short: true });
    expect(r.kernel.release('all')).toBe(1);
    expect(r.kernel.status().holds).toEqual([]);
    expect(foldRecords(null, r.records).holds).toEqual([]);
  });

  test.each(['snapshot', 'journal'] as const)('outlives a restart, by the %s', (by) => {
    const before = polledRig();
    before.kernel.hold('BTCUSDT SHORT', 'test', 'why');
    const saved = by === 'snapshot' ? before.kernel.snapshot() : foldRecords(null, before.records);
    const r = rig({}, { polls: POLLS, instruments: [btc()] });
    r.kernel.restore(JSON.parse(JSON.stringify(saved)));
    r.kernel.start();
    for (let k = 0; k < 3; k++) {
      settleReads(r, [], []);
      r.advance(1);
    }
    expect(r.kernel.phase).toBe('armed');
    expect(opens(r)).toEqual({ long: true, short: false });
    r.kernel.release('all');
    expect(opens(r)).toEqual({ long: true, short: true });
  });
});
