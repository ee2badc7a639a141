/**
 * Worlds in which others trade on the legs of managed trades while the bot dies again and again, and worlds in which a person places market
 * orders that have exactly the size of an own order that rests or waits.
 */
import { Random } from '../../src/base/random.ts';
import { planOf, type Incident, type Plan } from './plan.ts';
import { sharedPlanOf } from './trades.ts';

/** No entry has as many lots, so no bracket has: what another party closes near a trigger is told from it. */
const LEAST_LOTS = 11;
const MORE_LOTS = 5;
const TRADES = 8;

/** From then on trades show whether the market has been at the trigger of an order that is made now. */
const TRADED_MS = 1_500;

/** What would move the account besides a person, or hide from the bot what it had known. */
const LEFT_OUT = new Set<Incident['kind']>(['human', 'spike', 'away', 'second']);

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

/** The plan of a seed: on each of some legs a person opens or closes once what an own order has left. */
export function mirroredPlanOf(seed: number): Plan {
  const plan = planOf(seed);
  const random = new Random(Math.imul(seed, 0x2545f491));
  const incidents = plan.incidents.filter((one) => !LEFT_OUT.has(one.kind) && !(one.kind === 'crash' && one.back > 0));
  const legs = Array.from({ length: 2 * plan.symbols }, (_, leg) => leg).filter(() => random.below(2) === 0);
  const persons = legs.map((leg): Incident => {
    return { kind: 'human', at: TRADED_MS + random.below(plan.steps * 150), leg, lots: 0, isClose: random.below(3) === 0, isAlike: true };
  });
  const strategy = plan.strategy === 'quoter' ? 'quoter' : 'chaos';
  return { ...plan, strategy, brackets: false, deposit: '1000000', store: 'disk', incidents: [...incidents, ...persons] };
}
