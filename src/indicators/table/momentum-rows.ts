/** Momentum of single numbers. size: one row after the other, nothing to divide. */
import { indicator } from '../core/define-indicator.ts';
import { choice, integer } from '../core/params.ts';
import { AVERAGES } from '../kernels/averages/average-of.ts';
import {
  Apo,
  Coppock,
  Dpo,
  Er,
  Kst,
  Macd,
  Macdext,
  Macdfix,
  Mom,
  Ppo,
  Roc,
  Rocp,
  Rocr,
  Rocr100,
  Trix,
} from '../kernels/momentum/momentum.ts';
import { Fosc } from '../kernels/math/regression.ts';
import { Stochrsi } from '../kernels/momentum/stochastic.ts';
import { Cmo, Cmou, Rsi, Tsi } from '../kernels/momentum/strength.ts';

export const rsi = indicator({
  name: 'rsi',
  title: 'Relative strength index',
  family: 'momentum',
  input: 'value',
  params: [integer('period', 14, 2)],
  outputs: ['value'],
  formula: '100 · gain ÷ (gain + loss), Wilder averages of rises and falls',
  source: 'TA-Lib RSI',
  talib: 'RSI',
  kernel: Rsi,
});

export const cmo = indicator({
  name: 'cmo',
  title: 'Chande momentum oscillator',
  family: 'momentum',
  input: 'value',
  params: [integer('period', 14, 2)],
  outputs: ['value'],
  formula: '100 · (gain − loss) ÷ (gain + loss), Wilder averages of rises and falls',
  source: 'TA-Lib CMO',
  talib: 'CMO',
  kernel: Cmo,
});

export const cmou = indicator({
  name: 'cmou',
  title: 'Chande momentum oscillator, unsmoothed',
  family: 'momentum',
  input: 'value',
  params: [integer('period', 14, 2)],
  outputs: ['value'],
  formula: '100 · (Σ rises − Σ falls) ÷ (Σ rises + Σ falls)',
  source: 'TA-Lib CMOU',
  talib: 'CMOU',
  kernel: Cmou,
});

export const mom = indicator({
  name: 'mom',
  title: 'Momentum',
  family: 'momentum',
  input: 'value',
  params: [integer('period', 10, 1)],
  outputs: ['value'],
  unit: 'price',
  formula: 'x − x[period]',
  source: 'TA-Lib MOM',
  talib: 'MOM',
  kernel: Mom,
});

export const roc = indicator({
  name: 'roc',
  title: 'Rate of change',
  family: 'momentum',
  input: 'value',
  params: [integer('period', 10, 1)],
  outputs: ['value'],
  formula: '100 · (x ÷ x[period] − 1)',
  source: 'TA-Lib ROC',
  talib: 'ROC',
  kernel: Roc,
});

export const rocp = indicator({
  name: 'rocp',
  title: 'Rate of change as a share',
  family: 'momentum',
  input: 'value',
  params: [integer('period', 10, 1)],
  outputs: ['value'],
  formula: '(x − x[period]) ÷ x[period]',
  source: 'TA-Lib ROCP',
  talib: 'ROCP',
  kernel: Rocp,
});

export const rocr = indicator({
  name: 'rocr',
  title: 'Rate of change as a ratio',
  family: 'momentum',
  input: 'value',
  params: [integer('period', 10, 1)],
  outputs: ['value'],
  formula: 'x ÷ x[period]',
  source: 'TA-Lib ROCR',
  talib: 'ROCR',
  kernel: Rocr,
});

export const rocr100 = indicator({
  name: 'rocr100',
  title: 'Rate of change as a ratio of 100',
  family: 'momentum',
  input: 'value',
  params: [integer('period', 10, 1)],
  outputs: ['value'],
  formula: '100 · x ÷ x[period]',
  source: 'TA-Lib ROCR100',
  talib: 'ROCR100',
  kernel: Rocr100,
});

export const macd = indicator({
  name: 'macd',
  title: 'Moving average convergence divergence',
  family: 'momentum',
  input: 'value',
  params: [integer('fast', 12, 2), integer('slow', 26, 2), integer('signal', 9, 1)],
  outputs: ['macd', 'signal', 'histogram'],
  unit: 'price',
  formula: 'macd = ema(fast) − ema(slow); signal = ema(macd); histogram = macd − signal. Both averages begin together',
  source: 'TA-Lib MACD',
  talib: 'MACD',
  kernel: Macd,
});

export const macdext = indicator({
  name: 'macdext',
  title: 'MACD with chosen averages',
  family: 'momentum',
  input: 'value',
  params: [
    integer('fast', 12, 2),
    choice('fastAverage', 'sma', AVERAGES),
    integer('slow', 26, 2),
    choice('slowAverage', 'sma', AVERAGES),
    integer('signal', 9, 1),
    choice('signalAverage', 'sma', AVERAGES),
  ],
  outputs: ['macd', 'signal', 'histogram'],
  unit: 'price',
  formula: 'as macd, each average of the kind that is named',
  source: 'TA-Lib MACDEXT',
  talib: 'MACDEXT',
  kernel: Macdext,
});

export const macdfix = indicator({
  name: 'macdfix',
  title: 'MACD 12/26 with fixed factors',
  family: 'momentum',
  input: 'value',
  params: [integer('signal', 9, 1)],
  outputs: ['macd', 'signal', 'histogram'],
  unit: 'price',
  formula: 'as macd, with the factors 0.15 and 0.075',
  source: 'TA-Lib MACDFIX',
  talib: 'MACDFIX',
  kernel: Macdfix,
});

export const apo = indicator({
  name: 'apo',
  title: 'Absolute price oscillator',
  family: 'momentum',
  input: 'value',
  params: [integer('fast', 12, 2), integer('slow', 26, 2), choice('average', 'ema', AVERAGES)],
  outputs: ['value'],
  unit: 'price',
  formula: 'fast average − slow average',
  source: 'TA-Lib APO',
  talib: 'APO',
  kernel: Apo,
});

export const ppo = indicator({
  name: 'ppo',
  title: 'Percentage price oscillator',
  family: 'momentum',
  input: 'value',
  params: [integer('fast', 12, 2), integer('slow', 26, 2), choice('average', 'ema', AVERAGES)],
  outputs: ['value'],
  formula: '100 · (fast average − slow average) ÷ slow average',
  source: 'TA-Lib PPO',
  talib: 'PPO',
  kernel: Ppo,
});

export const trix = indicator({
  name: 'trix',
  title: 'Rate of change of a triple exponential average',
  family: 'momentum',
  input: 'value',
  params: [integer('period', 30, 1)],
  outputs: ['value'],
  formula: '100 · (e3 ÷ e3[1] − 1)',
  source: 'TA-Lib TRIX',
  talib: 'TRIX',
  kernel: Trix,
});

export const coppock = indicator({
  name: 'coppock',
  title: 'Coppock curve',
  family: 'momentum',
  input: 'value',
  params: [integer('average', 10, 1), integer('first', 11, 1), integer('second', 14, 1)],
  outputs: ['value'],
  formula: 'wma(roc(first) + roc(second))',
  source: 'TA-Lib COPPOCK',
  talib: 'COPPOCK',
  kernel: Coppock,
});

export const kst = indicator({
  name: 'kst',
  title: 'Know sure thing',
  family: 'momentum',
  input: 'value',
  params: [
    integer('first', 10, 1),
    integer('second', 15, 1),
    integer('third', 20, 1),
    integer('fourth', 30, 1),
    integer('average1', 10, 1),
    integer('average2', 10, 1),
    integer('average3', 10, 1),
    integer('average4', 15, 1),
    integer('signal', 9, 1),
  ],
  outputs: ['kst', 'signal'],
  formula: 'kst = Σ k · sma(roc) over the four rates of change, k = 1 … 4; signal = sma of kst',
  source: 'Pring, "Technical Analysis Explained" (1991): the daily weights and periods',
  kernel: Kst,
});

export const dpo = indicator({
  name: 'dpo',
  title: 'Detrended price oscillator',
  family: 'momentum',
  input: 'value',
  params: [integer('period', 20, 2)],
  outputs: ['value'],
  unit: 'price',
  formula: 'x[period ÷ 2 + 1] − sma(x)',
  source: 'TA-Lib DPO',
  talib: 'DPO',
  kernel: Dpo,
});

export const er = indicator({
  name: 'er',
  title: 'Kaufman efficiency ratio',
  family: 'momentum',
  input: 'value',
  params: [integer('period', 10, 2)],
  outputs: ['value'],
  formula: '|x − x[period]| ÷ Σ |changes|',
  source: 'TA-Lib ER',
  talib: 'ER',
  kernel: Er,
});

export const tsi = indicator({
  name: 'tsi',
  title: 'True strength index',
  family: 'momentum',
  input: 'value',
  params: [integer('first', 25, 1), integer('second', 13, 1)],
  outputs: ['value'],
  formula: '100 · ema(ema(change)) ÷ ema(ema(|change|))',
  source: 'TA-Lib TSI',
  talib: 'TSI',
  kernel: Tsi,
});

export const fosc = indicator({
  name: 'fosc',
  title: 'Forecast oscillator',
  family: 'momentum',
  input: 'value',
  params: [integer('period', 5, 2)],
  outputs: ['value'],
  formula: '100 · (x − forecast of the step before) ÷ x',
  source: 'TA-Lib FOSC',
  talib: 'FOSC',
  kernel: Fosc,
});

export const stochrsi = indicator({
  name: 'stochrsi',
  title: 'Stochastic RSI',
  family: 'momentum',
  input: 'value',
  params: [integer('period', 14, 2), integer('fastK', 5, 1), integer('fastD', 3, 1), choice('average', 'sma', AVERAGES)],
  outputs: ['k', 'd'],
  formula: 'k = place of the RSI between its extremes, 0 to 100; d = average of k',
  source: 'TA-Lib STOCHRSI',
  talib: 'STOCHRSI',
  kernel: Stochrsi,
});
