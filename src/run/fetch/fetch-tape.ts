/** `tape fetch`: downloads what a tape lacks from a public archive, imports it, and joins it to the tape. */
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../../base/failure/failure.ts';
import { takeLock } from '../../edge/file/lock.ts';
import { Downloader, type DownloaderOptions } from '../../edge/http/downloader.ts';
import { uniteTapes } from '../../tape/edit/unite.ts';
import { archivesOf, dailyArchives, type Archive, type ArchiveRequest } from '../../tape/fetch/archives.ts';
import { dayText, lengthOf, rangeText, unionOf, without, type DayRange } from '../../tape/fetch/days.ts';
import { barMsOf, fetchedWith, refuseMixture, takenDays, titleOf } from '../../tape/fetch/fetched.ts';
import { TapeError } from '../../tape/file/error.ts';
import type { Manifest } from '../../tape/file/manifest.ts';
import { plainSymbol } from '../../tape/formats/symbols.ts';
import { importFiles, type ImportSummary } from '../../tape/import/import.ts';
import { qualitySentences } from '../../tape/quality/sentences.ts';
import { readManifest } from '../../tape/read.ts';
import { ArchiveFiles, archiveFile, FILES, hasNoRows } from './archive-files.ts';
import { placeTape, recoverPlace } from './place-tape.ts';

/** How far it is. */
export type FetchProgress =
  | { readonly phase: 'again'; readonly why: string }
  | { readonly phase: 'download'; readonly archives: number; readonly of: number; readonly bytes: number; readonly share: number }
  | { readonly phase: 'import'; readonly rows: number; readonly share: number | null };

export interface FetchOptions {
  readonly folder: string;
  /** Address with the vendor's paths below it. Default: the vendor's. */
  readonly mirror?: string | undefined;
  readonly contractSize?: string | undefined;
  /** Keep the downloaded archives. Default false. */
  readonly keep?: boolean | undefined;
  /** Has the settings of the proxy. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** How often a request is repeated, and after which waits. Default: 8 times, over about two minutes. */
  readonly retries?: DownloaderOptions['plan'];
  readonly now: () => number;
  /** Stops it: its reason is thrown, and what is downloaded stays. */
  readonly stop: AbortSignal;
  readonly progress?: ((progress: FetchProgress) => void) | undefined;
}

export interface FetchSummary {
  readonly folder: string;
  readonly source: string;
  readonly market: string;
  readonly symbol: string;
  readonly kind: string;
  /** First and last day that were asked for. */
  readonly from: string;
  readonly to: string;
  readonly address: string;
  /** Days that were in the tape before. */
  readonly daysBefore: number;
  readonly archives: number;
  readonly bytes: number;
  /** Archives whose sum the vendor does not publish: the sum in the packed file was checked. */
  readonly unsummed: number;
  /** Days that the archive does not have: "2024-01-05" or "2024-01-05..2024-01-09". */
  readonly missing: readonly string[];
  /** What was imported now; null if the tape had everything. */
  readonly imported: Omit<ImportSummary, 'manifest'> | null;
  /** Rows of the tape, and what is odd about it. */
  readonly rows: number;
  readonly findings: readonly string[];
}

/** Archives that are asked for at the same time. */
const AT_ONCE = 4;

/** @throws Failure, TapeError; the tape is as it was then */
export async function fetchTape(request: ArchiveRequest, options: FetchOptions): Promise<FetchSummary> {
  const { folder } = options;
  const work = `${folder}.fetch`;
  mkdirSync(work, { recursive: true });
  const lock = takeLock(join(work, 'lock'), (what) => new Failure('fetch-occupied', { what, where: work }));
  try {
    recoverPlace(work, folder);
    return await new TapeFetch(request, options, work).run();
  } finally {
    lock.release();
    // Gone unless downloads are in it.
    if (!readdirSync(work, { recursive: true, withFileTypes: true }).some((entry) => entry.isFile())) rmSync(work, { recursive: true });
  }
}

class TapeFetch {
  readonly #request: ArchiveRequest;
  readonly #options: FetchOptions;
  readonly #work: string;
  readonly #address: string;
  readonly #before: Manifest | null;
  /** What is asked for now, and after it: the days of months that are not published. */
  #queue: Archive[];
  #later: Archive[] = [];
  readonly #done: Archive[] = [];
  readonly #missing: DayRange[] = [];
  readonly #shares = new Map<Archive, number>();
  #bytes = 0;
  #planned = 0;
  #unsummed = 0;

  constructor(request: ArchiveRequest, options: FetchOptions, work: string) {
    this.#request = request;
    this.#options = options;
    this.#work = work;
    this.#address = (options.mirror ?? request.source.address).replace(/\/+$/, '');
    this.#before = existsSync(options.folder) ? readManifest(options.folder) : null;
    if (this.#before !== null) refuseMixture(request, this.#before, options.folder);
    this.#queue = archivesOf(request, takenDays(request, this.#before));
  }

  async run(): Promise<FetchSummary> {
    const daysBefore = lengthOf([this.#request.range]) - lengthOf(without(this.#request.range, takenDays(this.#request, this.#before)));
    if (this.#queue.length > 0) await this.#download();
    const gaps = this.#gaps();
    const files = await this.#filesWithRows();
    if (files.length === 0) {
      if (daysBefore === 0) throw this.#nothing();
      return this.#summary(daysBefore, gaps, null, this.#before!);
    }
    const { manifest, ...imported } = await this.#import(files, gaps);
    if (this.#options.keep !== true) rmSync(join(this.#work, FILES), { recursive: true, force: true });
    return this.#summary(daysBefore, gaps, imported, manifest);
  }

  async #download(): Promise<void> {
    const failed = new AbortController();
    const { env, now, progress, stop, retries } = this.#options;
    const signal = AbortSignal.any([stop, failed.signal]);
    const downloader = new Downloader({ env, now, signal, plan: retries, again: (why) => progress?.({ phase: 'again', why }) });
    const files = new ArchiveFiles(this.#work, this.#request.source, this.#address, downloader);
    try {
      for (; this.#queue.length > 0; this.#queue = this.#later.splice(0)) {
        this.#planned += this.#queue.length;
        const waiting = this.#queue.values();
        const workers = Array.from({ length: AT_ONCE }, () => this.#worker(files, waiting).catch((error: unknown) => failed.abort(error)));
        await Promise.all(workers);
        stop.throwIfAborted();
        failed.signal.throwIfAborted();
      }
    } finally {
      await downloader.close();
    }
  }

  /** Takes one archive after the other. Of a month that is not published the days are asked for later. */
  async #worker(files: ArchiveFiles, waiting: Iterator<Archive, undefined>): Promise<void> {
    for (let next = waiting.next(); next.done !== true; next = waiting.next()) {
      const archive = next.value;
      const fetched = await files.fetch(archive, (have, total) => this.#tell(archive, have, total));
      this.#shares.set(archive, 1);
      this.#bytes += fetched.bytes;
      if (fetched.from !== 'missing') {
        this.#done.push(archive);
        if (!fetched.isSummed) this.#unsummed++;
        continue;
      }
      const days = this.#isMonth(archive) ? dailyArchives(this.#request, this.#asked(archive.days)) : [];
      if (days.length === 0) this.#missing.push(archive.days);
      this.#later.push(...days);
    }
  }

  #isMonth({ days }: Archive): boolean {
    return days.to > days.from;
  }

  /** Days of an archive that were asked for. */
  #asked({ from, to }: DayRange): DayRange {
    const { range } = this.#request;
    return { from: Math.max(from, range.from), to: Math.min(to, range.to) };
  }

  #tell(archive: Archive, have: number, total: number | null): void {
    this.#shares.set(archive, total === null || total === 0 ? 0 : have / total);
    const of = this.#planned + this.#later.length;
    const share = [...this.#shares.values()].reduce((sum, one) => sum + one, 0) / of;
    const archives = this.#done.length;
    this.#options.progress?.({ phase: 'download', archives, of, bytes: this.#bytes + have, share });
  }

  /** Archives of days without trades have a header alone, or nothing. */
  async #filesWithRows(): Promise<string[]> {
    const files: string[] = [];
    for (const archive of this.#done) {
      const file = archiveFile(this.#work, this.#request.source, archive);
      if (!(await hasNoRows(file))) files.push(file);
    }
    return files;
  }

  #gaps(): DayRange[] {
    return unionOf(this.#missing.map((days) => this.#asked(days)));
  }

  #nothing(): Failure {
    const { symbol, range, source, market } = this.#request;
    return new Failure('fetch-missing', {
      what: `expected ${titleOf(this.#request)} for ${symbol}, ${rangeText(range)}, found ${this.#done.length === 0 ? 'nothing published' : 'archives without rows'}`,
      where: this.#address + archivesOf(this.#request)[0]!.path,
      hint: `check the symbol as ${source.title} writes it (${market}: ${source.symbol[market].example}), and whether it was traded then`,
    });
  }

  async #import(files: readonly string[], gaps: readonly DayRange[]): Promise<ImportSummary> {
    const request = this.#request;
    const { folder, contractSize, progress, stop } = this.#options;
    const fetched = fetchedWith(this.#before, request, this.#done, gaps);
    const added = join(this.#work, 'added');
    const summary = await importFiles(files, this.#before === null ? join(this.#work, 'new') : added, {
      source: `${titleOf(request)}, ${request.symbol}`,
      contractSize,
      barMs: barMsOf(request),
      isMarks: request.row.tape === 'marks',
      hasVendorNames: true,
      fetched,
      progress: (rows, share) => {
        stop.throwIfAborted();
        progress?.({ phase: 'import', rows, share });
      },
    });
    stop.throwIfAborted();
    this.#requireStream(summary.manifest);
    const manifest = this.#before === null ? summary.manifest : uniteTapes(folder, added, join(this.#work, 'new'), fetched);
    placeTape(this.#work, folder);
    rmSync(added, { recursive: true, force: true });
    return { ...summary, manifest };
  }

  /** The rows are what was asked for. */
  #requireStream({ streams }: Manifest): void {
    const expected = `${plainSymbol(this.#request.symbol)} ${this.#request.row.tape}`;
    const found = streams.map(({ symbol, kind }) => `${symbol} ${kind}`);
    if (found.length === 1 && found[0] === expected) return;
    throw new TapeError('unsupported', `${expected} were expected in the archives, found ${found.join(', ')}`, titleOf(this.#request));
  }

  #summary(daysBefore: number, gaps: readonly DayRange[], imported: FetchSummary['imported'], manifest: Manifest): FetchSummary {
    const { source, market, symbol, kind, range } = this.#request;
    return {
      folder: this.#options.folder,
      source: source.name,
      market,
      symbol,
      kind,
      from: dayText(range.from),
      to: dayText(range.to),
      address: this.#address,
      daysBefore,
      archives: this.#done.length,
      bytes: this.#bytes,
      unsummed: this.#unsummed,
      missing: gaps.map(rangeText),
      imported,
      rows: manifest.rows,
      findings: qualitySentences(manifest),
    };
  }
}
