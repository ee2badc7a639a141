/** Market rows as columns, as a tape cursor has them: what the bulk path reads. */

/** A clock that is set to the time of each row. */
export interface RowClock {
  time: number;
}
/** Trades as columns, such as a tape cursor. */
export interface TradeRows {
  /** Number of rows; the columns may be overwritten after them. */
  readonly length: number;
  readonly time: Float64Array;
  readonly price: Int32Array | Float64Array;
  readonly size: Int32Array | Float64Array;
  readonly side: Uint8Array;
}
/** Quotes as columns, such as a tape cursor. */
export interface QuoteRows {
  readonly time: Float64Array;
  readonly bid: Int32Array | Float64Array;
  readonly bidSize: Int32Array | Float64Array;
  readonly ask: Int32Array | Float64Array;
  readonly askSize: Int32Array | Float64Array;
}
