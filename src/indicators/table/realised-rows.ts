/** Realised volatility. */
import { indicator } from '../core/define-indicator.ts';
import { decimal, integer } from '../core/params.ts';
import { Ulcer } from '../kernels/momentum/charts.ts';
import {
  Choppiness,
  CloseVolatility,
  EwmaVolatility,
  GarmanKlass,
  Parkinson,
  RogersSatchell,
  YangZhang,
} from '../kernels/volatility/realised.ts';

export const closeVolatility = indicator({
  name: 'closeVolatility',
  title: 'Realised volatility of closes',
  family: 'volatility',
  input: 'value',
  params: [integer('period', 20, 2), decimal('perYear', 1, 0, 1e9)],
  outputs: ['value'],
  formula: '√(sample variance of ln returns · perYear)',
  source: 'textbook',
  kernel: CloseVolatility,
});

export const ewmaVolatility = indicator({
  name: 'ewmaVolatility',
  title: 'Exponentially weighted volatility',
  family: 'volatility',
  input: 'value',
  params: [decimal('decay', 0.94, 0, 1), decimal('perYear', 1, 0, 1e9)],
  outputs: ['value'],
  formula: '√(v · perYear), v = decay · v + (1 − decay) · ln return²',
  source: 'RiskMetrics 1996',
  kernel: EwmaVolatility,
});

export const parkinson = indicator({
  name: 'parkinson',
  title: 'Parkinson volatility',
  family: 'volatility',
  input: 'bar',
  params: [integer('period', 20, 2), decimal('perYear', 1, 0, 1e9)],
  outputs: ['value'],
  formula: '√(mean of ln(high ÷ low)² ÷ (4 · ln 2) · perYear)',
  source: 'Parkinson 1980',
  kernel: Parkinson,
});

export const garmanKlass = indicator({
  name: 'garmanKlass',
  title: 'Garman-Klass volatility',
  family: 'volatility',
  input: 'bar',
  params: [integer('period', 20, 2), decimal('perYear', 1, 0, 1e9)],
  outputs: ['value'],
  formula: '√(mean of ½ · ln(high ÷ low)² − (2 · ln 2 − 1) · ln(close ÷ open)² · perYear)',
  source: 'Garman and Klass 1980',
  kernel: GarmanKlass,
});

export const rogersSatchell = indicator({
  name: 'rogersSatchell',
  title: 'Rogers-Satchell volatility',
  family: 'volatility',
  input: 'bar',
  params: [integer('period', 20, 2), decimal('perYear', 1, 0, 1e9)],
  outputs: ['value'],
  formula: '√(mean of ln(high ÷ open) · ln(high ÷ close) + ln(low ÷ open) · ln(low ÷ close) · perYear)',
  source: 'Rogers and Satchell 1991',
  kernel: RogersSatchell,
});

export const yangZhang = indicator({
  name: 'yangZhang',
  title: 'Yang-Zhang volatility',
  family: 'volatility',
  input: 'bar',
  params: [integer('period', 20, 2), decimal('perYear', 1, 0, 1e9)],
  outputs: ['value'],
  formula:
    '√((variance of ln(open ÷ close before) + k · variance of ln(close ÷ open) + (1 − k) · Rogers-Satchell) · perYear), k = 0.34 ÷ (1.34 + (n + 1) ÷ (n − 1))',
  source: 'Yang and Zhang 2000',
  kernel: YangZhang,
});

export const choppiness = indicator({
  name: 'choppiness',
  title: 'Choppiness index',
  family: 'volatility',
  input: 'bar',
  params: [integer('period', 14, 2)],
  outputs: ['value'],
  formula: '100 · log10(Σ true range ÷ (highest − lowest)) ÷ log10(period)',
  source: 'E. W. Dreiss',
  kernel: Choppiness,
});

export const ulcer = indicator({
  name: 'ulcer',
  title: 'Ulcer index',
  family: 'volatility',
  input: 'value',
  params: [integer('period', 14, 1)],
  outputs: ['value'],
  formula: '√(mean of (100 · (x ÷ highest − 1))²)',
  source: 'Peter Martin 1987',
  kernel: Ulcer,
});
