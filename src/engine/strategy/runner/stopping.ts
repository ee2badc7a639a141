/** Applies the stop policy to orders and positions of a strategy that is disabled. Not on the hot path. */
import type { Core } from '../../state/core.ts';
import type { Market } from '../../intents/market-types.ts';
import type { StrategyContext } from '../definition/types.ts';

/** A strategy that throws this often within the window is disabled. Default 10 in 60,000 ms. */
export interface FaultLimit {
  readonly count: number;
  readonly windowMs: number;
}

/** What happens to the orders and positions of a disabled strategy. Brackets at the venue always stay. */
export type OnStrategyStop = 'keep' | 'cancel' | 'flatten';

export interface StopPolicy {
  readonly word: OnStrategyStop;
  /** Closes the positions of the strategy. */
  readonly flatten: (strategy: string, why: string) => void;
}

interface Stopped {
  readonly name: string;
  readonly errors: number;
  readonly disabledWhy: string;
  readonly context: StrategyContext;
}

/** Logs what is left and applies the policy. Brackets at the venue always stay. */
export function endStrategy({ name, errors, disabledWhy: why, context }: Stopped, { log }: Core, { word, flatten }: StopPolicy): void {
  const orders = context.markets.reduce((sum, market) => sum + market.orders.length, 0);
  const positions = context.markets.flatMap(legsOf);
  log.error('strategy-disabled', { strategy: name, why, errors, policy: word, orders, positions });
  if (word === 'keep') return;
  context.cancelAll(undefined, 'strategy disabled');
  if (word === 'flatten') flatten(name, why);
}

/** "BTCUSDT LONG 0.01" for each leg with a position. Legs belong to the account: another strategy may share them. */
function legsOf({ symbol, long, short }: Market): string[] {
  const legs = [`${symbol} LONG ${long.size}`, `${symbol} SHORT ${short.size}`];
  return legs.filter((leg) => !leg.endsWith(' 0'));
}
