/** Two bots, one account: the real lease, store and gate with virtual time. TICKWRIGHT_LEASE_RUNS worlds are run. */
import { expect, test } from 'vitest';
import { leaseRun } from '../support/stores/lease-world.ts';

const RUNS = Number(process.env['TICKWRIGHT_LEASE_RUNS'] ?? 150);
const FIRST = Number(process.env['TICKWRIGHT_LEASE_SEED'] ?? 1);

test(`in ${RUNS} worlds no two bots send at the same time [P7]`, { timeout: 300_000 + RUNS * 200 }, async () => {
  let [sends, holders] = [0, 0];
  const found: string[] = [];
  for (let seed = FIRST; seed < FIRST + RUNS; seed++) {
    const run = await leaseRun(seed);
    sends += run.sends;
    holders += run.holders;
    if (run.overlaps.length > 0) found.push(`world ${seed}: ${run.overlaps[0]!}`);
  }
  expect(found.slice(0, 20), `${found.length} of ${RUNS} worlds`).toEqual([]);
  console.info(`${RUNS} worlds: ${holders} holders, ${sends} commands`);
  expect(holders, 'the lease changes hands').toBeGreaterThan(RUNS * 1.5);
});
