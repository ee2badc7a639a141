/** The instruments of a synthetic market: those of the configuration, plus synthetic ones up to the wanted number. */
import { Random } from '../../base/random.ts';
import { MINUTE_MS } from '../../base/time/time-spans.ts';
import { parseTicks, type Instrument, type InstrumentSpec } from '../../domain/instrument.ts';
import { formatScaledShort, pow10 } from '../../domain/amounts/scale.ts';
import { PastDrawing } from '../../tape/synth/synth-past.ts';
import type { SynthSymbol } from '../../tape/synth/synth.ts';
import type { DrawnPast } from './past-trades.ts';

/** First prices. The first price of other symbols is derived from their name. */
const FIRST_PRICES: Readonly<Record<string, string>> = { BTCUSDT: '60000', ETHUSDT: '2600' };

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

/** The synthetic market of these instruments. */
export function synthSymbols(instruments: readonly Instrument[]): readonly SynthSymbol[] {
  return instruments.map((instrument) => ({ symbol: instrument.symbol, grid: instrument, price: firstPrice(instrument) }));
}

/** Draws the bars of a minute each before the synthetic market of these instruments began. */
export function drawPast(
  instruments: readonly Instrument[],
  instrument: Instrument,
  { start, minutes, seed, season }: DrawnPast,
): PastDrawing {
  const futures = instruments.filter(({ product }) => product === 'futures');
  return new PastDrawing({ symbols: synthSymbols(futures), seed, start, season }, futures.indexOf(instrument), MINUTE_MS, minutes);
}

function firstPrice(instrument: Instrument): number {
  const known = FIRST_PRICES[instrument.symbol] ?? firstPriceOf(instrument.symbol).text;
  return Math.max(2, parseTicks(known, instrument, 'down'));
}

/** A price of four digits from 0.01 to below 1,000, derived from the name. */
function firstPriceOf(symbol: string): { readonly text: string; readonly magnitude: number } {
  let seed = symbol.length;
  for (let i = 0; i < symbol.length; i++) seed = Math.imul(seed ^ symbol.charCodeAt(i), 0x01000193);
  const random = new Random(seed);
  const magnitude = random.below(5) - 2;
  return { text: formatScaledShort((1000 + random.below(9000)) * pow10(magnitude + 2), 5), magnitude };
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
