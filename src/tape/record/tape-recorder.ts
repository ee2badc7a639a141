/**
 * Writes a tape while its rows arrive. Rows first go to a log, in which a kill damages at most the last second, and from there to the
 * files of the streams, a block at a time. At every moment the folder can be read as a tape.
 */
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { open, rename, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { unwritable } from '../file/byte-sink.ts';
import { TapeError } from '../file/error.ts';
import {
  FORMAT,
  FORMAT_VERSION,
  MANIFEST_FILE,
  type Manifest,
  type RecordingGap,
  type StreamInfo,
  type TapeKind,
} from '../file/manifest.ts';
import { formatManifest, readManifest, readStored } from '../read.ts';
import { logName, logsIn } from '../write/logs.ts';
import { LogPacker, type LoggedStream } from '../write/row-log.ts';
import { sealed } from '../write/seal.ts';

/** Size of a log. About 25 ms of work when it goes to the streams. */
const LOG_BYTES = 1 << 20;
/** A frame is written when it has so many bytes, or when `flush` is called. */
const FRAME_BYTES = 1 << 15;

/** Whoever records holds this file. */
export const LOCK_FILE = 'lock';

export interface TapeRecorderOptions {
  /** Where the rows come from, in words. */
  readonly source: string;
  readonly logBytes?: number | undefined;
}

/** What a recording has of a stream. */
export interface StreamEnd {
  readonly rows: number;
  /** Time of the last row. */
  readonly to: number;
}

export class TapeRecorder {
  readonly folder: string;
  /** Rows and gaps since this recorder began. */
  rows = 0;
  gaps = 0;
  /** Time when the recording before this one ended; undefined for a new one. */
  readonly stoppedAt: number | undefined;
  readonly #options: TapeRecorderOptions;
  #stored: Manifest;
  #packer = new LogPacker();
  #log: number;
  #file: number;
  #logged = 0;
  #sealing: Promise<void> = Promise.resolve();
  #error: TapeError | null = null;
  readonly #ends = new Map<string, StreamEnd>();
  readonly #lastIds: Readonly<Record<string, number>>;

  /** Begins a recording at `now`, or goes on with the one that is there. @throws TapeError as readManifest, and exists | unwritable */
  constructor(folder: string, now: number, options: TapeRecorderOptions) {
    this.folder = resolve(folder);
    this.#options = options;
    try {
      this.#stored = this.#open();
      this.#log = Math.max(this.#stored.recording!.log - 1, ...logsIn(this.folder)) + 1;
      const before = readable(this.folder);
      for (const info of before?.streams ?? []) this.#ends.set(`${info.symbol} ${info.kind}`, info);
      this.#lastIds = before?.recording?.lastIds ?? {};
      this.stoppedAt = before?.recording?.spans.at(-1)?.to;
      this.#file = this.#openLog();
    } catch (error) {
      throw error instanceof TapeError ? error : unwritable(this.folder, error);
    }
    this.#packer.note({ began: now });
    this.flush(now);
  }

  /** The last row of a stream so far, before this recorder too. */
  end(symbol: string, kind: TapeKind): StreamEnd | undefined {
    return this.#ends.get(`${symbol} ${kind}`);
  }

  /** Id of the last trade of a symbol before this recorder; 0 without one. */
  lastId(symbol: string): number {
    return this.#lastIds[symbol] ?? 0;
  }

  /**
   * Appends a row: whole numbers at the stream's decimals, in the order of the columns, with the side of a trade last. A time before that of the
   * row before it counts as that one. @throws TapeError unwritable
   */
  row(stream: LoggedStream, time: number, values: readonly number[]): void {
    const key = `${stream.symbol} ${stream.kind}`;
    const end = this.#ends.get(key);
    const at = Math.max(time, end?.to ?? 0);
    this.#packer.row(stream, at, values);
    this.#ends.set(key, { rows: (end?.rows ?? 0) + 1, to: at });
    this.rows++;
  }

  gap(gap: RecordingGap): void {
    this.#packer.note({ gap });
    this.gaps++;
  }

  /** Bytes that a call of `flush` would write. */
  get isFull(): boolean {
    return this.#packer.length >= FRAME_BYTES;
  }

  /** Writes what came in, so that it outlives a kill, with the mark that all was recorded until `now`. @throws TapeError unwritable */
  flush(now: number): void {
    if (this.#error !== null) throw this.#error;
    const bytes = this.#packer.take(now);
    try {
      for (let at = 0; at < bytes.length;) at += writeSync(this.#file, bytes, at, bytes.length - at);
    } catch (error) {
      throw unwritable(this.folder, error);
    }
    this.#logged += bytes.length;
    if (this.#logged < (this.#options.logBytes ?? LOG_BYTES)) return;
    this.#nextLog();
    void this.seal();
  }

  /** Brings the rows of all logs but the present one into the files of the streams. Failures show at the next `flush`. */
  seal(): Promise<void> {
    const next = this.#log;
    this.#sealing = this.#sealAfter(this.#sealing, next);
    return this.#sealing;
  }

  /** Ends the recording: all rows are in the files of the streams. @throws TapeError unwritable */
  async close(now: number): Promise<void> {
    this.flush(now);
    closeSync(this.#file);
    this.#log++;
    await this.seal();
    if (this.#error !== null) throw this.#error;
  }

  #open(): Manifest {
    const file = join(this.folder, MANIFEST_FILE);
    if (existsSync(file)) {
      const stored = readStored(this.folder);
      const { source } = this.#options;
      const isSame = stored.source === source || (isHere(stored.source) && isHere(source));
      if (stored.recording !== undefined && isSame) return stored;
      const what =
        stored.recording === undefined
          ? 'a new folder or a recording to go on with was expected, found another tape'
          : `a recording of the same venue was expected ("${source}"), found one "${stored.source}"`;
      throw new TapeError('exists', what, this.folder, 'choose another folder');
    }
    if (existsSync(this.folder) && readdirSync(this.folder).some((name) => name !== LOCK_FILE)) {
      throw new TapeError('exists', 'a new folder was expected, found one with other files', this.folder, 'choose another folder');
    }
    mkdirSync(this.folder, { recursive: true });
    const recording = { log: 1, spans: [], gaps: [], gapCount: 0, lastIds: {} };
    const { source } = this.#options;
    const fresh: Manifest = {
      format: FORMAT,
      version: FORMAT_VERSION,
      source,
      rows: 0,
      from: 0,
      to: 0,
      symbols: [],
      streams: [],
      recording,
    };
    writeFileSync(`${file}.new`, formatManifest(fresh));
    renameSync(`${file}.new`, file);
    return fresh;
  }

  #openLog(): number {
    this.#logged = 0;
    return openSync(join(this.folder, logName(this.#log)), 'wx');
  }

  #nextLog(): void {
    closeSync(this.#file);
    this.#log++;
    this.#packer = new LogPacker();
    this.#file = this.#openLog();
  }

  async #sealAfter(before: Promise<void>, next: number): Promise<void> {
    await before;
    try {
      await this.#seal(next);
    } catch (error) {
      this.#error ??= error instanceof TapeError ? error : unwritable(this.folder, error);
    }
  }

  async #seal(next: number): Promise<void> {
    const done = logsIn(this.folder).filter((number) => number < next);
    const fresh = done.filter((number) => number >= this.#stored.recording!.log);
    if (fresh.length > 0) {
      const logs = fresh.map((number) => readFileSync(join(this.folder, logName(number))));
      const manifest = sealed(this.#stored, logs, next, this.folder);
      for (const stream of manifest.streams) await this.#append(stream);
      const streams = manifest.streams.map(({ tail: _written, ...info }): StreamInfo => info);
      const file = join(this.folder, MANIFEST_FILE);
      await writeFile(`${file}.new`, formatManifest({ ...manifest, streams }), { flush: true });
      await rename(`${file}.new`, file);
      this.#stored = { ...manifest, streams };
    }
    for (const number of done) rmSync(join(this.folder, logName(number)), { force: true });
  }

  /** What an interrupted seal left behind the known bytes is written over. */
  async #append({ file, bytes, tail }: StreamInfo): Promise<void> {
    if (tail === undefined) return;
    const known = bytes - tail.length;
    const handle = await open(join(this.folder, file), known === 0 ? 'w' : 'r+');
    try {
      await handle.truncate(known);
      await handle.write(tail, 0, tail.length, known);
      await handle.sync();
    } finally {
      await handle.close();
    }
  }
}

/** The manifest with the rows of logs; null for a recording without rows. */
function readable(folder: string): Manifest | null {
  try {
    return readManifest(folder);
  } catch (error) {
    if (error instanceof TapeError && error.code === 'empty') return null;
    throw error;
  }
}

/** True if the source is an exchange of this machine: its port is another one at each start. */
function isHere(source: string): boolean {
  return /\/\/(127\.0\.0\.1|localhost|\[::1\])(:|\/|$)/.test(source);
}
