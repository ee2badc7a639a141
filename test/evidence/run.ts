/**
 * More seeds for the judges of the solver: `node test/evidence/run.ts worlds | legs [from] [count]`, and in the simulation
 * `all | trades | people [from] [count]`, or single seeds: `all 905336,1303670`. `mutants [part of a name]`: whether the judges find each.
 */
import { WORLDS, type WorldName } from '../simulation/batch.ts';
import { emptySum, kindOf, percentile, type Compared } from './shadow/compared.ts';
import { compareInSimulation } from './shadow/in-simulation.ts';
import { casesOf, findMutant, SOLVER_MUTANTS } from './judge/mutants.ts';
import { compareWithEveryWorld, compareWithTruth } from './judge/judge.ts';

const [name = '', from = '1', count = '1000'] = process.argv.slice(2);
if (name === 'worlds' || name === 'legs') {
  for (const isWhole of [false, true]) {
    const result = (name === 'worlds' ? compareWithEveryWorld : compareWithTruth)(Number(from), Number(count), isWhole);
    console.log({ isWhole, ...result });
    if (result.unsound.length > 0) process.exitCode = 1;
  }
} else if (name === 'mutants') {
  const cases = [...casesOf(1, 100, 1_500), ...casesOf(2_000, 0, 50)];
  for (const mutant of SOLVER_MUTANTS.filter((one) => one.name.includes(process.argv[3] ?? ''))) {
    const found = await findMutant(mutant, cases);
    console.log(`${found === null ? 'SURVIVED' : 'found'}  ${mutant.name}: ${found ?? `not in ${cases.length} cases`}`);
    if (found === null) process.exitCode = 1;
  }
} else if (name in WORLDS) await simulate(name as WorldName);
else throw new Error(`expected worlds, legs, mutants, all, trades or people, found "${name}"`);

async function simulate(world: WorldName): Promise<void> {
  const seeds = from.includes(',') ? from.split(',').map(Number) : Array.from({ length: Number(count) }, (_, k) => Number(from) + k);
  const sums = new Map<string, Compared>();
  for (const seed of seeds) {
    const plan = WORLDS[world](seed);
    const kind = kindOf(plan);
    if (!sums.has(kind)) sums.set(kind, emptySum());
    await compareInSimulation(plan, sums.get(kind)!);
  }
  for (const [kind, sum] of sums) print(kind, sum);
}

function print(kind: string, sum: Compared): void {
  const {
    capped,
    mostWork,
    solved,
    askedProven,
    falseHalts,
    hidden,
    levels,
    micros,
    mostFacts,
    narrower,
    notes,
    oldFalseHalts,
    oldHidden,
    oldUnsound,
    provenNarrower,
    provenUnsound,
    reads,
    same,
    seeds,
    unsettled,
    unsound,
    wider,
  } = sum;
  const share = (part: number): string => `${((100 * part) / Math.max(1, reads)).toFixed(3)} %`;
  const ends = (values: number[]): string => [0.5, 0.9, 0.99, 0.999].map((at) => percentile(values, at).toFixed(0)).join(' / ');
  const by = Object.entries(levels).map(([level, of]) => `${level} ${share(of)}`);
  console.log(`== ${kind}: ${seeds} seeds, ${reads} reads of a leg; ${by.join(', ')}`);
  console.log(`   unsound ${unsound} (${share(unsound)}), old rules unsound ${oldUnsound} (${share(oldUnsound)}), unsettled ${unsettled}`);
  if (hidden + oldHidden > 0) console.log(`   while others' trades are hidden: unsound ${hidden}, old rules ${oldHidden}`);
  if (askedProven > 0) console.log(`   proven: unsound ${provenUnsound} of ${askedProven}, more than by records alone ${provenNarrower}`);
  console.log(`   false halts at reads ${falseHalts} (${share(falseHalts)}), old rules ${oldFalseHalts} (${share(oldFalseHalts)})`);
  console.log(`   narrower ${share(narrower)}, same ${share(same)}, wider ${wider} (${share(wider)}); at most ${mostFacts} facts of a leg`);
  for (const what of ['told', 'known', 'proven'] as const)
    console.log(`   ms from fill to ${what}: p50 / p90 / p99 / p99.9 ${ends(sum[what])} of ${sum[what].length} lots`);
  console.log(
    `   taken back ${sum.takenBack}, proven wrongly ${sum.provenWrong}; undecided in the end ${sum.undecided}, to the bot ${sum.oldUndecided}`,
  );
  console.log(
    `   microseconds to solve: ${ends(micros)} of ${solved}; capped ${capped} (${((100 * capped) / Math.max(1, solved)).toFixed(3)} %), at most ${mostWork} terms of rows`,
  );
  for (const [cause, { count: of, first, seeds: which }] of [...notes].toSorted(([, a], [, b]) => b.count - a.count))
    console.log(`   - ${cause}: ${of} times, ${which.size} seeds: ${[...which].slice(0, 8).join(', ')}\n       ${first.slice(0, 1_400)}`);
}
