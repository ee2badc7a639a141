/** `strategy: grid` in a configuration: a file of the package, with limits that nobody stated. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { loadConfig } from '../../../src/config/load.ts';
import type { BotConfig } from '../../../src/config/model.ts';
import { lossLimitsOf } from '../../../src/config/loss-limits.ts';
import { READY_MADE_RISK, readyMadeFile } from '../../../src/config/ready-made.ts';
import { READY_MADE } from '../../../src/domain/ready-made.ts';

const folder = mkdtempSync(join(tmpdir(), 'ready-made-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function loaded(text: string): BotConfig {
  const file = join(folder, 'bot.yaml');
  writeFileSync(file, text);
  return loadConfig({ file, env: {}, set: [] }).config;
}

test.each(READY_MADE)('%s is a file of the package', (name) => {
  const [entry] = loaded(`strategies: [{ strategy: ${name} }]`).strategies;
  expect(entry?.file).toBe(readyMadeFile(name));
  expect(existsSync(readyMadeFile(name))).toBe(true);
});

test('an entry by name has loss limits, which it may state otherwise', () => {
  const usual = loaded('strategies: [{ strategy: grid }]');
  expect(usual.strategies[0]?.risk).toEqual(READY_MADE_RISK);
  expect(lossLimitsOf(usual)).toEqual(['maxDailyLoss 5% of a strategy']);
  const own = loaded('strategies: [{ strategy: grid, risk: { maxDailyLoss: "1%" } }]');
  expect(own.strategies[0]?.risk).toEqual({ ...READY_MADE_RISK, maxDailyLoss: '1%' });
});

test('an unknown name, and both a name and a file, are refused', () => {
  expect(() => loaded('strategies: [{ strategy: martingale }]')).toThrow(
    /expected one of grid, dca, rebalance, signal, trend, found "martingale"/,
  );
  expect(() => loaded('strategies: [{ strategy: grid, file: a.ts }]')).toThrow(/expected a strategy: file, or strategy/);
});
