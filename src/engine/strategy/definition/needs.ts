/** Derives what must be polled from the venue, from the handlers that the strategies define. */
import type { Instrument } from '../../../domain/instrument.ts';
import type { PollNeed, PollSettings } from '../../polling/schedule.ts';
import { barNeedsOf } from './needs-bars.ts';
import type { StrategyHandlers } from './types.ts';
import type { SetupUniverse } from './universe.ts';

export interface RunningStrategy {
  readonly name: string;
  readonly handlers: StrategyHandlers;
  readonly instruments: readonly number[];
  /** Set if its instruments are chosen while it runs. */
  readonly universe?: Pick<SetupUniverse, 'terms' | 'candidates'> | undefined;
}

const NO_UNIVERSE = { candidates: [], terms: { top: 0, poll: 0 } };

/** Shortest period of the leverage and margin mode reads of a symbol, in milliseconds. */
const TERMS_MS = 30_000;

/**
 * Quotes for every traded futures instrument and for the contract of a spot symbol (used by risk and valuation). Trades if a strategy has
 * onTrade or onBar. 24-hour figures if they have a period. Four reads of the account. Of a universe as many are read as if all its places
 * were taken, so that a choice costs no more; the other candidates are read for their ranks.
 */
export function needsOf(strategies: readonly RunningStrategy[], instruments: readonly Instrument[], settings: PollSettings): PollNeed[] {
  const { periods } = settings;
  const needs: PollNeed[] = [];
  const accounts = new Set<number>();
  for (const { name, handlers, instruments: traded, universe } of strategies) {
    const { candidates, terms } = universe ?? NO_UNIVERSE;
    const others = candidates.filter((i) => !traded.includes(i));
    const spare = others.slice(0, Math.max(0, terms.top - traded.length));
    const wantsTrades = handlers.onTrade !== undefined || barNeedsOf(handlers).bars.length > 0;
    for (const i of candidates) {
      needs.push({ kind: 'trades', instrument: i, periodMs: terms.poll, by: name });
      needs.push({ kind: 'quotes', instrument: i, periodMs: periods.quotes, by: name });
    }
    for (const i of [...traded, ...spare]) {
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
      if (wantsTrades) needs.push({ kind: 'trades', instrument: i, periodMs: periods.trades, by: name });
    }
  }
  if (accounts.size === 0) return needs;
  for (const kind of ['pending', 'positions', 'history'] as const) {
    if (periods[kind] > 0) needs.push({ kind, instrument: -1, periodMs: periods[kind], by: 'account' });
  }
  const [first, ...others] = [...accounts].sort((a, b) => a - b);
  needs.push({ kind: 'account', instrument: first!, periodMs: periods.account, by: 'account' });
  // Leverage and margin mode of the other symbols: together they are read at most as often as the first one.
  const slow = Math.max(TERMS_MS, periods.account * others.length);
  for (const instrument of others) needs.push({ kind: 'account', instrument, periodMs: slow, by: 'account' });
  if (periods.withdrawals > 0) needs.push({ kind: 'withdrawals', instrument: -1, periodMs: periods.withdrawals, by: 'account' });
  return needs;
}
