/** Statistics over a window. */
import { indicator } from '../core/define-indicator.ts';
import { decimal, integer } from '../core/params.ts';
import { LinearregAngle, LinearregIntercept, LinearregSlope } from '../kernels/math/regression.ts';
import { Avgdev, Beta, Correl, Percentile, Percentrank, Stddev, Variance } from '../kernels/volatility/statistics.ts';

export const stddev = indicator({
  name: 'stddev',
  title: 'Standard deviation',
  family: 'statistics',
  input: 'value',
  params: [integer('period', 5, 2), decimal('deviations', 1, -1000000.0, 1000000.0)],
  outputs: ['value'],
  unit: 'price',
  formula: 'deviations · √variance',
  source: 'TA-Lib STDDEV',
  talib: 'STDDEV',
  kernel: Stddev,
});

export const variance = indicator({
  name: 'variance',
  title: 'Variance',
  family: 'statistics',
  input: 'value',
  params: [integer('period', 5, 1), decimal('deviations', 1, -1000000.0, 1000000.0)],
  outputs: ['value'],
  unit: 'price²',
  formula: 'mean squared distance from the mean (population)',
  source: 'TA-Lib VAR',
  talib: 'VAR',
  kernel: Variance,
});

export const avgdev = indicator({
  name: 'avgdev',
  title: 'Mean deviation',
  family: 'statistics',
  input: 'value',
  params: [integer('period', 14, 2)],
  outputs: ['value'],
  unit: 'price',
  formula: 'mean distance from the mean; costs one pass over the window',
  source: 'TA-Lib AVGDEV',
  talib: 'AVGDEV',
  kernel: Avgdev,
});

export const beta = indicator({
  name: 'beta',
  title: 'Beta',
  family: 'statistics',
  input: 'pair',
  params: [integer('period', 5, 1)],
  outputs: ['value'],
  unit: 'raw',
  formula: 'covariance of returns ÷ variance of the returns of the first',
  source: 'TA-Lib BETA',
  talib: 'BETA',
  kernel: Beta,
});

export const correl = indicator({
  name: 'correl',
  title: 'Correlation',
  family: 'statistics',
  input: 'pair',
  params: [integer('period', 30, 1)],
  outputs: ['value'],
  unit: 'raw',
  formula: 'covariance ÷ √(variance · variance)',
  source: 'TA-Lib CORREL',
  talib: 'CORREL',
  kernel: Correl,
});

export const linearregSlope = indicator({
  name: 'linearregSlope',
  title: 'Slope of the regression line',
  family: 'statistics',
  input: 'value',
  params: [integer('period', 14, 2)],
  outputs: ['value'],
  unit: 'price',
  formula: 'Σ (i − mean) · x ÷ Σ (i − mean)²',
  source: 'TA-Lib LINEARREG_SLOPE',
  talib: 'LINEARREG_SLOPE',
  kernel: LinearregSlope,
});

export const linearregAngle = indicator({
  name: 'linearregAngle',
  title: 'Angle of the regression line',
  family: 'statistics',
  input: 'value',
  params: [integer('period', 14, 2)],
  outputs: ['value'],
  unit: 'raw',
  formula: 'arc tangent of the slope, in degrees',
  source: 'TA-Lib LINEARREG_ANGLE',
  talib: 'LINEARREG_ANGLE',
  kernel: LinearregAngle,
});

export const linearregIntercept = indicator({
  name: 'linearregIntercept',
  title: 'Start of the regression line',
  family: 'statistics',
  input: 'value',
  params: [integer('period', 14, 2)],
  outputs: ['value'],
  unit: 'price',
  formula: 'mean − slope · (period − 1) ÷ 2',
  source: 'TA-Lib LINEARREG_INTERCEPT',
  talib: 'LINEARREG_INTERCEPT',
  kernel: LinearregIntercept,
});

export const percentile = indicator({
  name: 'percentile',
  title: 'Percentile',
  family: 'statistics',
  input: 'value',
  params: [integer('period', 30, 1), decimal('percent', 50, 0, 100)],
  outputs: ['value'],
  unit: 'price',
  formula: 'the smallest value with at least so many percent at or below it',
  source: 'TA-Lib PERCENTILE',
  talib: 'PERCENTILE',
  kernel: Percentile,
});

export const percentrank = indicator({
  name: 'percentrank',
  title: 'Percent rank',
  family: 'statistics',
  input: 'value',
  params: [integer('period', 100, 1)],
  outputs: ['value'],
  formula: '100 · share of the period values before that are below x',
  source: 'TA-Lib PERCENTRANK',
  talib: 'PERCENTRANK',
  kernel: Percentrank,
});
