/**
 * The cost of a request to each endpoint: its rate bucket and weight. In its own file, so that a backtest need not load the endpoint
 * declarations.
 */

/** The rate buckets. Their limits are configuration, because the interface shows none (assumption A05). */
export const BUCKETS = ['public', 'account', 'order', 'listing', 'position', 'margin', 'spot-order', 'withdrawal'] as const;
export type Bucket = (typeof BUCKETS)[number];

export interface Cost {
  readonly bucket: Bucket;
  readonly weight: number;
}

/** Costs by endpoint name. */
export const COSTS = {
  placeSpotOrders: { bucket: 'spot-order', weight: 1 },
  cancelSpotOrders: { bucket: 'spot-order', weight: 1 },
  spotSymbols: { bucket: 'public', weight: 1 },
  coins: { bucket: 'public', weight: 1 },
  withdrawals: { bucket: 'withdrawal', weight: 1 },
  tickers: { bucket: 'public', weight: 1 },
  bookTickers: { bucket: 'public', weight: 1 },
  trades: { bucket: 'public', weight: 1 },
  account: { bucket: 'account', weight: 1 },
  setMarginMode: { bucket: 'margin', weight: 1 },
  setMargin: { bucket: 'margin', weight: 1 },
  placeOrder: { bucket: 'order', weight: 1 },
  placePlanOrder: { bucket: 'order', weight: 1 },
  modifyOrder: { bucket: 'order', weight: 1 },
  cancelOrders: { bucket: 'order', weight: 1 },
  cancelPlanOrders: { bucket: 'order', weight: 1 },
  orderHistory: { bucket: 'listing', weight: 1 },
  pendingOrders: { bucket: 'listing', weight: 1 },
  positions: { bucket: 'position', weight: 1 },
  symbolPositions: { bucket: 'position', weight: 1 },
} as const satisfies Readonly<Record<string, Cost>>;
