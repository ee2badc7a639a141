/** Time series. */
import { indicator } from '../core/define-indicator.ts';
import { decimal, integer } from '../core/params.ts';
import {
  Adf,
  Autocorrelation,
  Cointegration,
  HalfLife,
  Hurst,
  Kalman,
  KalmanBeta,
  Kurtosis,
  Skewness,
  Zscore,
} from '../kernels/math/series.ts';

export const zscore = indicator({
  name: 'zscore',
  title: 'Z-score',
  family: 'statistics',
  input: 'value',
  params: [integer('period', 20, 2)],
  outputs: ['value'],
  formula: '(x − mean) ÷ population standard deviation',
  source: 'textbook',
  kernel: Zscore,
});

export const skewness = indicator({
  name: 'skewness',
  title: 'Skewness',
  family: 'statistics',
  input: 'value',
  params: [integer('period', 30, 3)],
  outputs: ['value'],
  formula: 'mean of (x − mean)³ ÷ variance^1.5; costs one pass over the window',
  source: 'textbook',
  kernel: Skewness,
});

export const kurtosis = indicator({
  name: 'kurtosis',
  title: 'Kurtosis',
  family: 'statistics',
  input: 'value',
  params: [integer('period', 30, 3)],
  outputs: ['value'],
  formula: 'mean of (x − mean)⁴ ÷ variance²; costs one pass over the window',
  source: 'textbook',
  kernel: Kurtosis,
});

export const autocorrelation = indicator({
  name: 'autocorrelation',
  title: 'Autocorrelation',
  family: 'statistics',
  input: 'value',
  params: [integer('period', 50, 2), integer('lag', 1, 1)],
  outputs: ['value'],
  formula: 'correlation of x with x[lag]',
  source: 'textbook',
  kernel: Autocorrelation,
});

export const hurst = indicator({
  name: 'hurst',
  title: 'Hurst exponent',
  family: 'statistics',
  input: 'value',
  params: [integer('period', 100, 10)],
  outputs: ['value'],
  formula: 'slope of log2 of the standard deviation of changes over log2 of the lag, lags 1, 2, 4, 8, 16',
  source: 'structure function method',
  kernel: Hurst,
});

export const adf = indicator({
  name: 'adf',
  title: 'Dickey-Fuller statistic',
  family: 'statistics',
  input: 'value',
  params: [integer('period', 100, 4)],
  outputs: ['value'],
  formula: 't of b in x − x[1] = a + b · x[1]',
  source: 'Dickey and Fuller 1979',
  kernel: Adf,
});

export const halfLife = indicator({
  name: 'halfLife',
  title: 'Half-life of mean reversion',
  family: 'statistics',
  input: 'value',
  params: [integer('period', 100, 4)],
  outputs: ['value'],
  unit: 'raw',
  formula: '−ln 2 ÷ ln(1 + b), b as in adf; Infinity when b is not negative, 0 when it is below −1',
  source: 'Ornstein-Uhlenbeck',
  kernel: HalfLife,
});

export const kalman = indicator({
  name: 'kalman',
  title: 'Kalman filter of a level',
  family: 'statistics',
  input: 'value',
  params: [decimal('drift', 0.01, 0, 1000000000.0), decimal('noise', 1, 1e-12, 1000000000.0)],
  outputs: ['value'],
  unit: 'price',
  formula: 'value + gain · (x − value), gain = p ÷ (p + noise), p grows by drift each step',
  source: 'Kalman 1960',
  kernel: Kalman,
});

export const kalmanBeta = indicator({
  name: 'kalmanBeta',
  title: 'Kalman filter of a line',
  family: 'statistics',
  input: 'pair',
  params: [decimal('drift', 0.0001, 0, 1000000000.0), decimal('noise', 1, 1e-12, 1000000000.0)],
  outputs: ['beta', 'alpha', 'error'],
  unit: 'raw',
  formula: 'y = alpha + beta · x, both coefficients a random walk of variance drift',
  source: 'Kalman 1960',
  kernel: KalmanBeta,
});

export const cointegration = indicator({
  name: 'cointegration',
  title: 'Cointegration',
  family: 'statistics',
  input: 'pair',
  params: [integer('period', 60, 5)],
  outputs: ['beta', 'alpha', 'zscore', 'adf'],
  unit: 'raw',
  formula:
    'least squares y = alpha + beta · x over the window; z-score of the newest rest; Dickey-Fuller t of the rests; costs one pass over the window',
  source: 'Engle and Granger 1987',
  kernel: Cointegration,
});
