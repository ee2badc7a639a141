/**
 * The deterministic simulation: `npm run simulate -- --seeds 20000 [--from 1] [--workers 2]`, one seed with its timeline: `--seed 7`, and
 * whether it finds known bugs: `--mutants [part of a name]`. With `--trades` the seeds are worlds of managed trades and executions, with `--people` others trade on the same
 * account as well; with `--dialect mix-v2` or `--dialect interface` every command and read is a request and an answer on the wire. Ends with 1 when something was wrong, with 2 when a mutant no longer fits.
 */
import { parseArgs } from 'node:util';
import { batch, defaultWorkers, spread, WORLDS, type WorldName, type Wrong } from './batch.ts';
import { COUNTS } from './ledger.ts';
import { findMutants } from './mutants.ts';
import type { Plan } from './plan.ts';
import { shrink } from './shrink.ts';
import { run } from './verdict.ts';

/** Failing seeds that are cut down; the others are only named. */
const SHOWN = 3;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seeds: { type: 'string', default: '1000' },
    from: { type: 'string', default: '1' },
    seed: { type: 'string' },
    workers: { type: 'string', default: String(defaultWorkers()) },
    mutants: { type: 'boolean', default: false },
    first: { type: 'boolean', default: false },
    whole: { type: 'boolean', default: false },
    trades: { type: 'boolean', default: false },
    people: { type: 'boolean', default: false },
    mirrored: { type: 'boolean', default: false },
    dialect: { type: 'string' },
  },
});

const named = (['people', 'mirrored', 'trades'] as const).find((one) => values[one]);
const world = values.dialect !== undefined ? inDialect(values.dialect) : (named ?? 'all');

/** The worlds in which the exchange is reached through requests and answers of a dialect. */
function inDialect(name: string): WorldName {
  if (name === 'mix-v2') return 'mix-v2';
  if (name === 'interface') return 'wire';
  throw new Error(`expected --dialect interface or mix-v2, found ${name}`);
}

if (values.mutants) process.exitCode = await findMutants(Number(values.workers), positionals[0] ?? '');
else if (values.first) await untilFirst();
else if (values.seed === undefined) await many();
else process.exitCode = (await show(Number(values.seed), !values.whole)) ? 0 : 1;

/** For the mutants: the first seed that fails, in one line. */
async function untilFirst(): Promise<void> {
  const from = Number(values.from);
  const { wrong, seeds } = await batch(world, from, from + Number(values.seeds), true);
  console.log(JSON.stringify({ seeds, wrong }));
  process.exitCode = wrong.length > 0 ? 1 : 0;
}

async function many(): Promise<void> {
  const [seeds, from, workers] = [values.seeds, values.from, values.workers].map(Number) as [number, number, number];
  const begun = performance.now();
  let [done, told] = [0, begun];
  const sum = await spread(world, from, seeds, workers, (part) => {
    done += part.seeds;
    for (const { seed, problems } of part.wrong) console.log(`seed ${seed}: ${wordsOf(problems)}`);
    if (performance.now() - told < 10_000) return;
    told = performance.now();
    console.log(`${done} of ${seeds} seeds`);
  });
  const wallMs = performance.now() - begun;
  for (const { seed } of sum.wrong.slice(0, SHOWN)) await show(seed, true);
  console.log(COUNTS.map((of) => `${of} ${sum.wrong.filter(({ problems }) => problems.some((one) => one.of === of)).length}`).join(' / '));
  const { placed, commands, crashes, rollbacks, replayed, cpuMs, virtualMs } = sum;
  console.log(
    `${sum.seeds} seeds, ${commands} commands, ${placed} orders, ${crashes} crashes, ${rollbacks} rollbacks, ${replayed} seeds run twice`,
  );
  const rate = (sum.seeds / wallMs) * 1_000;
  console.log(
    `${(wallMs / 1_000).toFixed(1)} s on ${workers} threads, ${rate.toFixed(0)} seeds/s, ${(cpuMs / sum.seeds).toFixed(1)} ms of CPU a seed`,
  );
  console.log(`${(virtualMs / 3_600_000).toFixed(1)} hours of virtual time, ${Math.round(virtualMs / wallMs)} × real time`);
  process.exitCode = sum.wrong.length > 0 ? 1 : 0;
}

/** One seed: what it stands for, what happened, and what was wrong. True when nothing was. */
async function show(seed: number, isCut: boolean): Promise<boolean> {
  const plan = WORLDS[world](seed);
  const first = await run(plan);
  const kinds = new Set<string>(first.problems.map(({ of }) => of));
  const isSame = async (one: Plan): Promise<boolean> => (await run(one)).problems.some(({ of }) => kinds.has(of));
  const smallest = isCut && kinds.size > 0 ? await shrink(plan, isSame) : plan;
  const { problems, timeline, hash } = await run(smallest, true);
  const { incidents, ...facts } = smallest;
  console.log(`seed ${seed}, hash ${(hash >>> 0).toString(16)}: ${JSON.stringify(facts)}`);
  for (const one of incidents) console.log(`  incident ${JSON.stringify(one)}`);
  for (const line of timeline) console.log(line);
  console.log(problems.length === 0 ? `seed ${seed}: nothing was wrong` : `seed ${seed}: ${wordsOf(problems)}`);
  return problems.length === 0;
}

function wordsOf(problems: Wrong['problems']): string {
  return problems.map(({ of, text }) => `${of}: ${text}`).join('; ');
}
