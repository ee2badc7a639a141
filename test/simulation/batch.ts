/** Many seeds one after another, on this thread or on several. */
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { Problem } from './ledger.ts';
import { withChanges } from './changes.ts';
import { withClocks } from './world/clocks.ts';
import { withStandstills } from './world/operator.ts';
import { planOf, type Plan } from './plan.ts';
import { mirroredPlanOf, peoplePlanOf } from './people.ts';
import { adjustedPlanOf } from './trades.ts';
import { run } from './verdict.ts';

export interface Wrong {
  readonly seed: number;
  readonly problems: readonly Problem[];
}

export interface Sum {
  seeds: number;
  /** Seeds that were run twice and gave the same hash both times. */
  replayed: number;
  virtualMs: number;
  cpuMs: number;
  placed: number;
  crashes: number;
  rollbacks: number;
  commands: number;
  wrong: Wrong[];
}

/** One seed in so many is run twice. */
const REPLAYED = 100;
/** Seeds that a thread takes at once. */
const CHUNK = 50;

const EMPTY = { seeds: 0, replayed: 0, virtualMs: 0, cpuMs: 0, placed: 0, crashes: 0, rollbacks: 0, commands: 0 };

/**
 * What a seed is a plan of: everything at random, managed trades and executions of one strategy or two, the same among people, or
 * a person who trades what own orders look like, or everything at random through the requests and answers of a dialect.
 */
export const WORLDS: Readonly<Record<WorldName, (seed: number) => Plan>> = {
  all: (seed) => withStandstills(withChanges(withClocks(planOf(seed)))),
  trades: (seed) => withClocks(adjustedPlanOf(seed)),
  people: (seed) => withClocks(peoplePlanOf(seed)),
  mirrored: (seed) => withClocks(mirroredPlanOf(seed)),
  'mix-v2': (seed) => ({ ...WORLDS.all(seed), dialect: 'mix-v2' }),
  wire: (seed) => ({ ...WORLDS.all(seed), dialect: 'interface' }),
};
export type WorldName = 'all' | 'trades' | 'people' | 'mirrored' | 'mix-v2' | 'wire';

/** What the run by this plan came to, or the error that ended it: the bot broke, or the simulation. */
async function ranOrThrew(plan: Plan): Promise<Awaited<ReturnType<typeof run>> | Error> {
  try {
    return await run(plan);
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** Seeds `from` up to `to`, which is left out. With `isFirst` it ends at the first that fails. */
export async function batch(world: WorldName, from: number, to: number, isFirst = false): Promise<Sum> {
  const sum: Sum = { ...EMPTY, wrong: [] };
  const cpu = process.cpuUsage();
  for (let seed = from; seed < to; seed++) {
    const plan = WORLDS[world](seed);
    const ran = await ranOrThrew(plan);
    sum.seeds++;
    if (ran instanceof Error) {
      sum.wrong.push({ seed, problems: [{ of: 'unknown', text: `the run threw: ${ran.stack ?? ran.message}` }] });
      if (isFirst) break;
      continue;
    }
    const { problems, hash, met, placed, virtualMs } = ran;
    const found = [...problems];
    if (seed % REPLAYED === 0) {
      sum.replayed++;
      const again = await run(plan);
      if (again.hash !== hash) found.push({ of: 'unknown', text: 'a second run of this seed was another run' });
    }
    sum.virtualMs += virtualMs;
    sum.placed += placed;
    sum.crashes += met.crashes;
    sum.rollbacks += met.rollbacks;
    sum.commands += met.commands;
    if (found.length === 0) continue;
    sum.wrong.push({ seed, problems: found });
    if (isFirst) break;
  }
  const { user, system } = process.cpuUsage(cpu);
  sum.cpuMs = (user + system) / 1_000;
  return sum;
}

/** The same on `workers` threads; `onPart` is told of each part of the seeds that is done. */
export async function spread(world: WorldName, from: number, count: number, workers: number, onPart: (part: Sum) => void): Promise<Sum> {
  const total: Sum = { ...EMPTY, wrong: [] };
  const cpu = process.cpuUsage();
  let next = from;
  const to = from + count;
  const feed = (worker: Worker): Promise<void> =>
    new Promise((resolve, reject) => {
      const give = (): void => {
        if (next >= to) {
          // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker thread, not a window
          worker.postMessage(null);
          return resolve();
        }
        // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker thread, not a window
        worker.postMessage([world, next, Math.min(to, next + CHUNK)]);
        next += CHUNK;
      };
      worker.on('message', (part: Sum) => {
        add(total, part);
        onPart(part);
        give();
      });
      worker.on('error', reject);
      give();
    });
  await Promise.all(Array.from({ length: workers }, () => feed(new Worker(new URL('./worker.ts', import.meta.url)))));
  const { user, system } = process.cpuUsage(cpu);
  total.cpuMs = (user + system) / 1_000;
  return total;
}

export function defaultWorkers(): number {
  return availableParallelism();
}

function add(sum: Sum, part: Sum): void {
  for (const key of Object.keys(EMPTY) as (keyof typeof EMPTY)[]) sum[key] += part[key];
  sum.wrong.push(...part.wrong);
}
