/** The strategies that a configuration names by a word: the same backtest as ever, the same after a restart, and no rule of the crashtest broken. */
import { describe, expect, test } from 'vitest';
import { defaultConfig } from '../../../src/config/defaults.ts';
import { readyMadeFile } from '../../../src/config/ready-made.ts';
import { READY_MADE, type ReadyMade } from '../../../src/domain/ready-made.ts';
import type { AnyStrategy } from '../../../src/engine/strategy/definition/define.ts';
import { crashtest } from '../../../src/run/testing/crashtest.ts';
import { loadStrategy } from '../../../src/run/setup/strategy/load-strategy.ts';
import { testStrategy } from '../../../src/testing.ts';
import { Digest } from '../../../src/base/digest.ts';

const SAID = ['buy', 'sell', 'close'].map((action) => JSON.stringify({ action }));

interface Case {
  readonly params: Readonly<Record<string, string>>;
  readonly symbols: readonly string[];
  readonly signals: readonly string[];
  /** Hash of the fills of three minutes. It changes only with a reason in the commit. */
  readonly golden: string;
}

const one = { symbols: ['BTCUSDT'], signals: [] };
const CASES: Readonly<Record<ReadyMade, Case>> = {
  grid: { ...one, params: { range: '0.1', side: 'BOTH', every: '1s' }, golden: 'b503ecee0304bfae72c792f7f77d1cbc' },
  dca: {
    ...one,
    params: { step: '0.02', profit: '0.02', pause: '5s', every: '1s', side: 'BOTH' },
    golden: '2dab38e6ea4661e7625480794614c450',
  },
  rebalance: { ...one, symbols: ['BTCUSDT', 'ETHUSDT'], params: { every: '5s' }, golden: 'b615523db5f2c4d3a1e00c1661d39bed' },
  signal: { ...one, signals: SAID, params: {}, golden: 'ded3e262f5d428932632b50ce74865bc' },
  trend: { ...one, params: { bar: '2s', period: '5', factor: '1', trail: '1' }, golden: 'ddd7047bb52338add41677998b3d829f' },
};

const strategyOf = (name: ReadyMade): Promise<AnyStrategy> => loadStrategy(readyMadeFile(name));

describe.each(READY_MADE)('%s', (name) => {
  const { golden, params, signals, symbols } = CASES[name];
  const said = Array.from({ length: signals.length * 3 }, (_, k) => ({ at: (k + 1) * 20_000, text: signals[k % signals.length]! }));
  const options = { seed: 3, duration: '3m', params, symbols, signals: said, polled: true };

  test('gives the same backtest as ever, and trades', async () => {
    const { fills } = await testStrategy(await strategyOf(name), options);
    expect(fills.length).toBeGreaterThan(1);
    const digest = new Digest();
    digest.text(JSON.stringify(fills));
    expect(digest.hex()).toBe(golden);
  });

  test('goes on after a restart in the middle, and holds no more than before', async () => {
    const { fills, positions } = await testStrategy(await strategyOf(name), { ...options, restart: '1m' });
    const held = new Map<string, number>();
    for (const { symbol, positionSide, side, size, price } of fills) {
      const leg = `${symbol} ${positionSide}`;
      const isOpen = (side === 'BUY') === (positionSide === 'LONG');
      held.set(leg, (held.get(leg) ?? 0) + (isOpen ? 1 : -1) * Number(size));
      expect(held.get(leg)! * Number(price), leg).toBeLessThan(1_010);
    }
    expect(positions.map(({ symbol, side, size }) => [`${symbol} ${side}`, Number(size).toFixed(6)])).toEqual(
      [...held].filter(([, size]) => size > 1e-9).map(([leg, size]) => [leg, size.toFixed(6)]),
    );
    if (name !== 'rebalance') expect(fills.some(({ at }) => at > 60_000)).toBe(true);
  });

  test('breaks no rule of the crashtest', async () => {
    const bounds = { perMinute: 1200, maxSize: 0.5, needsStops: name !== 'rebalance', ends: 'any' } as const;
    const strategy = await strategyOf(name);
    const report = await crashtest({ strategy, params, symbols, config: defaultConfig(), from: 1, seeds: 2, bounds, signals });
    expect(report.broken).toEqual([]);
    expect(report.fills).toBeGreaterThan(0);
  });
});
