/** Trends and stops. */
import { indicator } from '../core/define-indicator.ts';
import { decimal, integer } from '../core/params.ts';
import { HtTrendline } from '../kernels/math/cycle.ts';
import { Vhf } from '../kernels/momentum/oscillators.ts';
import { Chandelier, Sar, Sarext, Supertrend } from '../kernels/volatility/stops.ts';
import { Adx, Adxr, Aroon, Aroonosc, Dx, Fractal, MinusDi, MinusDm, PlusDi, PlusDm, Vortex } from '../kernels/momentum/trend.ts';

export const adx = indicator({
  name: 'adx',
  title: 'Average directional index',
  family: 'trend',
  input: 'bar',
  params: [integer('period', 14, 2)],
  outputs: ['value'],
  formula: 'Wilder average of dx, seeded by the mean',
  source: 'TA-Lib ADX',
  talib: 'ADX',
  kernel: Adx,
});

export const adxr = indicator({
  name: 'adxr',
  title: 'Average directional index rating',
  family: 'trend',
  input: 'bar',
  params: [integer('period', 14, 2)],
  outputs: ['value'],
  formula: '(adx + adx[period − 1]) ÷ 2',
  source: 'TA-Lib ADXR',
  talib: 'ADXR',
  kernel: Adxr,
});

export const dx = indicator({
  name: 'dx',
  title: 'Directional index',
  family: 'trend',
  input: 'bar',
  params: [integer('period', 14, 2)],
  outputs: ['value'],
  formula: '100 · |+di − −di| ÷ (+di + −di)',
  source: 'TA-Lib DX',
  talib: 'DX',
  kernel: Dx,
});

export const plusDi = indicator({
  name: 'plusDi',
  title: 'Plus directional indicator',
  family: 'trend',
  input: 'bar',
  params: [integer('period', 14, 2)],
  outputs: ['value'],
  formula: '100 · Wilder sum of upward movement ÷ Wilder sum of true range',
  source: 'TA-Lib PLUS_DI',
  talib: 'PLUS_DI',
  kernel: PlusDi,
});

export const minusDi = indicator({
  name: 'minusDi',
  title: 'Minus directional indicator',
  family: 'trend',
  input: 'bar',
  params: [integer('period', 14, 2)],
  outputs: ['value'],
  formula: '100 · Wilder sum of downward movement ÷ Wilder sum of true range',
  source: 'TA-Lib MINUS_DI',
  talib: 'MINUS_DI',
  kernel: MinusDi,
});

export const plusDm = indicator({
  name: 'plusDm',
  title: 'Plus directional movement',
  family: 'trend',
  input: 'bar',
  params: [integer('period', 14, 2)],
  outputs: ['value'],
  unit: 'price',
  formula: 'Wilder sum of upward movement',
  source: 'TA-Lib PLUS_DM',
  talib: 'PLUS_DM',
  kernel: PlusDm,
});

export const minusDm = indicator({
  name: 'minusDm',
  title: 'Minus directional movement',
  family: 'trend',
  input: 'bar',
  params: [integer('period', 14, 2)],
  outputs: ['value'],
  unit: 'price',
  formula: 'Wilder sum of downward movement',
  source: 'TA-Lib MINUS_DM',
  talib: 'MINUS_DM',
  kernel: MinusDm,
});

export const aroon = indicator({
  name: 'aroon',
  title: 'Aroon',
  family: 'trend',
  input: 'bar',
  params: [integer('period', 14, 2)],
  outputs: ['down', 'up'],
  formula: '100 · (period − bars since the extreme) ÷ period',
  source: 'TA-Lib AROON',
  talib: 'AROON',
  kernel: Aroon,
});

export const aroonosc = indicator({
  name: 'aroonosc',
  title: 'Aroon oscillator',
  family: 'trend',
  input: 'bar',
  params: [integer('period', 14, 2)],
  outputs: ['value'],
  formula: 'aroon up − aroon down',
  source: 'TA-Lib AROONOSC',
  talib: 'AROONOSC',
  kernel: Aroonosc,
});

export const vortex = indicator({
  name: 'vortex',
  title: 'Vortex',
  family: 'trend',
  input: 'bar',
  params: [integer('period', 14, 2)],
  outputs: ['plus', 'minus'],
  formula: 'plus = Σ |high − low before| ÷ Σ true range; minus = Σ |low − high before| ÷ Σ true range',
  source: 'TA-Lib VORTEX',
  talib: 'VORTEX',
  kernel: Vortex,
});

export const vhf = indicator({
  name: 'vhf',
  title: 'Vertical horizontal filter',
  family: 'trend',
  input: 'value',
  params: [integer('period', 28, 2)],
  outputs: ['value'],
  formula: '(highest − lowest) ÷ Σ |changes|',
  source: 'TA-Lib VHF',
  talib: 'VHF',
  kernel: Vhf,
});

export const fractal = indicator({
  name: 'fractal',
  title: 'Williams fractal',
  family: 'trend',
  input: 'bar',
  params: [integer('left', 2, 1, 500), integer('right', 2, 1, 500)],
  outputs: ['high', 'low'],
  formula: '100 for a high above the left bars before and the right bars after it, likewise for a low, else 0; known right bars later',
  source: 'TA-Lib FRACTAL',
  talib: 'FRACTAL',
  kernel: Fractal,
});

export const sar = indicator({
  name: 'sar',
  title: 'Parabolic stop and reverse',
  family: 'trend',
  input: 'bar',
  params: [decimal('acceleration', 0.02, 0, 1), decimal('maximum', 0.2, 0, 1)],
  outputs: ['value'],
  unit: 'price',
  formula: 'stop + speed · (extreme − stop), speed rises with each new extreme',
  source: 'TA-Lib SAR',
  talib: 'SAR',
  kernel: Sar,
});

export const sarext = indicator({
  name: 'sarext',
  title: 'Parabolic stop, extended',
  family: 'trend',
  input: 'bar',
  params: [
    decimal('startValue', 0, -1000000000.0, 1000000000.0),
    decimal('offsetOnReverse', 0, 0, 1),
    decimal('initLong', 0.02, 0, 1),
    decimal('stepLong', 0.02, 0, 1),
    decimal('maxLong', 0.2, 0, 1),
    decimal('initShort', 0.02, 0, 1),
    decimal('stepShort', 0.02, 0, 1),
    decimal('maxShort', 0.2, 0, 1),
  ],
  outputs: ['value'],
  unit: 'raw',
  formula: 'as sar with settings for both directions; below zero while short',
  source: 'TA-Lib SAREXT',
  talib: 'SAREXT',
  kernel: Sarext,
});

export const supertrend = indicator({
  name: 'supertrend',
  title: 'Supertrend',
  family: 'trend',
  input: 'bar',
  params: [integer('period', 10, 1), decimal('multiplier', 3, 0, 1000)],
  outputs: ['supertrend', 'trend'],
  unit: ['price', 'ratio'],
  formula: 'middle ± multiplier · atr, tightened only, until the close passes; trend is 1 or −1',
  source: 'TA-Lib SUPERTREND',
  talib: 'SUPERTREND',
  kernel: Supertrend,
});

export const htTrendline = indicator({
  name: 'htTrendline',
  title: 'Hilbert transform trend line',
  family: 'trend',
  input: 'value',
  params: [],
  outputs: ['value'],
  unit: 'price',
  formula: 'mean price over one dominant cycle, smoothed over four values',
  source: 'TA-Lib HT_TRENDLINE',
  talib: 'HT_TRENDLINE',
  kernel: HtTrendline,
});

export const chandelier = indicator({
  name: 'chandelier',
  title: 'Chandelier exit',
  family: 'trend',
  input: 'bar',
  params: [integer('period', 22, 2), decimal('multiplier', 3, 0, 1000)],
  outputs: ['long', 'short'],
  unit: 'price',
  formula: 'long = highest high − multiplier · atr; short = lowest low + multiplier · atr',
  source: 'Charles Le Beau',
  kernel: Chandelier,
});
