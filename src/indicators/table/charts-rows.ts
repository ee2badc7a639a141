/** Indicators of charting programs. */
import { indicator } from '../core/define-indicator.ts';
import { choice, decimal, integer } from '../core/params.ts';
import { Alma, ConnorsRsi, Fisher, Ichimoku, Squeeze, TtmTrend } from '../kernels/momentum/charts.ts';
import { Pivots, VolumeProfile } from '../kernels/math/levels.ts';

export const alma = indicator({
  name: 'alma',
  title: 'Arnaud Legoux moving average',
  family: 'averages',
  input: 'value',
  params: [integer('period', 9, 1), decimal('offset', 0.85, 0, 1), decimal('sigma', 6, 0.01, 1000)],
  outputs: ['value'],
  unit: 'price',
  formula: 'Gaussian weights with their middle at offset of the window; costs one pass over the window',
  source: 'Legoux and Kouzis-Loukas 2009',
  kernel: Alma,
});

export const ichimoku = indicator({
  name: 'ichimoku',
  title: 'Ichimoku cloud',
  family: 'trend',
  input: 'bar',
  params: [integer('conversion', 9, 1), integer('base', 26, 1), integer('span', 52, 1), integer('shift', 26, 0)],
  outputs: ['conversion', 'base', 'spanA', 'spanB'],
  unit: 'price',
  formula:
    'middles of the ranges of three lengths; spanA = (conversion + base) ÷ 2 and spanB = middle of the longest, both of shift bars ago',
  source: 'Goichi Hosoda',
  kernel: Ichimoku,
});

export const squeeze = indicator({
  name: 'squeeze',
  title: 'Squeeze',
  family: 'volatility',
  input: 'bar',
  params: [integer('period', 20, 2), decimal('bands', 2, 0, 100), decimal('channel', 1.5, 0, 100)],
  outputs: ['momentum', 'on'],
  unit: ['price', 'ratio'],
  formula:
    'momentum = end of the regression line of close − (range middle + sma) ÷ 2; on = 1 while bands · deviation < channel · mean true range',
  source: 'John Carter; LazyBear',
  kernel: Squeeze,
});

export const ttmTrend = indicator({
  name: 'ttmTrend',
  title: 'TTM trend',
  family: 'trend',
  input: 'bar',
  params: [integer('period', 6, 1)],
  outputs: ['value'],
  formula: '1 when the close is above the mean of (high + low) ÷ 2 of the period bars before, else −1',
  source: 'John Carter',
  kernel: TtmTrend,
});

export const fisher = indicator({
  name: 'fisher',
  title: 'Fisher transform',
  family: 'momentum',
  input: 'bar',
  params: [integer('period', 10, 2)],
  outputs: ['fisher', 'signal'],
  formula: '½ · ln((1 + p) ÷ (1 − p)) + ½ · value, p = 0.66 · (place − ½) + 0.67 · p; signal = the value before',
  source: 'John Ehlers 2002',
  kernel: Fisher,
});

export const connorsRsi = indicator({
  name: 'connorsRsi',
  title: 'Connors RSI',
  family: 'momentum',
  input: 'value',
  params: [integer('period', 3, 2), integer('streak', 2, 2), integer('rank', 100, 1)],
  outputs: ['value'],
  formula: '(rsi(x) + rsi(length of the run) + percent rank of the change) ÷ 3',
  source: 'Connors and Alvarez',
  kernel: ConnorsRsi,
});

export const pivots = indicator({
  name: 'pivots',
  title: 'Pivot points',
  family: 'price',
  input: 'timedBar',
  params: [choice('kind', 'classic', ['classic', 'fibonacci', 'camarilla', 'woodie']), integer('sessionMs', 86400000, 1000, 1e10)],
  outputs: ['pivot', 'r1', 'r2', 'r3', 's1', 's2', 's3'],
  unit: 'price',
  formula: 'levels from high, low and close of the session before',
  source: 'floor traders',
  kernel: Pivots,
});

export const volumeProfile = indicator({
  name: 'volumeProfile',
  title: 'Volume profile',
  family: 'volume',
  input: 'volumeBar',
  params: [integer('period', 100, 2), integer('bins', 24, 2, 10000)],
  outputs: ['poc', 'high', 'low'],
  unit: 'price',
  formula:
    'volume by typical price in bins; poc = middle of the fullest; high and low = the range around it with 70 %; costs one pass over the window',
  source: 'Peter Steidlmayer',
  kernel: VolumeProfile,
});
