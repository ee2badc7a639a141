/** The result of `capacity` as one JSON object: profit against size, with the impact of the orders. Amounts in the quote coin. */

/** One run with all sizes `multiple` times as large. */
export interface CapacityRow {
  readonly multiple: number;
  /** Values of the scaled parameters, as text. */
  readonly sizes: Readonly<Record<string, string>>;
  readonly net: number;
  /** Net profit for each unit of size: net ÷ multiple. */
  readonly perSize: number;
  /** Largest value of all open positions. */
  readonly largest: number;
  readonly turnover: number;
  /** Prices of the decisions against those of the fills, impact included: below 0 it cost money. */
  readonly slippage: number;
  readonly trades: number;
  /** Orders that the venue rejected, or a risk rule refused. */
  readonly refused: number;
}

export interface CapacityResult {
  readonly kind: 'capacity';
  readonly strategy: string;
  /** Words on the impact that was charged. */
  readonly impact: string;
  readonly rows: readonly CapacityRow[];
  /** Multiple at which profit per size has halved, between two runs; null if it never does, or there is no profit to begin with. */
  readonly halvesAt: number | null;
  /** Multiple of the run with the largest profit; null if no run made one. */
  readonly peaksAt: number | null;
  /** True if the largest size is the best: the peak lies beyond. */
  readonly isOpen: boolean;
  readonly sentence: string;
}
