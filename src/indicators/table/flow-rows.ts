/** Order flow: quotes and trades. */
import { indicator } from '../core/define-indicator.ts';
import { decimal, integer } from '../core/params.ts';
import {
  Amihud,
  BookImbalance,
  Cvd,
  Microprice,
  OrderFlowImbalance,
  QuotedSpread,
  RollSpread,
  TradeImbalance,
  Vpin,
} from '../kernels/volume/flow.ts';

export const microprice = indicator({
  name: 'microprice',
  title: 'Microprice',
  family: 'order flow',
  input: 'quote',
  params: [],
  outputs: ['value'],
  unit: 'price',
  formula: '(bid · askSize + ask · bidSize) ÷ (bidSize + askSize)',
  source: 'Gatheral and Oomen 2010',
  kernel: Microprice,
});

export const bookImbalance = indicator({
  name: 'bookImbalance',
  title: 'Imbalance of the best sizes',
  family: 'order flow',
  input: 'quote',
  params: [],
  outputs: ['value'],
  formula: '(bidSize − askSize) ÷ (bidSize + askSize)',
  source: 'common use',
  kernel: BookImbalance,
});

export const quotedSpread = indicator({
  name: 'quotedSpread',
  title: 'Relative spread',
  family: 'order flow',
  input: 'quote',
  params: [],
  outputs: ['value'],
  formula: '2 · (ask − bid) ÷ (ask + bid)',
  source: 'common use',
  kernel: QuotedSpread,
});

export const orderFlowImbalance = indicator({
  name: 'orderFlowImbalance',
  title: 'Order flow imbalance',
  family: 'order flow',
  input: 'quote',
  params: [integer('period', 50, 1)],
  outputs: ['value'],
  unit: 'size',
  formula: 'Σ of what came to the bid and left the ask, less what left the bid and came to the ask',
  source: 'Cont, Kukanov and Stoikov 2014',
  kernel: OrderFlowImbalance,
});

export const tradeImbalance = indicator({
  name: 'tradeImbalance',
  title: 'Trade imbalance',
  family: 'order flow',
  input: 'trade',
  params: [integer('period', 50, 1)],
  outputs: ['value'],
  formula: '(Σ bought − Σ sold) ÷ Σ size',
  source: 'common use',
  kernel: TradeImbalance,
});

export const cvd = indicator({
  name: 'cvd',
  title: 'Cumulative volume delta',
  family: 'order flow',
  input: 'trade',
  params: [],
  outputs: ['value'],
  unit: 'size',
  formula: 'Σ bought − Σ sold, since the first trade',
  source: 'common use',
  kernel: Cvd,
});

export const vpin = indicator({
  name: 'vpin',
  title: 'Volume synchronised imbalance',
  family: 'order flow',
  input: 'trade',
  params: [decimal('bucket', 1000, 1e-12, 1000000000000000.0), integer('count', 50, 1)],
  outputs: ['value'],
  unit: 'raw',
  formula: 'mean of |bought − sold| ÷ bucket over the last count buckets of equal volume',
  source: 'Easley, López de Prado and O’Hara 2012',
  kernel: Vpin,
});

export const rollSpread = indicator({
  name: 'rollSpread',
  title: 'Roll spread',
  family: 'order flow',
  input: 'value',
  params: [integer('period', 50, 2)],
  outputs: ['value'],
  unit: 'price',
  formula: '2 · √(−covariance of neighbouring changes), 0 when it is positive',
  source: 'Roll 1984',
  kernel: RollSpread,
});

export const amihud = indicator({
  name: 'amihud',
  title: 'Amihud illiquidity',
  family: 'order flow',
  input: 'volumeBar',
  params: [integer('period', 20, 1)],
  outputs: ['value'],
  unit: 'per turnover',
  formula: 'mean of |return| ÷ (close · volume)',
  source: 'Amihud 2002',
  kernel: Amihud,
});
