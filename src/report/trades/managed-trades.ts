/**
 * Managed trades: what a strategy entered as one thing, with its own exits. Several may be open on one leg, so they are other trades than those
 * of the legs, from flat to flat.
 */
import { formatMoney } from '../../domain/instrument.ts';
import { parseScaled } from '../../domain/amounts/scale.ts';
import { MONEY_DECIMALS } from '../../domain/amounts/units.ts';
import { countWhere } from '../../statistics/samples/columns.ts';
import { isWin, profitFactor } from '../../statistics/trades.ts';

/** A closed managed trade; one whose entry never filled is none. Amounts are decimal strings, prices statistics; `net` = `pnl` − `fees`. */
export interface ManagedTrade {
  readonly strategy: string;
  readonly id: number;
  readonly symbol: string;
  readonly positionSide: string;
  readonly openedAt: number;
  readonly closedAt: number;
  readonly size: string;
  readonly entryPrice: number;
  readonly exitPrice: number;
  /** Of its exits against its own entry, at the prices that the bot learned. */
  readonly pnl: string;
  /** Of the orders that it placed, and of their brackets. */
  readonly fees: string;
  readonly net: string;
  /** Why it was entered, and why its last part was closed. */
  readonly entryReason: string;
  readonly reason: string;
}

export interface ManagedFigures {
  readonly trades: number;
  readonly wins: number;
  readonly net: string;
  /** Sum of profits ÷ sum of losses; null without a loss. */
  readonly profitFactor: number | null;
  readonly meanHeldMs: number;
}

/** Of at least one trade. */
export function managedFigures(trades: readonly ManagedTrade[]): ManagedFigures {
  const nets = Float64Array.from(trades, ({ net }) => parseScaled(net, MONEY_DECIMALS));
  const factor = profitFactor(nets);
  return {
    trades: trades.length,
    wins: countWhere(nets, isWin),
    net: formatMoney(nets.reduce((total, net) => total + net, 0)),
    profitFactor: Number.isFinite(factor) ? factor : null,
    meanHeldMs: trades.reduce((total, { openedAt, closedAt }) => total + closedAt - openedAt, 0) / trades.length,
  };
}
