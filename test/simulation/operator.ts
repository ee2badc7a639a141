/** What the operator of a simulation types. */
import type { OperatorCommand } from '../../src/engine/operator/command.ts';
import type { Incident } from './plan.ts';

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
