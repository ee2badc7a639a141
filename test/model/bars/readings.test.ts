/** A run on bars that never had a choice between two orders of prices is its own optimistic reading: random backtests, each run both ways. */
import fc from 'fast-check';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readingOf } from '../../../src/report/three-readings.ts';
import { withFolder } from '../../support/tape/tape-rows.ts';
import { writeBars } from './real-run.ts';
import { runOf, skipCases } from './skipping.ts';

const RUNS = Number(process.env['TICKWRIGHT_BAR_RUNS'] ?? 60);
const SEED = Number(process.env['TICKWRIGHT_SEED'] ?? 1);

test('without a choice, what strategies hear and the result are those of the optimistic reading', { timeout: 600_000 }, async () => {
  const seen = { same: 0, fillsOfSame: 0, chosen: 0 };
  await withFolder((folder) =>
    fc.assert(
      fc.asyncProperty(skipCases, async (drawn) => {
        const given = { ...drawn, isBold: false };
        const tape = join(folder, 't');
        writeBars(tape, given);
        const reported = await runOf(tape, given, false);
        if (reported.choices > 0) return void seen.chosen++;
        const bold = await runOf(tape, { ...given, isBold: true }, false);
        expect(reported.heard).toEqual(bold.heard);
        expect(readingOf('optimistic', '', reported.whole)).toEqual(readingOf('optimistic', '', bold.whole));
        seen.same++;
        seen.fillsOfSame += reported.report.fills.length;
      }),
      { numRuns: RUNS, seed: SEED },
    ),
  );
  console.info(`readings of bars: ${JSON.stringify(seen)}`);
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(0);
});
