/** The configured way to share the equity among strategies, as the engine asks for it. */
import { DURATION_PATTERN, durationOf } from '../../base/time/duration.ts';
import { Failure } from '../../base/failure/failure.ts';
import { SECOND_MS } from '../../base/time/time-spans.ts';
import { didYouMean } from '../../base/text/suggest.ts';
import type { AllocationConfig, BotConfig } from '../../config/model.ts';
import type { AllocationName, AllocationTerms } from '../../domain/allocation.ts';
import { nextCron, parseCron } from '../../domain/time/cron.ts';
import type { KernelOptions } from '../../engine/options.ts';
import { covarianceMatrix, inverseVolatility, riskParity } from '../../statistics/portfolio.ts';

type Returns = readonly (readonly number[])[];

/** Shares from returns; null where they do not say enough yet. */
const WAYS: Readonly<Record<Exclude<AllocationName, 'off'>, (returns: Returns) => readonly number[] | null>> = {
  equal: () => null,
  'inverse-volatility': inverseVolatility,
  'risk-parity': (returns) => riskParity(covarianceMatrix(returns)),
};

/** Returns between two rebalancings, such as 24 of an hour each for one a day; and how many of the newest are used, here those of a week. */
const RETURNS_BETWEEN = 24;
const RETURNS_MOST = 168;
/** Fewer returns than this say nothing of a volatility. */
const RETURNS_LEAST = 10;

/** Absent if each strategy sees the whole equity. The function it has throws a Failure for shares that do not fit the strategies. */
export function allocationOption({ allocation }: Pick<BotConfig, 'allocation'>): Pick<KernelOptions, 'allocation'> {
  return allocation.by === 'off' ? {} : { allocation: (names) => termsFor(allocation, names) };
}

function termsFor({ by, rebalance }: AllocationConfig, names: readonly string[]): AllocationTerms {
  const after = timesOf(rebalance);
  const equal = names.map(() => 1 / names.length);
  const stated = typeof by === 'string' ? null : statedShares(by, names);
  const way = typeof by === 'string' && by !== 'off' ? WAYS[by] : null;
  return {
    sharesOf: (returns) => stated ?? ((returns[0]?.length ?? 0) < RETURNS_LEAST ? null : way?.(returns)) ?? equal,
    after,
    returnsMs: Math.max(SECOND_MS, Math.floor((after(after(0)) - after(0)) / RETURNS_BETWEEN)),
    window: RETURNS_MOST,
  };
}

/** A duration counts from 1970 in UTC, so that a restart does not move the times. */
function timesOf(rebalance: string): (time: number) => number {
  if (DURATION_PATTERN.test(rebalance)) {
    const ms = durationOf(rebalance);
    return (time) => (Math.floor(time / ms) + 1) * ms;
  }
  const cron = parseCron(rebalance);
  return (time) => nextCron(cron, time);
}

/** @throws Failure unless each strategy has a share, and all together at most 1 */
function statedShares(shares: Readonly<Record<string, string>>, names: readonly string[]): number[] {
  const where = 'allocation.by';
  for (const name of Object.keys(shares)) {
    if (names.includes(name)) continue;
    const hint = didYouMean(name, names) ?? `the strategies are ${names.join(', ')}`;
    throw new Failure('config-invalid', { what: `expected the name of a strategy, found "${name}"`, where, hint });
  }
  const missing = names.filter((name) => !Object.hasOwn(shares, name));
  if (missing.length > 0) {
    throw new Failure('config-invalid', { what: `expected a share for each strategy, found none for ${missing.join(', ')}`, where });
  }
  const stated = names.map((name) => Number(shares[name]));
  const sum = stated.reduce((all, one) => all + one, 0);
  if (sum > 1 + 1e-9)
    throw new Failure('config-invalid', { what: `expected shares of at most 1 together, found ${sum.toFixed(6)}`, where });
  return stated;
}
