/** What is known of a position from the store alone is said to be that, until a read since the start agrees with it; and what a read shows is not hidden. */
import { expect, test } from 'vitest';
import { controlText } from '../../../src/cli/bot/control-text.ts';
import type { PositionAnswer } from '../../../src/control/answers.ts';
import { EMPTY_SNAPSHOT } from '../../../src/engine/recovery/registry.ts';
import { kernelStatus } from '../../../src/run/bot/answers/kernel-status.ts';
import { NO_STATUS, positionsOf } from '../../../src/run/bot/answers/views.ts';
import { btc, POLLS, positionReport, pushedRig, rig, settleReads, type Rig } from '../../support/engine/engine-kit.ts';

const SCREEN = { isStopped: false, paint: (_: string, word: string) => word, width: 80 };

/** A bot that starts with a store in which it holds LONG 0.010 with a stop-loss. */
function begun(): Rig {
  const before = pushedRig();
  const order = before.ctx().open(before.ctx().markets[0]!, 'LONG', { size: '0.01', stopLoss: 990 });
  before.venue.accepted(order, 'v1');
  before.venue.pushedFill(order, 10, 10_001);
  const r = rig({}, { polls: POLLS });
  r.kernel.restore({ ...before.kernel.snapshot(), legs: [{ symbol: 'BTCUSDT', side: 0, total: 10, own: 10, provenAt: 0 }] });
  r.kernel.inbox.start();
  return r;
}

const positions = (r: Rig): PositionAnswer[] => positionsOf(r.kernel, [btc()], []);
const statusText = (r: Rig): string =>
  controlText('status', { ...NO_STATUS, bot: 'tw', isRunning: true, ...kernelStatus(r.kernel, [btc()]) }, SCREEN);
const flowing = (text: string): string => text.replace(/\s+/g, ' ');

test('before the first read a position and its stop are those of the store, and what it can lose is not known', () => {
  const r = begun();
  expect(positions(r)).toMatchObject([{ side: 'LONG', size: '0.010', shown: '', worstLoss: '', exits: [{ what: 'stop-loss' }] }]);
  const text = statusText(r);
  expect(flowing(text)).toContain('BTCUSDT LONG: as the store has it, not read since the start; its exits may be others');
  expect(text).toMatch(/^BTCUSDT +LONG +store +stop-loss +0\.010 /m);
  expect(text).not.toMatch(/LONG +venue/);
  for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
});

test('a read that shows other positions is shown beside those of the store, until reads decide', () => {
  const r = begun();
  settleReads(r, [], [positionReport(1, 20)]);
  expect(positions(r)).toMatchObject([
    { side: 'LONG', size: '0.010', shown: '0.000', worstLoss: '' },
    { side: 'SHORT', size: '0.020', shown: '0.020', own: '0.000', unprotected: '0.020', stopUnknown: '0.020' },
  ]);
  const text = flowing(statusText(r));
  expect(text).toContain('BTCUSDT LONG: as the store has it, and the venue shows 0.000; its exits may be others; further reads decide');
  expect(text).toContain('BTCUSDT SHORT: 0.000 of 0.020 are of this bot; the venue shows it, and the store has none; further reads decide');
  for (let k = 0; k < 100 && positions(r).some(({ shown }) => shown !== undefined); k++) {
    r.advance(500);
    settleReads(r, [], [positionReport(1, 20)]);
  }
  expect(positions(r).map(({ side, size, shown }) => [side, size, shown])).toEqual([['SHORT', '0.020', undefined]]);
  expect(statusText(r)).not.toContain('further reads');
});

test('a read that agrees ends it', () => {
  const r = begun();
  settleReads(r, [], [positionReport(0, 10)]);
  expect(positions(r).map(({ size, shown }) => [size, shown])).toEqual([['0.010', undefined]]);
  expect(statusText(r)).toMatch(/^BTCUSDT +LONG +venue /m);
});

test('without a position in the store and before the first read, nothing says that there is none', () => {
  const r = rig({}, { polls: POLLS });
  r.kernel.restore(EMPTY_SNAPSHOT);
  r.kernel.inbox.start();
  expect(statusText(r)).toContain('no position in the store, and none read yet');
});
