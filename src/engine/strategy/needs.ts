/** What has to be asked of the venue, read from which handlers the strategies have. */
import type { Instrument } from '../../domain/instrument.ts';
import type { PollNeed, PollSettings } from '../polling/schedule.ts';
import type { StrategyHandlers } from './types.ts';

export interface StrategyNeeds {
  readonly name: string;
  readonly handlers: StrategyHandlers;
  readonly instruments: readonly number[];
}

/** The least time between two reads of the terms of a symbol. */
const TERMS_MS = 30_000;

/**
 * Quotes for every futures instrument that is traded, and for the contract of a spot symbol (risk and valuation need them), trades where somebody wants trades or bars, the
 * 24h figures where they are asked for by a period, and the account's four reads.
 */
export function needsOf(strategies: readonly StrategyNeeds[], instruments: readonly Instrument[], settings: PollSettings): PollNeed[] {
  const { periods } = settings;
  const needs: PollNeed[] = [];
  const accounts = new Set<number>();
  for (const { name, handlers, instruments: traded } of strategies) {
    for (const i of traded) {
      const { product, symbol } = instruments[i]!;
      if (product === 'spot') {
        const contract = instruments.find((one) => one.product === 'futures' && one.symbol === symbol);
        if (periods['spot-symbols'] > 0) needs.push({ kind: 'spot-symbols', instrument: -1, periodMs: periods['spot-symbols'], by: name });
        if (contract !== undefined) needs.push({ kind: 'quotes', instrument: contract.index, periodMs: periods.quotes, by: name });
        continue;
      }
      accounts.add(i);
      needs.push({ kind: 'quotes', instrument: i, periodMs: periods.quotes, by: name });
      if (periods.stats > 0) needs.push({ kind: 'stats', instrument: i, periodMs: periods.stats, by: name });
      if (handlers.onTrade !== undefined || handlers.onBar !== undefined) {
        needs.push({ kind: 'trades', instrument: i, periodMs: periods.trades, by: name });
      }
    }
  }
  if (accounts.size === 0) return needs;
  for (const kind of ['pending', 'positions', 'history'] as const) {
    if (periods[kind] > 0) needs.push({ kind, instrument: -1, periodMs: periods[kind], by: 'account' });
  }
  const [first, ...others] = [...accounts].sort((a, b) => a - b);
  needs.push({ kind: 'account', instrument: first!, periodMs: periods.account, by: 'account' });
  // Leverage and margin mode of the other symbols: together they are asked for as often as the first one at most.
  const slow = Math.max(TERMS_MS, periods.account * others.length);
  for (const instrument of others) needs.push({ kind: 'account', instrument, periodMs: slow, by: 'account' });
  if (periods.withdrawals > 0) needs.push({ kind: 'withdrawals', instrument: -1, periodMs: periods.withdrawals, by: 'account' });
  return needs;
}
