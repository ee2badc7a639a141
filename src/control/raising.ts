/** Says which commands may raise risk: a page needs the passphrase for them, beside its session. */
import type { ControlName } from './commands.ts';

/** None of these lets an order open that could not open before. */
const LOWERING: readonly ControlName[] = ['halt', 'reduce-only', 'cancel-all', 'flatten', 'kill', 'remove', 'remove-strategy'];

export function raisesRisk(name: ControlName, given: Readonly<Record<string, unknown>>): boolean {
  if (name === 'add-strategy' && given['rehearse'] === true) return false;
  return !LOWERING.includes(name) || given['state'] === 'off';
}
