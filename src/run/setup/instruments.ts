/** The instruments of a run, numbered from 0, and the recorded symbols that feed them. */
import { createInstrument, type Instrument, type InstrumentSpec, tickRatio } from '../../domain/instrument.ts';
import { formatScaledShort } from '../../domain/scale.ts';
import type { SymbolInfo } from '../../tape/manifest.ts';
import type { Feed } from './mirror-row.ts';

export interface RunInstruments {
  readonly instruments: readonly Instrument[];
  /** Symbols of the tape without configuration; their grid is that of the recording. */
  readonly guessed: readonly string[];
}

/** Fees and limits of an instrument without configuration: cautious, typical values. */
const GUESS = { makerFeeRate: '0.0002', takerFeeRate: '0.0006', maxSize: '1000000' } as const;

/**
 * Instruments for the symbols of a tape: from the configuration, else with the grid of the recording. Spot instruments of the same symbols
 * come last.
 */
export function instrumentsFor(symbols: readonly SymbolInfo[], specs: readonly InstrumentSpec[]): RunInstruments {
  const chosen: InstrumentSpec[] = [];
  const guessed: string[] = [];
  for (const info of symbols) {
    const known = specs.find((spec) => spec.symbol === info.symbol && spec.product === 'futures');
    if (known === undefined) guessed.push(info.symbol);
    chosen.push(known ?? guess(info));
  }
  for (const info of symbols) {
    const spot = specs.find((spec) => spec.symbol === info.symbol && spec.product === 'spot');
    if (spot !== undefined) chosen.push(spot);
  }
  return { instruments: chosen.map((spec, index) => createInstrument(spec, index)), guessed };
}

/** All configured instruments, futures first, in the order of the file. */
export function instrumentsOf(specs: readonly InstrumentSpec[]): readonly Instrument[] {
  const ordered = [...specs.filter((spec) => spec.product === 'futures'), ...specs.filter((spec) => spec.product === 'spot')];
  return ordered.map((spec, index) => createInstrument(spec, index));
}

/**
 * The receivers of the rows of `symbol`: its futures instrument, and its spot instrument if `isWanted`. The futures grid must be a whole
 * multiple of the spot grid.
 */
export function feedOf(symbol: string, instruments: readonly Instrument[], isWanted: (instrument: Instrument) => boolean): Feed {
  const own = instruments.find((i) => i.symbol === symbol && i.product === 'futures') ?? instruments.find((i) => i.symbol === symbol);
  if (own === undefined) throw new RangeError(`no instrument for ${symbol}`);
  const mirrors: Feed['mirrors'][number][] = [];
  for (const other of instruments) {
    if (other.symbol !== symbol || other.index === own.index || !isWanted(other)) continue;
    const priceRatio = tickRatio(own, other);
    const sizeRatio = (own.lotStep * other.sizeScale) / (own.sizeScale * other.lotStep);
    if (!Number.isInteger(priceRatio) || !Number.isInteger(sizeRatio)) {
      throw new RangeError(
        `${symbol}: the spot grid ${other.tickSize} / ${other.lotSize} must divide the futures grid ${own.tickSize} / ${own.lotSize} evenly`,
      );
    }
    mirrors.push({ instrument: other.index, priceRatio, sizeRatio });
  }
  return { instrument: own.index, mirrors };
}

function guess(info: SymbolInfo): InstrumentSpec {
  const quoteCoin = ['USDT', 'USDC', 'USD'].find((coin) => info.symbol.endsWith(coin)) ?? 'USDT';
  const lot = formatScaledShort(info.sizeStep, info.sizeDecimals);
  return {
    symbol: info.symbol,
    product: 'futures',
    baseCoin: info.symbol.endsWith(quoteCoin) ? info.symbol.slice(0, -quoteCoin.length) || info.symbol : info.symbol,
    quoteCoin,
    tickSize: formatScaledShort(info.priceStep, info.priceDecimals),
    lotSize: lot,
    priceDecimals: info.writtenPriceDecimals,
    minSize: lot,
    ...GUESS,
  };
}
