/** Prices of a market over a run for a chart: bars of one length, finer ones of the whole run, and the finest around some trades. */

import type { BarColumns, PackedBars } from './chart-bars.ts';
import type { OpenTrade } from '../trades/trade.ts';
import type { MarketDrawing } from './drawings.ts';

export interface MarketChart extends BarColumns {
  readonly symbol: string;
  /** What strategies said and drew, and the indicators that they declared; absent for nothing. */
  readonly drawing?: MarketDrawing | undefined;
  /** Finer bars of the whole run; absent if there are none, and in reports of older versions. */
  readonly finer?: PackedBars | undefined;
  /** The bars around some of the trades, in order of time. Absent in reports of older versions. */
  readonly windows?: readonly PackedBars[] | undefined;
  /** Positions that are still open at the end; absent for none, and in reports of older versions. */
  readonly held?: readonly OpenTrade[] | undefined;
}
