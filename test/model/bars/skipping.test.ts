/** Bars that are passed over change nothing: random backtests on bars are equal with and without. */
import fc from 'fast-check';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { Bars } from '../../../src/engine/market/bars.ts';
import { TradesOnBars } from '../../../src/engine/trades/on-bars.ts';
import { BarPlay } from '../../../src/sim/bars/play-bar.ts';
import { withFolder } from '../../support/tape/tape-rows.ts';
import { writeBars } from './real-run.ts';
import { differenceOf, runOf, skipCases } from './skipping.ts';

const RUNS = Number(process.env['TICKWRIGHT_BAR_RUNS'] ?? 40);
const SEED = Number(process.env['TICKWRIGHT_SEED'] ?? 1);

test('what strategies hear, commands and reports are those of a run that plays every bar in full', { timeout: 600_000 }, async () => {
  const ways = (['pass', 'move', 'moveOn', 'play'] as const).map((way) => vi.spyOn(BarPlay.prototype, way));
  const trades = vi.spyOn(TradesOnBars.prototype, 'passed');
  const whole = vi.spyOn(Bars.prototype, 'whole');
  const counts = (): number[] => ways.map(({ mock }) => mock.calls.length);
  const seen = { passed: 0, moved: 0, movedOn: 0, played: 0, fills: 0, liquidated: 0, halted: 0, disabled: 0 };
  await withFolder((folder) =>
    fc.assert(
      fc.asyncProperty(skipCases, async (given) => {
        const tape = join(folder, 't');
        writeBars(tape, given);
        for (const way of ways) way.mockClear();
        const fast = await runOf(tape, given, false);
        const [passed, moved, movedOn, played] = counts();
        for (const way of ways) way.mockClear();
        const plain = await runOf(tape, given, true);
        const [neverPassed, , neverMovedOn] = counts();
        expect([neverPassed, neverMovedOn]).toEqual([0, 0]);
        expect(differenceOf(fast, plain)).toBeNull();
        const { fills } = fast.report;
        const heard = (what: string): number => Number(fast.heard.some((one) => one.includes(what)));
        seen.passed += passed!;
        // moveOn is a part of move.
        seen.moved += moved!;
        seen.movedOn += movedOn! - moved!;
        seen.played += played!;
        seen.fills += fills.length;
        seen.liquidated += fills.filter(({ reason }) => reason === 'liquidation').length;
        seen.halted += heard('drawdown');
        seen.disabled += heard('strategy disabled');
      }),
      { numRuns: RUNS, seed: SEED },
    ),
  );
  const straight = { whole: 0, parts: 0, trades: trades.mock.calls.length };
  for (const { value } of whole.mock.results) straight[value === true ? 'whole' : 'parts']++;
  Object.assign(seen, straight);
  console.info(`with and without skipping: ${JSON.stringify(seen)}`);
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(0);
});
