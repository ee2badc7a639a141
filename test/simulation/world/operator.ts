/** What the operator of a simulation types. */
import { Random } from '../../../src/base/random.ts';
import type { OperatorCommand } from '../../../src/engine/operator/command.ts';
import type { Incident, Plan } from '../plan.ts';

const STANDSTILLS = 0.03;

export function commandOf({ name, leg }: Extract<Incident, { kind: 'operator' }>, symbols: readonly string[]): OperatorCommand {
  const origin = { by: 'ann', why: 'a drill' };
  const symbol = leg < 0 ? 'all' : symbols[leg % symbols.length]!;
  const scope = leg > 1 ? `${symbol}:${leg % 2 === 0 ? 'LONG' : 'SHORT'}` : symbol;
  switch (name) {
    case 'resume':
      return { name, scope, confirmed: leg % 2 === 0, ...origin };
    case 'reduce-only':
      return { name, scope, isOn: leg % 3 !== 0, ...origin };
    case 'kill':
      return { name, ...origin };
    case 'cancel-all':
    case 'flatten':
      return { name, scope, ...origin };
    default:
      return { name: 'halt', scope, ...origin };
  }
}

/** In a share of the seeds the operator ends the halts of a bot that stands still, and halts it before it goes on. */
export function withStandstills(plan: Plan): Plan {
  const random = new Random(Math.imul(plan.seed, 0x9e3779b1));
  if (random.uniform() >= STANDSTILLS) return plan;
  const at = random.below(plan.steps * 100);
  const resumedAt = at + 1 + random.below(1_000);
  const haltedAt = resumedAt + 1 + random.below(1_000);
  const name = random.uniform() < 0.5 ? 'kill' : 'halt';
  const incidents: Incident[] = [
    { kind: 'pause', at, ms: haltedAt - at + 1 + random.below(1_000) },
    { kind: 'operator', at: resumedAt, name: 'resume', leg: -2 },
    { kind: 'operator', at: haltedAt, name, leg: -1 },
  ];
  return { ...plan, door: 'gone', incidents: [...plan.incidents, ...incidents] };
}
