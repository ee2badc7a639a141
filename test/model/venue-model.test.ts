/**
 * The simulator compared with the model on random commands. After every command everything visible is compared: the answer and its reason,
 * ledger lines, orders, positions, accounts, balances, market data. The simulator also audits itself.
 * TICKWRIGHT_RUNS=100000 npx vitest run test/model/venue-model.test.ts more sequences, with a new seed each time
 * TICKWRIGHT_SEED=… TICKWRIGHT_PATH=… npx vitest run test/model/venue-model.test.ts -t queue repeats a failing run, as it printed
 */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { FillModel } from '../../src/sim/state/types.ts';
import { play } from './side-by-side.ts';
import { scenarioArbitrary, wordsOf, type Scenario } from './scenario.ts';

const MODELS = ['touch', 'through', 'queue'] as const satisfies FillModel[];
const { TICKWRIGHT_RUNS, TICKWRIGHT_SEED, TICKWRIGHT_PATH } = process.env;
/** Total number of sequences: the default for every change, or as requested. */
const RUNS = Number(TICKWRIGHT_RUNS ?? 6_000);
const SEED = TICKWRIGHT_SEED ?? (TICKWRIGHT_RUNS === undefined ? '20241120' : undefined);

function parameters(): fc.Parameters<[Scenario]> {
  return {
    numRuns: Math.ceil(RUNS / MODELS.length),
    ...(SEED === undefined ? {} : { seed: Number(SEED) }),
    ...(TICKWRIGHT_PATH === undefined ? {} : { path: TICKWRIGHT_PATH }),
    reporter: ({ failed, seed, counterexamplePath, counterexample, errorInstance }) => {
      if (!failed) return;
      const why = errorInstance instanceof Error ? errorInstance.message : String(errorInstance);
      const again = `TICKWRIGHT_SEED=${seed} TICKWRIGHT_PATH=${counterexamplePath}`;
      throw new Error(`${why}\n\n${counterexample === null ? '' : wordsOf(counterexample[0])}\n\nagain: ${again}`);
    },
  };
}

describe('the simulator equals the model', () => {
  test.each(MODELS)('on random commands (%s)', { timeout: 300_000 * Math.max(1, RUNS / 5_000) }, (fillModel) => {
    const seen = new Map<string, number>();
    fc.assert(
      fc.property(scenarioArbitrary(fillModel), (scenario) => {
        for (const [what, times] of play(scenario).seen()) seen.set(what, (seen.get(what) ?? 0) + times);
      }),
      parameters(),
    );
    if (TICKWRIGHT_PATH !== undefined) return;
    console.info(
      `${fillModel}: ${Math.ceil(RUNS / MODELS.length)} sequences; ${[...seen]
        .map(([what, times]) => `${what} ${times}`)
        .toSorted()
        .join(', ')}`,
    );
    for (const what of MUST_OCCUR) expect(seen.get(what) ?? 0, what).toBeGreaterThan(RUNS / 2_000);
  });
});

/** Events that must occur often for the comparison to be worthwhile. */
const MUST_OCCUR = [
  'maker fill',
  'taker fill',
  'partial fill',
  'realised',
  'liquidation',
  'funding',
  'insurance',
  'cancel',
  'reduce',
  'close',
  'spot',
  'ended replaced',
  'plan fired',
  'exit fired',
  'place would-take',
  'place insufficient-balance',
  'place exceeds-position',
  'place margin-mode-conflict',
  'place no-position',
  'place size-too-large',
  'place size-too-small',
  'modify done',
  'modify price-invalid',
  'plan done',
  'plan insufficient-balance',
  'margin done',
  'margin insufficient-balance',
  'margin insufficient-position-margin',
  'cancel done',
  'mode done',
  'mode margin-mode-conflict',
];
