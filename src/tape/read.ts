/**
 * Opens a tape for reading: from disk block by block in constant memory, or whole in memory for repeated runs.
 * size: the ways to open, of rows and of bars
 */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { barStreams } from './bars/bar-market.ts';
import type { BarMarketOptions } from './bars/bar-path.ts';
import { BarReader, DEFAULT_SPREAD } from './bars/bar-reader.ts';
import { FinerBars } from './bars/finer-bars.ts';
import type { FinerMarket } from './bars/bar-queue.ts';
import { REDO, unreadable } from './file/block.ts';
import { Scaling, type Grid } from './file/columns.ts';
import { FinerStream, type FinerRows } from './bars/finer-rows.ts';
import { systemCode, TapeError } from './file/error.ts';
import {
  FORMAT,
  FORMAT_VERSIONS,
  MANIFEST_FILE,
  type Manifest,
  type MarketKind,
  type StreamInfo,
  type SymbolInfo,
} from './file/manifest.ts';
import { DiskSource, loadBlocks, ResidentSource, type Reading } from './block-sources.ts';
import { TapeStream, type BlockSource, type PathOf } from './file/stream.ts';
import { withLogs } from './write/logs.ts';
import type { BarsOfSymbol, DetailTape, LoadedRows, LoadedStream, Tape, TapeOptions } from './tape.ts';
import { WideSource } from './wide-source.ts';
import { didYouMean } from '../base/text/suggest.ts';

/**
 * Checks the folder and gives cursors that decode block by block: memory is at most two megabytes per
 * stream, whatever the tape's length.
 * @throws TapeError missing | not-a-tape | version | truncated | corrupt | range
 */
export function openTape(folder: string, options: TapeOptions = {}): Tape {
  const manifest = readManifest(folder);
  const { symbols, gridOf } = options;
  const streams = marketStreams(chooseStreams(manifest, symbols, folder)).map((info) => ({ info, grid: gridOf?.(info.symbol) }));
  const market = { folder, manifest, options, streams };
  return assemble(market, ({ info }, scaling, reading) => new DiskSource(folder, info, scaling, reading));
}

/**
 * Reads every row into memory, at most 20 bytes each where values fit 32 bits; `open` costs nothing and may be called often.
 * @throws TapeError as openTape, and off-grid
 */
export function loadTape(folder: string, options: TapeOptions = {}): Tape {
  return tapeOf(loadRows(folder, options), options);
}

/** Reads the rows that can be traded on, on the wanted grids. @throws TapeError as openTape, and off-grid */
export function loadRows(folder: string, { symbols, gridOf }: Pick<TapeOptions, 'symbols' | 'gridOf'> = {}): LoadedRows {
  const manifest = readManifest(folder);
  const streams = marketStreams(chooseStreams(manifest, symbols, folder)).map((info) => {
    const grid = gridOnly(gridOf?.(info.symbol));
    return { info, grid, blocks: loadBlocks(folder, info, new Scaling(info, scaleOf(manifest, info), grid)) };
  });
  return { folder, manifest, streams };
}

/** A tape of loaded rows. Many may share the same rows, also in other threads. */
export function tapeOf({ folder, manifest, streams }: LoadedRows, options: Omit<TapeOptions, 'symbols' | 'gridOf'> = {}): Tape {
  return assemble({ folder, manifest, options, streams }, residentSource);
}

const residentSource: SourceOf<LoadedStream> = ({ info, blocks }, _scaling, reading) => new ResidentSource(info, blocks, reading);

/** A grid without the rest of its instrument, so that it can be posted to a worker. */
function gridOnly(grid: Grid | undefined): Grid | undefined {
  if (grid === undefined) return undefined;
  const { priceDecimals, tickStep, sizeDecimals, lotStep } = grid;
  return { priceDecimals, tickStep, sizeDecimals, lotStep };
}

/** What a tape says of itself, checked against the files that are there. @throws TapeError missing | not-a-tape | version | truncated | corrupt */
export function readManifest(folder: string): Manifest {
  for (;;) {
    const stored = readStored(folder);
    for (const stream of stored.streams) checkSize(join(folder, stream.file), stream, stored.recording !== undefined);
    const manifest = stored.recording === undefined ? stored : withLogs(folder, stored);
    if (manifest === null) continue;
    if (manifest.rows > 0) return manifest;
    throw new TapeError('empty', 'at least one row was expected, found a recording without any', folder, 'record for longer');
  }
}

/** What is in the file tape.json: of a recording without the rows that are in logs alone. @throws TapeError missing | not-a-tape | version | corrupt */
export function readStored(folder: string): Manifest {
  const path = join(folder, MANIFEST_FILE);
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw noTape(folder, error);
  }
  return parseManifest(text, path);
}

/** tape.json's text: one key per line, its checksum last. */
export function formatManifest(manifest: Manifest): string {
  return `${JSON.stringify({ ...manifest, checksum: crc32(JSON.stringify(manifest)) }, null, 2)}\n`;
}

/** Streams of a folder, and how they are wanted. */
interface ChosenStreams<T> {
  readonly folder: string;
  readonly manifest: Manifest;
  readonly options: Omit<TapeOptions, 'symbols' | 'gridOf'>;
  readonly streams: readonly T[];
}

type SourceOf<T> = (stream: T, scaling: Scaling, reading: Reading) => BlockSource;

/** Cursors over `streams`, whose rows come from what `sourceOf` makes. */
function assemble<T extends Pick<LoadedStream, 'info' | 'grid'>>(chosen: ChosenStreams<T>, sourceOf: SourceOf<T>): Tape {
  const { folder, manifest } = chosen;
  const parts = partsOf(chosen, sourceOf);
  const bars = barsOf(chosen, sourceOf);
  return {
    folder,
    manifest,
    open(only) {
      const wanted = parts(only).filter(({ info }) => only === undefined || info.kind === only);
      return wanted.map((one, index) => new TapeStream(index, one.info, one.scale, one.source, one));
    },
    bars,
  };
}

/** Makes the parts of fresh cursors, at the start: of all kinds, also if the cursors of one kind alone are read. */
function partsOf<T extends Pick<LoadedStream, 'info' | 'grid'>>(
  { manifest, options, streams }: ChosenStreams<T>,
  sourceOf: SourceOf<T>,
): (only?: MarketKind) => StreamParts[] {
  const { speed = 1, start = manifest.from, hasIds = true, spreadFactor = 1, detail } = options;
  if (!(spreadFactor >= 1)) throw new RangeError(`a spread factor of at least 1 was expected, found ${spreadFactor}`);
  if (!(speed > 0 && Number.isFinite(speed))) throw new RangeError(`a speed above 0 was expected, found ${speed}`);
  if (!Number.isSafeInteger(start)) throw new RangeError(`a start in whole milliseconds was expected, found ${start}`);
  const reading = { from: manifest.from, speed, start, hasIds };
  const finerParts = detail === undefined ? (): StreamParts[] => [] : finerPartsOf(detail, options, start - manifest.from, streams);
  const makers = streams.map((stream): ((finer: readonly StreamParts[], only?: MarketKind) => StreamParts[]) => {
    const { info, grid } = stream;
    const scale = scaleOf(manifest, info);
    const scaling = new Scaling(info, scale, grid);
    if (info.kind !== 'bars') {
      const make = (): BlockSource => sourceOf(stream, scaling, reading);
      const isWider = info.kind === 'quotes' && spreadFactor > 1;
      return () => [{ info, scale, source: isWider ? new WideSource(make(), spreadFactor) : make(), isPath: false }];
    }
    const bars = options.bars ?? DRAWN;
    const tick = (grid?.tickStep ?? 1) / 10 ** (grid?.priceDecimals ?? scale.priceDecimals);
    return (finer, only) => {
      const raw = new TapeStream(0, info, scale, sourceOf(stream, scaling, reading));
      const covers = detail?.covers.get(info.symbol);
      const own = finer.filter((one) => one.info.symbol === info.symbol);
      const market = { options: bars, tick, barMs: info.barMs! / speed, hasIds, only };
      const { trades, quotes } = barStreams(raw, { ...market, finer: covers && finerMarket(own, covers) });
      const isPath = covers === undefined || own.every((one) => one.isPath);
      return [
        { ...trades, scale, isPath },
        { ...quotes, scale, isPath },
      ];
    };
  });
  return (only) => {
    const finer = finerParts(only);
    return makers.flatMap((make) => make(finer, only));
  };
}

/** Makes the readers of the bars. */
function barsOf<T extends Pick<LoadedStream, 'info' | 'grid'>>(
  { manifest, options, streams }: ChosenStreams<T>,
  sourceOf: SourceOf<T>,
): () => BarsOfSymbol[] {
  const { speed = 1, start = manifest.from, bars: { spread } = DRAWN, spreadFactor = 1, detail } = options;
  const wider = { ...spread, value: spread.value * spreadFactor };
  const readerOf = (stream: T): { readonly reader: BarReader; readonly raw: TapeStream } => {
    const { info, grid } = stream;
    const scale = scaleOf(manifest, info);
    const tick = (grid?.tickStep ?? 1) / 10 ** (grid?.priceDecimals ?? scale.priceDecimals);
    const reading = { from: manifest.from, speed, start, hasIds: false };
    const raw = new TapeStream(0, info, scale, sourceOf(stream, new Scaling(info, scale, grid), reading));
    return { reader: new BarReader(raw, { spread: wider, tick, barMs: info.barMs! / speed }), raw };
  };
  return () => {
    const finer = detail === undefined ? [] : finerBarsOf(detail, options, start - manifest.from, streams);
    return streams
      .filter(({ info }) => info.kind === 'bars')
      .map((stream) => {
        const { symbol } = stream.info;
        const { reader, raw } = readerOf(stream);
        const own = finer.find((one) => one.symbol === symbol);
        const covers = detail?.covers.get(symbol);
        if (own === undefined || covers === undefined) return { symbol, source: reader, close: () => raw.close() };
        const close = (): void => {
          raw.close();
          own.close();
        };
        return { symbol, source: new FinerBars(reader, own.source as BarReader, covers), close };
      });
  };
}

/** The bars of a finer tape, whose times move by `shift` milliseconds. */
function finerBarsOf(
  { folder, rows }: DetailTape,
  { bars, spreadFactor }: ChosenStreams<unknown>['options'],
  shift: number,
  coarse: readonly Pick<LoadedStream, 'info' | 'grid'>[],
): BarsOfSymbol[] {
  const manifest = rows?.manifest ?? readManifest(folder);
  const options = { bars, spreadFactor, start: manifest.from + shift };
  if (rows !== undefined) return barsOf({ folder, manifest, options, streams: rows.streams }, residentSource)();
  const wanted = marketStreams(manifest.streams).filter(({ symbol }) => coarse.some(({ info }) => info.symbol === symbol));
  const streams = wanted.map((info) => ({ info, grid: coarse.find((one) => one.info.symbol === info.symbol)!.grid }));
  return barsOf({ folder, manifest, options, streams }, ({ info }, scaling, reading) => new DiskSource(folder, info, scaling, reading))();
}

/** The parts of a finer tape, whose times move by `shift` milliseconds. */
function finerPartsOf(
  { folder, rows }: DetailTape,
  { bars, spreadFactor }: ChosenStreams<unknown>['options'],
  shift: number,
  coarse: readonly Pick<LoadedStream, 'info' | 'grid'>[],
): (only?: MarketKind) => StreamParts[] {
  const manifest = rows?.manifest ?? readManifest(folder);
  const options = { bars, spreadFactor, start: manifest.from + shift, hasIds: false };
  if (rows !== undefined) return partsOf({ folder, manifest, options, streams: rows.streams }, residentSource);
  const wanted = marketStreams(manifest.streams).filter(({ symbol }) => coarse.some(({ info }) => info.symbol === symbol));
  const streams = wanted.map((info) => ({ info, grid: coarse.find((one) => one.info.symbol === info.symbol)!.grid }));
  return partsOf({ folder, manifest, options, streams }, ({ info }, scaling, reading) => new DiskSource(folder, info, scaling, reading));
}

function finerMarket(parts: readonly StreamParts[], covers: Uint8Array): FinerMarket {
  const rowsOf = (kind: 'trades' | 'quotes'): FinerRows => {
    const { info, scale, source } = parts.find((one) => one.info.kind === kind)!;
    return 'within' in source ? source : new FinerStream(new TapeStream(0, info, scale, source));
  };
  return { covers, trades: rowsOf('trades'), quotes: rowsOf('quotes') };
}

interface StreamParts extends PathOf {
  readonly info: StreamInfo;
  readonly scale: SymbolInfo;
  readonly source: BlockSource | (BlockSource & FinerRows);
}

/** Without a choice. */
const DRAWN: BarMarketOptions = { spread: DEFAULT_SPREAD, seed: 0 };

/** What can be traded on: bars only where there is nothing finer. */
function marketStreams(infos: readonly StreamInfo[]): readonly StreamInfo[] {
  return infos.filter((info) => isFine(info) || (info.kind === 'bars' && isBarMarket(infos, info.symbol)));
}

/** Where a tape ends, in milliseconds since 1970: with its last bar, or a millisecond after its last row. */
export function endOf({ streams }: Pick<Manifest, 'streams'>): number {
  return Math.max(...streams.map(({ to, barMs = 1 }) => to + barMs));
}

/** True if a symbol has bars and nothing finer to trade on. */
export function isBarMarket(streams: readonly StreamInfo[], symbol: string): boolean {
  const own = streams.filter((one) => one.symbol === symbol);
  return own.some(({ kind }) => kind === 'bars') && !own.some(isFine);
}

function isFine({ kind }: StreamInfo): boolean {
  return kind === 'trades' || kind === 'quotes';
}

function chooseStreams(manifest: Manifest, symbols: readonly string[] | undefined, folder: string): readonly StreamInfo[] {
  if (symbols === undefined) return manifest.streams;
  const known = manifest.symbols.map((s) => s.symbol);
  for (const symbol of symbols) {
    if (known.includes(symbol)) continue;
    throw new TapeError(
      'missing',
      `a symbol of the tape was expected (${known.join(', ')}), found ${symbol}`,
      folder,
      didYouMean(symbol, known),
    );
  }
  return manifest.streams.filter((stream) => symbols.includes(stream.symbol));
}

function scaleOf(manifest: Manifest, info: StreamInfo): SymbolInfo {
  const scale = manifest.symbols.find((s) => s.symbol === info.symbol);
  if (scale === undefined) throw new TapeError('corrupt', `the scale of ${info.symbol} was expected, found none`, MANIFEST_FILE, REDO);
  return scale;
}

function parseManifest(text: string, path: string): Manifest {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new TapeError('corrupt', 'a JSON object was expected, found text that is none', path, REDO, { cause: error });
  }
  if (typeof value !== 'object' || value === null || !('format' in value) || value.format !== FORMAT) {
    throw new TapeError('not-a-tape', `"format": "${FORMAT}" was expected, found none`, path, MAKE);
  }
  if (!('version' in value) || typeof value.version !== 'number' || !FORMAT_VERSIONS.includes(value.version)) {
    const found = 'version' in value ? String(value.version) : 'none';
    const hint = 'a newer tickwright wrote it: export it there with "tickwright tape export", or import the recording again';
    throw new TapeError('version', `format version ${FORMAT_VERSIONS.join(' or ')} was expected, found ${found}`, path, hint);
  }
  const { checksum, ...manifest } = value as Manifest & { readonly checksum?: unknown };
  if (checksum !== crc32(JSON.stringify(manifest))) {
    throw new TapeError('corrupt', 'the checksum of its content was expected to match, found another', path, REDO);
  }
  return manifest;
}

/** The file of a recording may be longer: a kill interrupted the writing of more. */
function checkSize(path: string, stream: StreamInfo, isRecording: boolean): void {
  let size: number;
  try {
    size = statSync(path).size;
  } catch (error) {
    throw unreadable(path, error);
  }
  if (size === stream.bytes || (isRecording && size > stream.bytes)) return;
  const code = size < stream.bytes ? 'truncated' : 'corrupt';
  throw new TapeError(code, `${stream.bytes} bytes were expected, found ${size}`, path, REDO);
}

const MAKE = 'make a tape with "tickwright tape import FILES --out FOLDER"';

function noTape(folder: string, cause: unknown): TapeError {
  const code = systemCode(cause);
  const there = statSync(folder, { throwIfNoEntry: false });
  if (there === undefined) return new TapeError('missing', 'a tape was expected, found no such folder', folder, MAKE, { cause });
  if (!there.isDirectory()) return new TapeError('not-a-tape', 'the folder of a tape was expected, found a file', folder, MAKE, { cause });
  if (code === 'ENOENT')
    return new TapeError('not-a-tape', `a folder with ${MANIFEST_FILE} was expected, found one without`, folder, MAKE, { cause });
  return new TapeError(
    'missing',
    `a readable ${MANIFEST_FILE} was expected, found ${code || String(cause)}`,
    folder,
    'check its permissions',
    { cause },
  );
}
