/** Backtests on bars against a plain twin of the rule: the same fills to the lot, and the same money to the last digit. */
import fc from 'fast-check';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { withFolder } from '../../support/tape/tape-rows.ts';
import { moneyText, realFills, realRun, twinFills, twinRun, writeBars, type Case } from './real-run.ts';

const cases = fc.record({
  seed: fc.nat(1_000_000),
  move: fc.constantFrom(4, 30, 150),
  minutes: fc.constantFrom(30, 90),
  symbols: fc.constantFrom(1, 2),
  volume: fc.constantFrom<Case['volume']>('none', 'thin', 'wide'),
  spread: fc.constantFrom(0, 1, 4),
  deposit: fc.constantFrom('1000000', '20', '3', '2'),
  leverage: fc.constantFrom(20, 100),
  isBold: fc.boolean(),
  missing: fc.constantFrom(0, 10),
  trail: fc.constant(0),
});

/** Trailing stops, which the bot watches itself: without spread, so that it sees the price of the bar. */
const trailed = fc
  .tuple(cases, fc.constantFrom(3, 12, 40))
  .map(([one, trail]): Case => ({ ...one, trail, symbols: 1, spread: 0, volume: 'none', deposit: '1000000' }));

const RUNS = Number(process.env['TICKWRIGHT_BAR_RUNS'] ?? 40);
const SEED = Number(process.env['TICKWRIGHT_SEED'] ?? 1);

interface Seen {
  fills: number;
  compared: number;
  differed: number;
  liquidated: number;
}

/** Compares random runs, and counts what was in them. */
async function compare(kinds: fc.Arbitrary<Case>, numRuns: number): Promise<Seen> {
  const seen: Seen = { fills: 0, compared: 0, differed: 0, liquidated: 0 };
  const one = async (tape: string, given: Case): Promise<void> => {
    const bars = writeBars(tape, given);
    const real = await realRun(tape, given);
    const { twin, views } = twinRun(bars, given, real);
    const { account } = twin.state;
    expect(realFills(real)).toEqual(twinFills(twin, real.instruments));
    // The strategy is called when the price has changed.
    expect(real.views.length).toBeGreaterThan(0.5 * views.length - 6);
    const called = new Set(real.views.map(({ time, symbol }) => `${time} ${symbol}`));
    expect(real.views).toEqual(views.filter(({ time, symbol }) => called.has(`${time} ${symbol}`)));
    const { pnl } = real.report;
    expect([pnl.fees, pnl.funding]).toEqual([moneyText(account.fees), moneyText(account.funding)]);
    seen.fills += real.report.fills.length;
    seen.compared += twin.compared;
    seen.differed += twin.differed;
    seen.liquidated += real.report.fills.filter(({ reason }) => reason === 'liquidation').length;
  };
  await withFolder((folder) =>
    fc.assert(
      fc.asyncProperty(kinds, (given) => one(join(folder, 't'), given)),
      { numRuns, seed: SEED },
    ),
  );
  return seen;
}

describe('fills, fees, funding, positions and equity are those of the twin', { timeout: 600_000 }, () => {
  test('with orders of all kinds', async () => {
    const seen = await compare(cases, RUNS);
    console.info(`the twin: ${JSON.stringify(seen)}`);
    expect(Math.min(...Object.values(seen))).toBeGreaterThan(0);
  });

  test('with trailing stops that the bot watches', async () => {
    const { liquidated: _, ...seen } = await compare(trailed, Math.ceil(RUNS / 2));
    console.info(`the twin, trailing stops: ${JSON.stringify(seen)}`);
    expect(Math.min(...Object.values(seen))).toBeGreaterThan(0);
  });
});
