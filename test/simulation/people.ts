/** Worlds in which others trade on the legs of managed trades while the bot dies again and again. */
import { Random } from '../../src/base/random.ts';
import type { Incident, Plan } from './plan.ts';
import { sharedPlanOf } from './trades.ts';

/** No entry has as many lots, so no bracket has: what another party closes near a trigger is told from it. */
const LEAST_LOTS = 11;
const MORE_LOTS = 5;
const TRADES = 8;

/** The plan of a seed: what others open and close comes in pairs, at times that have nothing to do with each other. */
export function peoplePlanOf(seed: number): Plan {
  const plan = sharedPlanOf(seed);
  const random = new Random(Math.imul(seed, 0x27d4eb2f));
  const at = (): number => random.below(plan.steps * 150);
  const others = Array.from({ length: 1 + random.below(TRADES) }, (): Incident[] => {
    const trade = { kind: 'human', leg: random.below(2 * plan.symbols), lots: LEAST_LOTS + random.below(MORE_LOTS) } as const;
    return [false, true].map((isClose): Incident => ({ ...trade, at: at(), isClose }));
  });
  return { ...plan, incidents: [...plan.incidents, ...others.flat()] };
}
