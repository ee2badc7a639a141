/** Shares of the equity: the weights against written out solutions, and what strategies see of a wallet. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AllocationConfig } from '../../../../src/config/model.ts';
import { defineStrategy } from '../../../../src/engine/strategy/definition/define.ts';
import { recordingJournal } from '../../../../src/engine/recovery/records.ts';
import { foldRecords } from '../../../../src/engine/recovery/registry.ts';
import type { KernelSnapshot } from '../../../../src/engine/recovery/registry.ts';
import type { CommandJournal } from '../../../../src/engine/state/events/journal.ts';
import type { Account } from '../../../../src/engine/strategy/definition/types.ts';
import type { StrategySetup } from '../../../../src/engine/strategy/definition/setup.ts';
import type { JournalRecord } from '../../../../src/ports/store.ts';
import type { Backtest } from '../../../../src/run/backtest/assemble-backtest.ts';
import { prepareBacktest } from '../../../../src/run/backtest/backtest.ts';
import { allocationOption } from '../../../../src/run/setup/configured-allocation.ts';
import { inverseVolatility, riskParity } from '../../../../src/statistics/portfolio.ts';
import { deviation } from '../../../../src/statistics/samples/moments.ts';
import { Random } from '../../../../src/base/random.ts';
import { configWith } from '../../../support/backtest/reference-backtest.ts';
import { randomStrategy, TAPE_START, writeRandomTape } from '../../../support/backtest/reference-strategy.ts';

const covariances = (volatilities: readonly number[], correlations: readonly (readonly number[])[]): number[][] =>
  volatilities.map((a, i) => volatilities.map((b, k) => a * b * correlations[i]![k]!));
const equally = (n: number, rho: number): number[][] =>
  Array.from({ length: n }, (_, i) => Array.from({ length: n }, (__, k) => (i === k ? 1 : rho)));

describe('risk parity', () => {
  test.each([-0.9, -0.3, 0, 0.5, 0.99])('of two is σ₂ / (σ₁ + σ₂), whatever their correlation: %d', (rho) => {
    const [first, second] = riskParity(covariances([0.1, 0.3], equally(2, rho)))!;
    expect(first).toBeCloseTo(0.3 / 0.4, 12);
    expect(second).toBeCloseTo(0.1 / 0.4, 12);
  });

  test.each([-0.2, 0, 0.4, 0.9])('with equal correlations is in proportion to 1 / σ: %d', (rho) => {
    const volatilities = [0.1, 0.2, 0.4, 0.8];
    const inverse = volatilities.map((one) => 1 / one);
    const total = inverse.reduce((sum, one) => sum + one, 0);
    const weights = riskParity(covariances(volatilities, equally(4, rho)))!;
    for (const [k, weight] of weights.entries()) expect(weight).toBeCloseTo(inverse[k]! / total, 11);
  });

  test('is that of the table of Maillard, Roncalli and Teïletche (2010), and its parts of the risk are equal', () => {
    const matrix = covariances(
      [0.1, 0.2, 0.3, 0.4],
      [
        [1, 0.8, 0, 0],
        [0.8, 1, 0, 0],
        [0, 0, 1, -0.5],
        [0, 0, -0.5, 1],
      ],
    );
    const weights = riskParity(matrix)!;
    expect(weights.map((one) => Number((100 * one).toFixed(1)))).toEqual([38.4, 19.2, 24.3, 18.2]);
    const risks = weights.map((one, i) => one * matrix[i]!.reduce((sum, cov, k) => sum + cov * weights[k]!, 0));
    for (const risk of risks) expect(risk / risks[0]!).toBeCloseTo(1, 10);
  });

  test('does not depend on the size of the returns, and is null without a risk', () => {
    const small = riskParity(covariances([1e-7, 3e-7], equally(2, 0.2)))!;
    expect(small[0]).toBeCloseTo(0.75, 12);
    expect(
      riskParity([
        [1, 0],
        [0, 0],
      ]),
    ).toBeNull();
    expect(
      riskParity([
        [1, Number.NaN],
        [Number.NaN, 1],
      ]),
    ).toBeNull();
  });
});

test('inverse volatility is in proportion to 1 / σ of the samples, and null where one never changed', () => {
  const random = new Random(3);
  const series = [1, 4].map((size) => Array.from({ length: 50 }, () => size * (random.uniform() - 0.5)));
  const [a, b] = series.map(deviation);
  const [first] = inverseVolatility(series)!;
  expect(first).toBeCloseTo(b! / (a! + b!), 12);
  expect(inverseVolatility([series[0]!, [1, 1, 1]])).toBeNull();
});

describe('the configured way', () => {
  const terms = (
    by: AllocationConfig['by'],
    rebalance = '1d',
  ): ReturnType<NonNullable<ReturnType<typeof allocationOption>['allocation']>> =>
    allocationOption({ allocation: { by, rebalance } }).allocation!(['a', 'b']);
  const returns = [1, 3].map((size) => Array.from({ length: 12 }, (_, k) => size * (k % 2 === 0 ? 0.01 : -0.01)));

  test('is equal until there are ten returns', () => {
    expect(terms('equal').sharesOf(returns)).toEqual([0.5, 0.5]);
    const { sharesOf } = terms('inverse-volatility');
    expect(sharesOf(returns.map((one) => one.slice(0, 9)))).toEqual([0.5, 0.5]);
    expect(sharesOf(returns)[0]).toBeCloseTo(0.75, 12);
    expect(terms('risk-parity').sharesOf(returns.map((one, k) => one.map((r, t) => r + (k === 0 ? t % 3 : 0) * 1e-4)))[0]).toBeCloseTo(
      0.75,
      2,
    );
    expect(terms({ a: '0.2', b: '0.3' }).sharesOf(returns)).toEqual([0.2, 0.3]);
  });

  test('counts durations from 1970 and cron expressions in UTC', () => {
    expect(terms('equal', '90m').after(TAPE_START)).toBe((Math.floor(TAPE_START / 5_400_000) + 1) * 5_400_000);
    expect(terms('equal', '0 0 * * 1').after(Date.UTC(2024, 0, 1))).toBe(Date.UTC(2024, 0, 8));
    expect(terms('equal', '1d').returnsMs).toBe(3_600_000);
  });

  test.each([
    [{ a: '0.5', c: '0.5' }, /found "c"/],
    [{ a: '0.5' }, /found none for b/],
    [{ a: '0.7', b: '0.4' }, /at most 1 together, found 1.1/],
  ])('shares that do not fit are an error: %o', (shares, problem) => {
    expect(() => terms(shares)).toThrow(problem);
  });
});

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'allocation-'));
  writeRandomTape(join(folder, 'tape'), { seed: 4, rows: 8_000, symbols: 2, stepMs: 120 });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Seen {
  readonly now: number;
  readonly equity: readonly number[];
  readonly wallet: number;
}

/** Two strategies that trade by chance, and what each sees of the equity at its quotes. */
async function run(
  allocation: AllocationConfig,
  everyTick: boolean,
): Promise<{ backtest: Backtest; records: JournalRecord[]; seen: Seen[] }> {
  const records: JournalRecord[] = [];
  const seen: Seen[] = [];
  const accounts: Account[] = [];
  let backtest: Backtest | null = null;
  const watching = (index: number): StrategySetup['strategy'] => {
    const random = randomStrategy(3 + 4 * index);
    return defineStrategy({
      name: `trader-${index}`,
      create: (_params, markets) => {
        const handlers = random.create({}, markets);
        return {
          ...handlers,
          onQuote(market, ctx) {
            handlers.onQuote!(market, ctx);
            accounts[index] = ctx.account;
            if (accounts.length === 2 && backtest !== null)
              seen.push({ now: ctx.now, equity: accounts.map((one) => one?.equity ?? Number.NaN), wallet: backtest.sim.equity(0) / 1e8 });
          },
        };
      },
    });
  };
  const config = { ...configWith({ limits: { order: 1_000 }, risk: { maxOpenOrders: 60 } }), allocation };
  backtest = await prepareBacktest(
    { strategies: [], tape: join(folder, 'tape'), config, everyTick, speed: 1, seed: 3 },
    {
      setups: (instruments) => [0, 1].map((index) => ({ strategy: watching(index), instruments: [instruments[index]!.index] })),
      journal: (counting) => tee(counting, () => recordingJournal(backtest!.instruments, (record) => void records.push(record))),
    },
  );
  return { backtest, records, seen };
}

/** Calls both journals. */
function tee(first: CommandJournal, second: () => CommandJournal): CommandJournal {
  return new Proxy(first, {
    get:
      (target, key) =>
      (...all: unknown[]) => {
        for (const journal of [target, second()]) (Reflect.get(journal, key) as (...given: unknown[]) => void).apply(journal, all);
      },
  });
}

describe.each([true, false])('in a backtest, with every tick %s', (everyTick) => {
  test('each sees its share of the wallet, which grows with its own profit', async () => {
    const { backtest, seen } = await run({ by: { 'trader-0': '0.25', 'trader-1': '0.5' }, rebalance: '1h' }, everyTick);
    backtest.run();
    const [first] = seen.filter(({ equity }) => !equity.some(Number.isNaN));
    expect(first!.equity[0]! / first!.equity[1]!).toBeCloseTo(0.5, 2);
    const end = seen.at(-1)!;
    const own = [0, 1].map((k) => backtest.attribution!.net(k) / 1e8);
    expect(Math.abs(own[1]!)).toBeGreaterThan(3);
    expect(Math.abs(own[0]!)).toBeGreaterThan(40);
    // The engine counts fees at the taker rate, except of post-only orders.
    for (const [k, part] of [25_000, 50_000].entries()) expect(Math.abs(end.equity[k]! - part - own[k]!)).toBeLessThan(15);
  });

  test('a rebalancing shares the wallet out again', async () => {
    const { backtest, seen, records } = await run({ by: 'equal', rebalance: '1m' }, everyTick);
    backtest.run();
    const times = records.filter(({ kind, data }) => kind === 'allocation' && 'capital' in data).map(({ time }) => time);
    expect(times.length).toBeGreaterThan(3);
    for (const time of times.slice(1)) {
      expect(time % 60_000).toBeLessThan(2_000);
      const after = seen.find(({ now }) => now > time)!;
      expect(after.equity[0]! / after.equity[1]!).toBeCloseTo(1, 4);
    }
    expect(new Set(seen.map(({ equity }) => equity[0]! > equity[1]!)).size).toBe(2);
  });

  test('the journal has all of it: a restart continues with the same parts', async () => {
    const { backtest, records } = await run({ by: 'risk-parity', rebalance: '1m' }, everyTick);
    backtest.run();
    const { allocation } = backtest.kernel.snapshot();
    const folded = foldRecords(null, records).allocation;
    expect(folded).toEqual(allocation);
    expect(allocation!.returns[0]!.length).toBeGreaterThan(20);
    const other = await run({ by: 'risk-parity', rebalance: '1m' }, everyTick);
    other.backtest.kernel.restore(JSON.parse(JSON.stringify(foldRecords(null, records))) as KernelSnapshot);
    expect(other.backtest.kernel.snapshot().allocation).toEqual(allocation);
  });
});
