/** Momentum of bars. */
import { indicator } from '../core/define-indicator.ts';
import { choice, integer } from '../core/params.ts';
import { AVERAGES } from '../kernels/averages/average-of.ts';
import { Ac, Ao, Bop, Cci, Eri, Imi, Qstick, Ultosc } from '../kernels/momentum/oscillators.ts';
import { Kdj, Smi, Stoch, Stochf, Willr } from '../kernels/momentum/stochastic.ts';
import { Mfi } from '../kernels/volume/volume.ts';

export const stoch = indicator({
  name: 'stoch',
  title: 'Stochastic',
  family: 'momentum',
  input: 'bar',
  params: [
    integer('period', 5, 1),
    integer('slowK', 3, 1),
    choice('kAverage', 'sma', AVERAGES),
    integer('slowD', 3, 1),
    choice('dAverage', 'sma', AVERAGES),
  ],
  outputs: ['k', 'd'],
  formula: 'k = average of 100 · (close − lowest low) ÷ (highest high − lowest low); d = average of k',
  source: 'TA-Lib STOCH',
  talib: 'STOCH',
  kernel: Stoch,
});

export const stochf = indicator({
  name: 'stochf',
  title: 'Fast stochastic',
  family: 'momentum',
  input: 'bar',
  params: [integer('period', 5, 1), integer('fastD', 3, 1), choice('average', 'sma', AVERAGES)],
  outputs: ['k', 'd'],
  formula: 'k = 100 · (close − lowest low) ÷ (highest high − lowest low); d = average of k',
  source: 'TA-Lib STOCHF',
  talib: 'STOCHF',
  kernel: Stochf,
});

export const kdj = indicator({
  name: 'kdj',
  title: 'KDJ',
  family: 'momentum',
  input: 'bar',
  params: [
    integer('period', 9, 1),
    integer('slowK', 3, 1),
    choice('kAverage', 'rma', AVERAGES),
    integer('slowD', 3, 1),
    choice('dAverage', 'rma', AVERAGES),
  ],
  outputs: ['k', 'd', 'j'],
  formula: 'stochastic with Wilder averages; j = 3 · k − 2 · d',
  source: 'TA-Lib KDJ',
  talib: 'KDJ',
  kernel: Kdj,
});

export const willr = indicator({
  name: 'willr',
  title: 'Williams %R',
  family: 'momentum',
  input: 'bar',
  params: [integer('period', 14, 2)],
  outputs: ['value'],
  formula: '−100 · (highest high − close) ÷ (highest high − lowest low)',
  source: 'TA-Lib WILLR',
  talib: 'WILLR',
  kernel: Willr,
});

export const smi = indicator({
  name: 'smi',
  title: 'Stochastic momentum index',
  family: 'momentum',
  input: 'bar',
  params: [integer('period', 13, 1), integer('fast', 2, 1), integer('slow', 25, 1), integer('signal', 9, 1)],
  outputs: ['smi', 'signal'],
  formula: '100 · ema(ema(close − middle)) ÷ (ema(ema(highest − lowest)) ÷ 2); signal = ema of it',
  source: 'TA-Lib SMI',
  talib: 'SMI',
  kernel: Smi,
});

export const ao = indicator({
  name: 'ao',
  title: 'Awesome oscillator',
  family: 'momentum',
  input: 'bar',
  params: [integer('fast', 5, 1), integer('slow', 34, 1)],
  outputs: ['value'],
  unit: 'price',
  formula: 'sma(middle, fast) − sma(middle, slow), middle = (high + low) ÷ 2',
  source: 'TA-Lib AO',
  talib: 'AO',
  kernel: Ao,
});

export const ac = indicator({
  name: 'ac',
  title: 'Accelerator oscillator',
  family: 'momentum',
  input: 'bar',
  params: [integer('fast', 5, 1), integer('slow', 34, 1), integer('signal', 5, 1)],
  outputs: ['value'],
  unit: 'price',
  formula: 'ao − sma(ao, signal)',
  source: 'TA-Lib AC',
  talib: 'AC',
  kernel: Ac,
});

export const bop = indicator({
  name: 'bop',
  title: 'Balance of power',
  family: 'momentum',
  input: 'bar',
  params: [],
  outputs: ['value'],
  formula: '(close − open) ÷ (high − low)',
  source: 'TA-Lib BOP',
  talib: 'BOP',
  kernel: Bop,
});

export const cci = indicator({
  name: 'cci',
  title: 'Commodity channel index',
  family: 'momentum',
  input: 'bar',
  params: [integer('period', 14, 2)],
  outputs: ['value'],
  formula: '(t − sma(t)) ÷ (0.015 · mean deviation of t), t = (high + low + close) ÷ 3; costs one pass over the window',
  source: 'TA-Lib CCI',
  talib: 'CCI',
  kernel: Cci,
});

export const eri = indicator({
  name: 'eri',
  title: 'Elder ray index',
  family: 'momentum',
  input: 'bar',
  params: [integer('period', 13, 1)],
  outputs: ['bull', 'bear'],
  unit: 'price',
  formula: 'bull = high − ema(close); bear = low − ema(close)',
  source: 'TA-Lib ERI',
  talib: 'ERI',
  kernel: Eri,
});

export const imi = indicator({
  name: 'imi',
  title: 'Intraday momentum index',
  family: 'momentum',
  input: 'bar',
  params: [integer('period', 14, 2)],
  outputs: ['value'],
  formula: '100 · Σ rises ÷ (Σ rises + Σ falls), from open to close',
  source: 'TA-Lib IMI',
  talib: 'IMI',
  kernel: Imi,
});

export const qstick = indicator({
  name: 'qstick',
  title: 'Qstick',
  family: 'momentum',
  input: 'bar',
  params: [integer('period', 10, 1)],
  outputs: ['value'],
  unit: 'price',
  formula: 'sma(close − open)',
  source: 'TA-Lib QSTICK',
  talib: 'QSTICK',
  kernel: Qstick,
});

export const ultosc = indicator({
  name: 'ultosc',
  title: 'Ultimate oscillator',
  family: 'momentum',
  input: 'bar',
  params: [integer('first', 7, 1), integer('second', 14, 1), integer('third', 28, 1)],
  outputs: ['value'],
  formula: '100 · (4 · a1 + 2 · a2 + a3) ÷ 7, a = Σ buying pressure ÷ Σ true range',
  source: 'TA-Lib ULTOSC',
  talib: 'ULTOSC',
  kernel: Ultosc,
});

export const mfi = indicator({
  name: 'mfi',
  title: 'Money flow index',
  family: 'momentum',
  input: 'volumeBar',
  params: [integer('period', 14, 2)],
  outputs: ['value'],
  formula: '100 · Σ rising flow ÷ Σ all flow, flow = typical price · volume',
  source: 'TA-Lib MFI',
  talib: 'MFI',
  kernel: Mfi,
});
