/** The market of synthetic instruments, and its past. */
import { MINUTE_MS } from '../../base/time/time-spans.ts';
import { parseTicks, type Instrument } from '../../domain/instrument.ts';
import { PastDrawing } from '../../tape/synth/synth-past.ts';
import type { SynthSymbol } from '../../tape/synth/synth.ts';
import { firstPriceOf } from '../setup/synthetic-instruments.ts';
import type { DrawnPast } from './past-trades.ts';

/** First prices. The first price of other symbols is derived from their name. */
const FIRST_PRICES: Readonly<Record<string, string>> = { BTCUSDT: '60000', ETHUSDT: '2600' };

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
