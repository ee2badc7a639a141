/** Fetches from a local server with the layout of the vendors into a temporary folder. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { Failure } from '../../../../src/base/failure/failure.ts';
import { fetchTape, type FetchOptions, type FetchSummary } from '../../../../src/run/fetch/fetch-tape.ts';
import { fetchRequest } from '../../../../src/tape/fetch/request.ts';
import type { Manifest } from '../../../../src/tape/file/manifest.ts';
import { readManifest } from '../../../../src/tape/read.ts';
import { streamsOf } from '../../../../src/tape/streams-of.ts';
import { archiveOf, ArchiveServer, klinePath, klines } from '../../../support/tape/archive-server.ts';
import { plainRows } from '../../../support/tape/plain-rows.ts';

/** 2024-03-05: what is asked for is older. */
const NOW = Date.UTC(2024, 2, 5, 12);
const RETRIES = { retries: 3, firstDelayMs: 1, longestDelayMs: 4 };
/** Bars of an hour are small enough for whole months. */
const HOUR = 3_600_000;

class FetchKit {
  server!: ArchiveServer;
  folder = '';
  tape = '';

  /** Fetches as the command does: "binance-vision BTCUSDT 1h 2024-01". */
  async fetch(
    words: string,
    options: Partial<FetchOptions> & { readonly market?: 'futures' | 'spot'; readonly now?: () => number } = {},
  ): Promise<FetchSummary> {
    const [source = '', symbol = '', kind = '', range = ''] = words.split(' ');
    const { market = 'futures', now = () => NOW, ...rest } = options;
    const request = fetchRequest({ source, symbol, kind, range, market, contractSize: rest.contractSize }, now());
    const stop = new AbortController().signal;
    return fetchTape(request, {
      folder: this.tape,
      mirror: this.server.address,
      env: {},
      retries: RETRIES,
      now: () => Date.now(),
      stop,
      ...rest,
    });
  }

  /** Puts klines of an hour on the server: of "2024-01" or of "2024-01-05". */
  publish(date: string, symbol = 'BTCUSDT'): string {
    const from = Date.parse(date.length === 7 ? `${date}-01` : date);
    const [year = 0, month = 0] = date.split('-').map(Number);
    const days = date.length === 7 ? new Date(Date.UTC(year, month, 0)).getUTCDate() : 1;
    const path = klinePath(symbol, date, '1h');
    this.server.add(path, archiveOf(path, klines(from, days, { barMs: HOUR })));
    return path;
  }

  manifest(): Manifest {
    return readManifest(this.tape);
  }

  /** By "SYMBOL kind". */
  rows(): Record<string, (number | string)[][]> {
    const streams = streamsOf(this.tape, this.manifest(), () => true, true);
    return Object.fromEntries(streams.map((stream) => [`${stream.symbol} ${stream.kind}`, plainRows(stream)]));
  }

  tapeText(): string {
    return readFileSync(join(this.tape, 'tape.json'), 'utf8');
  }
}

/** A server and a folder for each test. */
export function fetchKit(): FetchKit {
  const kit = new FetchKit();
  beforeEach(async () => {
    kit.folder = mkdtempSync(join(tmpdir(), 'fetch-'));
    kit.tape = join(kit.folder, 'tape');
    kit.server = new ArchiveServer();
    await kit.server.listen();
  });
  afterEach(async () => {
    await kit.server.close();
    rmSync(kit.folder, { recursive: true, force: true });
  });
  return kit;
}

/** "code: what" of the Failure that `work` ends with. */
export async function failureOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return `${error.failure}: ${error.problems.map(({ where, what, hint }) => [where, what, hint].filter(Boolean).join(' | ')).join('\n')}`;
  }
  throw new Error('a Failure was expected');
}
