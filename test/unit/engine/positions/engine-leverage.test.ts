/** The leverage of the account is compared with the configured one; no endpoint sets it. */
import { expect, test } from 'vitest';
import { ALERT_RULES } from '../../../../src/base/tables/alert-rules.ts';
import type { RiskLimits } from '../../../../src/domain/limits.ts';
import { EMPTY_SNAPSHOT, type KernelSnapshot } from '../../../../src/engine/recovery/registry.ts';
import { btc, POLLS, positionReport, restarted, rig, settleReads, usual, type Rig } from '../../../support/engine/engine-kit.ts';

const USDT = 100_000_000;
const account = (long: number, short: number, instrument = 0): never =>
  ({
    kind: 'account',
    account: {
      instrument,
      equity: 10_000 * USDT,
      available: 10_000 * USDT,
      locked: 0,
      unrealised: 0,
      marginMode: 0,
      longLeverage: long,
      shortLeverage: short,
    },
  }) as never;

/** An armed bot whose reads of the kit show leverage 10. */
function world(risk: RiskLimits, snapshot: KernelSnapshot = EMPTY_SNAPSHOT): Rig {
  return restarted(snapshot, 0, { risk, instruments: [btc(0), btc(1, 'ETHUSDT')] });
}

/** The next read of the account of this symbol shows this leverage; all else is as usual. */
function read(r: Rig, long: number, short = long): void {
  while (!r.open.some(({ kind, instrument }) => kind === 'account' && instrument === 0)) {
    r.advance(100);
    r.open.sort((a, b) => Number(b.kind === 'account') - Number(a.kind === 'account'));
    if (!r.open.some(({ kind }) => kind === 'account')) settleReads(r, [], []);
  }
  r.answer(account(long, short));
}

const halts = (r: Rig): string[] => r.kernel.status().halts.map(({ code, detail }) => `${code}: ${detail}`);

function opens(r: Rig, at = 0): number {
  const before = r.venue.commands.length;
  r.kernel.inbox.onQuote(at, 10_000, 5_000, 10_002, 5_000);
  r.ctx().open(r.ctx().markets[at]!, 'LONG', { size: '0.01' });
  return r.venue.commands.length - before;
}

test('another leverage stops opens of its symbol with both figures, and ends when the account agrees', () => {
  const r = world({ leverage: { BTCUSDT: 10 } });
  expect([halts(r), opens(r)]).toEqual([[], 1]);
  read(r, 10, 20);
  expect(halts(r)).toEqual([
    'leverage: BTCUSDT: risk.leverage is 10, and the leverage of the account (E9) is LONG 10 and SHORT 20; no endpoint sets it: set it at the venue, or change risk.leverage',
  ]);
  expect([opens(r), opens(r, 1)]).toEqual([0, 1]);
  read(r, 25);
  expect(halts(r)[0]).toMatch(/is LONG 25 and SHORT 25;/);
  read(r, 10);
  expect([halts(r).filter((text) => text.startsWith('leverage')), opens(r)]).toEqual([[], 1]);
});

test('a person who sets the configured leverage changed nothing behind the bot; any other change is an event', () => {
  const r = world({ leverage: { BTCUSDT: 20 } });
  expect(halts(r)).toHaveLength(1);
  for (let k = 0; k < 4; k++) read(r, 20);
  expect([halts(r), opens(r)]).toEqual([[], 1]);
  for (let k = 0; k < 4; k++) read(r, 15);
  expect(halts(r).map((text) => text.split(':')[0])).toEqual(['leverage', 'external-leverage']);
});

test('the halt is an alert', () => {
  expect(ALERT_RULES.account.halts).toContain('leverage');
});

test('nothing opens before the account of the symbol was read; a failed read says why', () => {
  const options = { risk: { leverage: { ETHUSDT: 10 } }, instruments: [btc(0), btc(1, 'ETHUSDT')], polls: POLLS };
  const r = rig({}, options);
  r.kernel.inbox.start();
  // The account of ETHUSDT is asked for when the bot is armed. The reads of the kit are about BTCUSDT.
  while (r.kernel.phase !== 'armed') {
    const [query] = r.open.splice(0, 1);
    if (query === undefined) r.advance(100);
    else r.venue.answered(query, usual(query, [], [], r.clock.time), r.clock.time, r.clock.time);
  }
  const asked = r.open.findIndex(({ kind, instrument }) => kind === 'account' && instrument === 1);
  expect(asked).toBeGreaterThanOrEqual(0);
  expect([halts(r), opens(r, 0), opens(r, 1)]).toEqual([[], 1, 0]);
  const [query] = r.open.splice(asked, 1);
  r.venue.failed(query!, 'timeout');
  expect(halts(r)).toEqual([
    'leverage: ETHUSDT: risk.leverage is 10, and the leverage of the account (E9) could not be read (timeout); no endpoint sets it: set it at the venue, or change risk.leverage',
  ]);
  for (let k = 0; k < 400 && halts(r).length > 0; k++) {
    r.advance(250);
    while (r.open.some(({ kind, instrument }) => kind === 'account' && instrument === 1)) {
      const next = r.open.findIndex(({ kind, instrument }) => kind === 'account' && instrument === 1);
      r.venue.answered(r.open.splice(next, 1)[0]!, account(10, 10, 1), r.clock.time, r.clock.time);
    }
    settleReads(r, [], []);
  }
  expect([halts(r), opens(r, 1)]).toEqual([[], 1]);
});

test('a position that shows another leverage is a mismatch too', () => {
  const r = world({ leverage: { BTCUSDT: 10 } });
  settleReads(r, [], [positionReport(0, 100, { leverage: 5 })]);
  while (!r.open.some(({ kind }) => kind === 'positions')) r.advance(100);
  settleReads(r, [], [positionReport(0, 100, { leverage: 5 })]);
  expect(halts(r).join()).toMatch(/leverage: BTCUSDT: risk\.leverage is 10, and the leverage of the account \(E9\) is LONG 5 and SHORT 10/);
});

test('a restart without the setting ends the halt of an earlier process', () => {
  const halt = { scope: 'symbol:BTCUSDT', code: 'leverage', detail: 'x', since: 0, by: 'bot', seq: 0 };
  expect(halts(world({}, { ...EMPTY_SNAPSHOT, halts: [halt] }))).toEqual([]);
  expect(halts(world({ leverage: { BTCUSDT: 10 } }, { ...EMPTY_SNAPSHOT, halts: [halt] }))).toEqual([]);
  expect(halts(world({ leverage: { BTCUSDT: 11 } }, { ...EMPTY_SNAPSHOT, halts: [halt] })).join()).toMatch(/is LONG 10/);
});
