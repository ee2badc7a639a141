/** The closed trades of a report as columns: a page draws all of them and names a few. */
import { parseScaled } from '../../domain/amounts/scale.ts';
import { MONEY_DECIMALS } from '../../domain/amounts/units.ts';
import type { RoundTrip } from './trade.ts';

export interface TradeRows {
  /** Result after fees in 10⁻⁸ of the quote coin. */
  readonly net: Float64Array;
  /** −1 for a short position, else 1. */
  readonly side: Float64Array;
  readonly heldMs: Float64Array;
  /** Excursions as shares of the entry price; NaN if unknown. */
  readonly mae: Float64Array;
  readonly mfe: Float64Array;
  readonly symbols: readonly string[];
  /** The trades at these places. */
  readonly named: (places: ReadonlySet<number>) => ReadonlyMap<number, RoundTrip>;
}

/** Those of a stored report. */
export function rowsOfTrades(trades: readonly RoundTrip[]): TradeRows {
  return {
    net: Float64Array.from(trades, ({ net }) => parseScaled(net, MONEY_DECIMALS)),
    side: Float64Array.from(trades, ({ positionSide }) => (positionSide === 'SHORT' ? -1 : 1)),
    heldMs: Float64Array.from(trades, ({ openedAt, closedAt }) => closedAt - openedAt),
    mae: Float64Array.from(trades, ({ mae }) => mae ?? Number.NaN),
    mfe: Float64Array.from(trades, ({ mfe }) => mfe ?? Number.NaN),
    symbols: trades.map(({ symbol }) => symbol),
    named: (places) => new Map([...places].map((place) => [place, trades[place]!])),
  };
}
