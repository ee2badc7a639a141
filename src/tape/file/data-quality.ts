/** The findings of an import about its data; kept in tape.json. */

/** How well trades and book agree in time. */
export interface Skew {
  /** Trades that were looked at. */
  readonly trades: number;
  /** Share of them at the touch (a buy at the ask, a sell at the bid) as the times are, and at the best shift. */
  readonly atTouch: number;
  readonly atTouchShifted: number;
  /** Milliseconds to add to the times of trades for the best share. */
  readonly shiftMs: number;
  /** True if the two clocks differ beyond doubt. */
  readonly isClear: boolean;
}

/** Prices far from those around them. */
export interface Outliers {
  readonly kind: string;
  readonly count: number;
  /** The first: when, its price, and the price before. */
  readonly time: number;
  readonly price: number;
  readonly usual: number;
}

export type Cleaning =
  | { readonly symbol: string; readonly kind: string; readonly what: 'outliers-left-out'; readonly rows: number }
  | { readonly symbol: string; readonly kind: string; readonly what: 'times-moved'; readonly shiftMs: number };

export interface Quality {
  readonly symbol: string;
  /** null where there are not both trades and quotes, or too few. */
  readonly skew: Skew | null;
  readonly outliers: readonly Outliers[];
  /** Rows on which the tick and the lot of the symbol rest. */
  readonly gridRows: number;
  /** Bars that are missing between the first and the last. */
  readonly barsMissing: number;
  /** What --clean did. */
  readonly cleaned: readonly Cleaning[];
}
