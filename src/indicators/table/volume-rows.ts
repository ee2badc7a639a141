/** Volume. */
import { indicator } from '../core/define-indicator.ts';
import { choice, integer } from '../core/params.ts';
import { AVERAGES } from '../kernels/averages/average-of.ts';
import {
  Ad,
  Adosc,
  AnchoredVwap,
  Cmf,
  Efi,
  Marketfi,
  Nvi,
  Obv,
  Pvi,
  Pvo,
  Pvt,
  Rvol,
  SessionVwap,
  Vwap,
  Wad,
} from '../kernels/volume/volume.ts';

export const ad = indicator({
  name: 'ad',
  title: 'Accumulation and distribution',
  family: 'volume',
  input: 'volumeBar',
  params: [],
  outputs: ['value'],
  unit: 'size',
  formula: 'Σ volume · ((close − low) − (high − close)) ÷ (high − low)',
  source: 'TA-Lib AD',
  talib: 'AD',
  kernel: Ad,
});

export const adosc = indicator({
  name: 'adosc',
  title: 'Chaikin oscillator',
  family: 'volume',
  input: 'volumeBar',
  params: [integer('fast', 3, 2), integer('slow', 10, 2)],
  outputs: ['value'],
  unit: 'size',
  formula: 'fast ema(ad) − slow ema(ad), both seeded by the first value',
  source: 'TA-Lib ADOSC',
  talib: 'ADOSC',
  kernel: Adosc,
});

export const cmf = indicator({
  name: 'cmf',
  title: 'Chaikin money flow',
  family: 'volume',
  input: 'volumeBar',
  params: [integer('period', 20, 1)],
  outputs: ['value'],
  formula: 'Σ flow ÷ Σ volume',
  source: 'TA-Lib CMF',
  talib: 'CMF',
  kernel: Cmf,
});

export const efi = indicator({
  name: 'efi',
  title: 'Elder force index',
  family: 'volume',
  input: 'volumeBar',
  params: [integer('period', 13, 1)],
  outputs: ['value'],
  unit: 'turnover',
  formula: 'ema((close − close before) · volume)',
  source: 'TA-Lib EFI',
  talib: 'EFI',
  kernel: Efi,
});

export const marketfi = indicator({
  name: 'marketfi',
  title: 'Market facilitation index',
  family: 'volume',
  input: 'volumeBar',
  params: [],
  outputs: ['value'],
  unit: 'price per size',
  formula: '(high − low) ÷ volume',
  source: 'TA-Lib MARKETFI',
  talib: 'MARKETFI',
  kernel: Marketfi,
});

export const nvi = indicator({
  name: 'nvi',
  title: 'Negative volume index',
  family: 'volume',
  input: 'volumeBar',
  params: [],
  outputs: ['value'],
  formula: 'compounds the change of close when volume falls; begins at 1000',
  source: 'TA-Lib NVI',
  talib: 'NVI',
  kernel: Nvi,
});

export const pvi = indicator({
  name: 'pvi',
  title: 'Positive volume index',
  family: 'volume',
  input: 'volumeBar',
  params: [],
  outputs: ['value'],
  formula: 'compounds the change of close when volume rises; begins at 1000',
  source: 'TA-Lib PVI',
  talib: 'PVI',
  kernel: Pvi,
});

export const obv = indicator({
  name: 'obv',
  title: 'On balance volume',
  family: 'volume',
  input: 'volumeBar',
  params: [],
  outputs: ['value'],
  unit: 'size',
  formula: 'Σ volume on rises − Σ volume on falls; begins with the first volume',
  source: 'TA-Lib OBV',
  talib: 'OBV',
  kernel: Obv,
});

export const pvt = indicator({
  name: 'pvt',
  title: 'Price volume trend',
  family: 'volume',
  input: 'volumeBar',
  params: [],
  outputs: ['value'],
  unit: 'size',
  formula: 'Σ volume · (close − close before) ÷ close before',
  source: 'TA-Lib PVT',
  talib: 'PVT',
  kernel: Pvt,
});

export const pvo = indicator({
  name: 'pvo',
  title: 'Percentage volume oscillator',
  family: 'volume',
  input: 'volumeBar',
  params: [integer('fast', 12, 2), integer('slow', 26, 2), choice('average', 'ema', AVERAGES)],
  outputs: ['value'],
  formula: '100 · (fast average − slow average) ÷ slow average, of volume',
  source: 'TA-Lib PVO',
  talib: 'PVO',
  kernel: Pvo,
});

export const rvol = indicator({
  name: 'rvol',
  title: 'Relative volume',
  family: 'volume',
  input: 'volumeBar',
  params: [integer('period', 20, 1)],
  outputs: ['value'],
  formula: 'volume ÷ mean volume of the period bars before',
  source: 'TA-Lib RVOL',
  talib: 'RVOL',
  kernel: Rvol,
});

export const vwap = indicator({
  name: 'vwap',
  title: 'Volume weighted average price',
  family: 'volume',
  input: 'volumeBar',
  params: [],
  outputs: ['value'],
  unit: 'price',
  formula: 'Σ typical price · volume ÷ Σ volume, since the first bar',
  source: 'TA-Lib VWAP',
  talib: 'VWAP',
  kernel: Vwap,
});

export const wad = indicator({
  name: 'wad',
  title: 'Williams accumulation and distribution',
  family: 'volume',
  input: 'bar',
  params: [],
  outputs: ['value'],
  unit: 'price',
  formula: 'Σ close − min(low, close before) on rises, Σ close − max(high, close before) on falls',
  source: 'TA-Lib WAD',
  talib: 'WAD',
  kernel: Wad,
});

export const vwapSession = indicator({
  name: 'vwapSession',
  title: 'VWAP of the session',
  family: 'volume',
  input: 'timedBar',
  params: [integer('sessionMs', 86400000, 1000, 1e10)],
  outputs: ['value'],
  unit: 'price',
  formula: 'vwap since the start of the session; sessions of sessionMs follow each other from 1970-01-01 UTC',
  source: 'common use',
  kernel: SessionVwap,
});

export const vwapAnchored = indicator({
  name: 'vwapAnchored',
  title: 'Anchored VWAP',
  family: 'volume',
  input: 'timedBar',
  params: [integer('anchor', 0, 0, 9e15)],
  outputs: ['value'],
  unit: 'price',
  formula: 'vwap since the first bar that starts at or after the anchor (ms)',
  source: 'Brian Shannon',
  kernel: AnchoredVwap,
});
