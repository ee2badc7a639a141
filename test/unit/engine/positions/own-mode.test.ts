/** The margin mode that own commands ask for, across restarts. */
import { expect, test } from 'vitest';
import { foldRecords } from '../../../../src/engine/recovery/registry.ts';
import { mayBeOwn, modeAsked, NO_MODE } from '../../../../src/engine/state/records/own-mode.ts';
import { polledRig, rig, START } from '../../../support/engine/engine-kit.ts';

const [CROSS, ISOLATED] = [0, 1];

test('a mode is own when the newest command asks for it, or the one before it a short while ago', () => {
  const first = modeAsked(NO_MODE, CROSS, 100);
  const own = modeAsked(first, ISOLATED, 200);
  expect(modeAsked(own, ISOLATED, 900), 'asked again: nothing changes').toBe(own);
  expect([NO_MODE, first, own].map((one) => mayBeOwn(one, ISOLATED, 200, 50))).toEqual([false, false, true]);
  expect([250, 251].map((now) => mayBeOwn(own, CROSS, now, 50))).toEqual([true, false]);
});

test('records and snapshot give the next process the mode that commands asked for', () => {
  const r = polledRig();
  const [market] = r.ctx().markets;
  r.ctx().open(market!, 'LONG', { size: '0.01', marginMode: 'CROSS' });
  r.advance(1_000);
  r.ctx().open(market!, 'LONG', { size: '0.01', marginMode: 'ISOLATED' });
  const modes = { BTCUSDT: { asked: ISOLATED, former: CROSS, formerUntil: START + 1_000 } };
  const { modes: saved } = JSON.parse(JSON.stringify(r.kernel.snapshot()));
  const folded = foldRecords(null, r.records);
  expect([saved, folded.modes].map((one) => ({ BTCUSDT: { ...one.BTCUSDT, formerUntil: START + 1_000 } }))).toEqual([modes, modes]);
  expect(saved).toEqual(folded.modes);
  const next = rig();
  next.kernel.restore(folded);
  expect(next.kernel.snapshot().modes).toEqual(saved);
});
