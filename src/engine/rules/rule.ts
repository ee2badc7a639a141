/** A risk rule allows or refuses; it never alters a command. */
import type { Command } from '../../domain/command.ts';
import { parseLots, type Instrument } from '../../domain/instrument.ts';
import type { MarketState } from '../belief/market-state.ts';
import type { Orders } from '../belief/orders.ts';
import type { Portfolio } from '../belief/portfolio.ts';
import type { Standing } from '../exec/standing.ts';
import type { JudgedMarket } from './borrowed-market.ts';

/** What the rules may look at. */
export interface RiskFacts {
  readonly instruments: readonly Instrument[];
  readonly orders: Orders;
  /** By instrument. */
  readonly market: readonly JudgedMarket[];
  /** By instrument, its own alone. */
  readonly quotes: readonly MarketState[];
  readonly portfolio: Portfolio;
  readonly standing: Standing;
}

export interface RiskRule {
  /** What a refusal is called: lower-case words with dashes. */
  readonly name: string;
  /** null allows; a text refuses and says what was allowed and what was asked. `command.time` is now. */
  check(command: Command, facts: RiskFacts, strategy: number): string | null;
}

/** Lots that an order command adds to what its order may already fill: all of them, or for a modify the growth. */
export function addedLots(command: Command, facts: RiskFacts): number {
  if (command.target === 0) return command.size;
  const old = facts.orders.find(command.target);
  return old === null ? command.size : Math.max(0, command.size - old.remaining);
}

/**
 * A limit per instrument in lots: by symbol, else under "*", else none; never above the largest order of the instrument when
 * `isOfOrder`. @throws ScaleError when a limit is not a decimal
 */
export function perInstrument(
  instruments: readonly Instrument[],
  limits: Readonly<Record<string, string>>,
  isOfOrder: boolean,
): Float64Array {
  return Float64Array.from(instruments, (one) => {
    const text = limits[one.symbol] ?? limits['*'];
    const most = isOfOrder ? one.maxSize : Infinity;
    return text === undefined ? most : Math.min(parseLots(text, one, 'down'), most);
  });
}
