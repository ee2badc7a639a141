/** The instruments of a synthetic market: those of the configuration, plus synthetic ones up to the wanted number. */
import { Random } from '../../../base/random.ts';
import type { InstrumentSpec } from '../../../domain/instrument.ts';
import { formatScaledShort, pow10 } from '../../../domain/amounts/scale.ts';

/**
 * `count` futures: those of the configuration first, then synthetic ones named MADE0001USDT, …, each with its own price, tick and lot. Spot
 * instruments of these symbols are kept.
 */
export function withSynthetic(specs: readonly InstrumentSpec[], count: number): readonly InstrumentSpec[] {
  const futures = specs.filter((spec) => spec.product === 'futures').slice(0, count);
  for (let k = 1; futures.length < count; k++) {
    const symbol = `MADE${String(k).padStart(4, '0')}USDT`;
    if (!specs.some((spec) => spec.symbol === symbol)) futures.push(synthetic(symbol));
  }
  return [...futures, ...specs.filter((spec) => spec.product === 'spot' && futures.some((f) => f.symbol === spec.symbol))];
}

/** A price of four digits from 0.01 to below 1,000, derived from the name. */
export function firstPriceOf(symbol: string): { readonly text: string; readonly magnitude: number } {
  let seed = symbol.length;
  for (let i = 0; i < symbol.length; i++) seed = Math.imul(seed ^ symbol.charCodeAt(i), 0x01000193);
  const random = new Random(seed);
  const magnitude = random.below(5) - 2;
  return { text: formatScaledShort((1000 + random.below(9000)) * pow10(magnitude + 2), 5), magnitude };
}

/** The row of an instrument that synthetic markets have by this name; undefined for another name. */
export function syntheticRow(symbol: string): InstrumentSpec | undefined {
  return /^MADE\d{4,}USDT$/.test(symbol) ? synthetic(symbol) : undefined;
}

/** A synthetic instrument: the tick is a ten-thousandth of the price's magnitude, a lot is worth 1 to 10 of the quote coin or is one coin. */
function synthetic(symbol: string): InstrumentSpec {
  const { magnitude } = firstPriceOf(symbol);
  const lot = formatScaledShort(1, Math.max(0, magnitude));
  return {
    symbol,
    product: 'futures',
    baseCoin: symbol.slice(0, -4),
    quoteCoin: 'USDT',
    tickSize: formatScaledShort(1, 4 - magnitude),
    lotSize: lot,
    minSize: lot,
    maxSize: '10000000',
    makerFeeRate: '0.0002',
    takerFeeRate: '0.0006',
    maxLeverage: 50,
  };
}
