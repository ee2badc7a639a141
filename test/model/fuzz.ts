/**
 * Searches for a sequence on which simulator and model differ, without a test runner: `npm run fuzz -- [sequences] [seed]`. Prints the
 * shortest one found and ends with 1, or with 0 if there is none.
 */
import * as fc from 'fast-check';
import { play } from './side-by-side.ts';
import { scenarioArbitrary, wordsOf } from './scenario.ts';

const MODELS = ['queue', 'touch', 'through'] as const;
const [sequences = '10000', seed = '1'] = process.argv.slice(2);

for (const fillModel of MODELS) {
  const found = fc.check(
    fc.property(scenarioArbitrary(fillModel), (scenario) => {
      play(scenario);
    }),
    { numRuns: Math.ceil(Number(sequences) / MODELS.length), seed: Number(seed) },
  );
  if (!found.failed) continue;
  const { errorInstance, counterexample, numRuns, counterexamplePath } = found;
  const why = errorInstance instanceof Error ? errorInstance.message.split('\n')[0] : String(errorInstance);
  console.log(`${fillModel}, sequence ${numRuns}: ${why}`);
  if (counterexample !== null)
    console.log(`${wordsOf(counterexample[0])}\nagain: TICKWRIGHT_SEED=${seed} TICKWRIGHT_PATH=${counterexamplePath}`);
  process.exit(1);
}
console.log(`${sequences} sequences, no difference`);
