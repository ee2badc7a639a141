/** Sizes by value, percent, risk, Kelly and volatility. */
import { kellyFraction, riskSize, volatilityTarget, type EnterFields, type SizeFields } from 'tickwright';
import { describe, expect, test } from 'vitest';
import { polledRig, positionReport, settleReads } from '../../support/engine/engine-kit.ts';

describe('pure functions', () => {
  test.each([
    [0.6, 1, 0.2],
    [0.5, 2, 0.25],
    [0.4, 1, 0],
    [1, 3, 1],
    [1.1, 1, Number.NaN],
    [0.5, 0, Number.NaN],
  ])('Kelly of a win rate of %s and a payoff of %s is %s', (winRate, payoff, expected) => {
    const found = kellyFraction({ winRate, payoff });
    if (Number.isNaN(expected)) expect(found).toBeNaN();
    else expect(found).toBeCloseTo(expected, 12);
  });

  test('volatility target and risk', () => {
    expect(volatilityTarget(10_000, 10, 40)).toBe(2_500);
    expect(volatilityTarget(10_000, 10, 0)).toBeNaN();
    expect(riskSize(10_000, 1, 1000, 990, 'LONG')).toBe(10);
    expect(riskSize(10_000, 1, 990, 1000, 'SHORT')).toBe(10);
    expect(riskSize(10_000, 1, 990, 1000, 'LONG')).toBeNaN();
  });
});

test('ctx.sizeFor computes what ctx.enter would', () => {
  const r = polledRig();
  const market = r.ctx().markets[0]!;
  // The account holds 10,000; bid and ask are 1000.0 and 1000.2.
  const size = (fields: Partial<SizeFields>): number => r.ctx().sizeFor({ market, side: 'LONG', limit: 1000, ...fields });
  expect(size({ value: 500 })).toBe(0.5);
  expect(size({ percent: 2 })).toBe(0.2);
  expect(size({ risk: { percent: 1, stop: 990 } })).toBe(10);
  expect(size({ kelly: { winRate: 0.6, payoff: 1 }, stopLoss: 990 })).toBeCloseTo(100, 9);
  expect(size({ kelly: { winRate: 0.6, payoff: 1, fraction: 0.25, stop: 900 } })).toBeCloseTo(5, 9);
  expect(size({ volatility: { target: 10, realised: 50 } })).toBe(2);
  expect(size({ percent: 50, maxValue: 300 })).toBe(0.3);
  expect(size({ kelly: { winRate: 0.4, payoff: 1 }, stopLoss: 990 })).toBe(0);
  expect(r.ctx().sizeFor({ market, side: 'LONG', value: 500.1 })).toBe(0.5);
  const trade = r.ctx().enter({ market, side: 'LONG', limit: 999.9, percent: 2, stopLoss: 990 });
  expect(trade).not.toBeNull();
  expect(r.venue.last()).toMatchObject({ size: 200, price: 9_999 });
});

test('ctx.netPosition is LONG less SHORT', () => {
  const r = polledRig();
  const market = r.ctx().markets[0]!;
  expect(r.ctx().netPosition(market)).toBe(0);
  for (let k = 0; k < 6; k++) {
    r.advance(1_000);
    settleReads(r, [], [positionReport(0, 3), positionReport(1, 10)]);
  }
  expect(r.ctx().netPosition(market)).toBe(-0.007);
});

test.each([
  [{ value: 0.9963 }, 'value: 0.9963 gives 0.000996 of BTCUSDT, below the smallest order of 0.001'],
  [
    { risk: { percent: 0.0001, stop: 980 } },
    'risk: {"percent":0.0001,"stop":980} gives 0.0005 of BTCUSDT, below the smallest order of 0.001',
  ],
] satisfies [Partial<EnterFields>, string][])('%j is refused in its own words', (fields, words) => {
  const refused: string[] = [];
  const r = polledRig({ onOrder: ({ state, message }) => (state === 'refused' ? refused.push(message) : 0) });
  expect(r.ctx().enter({ market: r.ctx().markets[0]!, side: 'LONG', limit: 1000, ...fields })).toBeNull();
  r.kernel.inbox.runTimers(r.clock.time);
  expect(refused).toEqual([words]);
});

test('a computed size that is rounded is said with few digits', () => {
  const r = polledRig();
  expect(r.ctx().enter({ market: r.ctx().markets[0]!, side: 'LONG', limit: 999.9, value: 1.7 })).not.toBeNull();
  expect(r.log.lines.find(({ event }) => event === 'size-rounded')).toMatchObject({ fields: { asked: '0.0017002', size: '0.001' } });
});

test('odds without an advantage are refused by their reason', () => {
  const refused: string[] = [];
  const r = polledRig({ onOrder: ({ state, message }) => (state === 'refused' ? refused.push(message) : 0) });
  const kelly = { winRate: 0.4, payoff: 1 };
  expect(r.ctx().enter({ market: r.ctx().markets[0]!, side: 'LONG', kelly, stopLoss: 990 })).toBeNull();
  r.kernel.inbox.runTimers(r.clock.time);
  expect(refused.join()).toContain('the odds or the target give a size of 0');
});
