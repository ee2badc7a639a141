/** Which refusals of a strategy on trial are its fault. */
import { expect, test } from 'vitest';
import { defineStrategy } from '../../../../src/engine/strategy/definition/define.ts';
import type { RiskLimits } from '../../../../src/domain/limits.ts';
import type { StrategySource } from '../../../../src/engine/strategy/definition/source.ts';
import type { StrategyContext } from '../../../../src/engine/strategy/definition/types.ts';
import { btc, rig } from '../../../support/engine/engine-kit.ts';

const textOf = (sha256: string): StrategySource => ({ sha256, files: [{ file: '/strategies/one.ts', text: sha256 }] });
const [OLD, NEW] = [textOf('a'.repeat(64)), textOf('b'.repeat(64))];
const SIZE = { side: 'LONG', effect: 'OPEN', limit: 900 } as const;

/** Why the text before came back after `act`, which the new text does with a trade; "" if it did not. */
function whyBack(limits: RiskLimits, act: (ctx: StrategyContext) => void): string {
  const strategy = defineStrategy({ name: 'one', create: () => ({ onTrade: (_trade, _market, ctx) => act(ctx) }) });
  const strategies = [{ strategy, instruments: [0] }];
  const r = rig({}, { instruments: [btc(0)], strategies, strategyOf: () => strategy, risk: limits });
  r.kernel.inbox.start();
  r.kernel.inbox.onQuote(0, 10_000, 5_000, 10_002, 5_000);
  const told = r.kernel.inbox.operate({ name: 'reload', strategy: 'one', source: NEW, before: OLD, by: 'ann', why: '' });
  expect(told).toMatchObject({ ok: true });
  r.kernel.inbox.onTrade(0, 10_000, 1, 0);
  r.advance(0);
  const refused = r.log.lines.filter(({ event }) => event === 'intent-refused');
  expect(refused.length, 'the rule refused').toBeGreaterThan(0);
  const back = r.log.lines.find(({ event }) => event === 'reload-returned');
  return (back?.fields['why'] as string | undefined) ?? '';
}

const open =
  (times: number, size: number) =>
  (ctx: StrategyContext): void => {
    for (let k = 0; k < times; k++) ctx.place({ ...SIZE, market: ctx.markets[0]!, size });
  };

test.each<[string, RiskLimits, number]>([
  ['order-size', { maxOrderSize: '1' }, 2],
  ['max-position', { maxPosition: '1' }, 2],
  ['max-notional-order', { maxNotionalOrder: '1000' }, 2],
  ['max-notional-position', { maxNotionalPosition: '1000' }, 2],
])('an order that alone is beyond %s is its fault at once', (rule, limits, size) => {
  expect(whyBack(limits, open(1, size))).toContain(`it asks for more than its size: ${rule}`);
});

test.each<[string, RiskLimits, number]>([
  ['max-position', { maxPosition: '1' }, 0.4],
  ['max-notional-position', { maxNotionalPosition: '1000' }, 0.4],
  ['max-notional-total', { maxNotionalTotal: '1000' }, 0.4],
])('orders that add up to %s are not its fault, however often', (_rule, limits, size) => {
  expect(whyBack(limits, open(30, size))).toBe('');
});

test('a size below the least is a refusal like others: ten within a minute', () => {
  expect(whyBack({}, open(1, 0.00001))).toBe('');
  expect(whyBack({}, open(10, 0.00001))).toContain('10 orders were refused within a minute, the last by ');
});

test('refusals for the market and the hours are not its fault', () => {
  expect(whyBack({ tradingHours: '* * 31 12 *' }, open(30, 0.4))).toBe('');
  expect(whyBack({ maxSpread: '0.00001' }, open(30, 0.4))).toBe('');
});
