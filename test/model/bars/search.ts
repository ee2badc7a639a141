/**
 * Searches for a backtest on bars that is not equal with and without skipping, without a test runner: `node test/model/bars/search.ts RUNS
 * SEED`. Prints the first one found and ends with 1, or with 0 if there is none.
 */
import * as fc from 'fast-check';
import { join } from 'node:path';
import { withFolder } from '../../support/tape/tape-rows.ts';
import { writeBars } from './real-run.ts';
import { differenceOf, runOf, skipCases } from './skipping.ts';

const [runs = '100', seed = '1'] = process.argv.slice(2);

const found = await withFolder(async (folder) => {
  const tape = join(folder, 't');
  for (const given of fc.sample(skipCases, { numRuns: Number(runs), seed: Number(seed) })) {
    writeBars(tape, given);
    const plain = await runOf(tape, given, true);
    const difference = await runOf(tape, given, false).then(
      (fast) => differenceOf(fast, plain),
      (error: unknown) => String(error),
    );
    if (difference !== null) return `${difference}\n${JSON.stringify(given)}`;
  }
  return null;
});
console.log(found ?? `${runs} backtests are equal`);
process.exitCode = found === null ? 0 : 1;
