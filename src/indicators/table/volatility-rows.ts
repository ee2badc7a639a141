/** Volatility and bands. */
import { indicator } from '../core/define-indicator.ts';
import { choice, decimal, integer } from '../core/params.ts';
import { AVERAGES } from '../kernels/averages/average-of.ts';
import { Massi } from '../kernels/momentum/oscillators.ts';
import { Rvi } from '../kernels/momentum/strength.ts';
import { Accbands, Adr, Atr, Bbands, Cvi, Donchian, Keltner, Natr, Trange } from '../kernels/volatility/volatility.ts';

export const trange = indicator({
  name: 'trange',
  title: 'True range',
  family: 'volatility',
  input: 'bar',
  params: [],
  outputs: ['value'],
  unit: 'price',
  formula: 'max(high − low, |high − close before|, |low − close before|)',
  source: 'TA-Lib TRANGE',
  talib: 'TRANGE',
  kernel: Trange,
});

export const atr = indicator({
  name: 'atr',
  title: 'Average true range',
  family: 'volatility',
  input: 'bar',
  params: [integer('period', 14, 1)],
  outputs: ['value'],
  unit: 'price',
  formula: 'Wilder average of the true range',
  source: 'TA-Lib ATR',
  talib: 'ATR',
  kernel: Atr,
});

export const natr = indicator({
  name: 'natr',
  title: 'Normalized average true range',
  family: 'volatility',
  input: 'bar',
  params: [integer('period', 14, 1)],
  outputs: ['value'],
  formula: '100 · atr ÷ close',
  source: 'TA-Lib NATR',
  talib: 'NATR',
  kernel: Natr,
});

export const adr = indicator({
  name: 'adr',
  title: 'Average range',
  family: 'volatility',
  input: 'bar',
  params: [integer('period', 14, 1)],
  outputs: ['value'],
  unit: 'price',
  formula: 'sma(high − low)',
  source: 'TA-Lib ADR',
  talib: 'ADR',
  kernel: Adr,
});

export const cvi = indicator({
  name: 'cvi',
  title: 'Chaikin volatility',
  family: 'volatility',
  input: 'bar',
  params: [integer('period', 10, 1), integer('rate', 10, 1)],
  outputs: ['value'],
  formula: '100 · (e ÷ e[rate] − 1), e = ema(high − low)',
  source: 'TA-Lib CVI',
  talib: 'CVI',
  kernel: Cvi,
});

export const massi = indicator({
  name: 'massi',
  title: 'Mass index',
  family: 'volatility',
  input: 'bar',
  params: [integer('fast', 9, 1), integer('slow', 25, 1)],
  outputs: ['value'],
  formula: 'Σ ema(high − low) ÷ ema(ema(high − low))',
  source: 'TA-Lib MASSI',
  talib: 'MASSI',
  kernel: Massi,
});

export const rvi = indicator({
  name: 'rvi',
  title: 'Relative volatility index',
  family: 'volatility',
  input: 'value',
  params: [integer('period', 14, 1), integer('deviation', 10, 2)],
  outputs: ['value'],
  formula: '100 · up ÷ (up + down), Wilder averages of the standard deviation on rises and falls',
  source: 'TA-Lib RVI',
  talib: 'RVI',
  kernel: Rvi,
});

export const bbands = indicator({
  name: 'bbands',
  title: 'Bollinger bands',
  family: 'volatility',
  input: 'value',
  params: [
    integer('period', 20, 2),
    decimal('up', 2, -1000000.0, 1000000.0),
    decimal('down', 2, -1000000.0, 1000000.0),
    choice('average', 'sma', AVERAGES),
  ],
  outputs: ['upper', 'middle', 'lower'],
  unit: 'price',
  formula: 'average ± deviations · population standard deviation',
  source: 'TA-Lib BBANDS',
  talib: 'BBANDS',
  kernel: Bbands,
});

export const accbands = indicator({
  name: 'accbands',
  title: 'Acceleration bands',
  family: 'volatility',
  input: 'bar',
  params: [integer('period', 20, 2)],
  outputs: ['upper', 'middle', 'lower'],
  unit: 'price',
  formula: 'sma(high · (1 + w)), sma(close), sma(low · (1 − w)), w = 4 · (high − low) ÷ (high + low)',
  source: 'TA-Lib ACCBANDS',
  talib: 'ACCBANDS',
  kernel: Accbands,
});

export const donchian = indicator({
  name: 'donchian',
  title: 'Donchian channel',
  family: 'volatility',
  input: 'bar',
  params: [integer('period', 20, 1)],
  outputs: ['upper', 'middle', 'lower'],
  unit: 'price',
  formula: 'highest high, the middle, lowest low',
  source: 'TA-Lib DONCHIAN',
  talib: 'DONCHIAN',
  kernel: Donchian,
});

export const keltner = indicator({
  name: 'keltner',
  title: 'Keltner channel',
  family: 'volatility',
  input: 'bar',
  params: [integer('period', 20, 1), integer('atrPeriod', 10, 1), decimal('multiplier', 2, 0, 1000)],
  outputs: ['upper', 'middle', 'lower'],
  unit: 'price',
  formula: 'ema(typical price) ± multiplier · atr',
  source: 'TA-Lib KC',
  talib: 'KC',
  kernel: Keltner,
});
