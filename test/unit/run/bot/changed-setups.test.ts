/** Which symbols strategies trade after a restart, when an operator changed them and the configuration has changed since. */
import { expect, test } from 'vitest';
import { defaultConfig } from '../../../../src/config/defaults.ts';
import { foldRecords, type KernelSnapshot } from '../../../../src/engine/recovery/registry.ts';
import { defineStrategy } from '../../../../src/engine/strategy/definition/define.ts';
import type { StrategySetup } from '../../../../src/engine/strategy/definition/setup.ts';
import { changedSetups } from '../../../../src/run/bot/changed-setups.ts';
import { btc, MemoryLog } from '../../../support/engine/engine-kit.ts';

const instruments = [btc(0), btc(1, 'ETHUSDT'), btc(2, 'SOLUSDT')];

const setup = (name: string, indexes: readonly number[]): StrategySetup => ({
  strategy: defineStrategy({ name, create: () => ({ onTrade: () => undefined }) }),
  instruments: indexes,
});

/** By strategy: its symbols, and what is kept as changed. */
function after(
  strategies: readonly StrategySetup[],
  symbols: KernelSnapshot['symbols'],
): { traded: (readonly number[])[]; kept: (StrategySetup['symbols'] | undefined)[]; dropped: unknown[] } {
  const log = new MemoryLog();
  const snapshot: KernelSnapshot = { ...foldRecords(null, []), symbols };
  const setups = changedSetups(defaultConfig(), { instruments, strategies }, snapshot, log);
  return {
    traded: setups.map((one) => one.instruments),
    kept: setups.map((one) => one.symbols),
    dropped: log.lines.filter(({ event }) => event === 'symbols-dropped').map(({ fields }) => fields['strategies']),
  };
}

test('a change that the configuration has as well is none any more', () => {
  const { traded, kept } = after([setup('a', [0, 1])], { a: { ETHUSDT: 'added', SOLUSDT: 'removed' } });
  expect([traded, kept]).toEqual([[[0, 1]], [undefined]]);
  expect(after([setup('a', [0, 1])], { a: { ETHUSDT: 'removed', SOLUSDT: 'added' } })).toEqual({
    traded: [[0, 2]],
    kept: [{ ETHUSDT: 'removed', SOLUSDT: 'added' }],
    dropped: [],
  });
});

test('where only removed symbols are left, the changes of that strategy are dropped, and of no other', () => {
  expect(after([setup('a', [1]), setup('b', [0])], { a: { ETHUSDT: 'removed' }, b: { SOLUSDT: 'added' } })).toEqual({
    traded: [[1], [0, 2]],
    kept: [undefined, { SOLUSDT: 'added' }],
    dropped: [['a']],
  });
});
