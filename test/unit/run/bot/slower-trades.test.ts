/** `start` without a configuration on a market of many symbols: trades are polled as slowly as the limits ask for, and no more slowly. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { maySlowTrades } from '../../../../src/cli/bot/start/start-checks.ts';
import { loadConfig } from '../../../../src/config/load.ts';
import type { BotConfig } from '../../../../src/config/model.ts';
import { PollPlanError } from '../../../../src/engine/polling/schedule.ts';
import { tryKernel } from '../../../../src/run/bot/preflight.ts';
import { fittingPreflight } from '../../../../src/run/bot/slower-trades.ts';
import { withSynthetic } from '../../../../src/run/setup/instruments/synthetic-instruments.ts';
import { instrumentsOf } from '../../../../src/run/setup/instruments/instruments.ts';

const ROOT = join(import.meta.dirname, '../../../..');
const { config: paper } = loadConfig({ file: join(ROOT, 'config/paper.yaml'), env: {}, set: [] });
const choice = { ...paper.strategies[0]!, file: join(ROOT, 'strategies/ema-cross.ts'), symbols: [] };
const config: BotConfig = { ...paper, strategies: [choice] };
const market = (symbols: number): ReturnType<typeof instrumentsOf> => instrumentsOf(withSynthetic(config.instruments, symbols));

test('trades of 24 symbols are polled so slowly that half of the requests are used, and one line says it', async () => {
  const { config: fitted, preflight, note } = await fittingPreflight(config, market(24), true);
  const polls = tryKernel(fitted, preflight).filter(({ bucket }) => bucket === 'public');
  const used = polls.reduce((sum, { weight, periodMs }) => sum + (1_000 * weight) / periodMs, 0);
  expect(used, 'of 100 a second').toBeGreaterThan(45);
  expect(used, 'of 100 a second').toBeLessThanOrEqual(50);
  expect(fitted).toEqual({ ...config, poll: { ...config.poll, trades: 650 } });
  expect(note).toBe('trades of 24 symbols every 650ms, not 250ms: the limits allow no more requests; poll.trades sets it');
});

test('what fits stays as it is', async () => {
  const { config: fitted, note } = await fittingPreflight(config, market(5), true);
  expect(fitted).toBe(config);
  expect(note).toBe('');
});

test.each([
  ['quotes alone are too many', { ...config, poll: { ...config.poll, quotes: 5 } }, 24],
  ['half of the requests is less than quotes use', { ...config, poll: { ...config.poll, quotes: 15 } }, 24],
])('it refuses with the given periods where slower trades do not help: %s', async (_why, asked, symbols) => {
  await expect(fittingPreflight(asked, market(symbols), true)).rejects.toThrow(PollPlanError);
  await expect(fittingPreflight(asked, market(symbols), true)).rejects.toThrow(/trades of 24 symbols 96\.00/);
});

test('a period that somebody chose stays', async () => {
  await expect(fittingPreflight(config, market(24), false)).rejects.toThrow(PollPlanError);
});

test.each([
  [true, false, [{ universe: {} }]],
  [false, true, [{ universe: {} }]],
  [false, false, [{ symbols: ['BTCUSDT'] }]],
])('`run` may slow down (%j) where poll.trades is stated (%j) with strategies %j', (may, isStated, strategies) => {
  expect(maySlowTrades({ ...config, strategies: strategies as never }, () => isStated)).toBe(may);
});
