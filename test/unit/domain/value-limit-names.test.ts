/** Limits of values refuse under a name each, so that a count says which to raise. */
import { expect, test } from 'vitest';
import type { RiskLimits } from '../../../src/domain/limits.ts';
import { pushedRig } from '../../support/engine/engine-kit.ts';

/** Sizes that open one leg after another, and how often each rule refused. At a price of 1000. */
function refused(risk: RiskLimits, opens: readonly (readonly ['LONG' | 'SHORT', size: string])[]): Record<string, number> {
  const r = pushedRig({}, { risk });
  for (const [side, size] of opens) {
    r.ctx().open(r.ctx().markets[0]!, side, { size });
    r.kernel.inbox.onQuote(0, 10_000, 5_000, 10_002, 5_000);
  }
  const counts = Object.entries(r.kernel.status().counts).filter(([name]) => name.startsWith('intent-refused '));
  return Object.fromEntries(counts.map(([name, n]) => [name.slice('intent-refused '.length), n]));
}

test('the value of an order, of a leg and of all legs', () => {
  const limits = { maxNotionalOrder: '200', maxNotionalPosition: '300', maxNotionalTotal: '400' };
  const opens = [
    ['LONG', '0.21'],
    ['LONG', '0.19'],
    ['LONG', '0.19'],
    ['LONG', '0.1'],
    ['SHORT', '0.19'],
    ['SHORT', '0.12'],
    ['SHORT', '0.3'],
  ] as const;
  expect(refused(limits, opens)).toEqual({ 'max-notional-order': 2, 'max-notional-position': 1, 'max-notional-total': 2 });
});

test('a multiple of the equity, here not known yet', () => {
  expect(refused({ maxLeverage: '2' }, [['LONG', '0.01']])).toEqual({ 'max-leverage': 1 });
});
