/** Converts rows of one instrument's market to the grid of other instruments (mirrors). */

/** A mirror with its whole ratios: ticks and lots of the mirror per tick and lot of the source. */
export interface Mirror {
  readonly instrument: number;
  readonly priceRatio: number;
  readonly sizeRatio: number;
}

/** The receivers of a stream's rows. */
export interface Feed {
  readonly instrument: number;
  readonly mirrors: readonly Mirror[];
}
