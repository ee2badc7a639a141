/** Impact models: how much worse than the displayed price an order that takes is filled. To add one, add a row to the table. */
export interface ImpactModel {
  /**
   * Ticks that a fill is worse than `price` (ticks): whole, at least 0. `value` (10^-8 of the quote coin) is what its order has filled so
   * far, this fill included.
   */
  ticks(value: number, price: number): number;
}

export interface ImpactTerms {
  /** Y, about 1. */
  readonly coefficient: number;
  /** σ: the standard deviation of a day's return, a share. */
  readonly volatility: number;
  /** V: what the market trades in a day, 10^-8 of the quote coin. */
  readonly turnover: number;
}

interface Row {
  readonly doc: string;
  /** null for no impact, which costs nothing. */
  readonly make: (terms: ImpactTerms) => ImpactModel | null;
}

export const IMPACT_MODELS = {
  none: { doc: 'orders move no price', make: () => null },
  /**
   * ticks = ceil(price · Y · σ · √(Q / V)): the square-root law with σ and V of a day. Tóth et al., "Anomalous price impact and the critical
   * nature of liquidity in financial markets" (2011), eq. 1; Almgren, Thum, Hauptmann & Li, "Direct estimation of equity market impact"
   * (2005) find an exponent of 0.6. It holds for a whole parent order: Q is what the order has filled so far. An order that a strategy splits
   * into several counts as several, which understates it.
   */
  'square-root': {
    doc: 'price · coefficient · volatility · √(value of the order so far / turnover), rounded up to a tick',
    make: ({ coefficient, volatility, turnover }) => ({
      ticks: (value, price) => Math.ceil(price * coefficient * volatility * Math.sqrt(value / turnover)),
    }),
  },
} as const satisfies Readonly<Record<string, Row>>;

export type ImpactModelName = keyof typeof IMPACT_MODELS;
