/** One wrong answer about the account (E9), or about the time, changes nothing; two that agree do. */
import { describe, expect, test } from 'vitest';
import type { RiskLimits } from '../../../../src/domain/limits.ts';
import { EMPTY_SNAPSHOT } from '../../../../src/engine/recovery/registry.ts';
import { positionReport, restarted, rig, settleReads, POLLS, type Rig } from '../../../support/engine/engine-kit.ts';

const USDT = 100_000_000;
const record = (equity: number): never =>
  ({
    instrument: 0,
    equity: equity * USDT,
    available: equity * USDT,
    locked: 0,
    unrealised: 0,
    marginMode: 0,
    longLeverage: 10,
    shortLeverage: 10,
  }) as never;

/** An armed bot with 10,000 USDT and 0.1 long of its own. The test answers reads of the account. */
function world(risk: RiskLimits): Rig {
  const r = restarted({ ...EMPTY_SNAPSHOT, legs: [{ symbol: 'BTCUSDT', side: 0, total: 100, own: 100, provenAt: 0 }] }, 100, { risk });
  for (let k = 0; k < 8; k++) {
    r.advance(250);
    settleReads(r, [], [positionReport(0, 100)]);
  }
  return r;
}

/** The next read of the account returns this; all else is unchanged. */
function read(r: Rig, equity: number): void {
  while (!r.open.some(({ kind }) => kind === 'account')) r.advance(100);
  r.answer({ kind: 'account', account: record(equity) });
}

const halts = (r: Rig): string[] => r.kernel.status().halts.map(({ code }) => code);
const closes = (r: Rig): number => r.venue.commands.filter(({ effect }) => effect === 1).length;

describe.each([
  ['min-equity', { minEquity: '1000 USDT', minEquityAction: 'flatten' }, 0, 900],
  ['daily-loss', { maxDailyLoss: '10%', maxDailyLossAction: 'flatten' }, 0, 8_999],
  ['drawdown', { maxDrawdown: '10%', maxDrawdownAction: 'flatten' }, 900_000, 8_999],
] as const)('%s', (code, risk, wrong, low) => {
  test('one wrong read does not trip the limit', () => {
    const r = world(risk);
    read(r, wrong);
    for (let k = 0; k < 5; k++) read(r, 10_000);
    expect(halts(r)).toEqual([]);
    expect(closes(r)).toBe(0);
  });

  test('two reads trip the limit; the second one is requested at once', () => {
    const r = world(risk);
    read(r, low);
    expect(halts(r)).not.toContain(code);
    expect(r.open.some(({ kind }) => kind === 'account')).toBe(true);
    read(r, low);
    r.advance(1);
    expect(halts(r)).toContain(code);
    expect(closes(r)).toBe(1);
  });
});

test('a size in percent uses an equity that two reads confirm', () => {
  const r = world({});
  read(r, 90_000_000);
  const [market] = r.ctx().markets;
  r.ctx().open(market!, 'SHORT', { size: '2%' });
  // 2 % of 10,000 at 1000.0
  expect(r.venue.last()).toMatchObject({ effect: 0, size: 200 });
});

test('the equity is unknown until two reads agree', () => {
  const r = rig({}, { polls: POLLS });
  r.kernel.inbox.start();
  r.answer({ kind: 'account', account: record(90_000_000) });
  settleReads(r, [], []);
  expect(r.kernel.status().equity).toBeNaN();
  r.advance(1);
  settleReads(r, [], []);
  r.advance(2_500);
  settleReads(r, [], []);
  expect(r.kernel.status().equity).toBe(10_000 * USDT);
});
