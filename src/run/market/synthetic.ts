/** The market of synthetic instruments, and its past. */
import { MINUTE_MS } from '../../base/time/time-spans.ts';
import { parseTicks, type Instrument } from '../../domain/instrument.ts';
import { CommonLevels, PastDrawing } from '../../tape/synth/synth-past.ts';
import type { SynthSymbol } from '../../tape/synth/synth.ts';
import { firstPriceOf } from '../setup/instruments/synthetic-instruments.ts';
import type { DrawnPast } from './past-trades.ts';

/** First prices. The first price of other symbols is derived from their name. */
const FIRST_PRICES: Readonly<Record<string, string>> = { BTCUSDT: '60000', ETHUSDT: '2600' };

/** The synthetic market of these instruments. */
export function synthSymbols(instruments: readonly Instrument[]): readonly SynthSymbol[] {
  return instruments.map((instrument) => ({ symbol: instrument.symbol, grid: instrument, price: firstPrice(instrument) }));
}

/** Draws the bars of a minute each before the synthetic market of these instruments began. What moves all of them is computed once. */
export function pastDrawer(instruments: readonly Instrument[]): (instrument: Instrument, past: DrawnPast) => PastDrawing {
  const futures = instruments.filter(({ product }) => product === 'futures');
  const symbols = synthSymbols(futures);
  let known: { readonly past: DrawnPast; readonly levels: CommonLevels } | null = null;
  return (instrument, past) => {
    const { start, minutes, seed, season } = past;
    const options = { symbols, seed, start, season };
    if (known?.past !== past) known = { past, levels: new CommonLevels(options, MINUTE_MS, minutes) };
    return new PastDrawing(options, futures.indexOf(instrument), MINUTE_MS, minutes, known.levels);
  };
}

function firstPrice(instrument: Instrument): number {
  const known = FIRST_PRICES[instrument.symbol] ?? firstPriceOf(instrument.symbol).text;
  return Math.max(2, parseTicks(known, instrument, 'down'));
}
