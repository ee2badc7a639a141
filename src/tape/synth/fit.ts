/**
 * Fits a synthetic market to a recording: rows a second, size at the touch and volatility of each symbol, and how far symbols move together.
 * All other properties of a symbol stay those of its profile (profile.ts).
 */
import { rmSync } from 'node:fs';
import { openTape, readManifest } from '../read.ts';
import { gridSeen, tapeStatistics, type SymbolStatistics } from '../statistics/statistics.ts';
import { profileOf, type SynthProfile } from './profile.ts';
import type { Grid } from '../file/columns.ts';
import { synthTape, type SynthSymbol } from './synth.ts';

export interface FittedMarket {
  readonly symbols: readonly SynthSymbol[];
  /** Share of the variance that the symbols have in common, and the standard deviation of this common move in a second. */
  readonly shared: number;
  readonly deviation: number;
}

/** Each round draws markets, compares their median with the recording, and moves the profiles by the difference. */
const ROUNDS = 3;
/** Markets of a round. Several, because activity and volatility differ from market to market, as from day to day. */
const DRAWS = 24;
const SECONDS = 60;

/**
 * `scratch` is a folder for drawn tapes; it is removed. Null if a symbol of the recording has no quotes or no price change to learn from.
 * @throws TapeError as openTape
 */
export function fittedMarket(folder: string, scratch: string, seed: number): FittedMarket | null {
  const { symbols: infos, from } = readManifest(folder);
  const wanted = tapeStatistics(folder);
  const isFit = ({ figures }: SymbolStatistics): boolean => figures.quotesPerSecond > 0 && figures.volatility > 0 && figures.depth50 > 0;
  if (!wanted.every(isFit)) return null;
  const first = firstPrices(folder);
  const others = wanted.slice(1).map(({ figures }) => Math.min(0.95, Math.max(0, figures.common)));
  const shared = others.length === 0 ? 0 : others.reduce((sum, one) => sum + one, 0) / others.length;
  const deviation = Math.sqrt(shared) * 1e-4 * (wanted.reduce((sum, { figures }) => sum + figures.volatility, 0) / wanted.length);
  let symbols = infos.map((info, k): SynthSymbol & { readonly profile: SynthProfile } => {
    const profile = profileOf(info.symbol);
    return {
      symbol: info.symbol,
      grid: gridSeen(info),
      price: first[k]!,
      profile: { ...profile, events: wanted[k]!.figures.quotesPerSecond },
    };
  });
  const draws = Array.from({ length: DRAWS }, (_, k) => k);
  try {
    for (let round = 0; round < ROUNDS; round++) {
      const drawn = draws.map((k) => {
        const options = { symbols, start: from, seconds: SECONDS, shared, deviation, overwrite: true };
        synthTape(scratch, { ...options, seed: seed + round * DRAWS + k });
        return tapeStatistics(scratch);
      });
      symbols = symbols.map((one, k) => ({
        ...one,
        profile: moved(
          one.profile,
          wanted[k]!,
          drawn.map((all) => all[k]!),
        ),
      }));
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
  return { symbols, shared, deviation };
}

function moved(profile: SynthProfile, { figures: wanted }: SymbolStatistics, drawn: readonly SymbolStatistics[]): SynthProfile {
  const factor = (key: 'volatility' | 'quotesPerSecond' | 'depth50'): number => {
    const missing = median(drawn.map(({ figures }) => wanted[key] / figures[key]).filter((one) => Number.isFinite(one) && one > 0));
    return Number.isNaN(missing) ? 1 : Math.min(10, Math.max(0.1, missing));
  };
  return {
    ...profile,
    walkScale: profile.walkScale * factor('volatility'),
    events: profile.events * factor('quotesPerSecond'),
    unit: profile.unit * factor('depth50'),
  };
}

/** NaN for no values. */
function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const [low, high] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  return low === undefined || high === undefined ? Number.NaN : (low + high) / 2;
}

/** The first price of each symbol, in its ticks; at least 2. */
function firstPrices(folder: string): readonly number[] {
  const { symbols } = readManifest(folder);
  const gridOf = (name: string): Grid => gridSeen(symbols.find(({ symbol }) => symbol === name)!);
  const streams = openTape(folder, { gridOf }).open();
  return symbols.map(({ symbol }) => {
    const quotes = streams.find((stream) => stream.symbol === symbol && stream.kind === 'quotes');
    if (quotes === undefined || !quotes.next()) return 2;
    const price = Math.round((quotes.bid[0]! + quotes.ask[0]!) / 2);
    quotes.close();
    return Math.max(2, price);
  });
}
