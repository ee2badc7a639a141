/** One wrong answer about the account (E9), or about the time, changes nothing; two that agree do. */
import { describe, expect, it, test } from 'vitest';
import type { RiskLimits } from '../../src/domain/limits.ts';
import { VenueOffset } from '../../src/engine/market/venue-offset.ts';
import { polledRig, positionReport, rig, settleReads, START, POLLS, type Rig } from '../support/engine-kit.ts';

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

/** An armed bot with 10,000 USDT and 0.1 long. The test answers reads of the account. */
function world(risk: RiskLimits): Rig {
  const r = polledRig({}, { risk });
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
    // No own order explains the position.
    expect(halts(r)).toEqual(['external-position']);
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

it('one answer with an outlier time does not change the known venue clock', () => {
  const offset = new VenueOffset();
  const heard = (venueTime: number, now: number): number => {
    offset.heard(venueTime, now, now);
    return offset.newest;
  };
  expect(heard(START, START)).toBe(START);
  expect(heard(START + 1e12, START + 1)).toBe(START);
  expect(heard(0, START + 2)).toBe(START);
  expect(heard(START + 3, START + 3)).toBe(START);
  expect(heard(START + 4, START + 4)).toBe(START + 4);
  // The clock was set an hour ahead and back: two answers show it.
  expect(heard(START + 3_600_005, START + 5)).toBe(START + 4);
  expect(heard(START + 3_600_006, START + 6)).toBe(START + 3_600_006);
  expect(heard(START + 7, START + 7)).toBe(START + 3_600_006);
  expect(heard(START + 8, START + 8)).toBe(START + 8);
});

test('a copy of an answer says nothing about the clock; a clock that was set back does, after 30 s', () => {
  const offset = new VenueOffset();
  const heard = (venueTime: number, now: number, sentAt = now - 20): number => {
    offset.heard(venueTime, sentAt, now);
    return offset.ms;
  };
  expect(heard(START, START + 10)).toBe(0);
  expect(heard(START + 2_000, START + 2_010)).toBe(0);
  // A cache repeats both of them for a while.
  for (let now = START + 3_000; now <= START + 31_000; now += 500) expect(heard(now % 1_000 === 0 ? START : START + 2_000, now)).toBe(0);
  expect(heard(START + 31_990, START + 32_000)).toBe(0);
  // Answers that overtook each other: it left before the newer time was known.
  expect(heard(START + 30_000, START + 32_010, START + 31_900)).toBe(-1_955);
  expect(heard(START + 32_090, START + 32_100)).toBe(0);
  // 40 s back. One that is set back by less is believed as soon as it passes the newest time.
  for (let ms = 0; ms < 29_900; ms += 1_000) expect(heard(START - 7_800 + ms, START + 32_200 + ms)).toBe(0);
  expect(heard(START + 22_090, START + 62_100)).toBe(-40_000);
});
