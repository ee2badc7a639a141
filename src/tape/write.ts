/**
 * Writes a tape of any length in constant memory. Rows go to a temporary folder, which gets the final name only when all is on disk. So a
 * tape is complete or does not exist.
 */
import { closeSync, existsSync, fsyncSync, mkdirSync, mkdtempSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { FileSink, mayFlush, unwritable } from './file/byte-sink.ts';
import { BLOCK_ROWS } from './file/codec.ts';
import { TapeError } from './file/error.ts';
import { manifestOf, type StreamScale, type SymbolStreams } from './write/assemble.ts';
import { MANIFEST_FILE, TAPE_KINDS, type Manifest, type TapeKind } from './file/manifest.ts';
import { SILENCE_MS } from './file/gaps.ts';
import { formatManifest } from './read.ts';
import { StreamWriter, type StreamSummary } from './write/stream-writer.ts';

export interface TapeWriterOptions {
  /** Replace a tape that is there. A folder that is no tape is never replaced. Default false. */
  readonly overwrite?: boolean | undefined;
  /** Where the rows come from, in words, for tape.json. Default "". */
  readonly source?: string | undefined;
  /** A silence longer than this many ms is noted as a gap. Default 5000. */
  readonly gapMs?: number | undefined;
  /**
   * Rows of a block, at most (and by default) 65,536. Each stream keeps one block in memory while it is written and while it is
   * read: a tape of very many symbols wants smaller ones.
   */
  readonly blockRows?: number | undefined;
  /** Symbols in alphabetical order instead of that of their first streams. Default false. */
  readonly sortSymbols?: boolean | undefined;
}

/** Bars of hundreds of symbols are read at once: their blocks are smaller. */
const SPARSE_BLOCK_ROWS = 4096;

export class TapeWriter {
  readonly #folder: string;
  readonly #work: string;
  readonly #options: TapeWriterOptions;
  /** By symbol in order of appearance. */
  readonly #streams = new Map<string, Map<TapeKind, StreamWriter>>();
  readonly #written = new Map<string, StreamScale>();

  /** @throws TapeError exists | unwritable */
  constructor(folder: string, options: TapeWriterOptions = {}) {
    this.#folder = resolve(folder);
    this.#options = options;
    refuse(this.#folder, options.overwrite === true);
    try {
      mkdirSync(dirname(this.#folder), { recursive: true });
      this.#work = mkdtempSync(`${this.#folder}.partial-`);
    } catch (error) {
      throw new TapeError(
        'unwritable',
        `a folder that can be made was expected, found ${String(error)}`,
        folder,
        'check the path and its permissions',
        { cause: error },
      );
    }
  }

  /** Begins a stream. The first of a symbol decides the symbol's place in the order. Once per symbol and kind. @throws TapeError range */
  stream(symbol: string, kind: TapeKind, scale: StreamScale, barMs?: number): StreamWriter {
    if (!/^[A-Za-z0-9][A-Za-z0-9_-]{0,39}$/.test(symbol)) {
      throw new TapeError(
        'range',
        `a symbol of 1 to 40 letters, digits, _ and - was expected, found ${JSON.stringify(symbol)}`,
        this.#folder,
      );
    }
    const kinds = this.#streams.get(symbol) ?? new Map<TapeKind, StreamWriter>();
    if (kinds.has(kind)) throw new RangeError(`${symbol} ${kind} was begun twice`);
    const name = `${symbol}.${kind}.tape`;
    const writer = new StreamWriter({
      symbol,
      kind,
      name,
      sink: new FileSink(join(this.#work, name)),
      ...scale,
      gapMs: this.#options.gapMs ?? barMs ?? SILENCE_MS[kind],
      blockRows: this.#options.blockRows ?? (kind === 'trades' || kind === 'quotes' ? BLOCK_ROWS : SPARSE_BLOCK_ROWS),
      barMs,
    });
    kinds.set(kind, writer);
    this.#streams.set(symbol, kinds);
    return writer;
  }

  /** Notes how many decimals the source wrote a symbol's values with; more than once keeps the most. */
  noteWritten(symbol: string, scale: StreamScale): void {
    const before = this.#written.get(symbol);
    this.#written.set(symbol, {
      priceDecimals: Math.max(scale.priceDecimals, before?.priceDecimals ?? 0),
      sizeDecimals: Math.max(scale.sizeDecimals, before?.sizeDecimals ?? 0),
    });
  }

  /**
   * Puts the tape in its place. Streams without rows are left out. `more` adds to what tape.json says, from the folder of the finished
   * streams. @throws TapeError empty | unwritable | range; nothing is left behind then
   */
  finish(more?: (work: string, manifest: Manifest) => Partial<Manifest>): Manifest {
    try {
      const manifest = this.seal(more);
      writeFileSync(join(this.#work, MANIFEST_FILE), formatManifest(manifest), { flush: mayFlush });
      syncFolder(this.#work);
      this.#place();
      return manifest;
    } catch (error) {
      this.abort();
      if (error instanceof TapeError) throw error;
      throw unwritable(this.#folder, error);
    }
  }

  /** Finishes every stream where it is, without putting the tape in its place: `abort` must follow. @throws as `finish` */
  seal(more?: (work: string, manifest: Manifest) => Partial<Manifest>): Manifest {
    const manifest = this.#manifest();
    return more === undefined ? manifest : { ...manifest, ...more(this.#work, manifest) };
  }

  /** Gives up: nothing is left behind. */
  abort(): void {
    for (const kinds of this.#streams.values()) for (const writer of kinds.values()) writer.close();
    rmSync(this.#work, { recursive: true, force: true });
  }

  #manifest(): Manifest {
    const entries = [...this.#streams];
    if (this.#options.sortSymbols === true) entries.sort(([a], [b]) => (a < b ? -1 : 1));
    const found = entries.map(([symbol, kinds]): SymbolStreams => {
      const summaries: StreamSummary[] = [];
      for (const kind of TAPE_KINDS) {
        const summary = kinds.get(kind)?.finish();
        if (summary === undefined) continue;
        if (summary.info.rows > 0) summaries.push(summary);
        else rmSync(join(this.#work, summary.info.file));
      }
      return { symbol, summaries, written: this.#written.get(symbol) };
    });
    return manifestOf(this.#options.source ?? '', found, this.#folder);
  }

  #place(): void {
    refuse(this.#folder, this.#options.overwrite === true);
    const parent = dirname(this.#folder);
    if (existsSync(this.#folder)) {
      const old = mkdtempSync(join(parent, `${basename(this.#folder)}.old-`));
      renameSync(this.#folder, join(old, 'tape'));
      renameSync(this.#work, this.#folder);
      rmSync(old, { recursive: true, force: true });
    } else renameSync(this.#work, this.#folder);
    syncFolder(parent);
  }
}

function refuse(folder: string, overwrite: boolean): void {
  if (!existsSync(folder)) return;
  if (!overwrite)
    throw new TapeError(
      'exists',
      'a folder that is not there yet was expected, found one',
      folder,
      'choose another, or replace it with --force',
    );
  if (existsSync(join(folder, MANIFEST_FILE))) return;
  throw new TapeError(
    'exists',
    'a tape to replace was expected, found something else',
    folder,
    'choose another folder, or remove it yourself',
  );
}

/** Makes names durable where the system can; Windows cannot open folders. */
function syncFolder(folder: string): void {
  try {
    const file = openSync(folder, 'r');
    fsyncSync(file);
    closeSync(file);
  } catch {
    return;
  }
}
