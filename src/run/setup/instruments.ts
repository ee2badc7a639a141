/** The instruments of a run, numbered from 0, and the recorded symbols that feed them. */
import { createInstrument, type Instrument, type InstrumentSpec, tickRatio } from '../../domain/instrument.ts';
import { defaultConfig } from '../../config/defaults.ts';
import { decimalsOf, formatScaledShort, parseScaled } from '../../domain/scale.ts';
import { TapeError } from '../../tape/error.ts';
import type { SymbolInfo } from '../../tape/manifest.ts';
import type { Feed } from './mirror-row.ts';

export interface RunInstruments {
  readonly instruments: readonly Instrument[];
  /** Symbols of the tape without configuration; their grid is that of the recording. */
  readonly guessed: readonly string[];
  /** Built-in rows whose grid gave way to that of the tape, in sentences. */
  readonly adjusted: readonly string[];
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
  const adjusted: string[] = [];
  for (const info of symbols) {
    const known = specs.find((spec) => spec.symbol === info.symbol && spec.product === 'futures');
    if (known === undefined) guessed.push(info.symbol);
    const { spec, told } = known === undefined ? { spec: guess(info), told: null } : onGridOf(info, known);
    if (told !== null) adjusted.push(told);
    chosen.push(spec);
  }
  for (const info of symbols) {
    const spot = specs.find((spec) => spec.symbol === info.symbol && spec.product === 'spot');
    if (spot !== undefined) chosen.push(spot);
  }
  return { instruments: chosen.map((spec, index) => createInstrument(spec, index)), guessed, adjusted };
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

/**
 * The configured row, where the tape moves on its grid. A row that comes with the program gives way to the tape; one that somebody wrote is
 * held against it. @throws TapeError off-grid
 */
function onGridOf(info: SymbolInfo, spec: InstrumentSpec): { readonly spec: InstrumentSpec; readonly told: string | null } {
  const tick = formatScaledShort(info.priceStep, info.priceDecimals);
  const lot = formatScaledShort(info.sizeStep, info.sizeDecimals);
  const fitsTick = isMultiple(tick, spec.tickSize);
  const fitsLot = isMultiple(lot, spec.lotSize);
  if (fitsTick && fitsLot) return { spec, told: null };
  const differs = [
    ...(fitsTick ? [] : [{ key: 'tickSize', said: spec.tickSize, found: tick }]),
    ...(fitsLot ? [] : [{ key: 'lotSize', said: spec.lotSize, found: lot }]),
  ];
  const words = differs.map(({ key, said, found }) => `${key} ${said}, and the tape moves in steps of ${found}`).join('; ');
  const isBuiltIn = defaultConfig().instruments.some((one) => JSON.stringify(one) === JSON.stringify(spec));
  if (!isBuiltIn) {
    const lines = differs.map(({ key, found }) => `"${key}": "${found}"`).join(', ');
    throw new TapeError('off-grid', `${info.symbol}: the file of instruments says ${words}`, info.symbol, `write ${lines} in its row`);
  }
  const grid = {
    ...spec,
    tickSize: fitsTick ? spec.tickSize : tick,
    lotSize: fitsLot ? spec.lotSize : lot,
    priceDecimals: Math.max(spec.priceDecimals ?? 0, info.writtenPriceDecimals),
  };
  return {
    spec: fitsLot ? grid : { ...grid, minSize: lot },
    told: `${info.symbol}: the built-in row says ${words}; the tape's are used, and the built-in fees. A row of your own in the file of instruments says otherwise.`,
  };
}

/** Whether one decimal is a whole number of times another. */
function isMultiple(value: string, step: string): boolean {
  const decimals = Math.max(decimalsOf(value), decimalsOf(step));
  return parseScaled(value, decimals) % parseScaled(step, decimals) === 0;
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
