/** Turns recordings into a tape. Nothing is lost silently: every row that does not get there is counted by reason. */
import { decimalsOf, parseScaled, ScaleError } from '../../domain/amounts/scale.ts';
import { TapeError } from '../file/error.ts';
import { addUp, type Drops } from './drops.ts';
import { assumedOf } from './assumed.ts';
import { FileImport, type ImportedFile } from './file-import.ts';
import type { ColumnChoice } from './lines/layout.ts';
import { sourcesOf, type Source } from './source/source.ts';
import type { Input } from './files/inputs.ts';
import { StreamImport, type ImportReading } from './stream-import.ts';
import type { Manifest, TapeKind } from '../file/manifest.ts';
import type { Cleaning, Quality } from '../file/data-quality.ts';
import { measureQuality } from '../quality/quality.ts';
import { qualitySentences } from '../quality/sentences.ts';
import type { DateForm, TimeUnit } from './times/times.ts';
import { TapeWriter, type TapeWriterOptions } from '../write.ts';

export interface ImportOptions extends TapeWriterOptions, ColumnChoice {
  /** A row's time may be this many ms before the row above it: it is then taken as of that row's time. Beyond is an error. Default 1000. */
  readonly backwardsMs?: number | undefined;
  /** What the times of all files are written in; they are kept as milliseconds. Default: told by their size, row by row. */
  readonly timeUnit?: TimeUnit | undefined;
  /** Form of the dates. Default: as the rows have it. */
  readonly timeFormat?: DateForm | undefined;
  /** Zone of dates that have none: UTC, an offset such as +02:00, or a name such as Europe/Athens. Default: the vendor's, else UTC. */
  readonly timeZone?: string | undefined;
  /** The symbol of rows that have none. Default: as the name of the file has it. */
  readonly symbol?: string | undefined;
  /** True if the names of the files are the vendor's: a symbol in them is no guess. Default false. */
  readonly hasVendorNames?: boolean | undefined;
  /** Length of the bars, milliseconds. Default: the most frequent distance of rows. */
  readonly barMs?: number | undefined;
  /** False: klines of Binance without a volume are bars in which nothing traded, no mark prices. Default true. */
  readonly isMarks?: boolean | undefined;
  /** Coins in a contract, where sizes count contracts. */
  readonly contractSize?: string | undefined;
  /** Added to the times of a kind, milliseconds. */
  readonly shiftMs?: Readonly<Partial<Record<TapeKind, number>>> | undefined;
  /** Leave outliers out, and move trades by the measured skew of the clocks. */
  readonly clean?: boolean | undefined;
  /** What tape.json says of fetched days. */
  readonly fetched?: Manifest['fetched'];
  /** Is told how many rows were read so far, now and then, and the share of the bytes; null if their size is not known. */
  readonly progress?: ((rows: number, share: number | null) => void) | undefined;
}

export interface ImportSummary {
  readonly folder: string;
  readonly rowsIn: number;
  readonly rowsOut: number;
  readonly dropped: Drops;
  readonly clamped: number;
  /** In the order they were read: by the time of their first row. */
  readonly files: readonly ImportedFile[];
  readonly quality: readonly Quality[];
  /** What the files do not say and the import takes for granted, in sentences. */
  readonly assumed: readonly string[];
  /** What is odd about the data, in sentences. */
  readonly findings: readonly string[];
  readonly manifest: Manifest;
}

/**
 * Reads files of the formats of formats/format-table.ts and writes the tape `folder`. Columns that are not kept are named in the summary. Files of
 * one symbol and kind follow each other in order of time; where they overlap, the later file's rows before the end of the earlier are
 * dropped.
 * @throws TapeError missing | malformed | unsupported | order | exists | empty | range | unwritable; nothing is left behind then
 */
export async function importFiles(files: readonly string[], folder: string, options: ImportOptions = {}): Promise<ImportSummary> {
  if (files.length === 0) throw new TapeError('empty', 'at least one file was expected, found none', folder);
  const { timeUnit: unit = 'auto', shiftMs = {}, backwardsMs = 1000 } = options;
  const sources = await sourcesOf(files, { ...options, unit });
  const contract = contractOf(options.contractSize);
  const reading: ImportReading = { backwardsMs, unit, shiftMs, outliers: new Map(), contract };
  const first = new ImportRun(sources, folder, options, reading);
  const summary = await first.run(options.clean === true ? 'measure' : 'place', []);
  if (options.clean !== true) return summary;
  const { cleaning, outliers, skews } = first.cleaning(summary.quality);
  const second = new ImportRun(sources, folder, options, { ...reading, outliers }, skews);
  return second.run('place', cleaning);
}

/** One pass over all files. */
class ImportRun {
  readonly #sources: readonly Source[];
  readonly #folder: string;
  readonly #options: ImportOptions;
  readonly #reading: ImportReading;
  /** By symbol: added to the times of its trades. */
  readonly #skews: ReadonlyMap<string, number>;
  readonly #streams = new Map<string, StreamImport>();
  readonly #barMs = new Map<string, number>();
  #writer!: TapeWriter;
  #rowsBefore = 0;
  #bytesBefore = 0;

  constructor(
    sources: readonly Source[],
    folder: string,
    options: ImportOptions,
    reading: ImportReading,
    skews: ReadonlyMap<string, number> = new Map(),
  ) {
    this.#sources = sources;
    this.#folder = folder;
    this.#options = options;
    this.#reading = reading;
    this.#skews = skews;
  }

  async run(goal: 'place' | 'measure', cleaned: readonly Cleaning[]): Promise<ImportSummary> {
    const names = this.#sources.map(({ input }) => input.name.split(/[\\/]/).at(-1) ?? input.name).toSorted();
    this.#writer = new TapeWriter(this.#folder, { source: names.join(', '), ...this.#options, sortSymbols: true });
    try {
      const files: ImportedFile[] = [];
      for (const source of this.#sources) files.push(await this.#file(source));
      const where = files.map(({ file }) => file).join(', ');
      if (files.every((f) => f.rowsIn === 0)) {
        throw new TapeError('empty', 'rows were expected below the header line, found none', where, 'fetch the file again');
      }
      for (const stream of this.#streams.values()) stream.outliers.end();
      const dropped = addUp(files.map((f) => f.dropped));
      if (files.every((f) => f.rowsOut === 0)) throw noRows(dropped, where);
      const more = (work: string, manifest: Manifest): Partial<Manifest> => ({
        quality: measureQuality(work, manifest, this.#streams, cleaned),
        dropped,
        fetched: this.#options.fetched,
      });
      const manifest = goal === 'place' ? this.#writer.finish(more) : this.#writer.seal(more);
      if (goal === 'measure') this.#writer.abort();
      return this.#summary(files, dropped, manifest);
    } catch (error) {
      this.#writer.abort();
      throw error;
    }
  }

  /** What a second pass leaves out and moves. */
  cleaning(quality: readonly Quality[]): { cleaning: Cleaning[]; outliers: Map<string, Set<number>>; skews: Map<string, number> } {
    const outliers = new Map<string, Set<number>>();
    const cleaning: Cleaning[] = [];
    for (const [key, stream] of this.#streams) {
      const { count, rows } = stream.outliers;
      if (count === 0) continue;
      outliers.set(key, new Set(rows));
      cleaning.push({ symbol: stream.symbol, kind: stream.kind, what: 'outliers-left-out', rows: rows.length });
    }
    const skews = new Map<string, number>();
    for (const { symbol, skew } of quality) {
      if (skew === null || !skew.isClear) continue;
      skews.set(symbol, skew.shiftMs);
      cleaning.push({ symbol, kind: 'trades', what: 'times-moved', shiftMs: skew.shiftMs });
    }
    return { cleaning, outliers, skews };
  }

  async #file(source: Source): Promise<ImportedFile> {
    const context = {
      contractSize: this.#options.contractSize,
      streamOf: (symbol: string, kind: TapeKind, from: Source) => this.#streamOf(symbol, kind, from),
      progress: (rows: number) => this.#options.progress?.(this.#rowsBefore + rows, this.#share(source.input)),
    };
    const imported = await new FileImport(source, context).run();
    this.#rowsBefore += imported.rowsIn;
    this.#bytesBefore += source.input.bytes;
    for (const stream of this.#streams.values()) this.#writer.noteWritten(stream.symbol, stream.written);
    return imported;
  }

  /** Share of the bytes of all files that is read; null where an archive or Parquet is among them. */
  #share(input: Input): number | null {
    const inputs = this.#sources.map((source) => source.input);
    if (inputs.some(({ bytes }) => bytes === 0)) return null;
    const total = inputs.reduce((sum, { bytes }) => sum + bytes, 0);
    return (this.#bytesBefore + input.bytesRead()) / total;
  }

  #streamOf(symbol: string, kind: TapeKind, source: Source): StreamImport {
    const key = `${symbol} ${kind}`;
    const known = this.#streams.get(key);
    const { barMs } = source;
    if (known !== undefined) {
      if (kind !== 'bars' || this.#barMs.get(key) === barMs) return known;
      const what = `bars of ${this.#barMs.get(key)! / 1000} s of ${symbol} were expected, found bars of ${barMs / 1000} s`;
      throw new TapeError('unsupported', what, source.input.name, 'import bars of two lengths to a tape each');
    }
    const writer = this.#writer.stream(symbol, kind, { priceDecimals: 0, sizeDecimals: 0 }, kind === 'bars' ? barMs : undefined);
    const skew = kind === 'trades' ? this.#skews.get(symbol) : undefined;
    const reading =
      skew === undefined
        ? this.#reading
        : { ...this.#reading, shiftMs: { ...this.#reading.shiftMs, trades: (this.#reading.shiftMs.trades ?? 0) + skew } };
    const { isQuoteVolume } = source.layout;
    const created = new StreamImport({ symbol, kind, writer, reading, barMs, isQuoteVolume });
    this.#streams.set(key, created);
    this.#barMs.set(key, barMs);
    return created;
  }

  #summary(files: readonly ImportedFile[], dropped: Drops, manifest: Manifest): ImportSummary {
    const sum = (pick: (f: ImportedFile) => number): number => files.reduce((total, f) => total + pick(f), 0);
    return {
      folder: this.#folder,
      rowsIn: sum((f) => f.rowsIn),
      rowsOut: sum((f) => f.rowsOut),
      dropped,
      clamped: sum((f) => f.clamped),
      files,
      quality: manifest.quality ?? [],
      assumed: assumedOf(this.#sources, files),
      findings: qualitySentences(manifest),
      manifest,
    };
  }
}

function contractOf(text: string | undefined): ImportReading['contract'] {
  if (text === undefined) return null;
  try {
    const decimals = decimalsOf(text);
    const digits = parseScaled(text, decimals);
    if (digits > 0) return { digits, decimals };
  } catch (error) {
    if (!(error instanceof ScaleError)) throw error;
  }
  throw new TapeError('range', `a number above 0 was expected, found ${JSON.stringify(text)}`, '--contract-size', 'for example 0.01');
}

function noRows(dropped: Drops, where: string): TapeError {
  const reasons = Object.entries(dropped).map(([reason, rows]) => `${rows} ${reason}`);
  return new TapeError(
    'empty',
    `rows for the tape were expected, found only rows to leave out: ${reasons.join(', ')}`,
    where,
    'check the columns with --preview',
  );
}
