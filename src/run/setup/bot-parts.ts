/** Parts of a bot that are the same in every mode: strategies on their instruments, risk limits, poll settings. */
import { Failure } from '../../base/failure/failure.ts';
import { didYouMean } from '../../base/text/suggest.ts';
import { limitFor, type BotConfig, type StrategyChoice } from '../../config/model.ts';
import { shareOf } from '../../domain/amount.ts';
import { COSTS } from '../../contract/endpoints/costs.ts';
import { tradedName, type Instrument } from '../../domain/instrument.ts';
import { LIMIT_KEYS, type RiskLimits } from '../../domain/limits.ts';
import type { CommandBucket } from '../../domain/orders/command-traits.ts';
import type { CommandRates } from '../../engine/polling/order-throttle.ts';
import type { KernelOptions } from '../../engine/options.ts';
import type { StrategySetup } from '../../engine/strategy/definition/setup.ts';
import type { PollSettings } from '../../engine/polling/schedule.ts';
import type { KernelTimings } from '../../engine/state/core.ts';
import type { ReadThrottleOptions } from '../../engine/polling/read-throttle.ts';
import { loadStrategy } from './strategy/load-strategy.ts';
import { unreadExports } from './strategy/stray-exports.ts';
import { checkUniverses, universeFor } from './instruments/universe-setup.ts';

/** Thrown if a strategy names a symbol that this market does not have. */
class SymbolError extends Failure {
  override readonly name = 'SymbolError';
}

/** Loads every chosen strategy and finds its instruments. `guessed`: symbols of a tape whose rules are guessed. @throws Failure */
export async function strategySetups(
  choices: readonly StrategyChoice[],
  instruments: readonly Instrument[],
  guessed: readonly string[] = [],
): Promise<StrategySetup[]> {
  const setups: StrategySetup[] = [];
  for (const choice of choices) {
    const strategy = await loadStrategy(choice.file);
    const alike = choices
      .slice(0, setups.length)
      .filter((one, k) => one.name === undefined && setups[k]!.strategy.name === strategy.name).length;
    const name = choice.name ?? (alike === 0 ? strategy.name : `${strategy.name}-${alike + 1}`);
    const same = setups.findIndex((one) => one.name === name);
    if (same >= 0) {
      throw new Failure('config-invalid', {
        what: `expected strategies with names of their own, found two called "${name}": ${choices[same]!.file} and this file`,
        where: choice.file,
        hint: 'state `name:` beside `file:` in the section strategies',
      });
    }
    const universe = universeFor(choice, instruments, guessed);
    setups.push({
      name,
      strategy,
      file: choice.file,
      unread: unreadExports(strategy),
      params: choice.params,
      instruments: universe === undefined ? tradedBy(choice, instruments) : [],
      ...(universe === undefined ? {} : { universe }),
      risk: choice.risk,
    });
  }
  checkUniverses(setups, instruments);
  return setups;
}

/** Instruments of a strategy: a symbol means futures, "spot:SYMBOL" means spot; without symbols all futures. */
export function tradedBy(choice: StrategyChoice, instruments: readonly Instrument[]): number[] {
  if (choice.symbols.length === 0) return instruments.filter((i) => i.product === 'futures').map((i) => i.index);
  return choice.symbols.map((symbol) => {
    const found = instruments.find((i) => tradedName(i) === symbol);
    if (found !== undefined) return found.index;
    const known = instruments.map(tradedName);
    const hint = didYouMean(symbol, known) ?? `known are ${known.join(', ')}`;
    throw new SymbolError('symbol-unknown', { what: `expected a symbol of this market, found "${symbol}"`, where: choice.file, hint });
  });
}

/** Converts the configured limits to the engine's form: common limits, and those by symbol and by strategy. */
export function riskLimits({ risk }: BotConfig): RiskLimits {
  const own = Object.entries(risk.symbols);
  const limits = LIMIT_KEYS.map((key) => {
    const stated = own.flatMap(([name, values]) => {
      const value = (values as RiskLimits)[key];
      return value === undefined ? [] : [[name, value] as const];
    });
    return [key, { ...Object.fromEntries(stated), '*': risk[key] }] as const;
  });
  return Object.fromEntries(limits);
}

/** Interval of reads of spot symbols (E3) if spot is traded. */
const SPOT_SYMBOLS_MS = 60_000;

/** How often each kind of question is asked, and what its bucket allows. */
export function pollSettings(config: BotConfig): PollSettings {
  const { poll, limits, historyPages } = config;
  const calls = {
    quotes: COSTS.bookTickers,
    stats: COSTS.tickers,
    trades: COSTS.trades,
    account: COSTS.account,
    pending: COSTS.pendingOrders,
    history: COSTS.orderHistory,
    positions: COSTS.positions,
    withdrawals: COSTS.withdrawals,
    'spot-symbols': COSTS.spotSymbols,
  };
  const buckets = [...new Set(Object.values(calls).map((c) => c.bucket))];
  return {
    periods: {
      quotes: poll.quotes,
      stats: poll.stats,
      trades: poll.trades,
      account: poll.account,
      pending: poll.orders,
      history: 0,
      positions: poll.positions,
      withdrawals: poll.withdrawals,
      'spot-symbols': SPOT_SYMBOLS_MS,
    },
    historyPages,
    budget: { calls, buckets: Object.fromEntries(buckets.map((b) => [b, { perSecond: limitFor(limits, b), orderShare: 0 }])) },
  };
}

/** Poll settings of a backtest: a tape has no withdrawals and no offline symbols. */
export function tapePolls(config: BotConfig): PollSettings {
  const polls = pollSettings(config);
  return { ...polls, periods: { ...polls.periods, withdrawals: 0, 'spot-symbols': 0 } };
}

/** Policy for changes that the bot did not cause. */
export function externalOptions({ external }: BotConfig): Pick<KernelOptions, 'external' | 'equityDropShare'> {
  const { equityDropShare, ...policies } = external;
  return { external: policies, equityDropShare: shareOf(equityDropShare) };
}

/** Which bucket each kind of question is counted in, and what the bucket allows. */
export function questionBuckets({ budget }: PollSettings): Pick<ReadThrottleOptions, 'bucketOf' | 'perSecond'> {
  const { quotes, stats, trades, account, pending, history, positions, withdrawals } = budget.calls;
  const bucketOf = {
    quotes: quotes.bucket,
    stats: stats.bucket,
    trades: trades.bucket,
    account: account.bucket,
    pending: pending.bucket,
    history: history.bucket,
    positions: positions.bucket,
    withdrawals: withdrawals.bucket,
    'spot-symbols': budget.calls['spot-symbols'].bucket,
  };
  return { bucketOf, perSecond: (bucket) => budget.buckets[bucket]?.perSecond ?? Infinity };
}

/** Names of the interface's write buckets in the order throttle. */
export const LANE_BUCKETS: Readonly<Partial<Record<string, CommandBucket>>> = {
  [COSTS.placeOrder.bucket]: 'order',
  [COSTS.placeSpotOrders.bucket]: 'spot',
  [COSTS.setMargin.bucket]: 'margin',
};

/** Rates of the order throttle, from the venue's buckets for writes. */
export function commandRates(config: BotConfig): CommandRates {
  return {
    order: limitFor(config.limits, COSTS.placeOrder.bucket),
    spot: limitFor(config.limits, COSTS.placeSpotOrders.bucket),
    margin: limitFor(config.limits, COSTS.setMargin.bucket),
  };
}

/** Time limits of commands and reads. */
export function timings(config: BotConfig): KernelTimings {
  const { listLagMs, orderValidityMs, orderHorizonMs, barSpeed } = config;
  return {
    marketValidMs: orderValidityMs,
    limitValidMs: orderValidityMs,
    closeValidMs: orderValidityMs * 4,
    settleMs: listLagMs,
    horizonMs: orderHorizonMs,
    barSpeed,
  };
}
