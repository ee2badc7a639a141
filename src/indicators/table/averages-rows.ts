/** Moving averages. */
import { indicator } from '../core/define-indicator.ts';
import { choice, decimal, integer } from '../core/params.ts';
import { Kama, Mama } from '../kernels/averages/adaptive.ts';
import { AVERAGES, Ma } from '../kernels/averages/average-of.ts';
import { Dema, Ema, Hma, Rma, Sma, T3, Tema, Trima, Vwma, Wma, Zlema } from '../kernels/averages/averages.ts';
import { Midprice } from '../kernels/math/price.ts';
import { Line, Tsf } from '../kernels/math/regression.ts';
import { Mavp, Midpoint } from '../kernels/volatility/statistics.ts';

export const sma = indicator({
  name: 'sma',
  title: 'Simple moving average',
  family: 'averages',
  input: 'value',
  params: [integer('period', 30, 1)],
  outputs: ['value'],
  unit: 'price',
  formula: 'sum of the last period values ÷ period',
  source: 'TA-Lib SMA',
  talib: 'SMA',
  kernel: Sma,
});

export const ema = indicator({
  name: 'ema',
  title: 'Exponential moving average',
  family: 'averages',
  input: 'value',
  params: [integer('period', 30, 1)],
  outputs: ['value'],
  unit: 'price',
  formula: 'value + 2 ÷ (period + 1) · (x − value), seeded by the mean of the first period values',
  source: 'TA-Lib EMA',
  talib: 'EMA',
  kernel: Ema,
});

export const rma = indicator({
  name: 'rma',
  title: "Wilder's moving average",
  family: 'averages',
  input: 'value',
  params: [integer('period', 30, 1)],
  outputs: ['value'],
  unit: 'price',
  formula: '(value · (period − 1) + x) ÷ period, seeded by the mean of the first period values',
  source: 'TA-Lib RMA',
  talib: 'RMA',
  kernel: Rma,
});

export const wma = indicator({
  name: 'wma',
  title: 'Weighted moving average',
  family: 'averages',
  input: 'value',
  params: [integer('period', 30, 1)],
  outputs: ['value'],
  unit: 'price',
  formula: 'Σ (period − k) · x[k] ÷ (period · (period + 1) ÷ 2), k steps back from 0',
  source: 'TA-Lib WMA',
  talib: 'WMA',
  kernel: Wma,
});

export const dema = indicator({
  name: 'dema',
  title: 'Double exponential moving average',
  family: 'averages',
  input: 'value',
  params: [integer('period', 30, 1)],
  outputs: ['value'],
  unit: 'price',
  formula: '2 · ema(x) − ema(ema(x))',
  source: 'TA-Lib DEMA',
  talib: 'DEMA',
  kernel: Dema,
});

export const tema = indicator({
  name: 'tema',
  title: 'Triple exponential moving average',
  family: 'averages',
  input: 'value',
  params: [integer('period', 30, 1)],
  outputs: ['value'],
  unit: 'price',
  formula: '3 · ema(x) − 3 · ema(ema(x)) + ema(ema(ema(x)))',
  source: 'TA-Lib TEMA',
  talib: 'TEMA',
  kernel: Tema,
});

export const trima = indicator({
  name: 'trima',
  title: 'Triangular moving average',
  family: 'averages',
  input: 'value',
  params: [integer('period', 30, 1)],
  outputs: ['value'],
  unit: 'price',
  formula: 'sma of sma, of half the period each',
  source: 'TA-Lib TRIMA',
  talib: 'TRIMA',
  kernel: Trima,
});

export const t3 = indicator({
  name: 't3',
  title: 'Tillson T3',
  family: 'averages',
  input: 'value',
  params: [integer('period', 5, 1), decimal('factor', 0.7, 0, 1)],
  outputs: ['value'],
  unit: 'price',
  formula: 'c1 · e6 + c2 · e5 + c3 · e4 + c4 · e3 with six exponential averages of each other and factors of v',
  source: 'TA-Lib T3',
  talib: 'T3',
  kernel: T3,
});

export const kama = indicator({
  name: 'kama',
  title: 'Kaufman adaptive moving average',
  family: 'averages',
  input: 'value',
  params: [integer('period', 30, 2)],
  outputs: ['value'],
  unit: 'price',
  formula: 'value + s² · (x − value), s = ratio · (2/3 − 2/31) + 2/31, ratio = |x − x[period]| ÷ Σ |changes|',
  source: 'TA-Lib KAMA',
  talib: 'KAMA',
  kernel: Kama,
});

export const hma = indicator({
  name: 'hma',
  title: 'Hull moving average',
  family: 'averages',
  input: 'value',
  params: [integer('period', 20, 1)],
  outputs: ['value'],
  unit: 'price',
  formula: 'wma(2 · wma(x, period ÷ 2) − wma(x, period), √period)',
  source: 'TA-Lib HMA',
  talib: 'HMA',
  kernel: Hma,
});

export const zlema = indicator({
  name: 'zlema',
  title: 'Zero lag exponential moving average',
  family: 'averages',
  input: 'value',
  params: [integer('period', 30, 1)],
  outputs: ['value'],
  unit: 'price',
  formula: 'ema(2 · x − x[(period − 1) ÷ 2])',
  source: 'TA-Lib ZLEMA',
  talib: 'ZLEMA',
  kernel: Zlema,
});

export const vwma = indicator({
  name: 'vwma',
  title: 'Volume weighted moving average',
  family: 'averages',
  input: 'volumeBar',
  params: [integer('period', 30, 1)],
  outputs: ['value'],
  unit: 'price',
  formula: 'Σ close · volume ÷ Σ volume',
  source: 'TA-Lib VWMA',
  talib: 'VWMA',
  kernel: Vwma,
});

export const ma = indicator({
  name: 'ma',
  title: 'Moving average of a chosen kind',
  family: 'averages',
  input: 'value',
  params: [integer('period', 30, 1), choice('average', 'sma', AVERAGES)],
  outputs: ['value'],
  unit: 'price',
  formula: 'the average that is named, over period values',
  source: 'TA-Lib MA',
  talib: 'MA',
  kernel: Ma,
});

export const mavp = indicator({
  name: 'mavp',
  title: 'Moving average of variable period',
  family: 'averages',
  input: 'pair',
  params: [integer('min', 2, 2), integer('max', 30, 2), choice('average', 'sma', AVERAGES)],
  outputs: ['value'],
  unit: 'raw',
  formula: 'the average whose period is the second number of the pair, kept within min and max; cost grows with max − min',
  source: 'TA-Lib MAVP',
  talib: 'MAVP',
  kernel: Mavp,
});

export const mama = indicator({
  name: 'mama',
  title: 'MESA adaptive moving average',
  family: 'averages',
  input: 'value',
  params: [decimal('fastLimit', 0.5, 0.01, 0.99), decimal('slowLimit', 0.05, 0.01, 0.99)],
  outputs: ['mama', 'fama'],
  unit: 'price',
  formula: 'alpha · x + (1 − alpha) · mama, alpha = fast ÷ turn of the Hilbert phase, at least slow; fama follows with half the alpha',
  source: 'TA-Lib MAMA',
  talib: 'MAMA',
  kernel: Mama,
});

export const midpoint = indicator({
  name: 'midpoint',
  title: 'Midpoint of values',
  family: 'averages',
  input: 'value',
  params: [integer('period', 14, 2)],
  outputs: ['value'],
  unit: 'price',
  formula: '(highest + lowest) ÷ 2 of the last period values',
  source: 'TA-Lib MIDPOINT',
  talib: 'MIDPOINT',
  kernel: Midpoint,
});

export const midprice = indicator({
  name: 'midprice',
  title: 'Midpoint of bars',
  family: 'averages',
  input: 'bar',
  params: [integer('period', 14, 2)],
  outputs: ['value'],
  unit: 'price',
  formula: '(highest high + lowest low) ÷ 2 of the last period bars',
  source: 'TA-Lib MIDPRICE',
  talib: 'MIDPRICE',
  kernel: Midprice,
});

export const linearreg = indicator({
  name: 'linearreg',
  title: 'Linear regression',
  family: 'averages',
  input: 'value',
  params: [integer('period', 14, 2)],
  outputs: ['value'],
  unit: 'price',
  formula: 'end of the least squares line through the last period values',
  source: 'TA-Lib LINEARREG',
  talib: 'LINEARREG',
  kernel: Line,
});

export const tsf = indicator({
  name: 'tsf',
  title: 'Time series forecast',
  family: 'averages',
  input: 'value',
  params: [integer('period', 14, 2)],
  outputs: ['value'],
  unit: 'price',
  formula: 'the least squares line, one step further',
  source: 'TA-Lib TSF',
  talib: 'TSF',
  kernel: Tsf,
});
