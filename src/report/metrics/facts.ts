/** What metrics are computed from: columns of numbers, so that a bootstrap can draw other rows from them. */

/** Columns of the closed trades, in order of closing. Money is in 10⁻⁸ of the quote coin. */
export interface TradeColumns {
  /** Result after fees. */
  readonly net: Float64Array;
}

export interface MetricFacts {
  readonly trades: TradeColumns;
}
