/** BTCUSDT with the settings that most tests use. */
import type { InstrumentSpec } from '../../src/domain/instrument.ts';

export const BTCUSDT: InstrumentSpec = {
  symbol: 'BTCUSDT',
  product: 'futures',
  baseCoin: 'BTC',
  quoteCoin: 'USDT',
  tickSize: '0.1',
  lotSize: '0.001',
  minSize: '0.001',
  maxSize: '100',
  makerFeeRate: '0.0002',
  takerFeeRate: '0.0006',
};

/** Limits wide enough not to affect tests of other features. */
export const WIDE_LIMITS = {
  maxNotionalOrder: 'off',
  maxNotionalPosition: 'off',
  maxNotionalTotal: 'off',
  maxOpenOrders: 50,
  maxPriceJump: 'off',
  priceCollar: '0.1',
  staleAfterMs: 10_000,
} as const;
