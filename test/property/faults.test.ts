/**
 * The client's outcome of a command is never wrong, whatever fails between it and the venue. Accepted means landed, rejected means not
 * landed, unsent means never received; unknown may be either. Judged by the venue's ledger. TICKWRIGHT_FAULT_RUNS plans are run, from
 * TICKWRIGHT_FAULT_SEED on; to repeat one run, use its seed and 1.
 */
import { expect, it } from 'vitest';
import { Random } from '../../src/base/random.ts';
import { FAULT_NAMES } from '../../src/edge/serve/faults/fault-plan.ts';
import { contradictions, FaultWorlds, type ReportedOutcome } from '../support/faults/fault-worlds.ts';

const RUNS = Number(process.env['TICKWRIGHT_FAULT_RUNS'] ?? 6_000);
const SEED = Number(process.env['TICKWRIGHT_FAULT_SEED'] ?? 1);
const LANES = Math.min(10, RUNS);

it(`${RUNS} fault plans: no reported outcome contradicts the ledger [N2] [N3] [N4] [N8]`, { timeout: 300_000 + RUNS * 20 }, async () => {
  let next = SEED;
  const told: ReportedOutcome[] = [];
  const wrong: string[] = [];
  const struck = new Map<string, number>();
  const work = async (_: unknown, number: number): Promise<void> => {
    const worlds = new FaultWorlds(number);
    await worlds.open();
    while (next < SEED + RUNS) {
      const run = next++;
      await worlds.run(run, new Random(run));
    }
    const { told: some, truth } = await worlds.close();
    told.push(...some);
    wrong.push(...contradictions(some, truth));
    for (const { fault, phase } of truth.faults) struck.set(`${fault} ${phase}`, (struck.get(`${fault} ${phase}`) ?? 0) + 1);
  };
  await Promise.all(Array.from({ length: LANES }, work));
  const count = (said: string): number => told.filter((one) => one.said === said).length;
  const counts = { accepted: count('accepted'), rejected: count('rejected'), unsent: count('unsent'), unknown: count('unknown') };
  console.info(`${told.length} commands: ${JSON.stringify(counts)}; faults: ${JSON.stringify(Object.fromEntries(struck))}`);
  expect(wrong).toEqual([]);
  if (RUNS < 1_000) return;
  // The test covers enough: every outcome, and every fault that a write can meet, has occurred often.
  for (const said of ['accepted', 'rejected', 'unknown']) expect(count(said)).toBeGreaterThan(RUNS / 50);
  expect(count('unsent')).toBeGreaterThan(RUNS / 200);
  for (const fault of FAULT_NAMES.filter((name) => name !== 'stale')) {
    const times = [...struck].filter(([key]) => key.startsWith(`${fault} `)).reduce((sum, [, n]) => sum + n, 0);
    // An answer can be mixed up only after another one.
    expect(times, fault).toBeGreaterThan(fault === 'mixup' ? RUNS / 2_000 : RUNS / 500);
  }
});
