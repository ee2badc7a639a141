/** A plan that fails, cut down as long as it still fails in the same way. */
import { fewest } from '../../src/run/blackbox/fewest.ts';
import type { Plan } from './plan.ts';

/** At most so many runs are spent on one plan. */
const TRIES = 250;

/** The smallest plan found of which `isSame` says that it fails as `plan` does. */
export async function shrink(plan: Plan, isSame: (plan: Plan) => Promise<boolean>): Promise<Plan> {
  let best = plan;
  let left = TRIES;
  const fails = async (candidate: Plan): Promise<boolean> => {
    if (left-- <= 0) return false;
    if (!(await isSame(candidate))) return false;
    best = candidate;
    return true;
  };
  await fewest(best.incidents, (incidents) => fails({ ...best, incidents }), left);
  for (const simpler of SIMPLER) {
    const candidate = { ...best, ...simpler };
    if (JSON.stringify(candidate) !== JSON.stringify(best)) await fails(candidate);
  }
  for (let steps = best.steps >> 1; steps >= 1; steps >>= 1) {
    while (best.steps > steps && (await fails({ ...best, steps: best.steps - steps })));
  }
  return best;
}

const SIMPLER: readonly Partial<Plan>[] = [
  { lists: { lagMs: { pending: 0, history: 0, positions: 0 }, isSteady: true, damage: 0 } },
  { jitterMs: 0 },
  { commitMs: 0 },
  { mostTotal: Infinity },
  { symbols: 1 },
  { hostile: 'no' },
  { brackets: false },
  { triggers: 'none' },
];
