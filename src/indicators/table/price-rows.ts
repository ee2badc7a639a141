/** Prices of a bar, and cycles. */
import { indicator } from '../core/define-indicator.ts';
import { choice } from '../core/params.ts';
import { HtDcperiod, HtDcphase, HtPhasor, HtSine, HtTrendmode } from '../kernels/math/cycle.ts';
import { Avgprice, Ha, Medprice, Price, Typprice, Volume, Wclprice } from '../kernels/math/price.ts';

export const avgprice = indicator({
  name: 'avgprice',
  title: 'Average price',
  family: 'price',
  input: 'bar',
  params: [],
  outputs: ['value'],
  unit: 'price',
  formula: '(open + high + low + close) ÷ 4',
  source: 'TA-Lib AVGPRICE',
  talib: 'AVGPRICE',
  kernel: Avgprice,
});

export const medprice = indicator({
  name: 'medprice',
  title: 'Median price',
  family: 'price',
  input: 'bar',
  params: [],
  outputs: ['value'],
  unit: 'price',
  formula: '(high + low) ÷ 2',
  source: 'TA-Lib MEDPRICE',
  talib: 'MEDPRICE',
  kernel: Medprice,
});

export const typprice = indicator({
  name: 'typprice',
  title: 'Typical price',
  family: 'price',
  input: 'bar',
  params: [],
  outputs: ['value'],
  unit: 'price',
  formula: '(high + low + close) ÷ 3',
  source: 'TA-Lib TYPPRICE',
  talib: 'TYPPRICE',
  kernel: Typprice,
});

export const wclprice = indicator({
  name: 'wclprice',
  title: 'Weighted close',
  family: 'price',
  input: 'bar',
  params: [],
  outputs: ['value'],
  unit: 'price',
  formula: '(high + low + 2 · close) ÷ 4',
  source: 'TA-Lib WCLPRICE',
  talib: 'WCLPRICE',
  kernel: Wclprice,
});

export const ha = indicator({
  name: 'ha',
  title: 'Heikin-Ashi bars',
  family: 'price',
  input: 'bar',
  params: [],
  outputs: ['open', 'high', 'low', 'close'],
  unit: 'price',
  formula: 'close = mean of the four prices; open = mean of open and close before; high and low include both',
  source: 'TA-Lib HA',
  talib: 'HA',
  kernel: Ha,
});

export const price = indicator({
  name: 'price',
  title: 'One price of the bar',
  family: 'price',
  input: 'bar',
  params: [choice('price', 'close', ['open', 'high', 'low', 'close'])],
  outputs: ['value'],
  unit: 'price',
  formula: 'open, high, low or close',
  source: 'bar field',
  kernel: Price,
});

export const volume = indicator({
  name: 'volume',
  title: 'Volume of the bar',
  family: 'price',
  input: 'volumeBar',
  params: [],
  outputs: ['value'],
  unit: 'size',
  formula: 'volume',
  source: 'bar field',
  kernel: Volume,
});

export const htDcperiod = indicator({
  name: 'htDcperiod',
  title: 'Dominant cycle period',
  family: 'cycle',
  input: 'value',
  params: [],
  outputs: ['value'],
  formula: 'smoothed period of the Hilbert transform',
  source: 'TA-Lib HT_DCPERIOD',
  talib: 'HT_DCPERIOD',
  kernel: HtDcperiod,
});

export const htDcphase = indicator({
  name: 'htDcphase',
  title: 'Dominant cycle phase',
  family: 'cycle',
  input: 'value',
  params: [],
  outputs: ['value'],
  formula: 'arc tangent of the Fourier sums over one dominant cycle, in degrees',
  source: 'TA-Lib HT_DCPHASE',
  talib: 'HT_DCPHASE',
  kernel: HtDcphase,
});

export const htPhasor = indicator({
  name: 'htPhasor',
  title: 'Phasor components',
  family: 'cycle',
  input: 'value',
  params: [],
  outputs: ['inPhase', 'quadrature'],
  unit: 'price',
  formula: 'in-phase and quadrature part of the Hilbert transform',
  source: 'TA-Lib HT_PHASOR',
  talib: 'HT_PHASOR',
  kernel: HtPhasor,
});

export const htSine = indicator({
  name: 'htSine',
  title: 'Sine wave',
  family: 'cycle',
  input: 'value',
  params: [],
  outputs: ['sine', 'leadsine'],
  formula: 'sine of the phase, and of the phase + 45°',
  source: 'TA-Lib HT_SINE',
  talib: 'HT_SINE',
  kernel: HtSine,
});

export const htTrendmode = indicator({
  name: 'htTrendmode',
  title: 'Trend or cycle',
  family: 'cycle',
  input: 'value',
  params: [],
  outputs: ['value'],
  formula: '1 in a trend, 0 in a cycle, from phase and trend line',
  source: 'TA-Lib HT_TRENDMODE',
  talib: 'HT_TRENDMODE',
  kernel: HtTrendmode,
});
