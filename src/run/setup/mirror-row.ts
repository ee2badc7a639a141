/** Rows of one instrument's market as other instruments have them, on another grid. */

/** Ratios are whole: ticks and lots of the mirror per tick and lot of the stream's instrument. */
export interface Mirror {
  readonly instrument: number;
  readonly priceRatio: number;
  readonly sizeRatio: number;
}

/** Where a stream's rows go. */
export interface Feed {
  readonly instrument: number;
  readonly mirrors: readonly Mirror[];
}
