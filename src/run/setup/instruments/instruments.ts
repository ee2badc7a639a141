/** The instruments of a run, numbered from 0, and the recorded symbols that feed them. */
import { createInstrument, type Instrument, type InstrumentSpec, tickRatio } from '../../../domain/instrument.ts';
import { defaultConfig } from '../../../config/defaults.ts';
import { decimalsOf, formatScaledShort, parseScaled } from '../../../domain/amounts/scale.ts';
import { TapeError } from '../../../tape/file/error.ts';
import type { Manifest, SymbolInfo } from '../../../tape/file/manifest.ts';
import { isBarMarket } from '../../../tape/read.ts';
import { MONEY_DECIMALS } from '../../../domain/amounts/units.ts';
import type { Feed } from './mirror-row.ts';
import { syntheticRow } from './synthetic-instruments.ts';

export interface RunInstruments {
  readonly instruments: readonly Instrument[];
  /** Symbols of the tape without configuration; their grid is that of the recording. */
  readonly guessed: readonly string[];
  /** Built-in rows whose grid gave way to that of the tape, and volumes of bars that are cut to whole lots, in sentences. */
  readonly adjusted: readonly string[];
}

/** Fees and limits of an instrument without configuration: cautious, typical values. */
const GUESS = { makerFeeRate: '0.0002', takerFeeRate: '0.0006', maxSize: '1000000' } as const;

/** Lots in a bar, at most: sums of bars of a whole day stay exact. */
const MOST_LOTS = 1e12;

/** What a tape says about the grid of a symbol, as decimals. */
interface SeenGrid {
  readonly info: SymbolInfo;
  readonly tick: string;
  readonly lot: string;
  /** True if the sizes are volumes of bars: sums, which need not be whole lots. */
  readonly isBars: boolean;
  /** Greatest volume, in units. */
  readonly maxSize: number;
}

/**
 * Instruments for the symbols of a tape: from the configuration, else with the grid of the recording. Spot instruments of the same symbols
 * come last. @throws TapeError off-grid
 */
export function instrumentsFor(tape: Pick<Manifest, 'symbols' | 'streams'>, specs: readonly InstrumentSpec[]): RunInstruments {
  const { rows, guessed, adjusted } = rowsFor(tape, specs);
  return { instruments: rows.map((spec, index) => createInstrument(spec, index)), guessed, adjusted };
}

/** The same as rows of a file of instruments. @throws TapeError off-grid */
export function rowsFor(
  tape: Pick<Manifest, 'symbols' | 'streams'>,
  specs: readonly InstrumentSpec[],
): Omit<RunInstruments, 'instruments'> & { readonly rows: readonly InstrumentSpec[] } {
  const { symbols } = tape;
  const chosen: InstrumentSpec[] = [];
  const guessed: string[] = [];
  const adjusted: string[] = [];
  for (const info of symbols) {
    const seen = seenGrid(info, tape);
    const known = specs.find((spec) => spec.symbol === info.symbol && spec.product === 'futures') ?? syntheticOf(seen);
    if (known === undefined) guessed.push(info.symbol);
    const { spec, told } = known === undefined ? { spec: guess(seen), told: null } : onGridOf(seen, known);
    if (told !== null) adjusted.push(told);
    if (seen.isBars && !isMultiple(seen.lot, spec.lotSize)) adjusted.push(cutNote(spec));
    chosen.push(spec);
  }
  for (const info of symbols) {
    const spot = specs.find((spec) => spec.symbol === info.symbol && spec.product === 'spot');
    if (spot !== undefined) chosen.push(spot);
  }
  return { rows: chosen, guessed, adjusted };
}

/** @throws TapeError off-grid, for a grid that money cannot be counted on */
function seenGrid(info: SymbolInfo, { streams }: Pick<Manifest, 'streams'>): SeenGrid {
  const { symbol, sizeDecimals } = info;
  const tick = formatScaledShort(info.priceStep, info.priceDecimals);
  const lot = formatScaledShort(info.sizeStep, sizeDecimals);
  const isBars = isBarMarket(streams, symbol);
  const tickDecimals = decimalsOf(tick);
  const lotDecimals = isBars ? 0 : decimalsOf(lot);
  if (tickDecimals + lotDecimals > MONEY_DECIMALS) {
    const room = MONEY_DECIMALS - tickDecimals;
    const isPrice = room < 0;
    throw new TapeError(
      'off-grid',
      `${symbol}: prices and sizes with at most ${MONEY_DECIMALS} decimals together were expected, found ${tickDecimals} + ${lotDecimals} (steps of ${tick} and ${lot})`,
      symbol,
      `round the ${isPrice ? 'prices' : 'sizes'} in the recording to at most ${isPrice ? MONEY_DECIMALS : room} decimals and import it again`,
    );
  }
  const maxSize = Math.max(0, ...streams.filter((one) => one.symbol === symbol).map((one) => one.maxSize)) / 10 ** sizeDecimals;
  return { info, tick, lot, isBars, maxSize };
}

function cutNote({ symbol, lotSize }: InstrumentSpec): string {
  return `${symbol}: the volumes of its bars are no whole lots of ${lotSize}; what is less than a lot is left out. A bar of less than a lot moves the price and prints no trade.`;
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
 * held against it. Volumes of bars say nothing about the lot. @throws TapeError off-grid
 */
function onGridOf(seen: SeenGrid, spec: InstrumentSpec): { readonly spec: InstrumentSpec; readonly told: string | null } {
  const { info, tick, isBars } = seen;
  const fitsTick = isMultiple(tick, spec.tickSize);
  const room = MONEY_DECIMALS - decimalsOf(fitsTick ? spec.tickSize : tick);
  const lot = isBars ? oneAt(Math.max(0, room)) : seen.lot;
  const fitsLot = isBars ? decimalsOf(spec.lotSize) <= room : isMultiple(lot, spec.lotSize);
  if (fitsTick && fitsLot) return { spec, told: null };
  const differs = [
    ...(fitsTick ? [] : [{ key: 'tickSize', said: spec.tickSize, found: tick }]),
    ...(fitsLot ? [] : [{ key: 'lotSize', said: spec.lotSize, found: lot }]),
  ];
  const words = differs
    .map(({ key, said, found }) => {
      const isForMoney = isBars && key === 'lotSize';
      return `${key} ${said}, and ${isForMoney ? `beside that tick the lot is at least ${found}` : `the tape moves in steps of ${found}`}`;
    })
    .join('; ');
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

/** The row of a symbol that `tape synth` makes, if the tape is on its grid. */
function syntheticOf({ info, tick, lot, isBars }: SeenGrid): InstrumentSpec | undefined {
  const row = syntheticRow(info.symbol);
  return row !== undefined && isMultiple(tick, row.tickSize) && (isBars || isMultiple(lot, row.lotSize)) ? row : undefined;
}

/** "0.001" for 3. */
function oneAt(decimals: number): string {
  return formatScaledShort(1, decimals);
}

/** True if one decimal is a whole number of times another. */
function isMultiple(value: string, step: string): boolean {
  const decimals = Math.max(decimalsOf(value), decimalsOf(step));
  return parseScaled(value, decimals) % parseScaled(step, decimals) === 0;
}

function guess({ info, tick, lot: step, isBars, maxSize }: SeenGrid): InstrumentSpec {
  const quoteCoin = ['USDT', 'USDC', 'USD'].find((coin) => info.symbol.endsWith(coin)) ?? 'USDT';
  const lot = isBars ? lotOfBars(tick, maxSize) : step;
  return {
    symbol: info.symbol,
    product: 'futures',
    baseCoin: info.symbol.endsWith(quoteCoin) ? info.symbol.slice(0, -quoteCoin.length) || info.symbol : info.symbol,
    quoteCoin,
    tickSize: tick,
    lotSize: lot,
    priceDecimals: info.writtenPriceDecimals,
    minSize: lot,
    ...GUESS,
  };
}

/** The finest lot that money can be counted with beside the tick, and that the greatest volume can be counted in. */
function lotOfBars(tick: string, maxSize: number): string {
  let decimals = MONEY_DECIMALS - decimalsOf(tick);
  while (decimals > 0 && maxSize * 10 ** decimals > MOST_LOTS) decimals--;
  return oneAt(decimals);
}
