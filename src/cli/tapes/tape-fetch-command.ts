/** `tape fetch`: a market from a public archive, in one command. */
import { relative } from 'node:path';
import { performance } from 'node:perf_hooks';
import { Failure } from '../../base/failure/failure.ts';
import { counted, grouped } from '../../base/text/figures.ts';
import { wrap } from '../../base/text/wrap.ts';
import { table, words } from '../../report/document/text-table.ts';
import type { FetchProgress, FetchSummary } from '../../run/fetch/fetch-tape.ts';
import type { ArchiveMarket, ArchiveSource } from '../../run/fetch/sources.ts';
import type { Io } from '../../run/setup/options.ts';
import type { ListedSource } from '../outputs/outputs.ts';
import { folderToBe, type CliContext } from '../shell/cli-context.ts';
import { progressText, timeText } from '../terminal/progress.ts';
import { bytes, findingsText, safeText, widthOf } from '../terminal/terminal.ts';
import { WorkLine } from '../terminal/work-line.ts';
import { droppedText } from './tape-import-command.ts';
import { printJson } from '../shell/print-json.ts';

interface FetchFlags {
  readonly list?: true;
  readonly market: ArchiveMarket;
  readonly out?: string;
  readonly mirror?: string;
  readonly contractSize?: string;
  readonly keep?: true;
  readonly json?: true;
}

export async function runFetch(flags: FetchFlags, context: CliContext, ...given: readonly (string | undefined)[]): Promise<void> {
  const { ARCHIVE_SOURCES, fetchRequest } = await import('../../run/fetch/sources.ts');
  const { io, env } = context;
  const width = widthOf(io.stdout);
  if (flags.list) {
    if (flags.json) return printJson(io, 'tape fetch', listed(ARCHIVE_SOURCES));
    return void io.stdout.write(listText(ARCHIVE_SOURCES, width));
  }
  const [source, symbol, kind, range] = given;
  if (source === undefined || symbol === undefined || kind === undefined || range === undefined) throw missingWord(given);
  const { contractSize, keep } = flags;
  const request = fetchRequest({ source, symbol, kind, range, market: flags.market, contractSize }, Date.now());
  const mirror = flags.mirror ?? env['TICKWRIGHT_MIRROR'];
  if (mirror !== undefined) requireAddress(mirror, flags.mirror === undefined ? 'TICKWRIGHT_MIRROR' : '--mirror');
  const folder = folderToBe(flags.out ?? `tapes/${symbol}-${flags.market === 'spot' ? 'spot-' : ''}${kind}`, '--out');
  const [{ fetchTape }, { untilStopped }] = await Promise.all([
    import('../../run/fetch/fetch-tape.ts'),
    import('../../run/setup/signals.ts'),
  ]);
  const stop = new AbortController();
  void untilStopped().then(() => stop.abort(stopped()));
  const line = new FetchLine(io);
  const progress = flags.json ? undefined : (now: FetchProgress): void => line.tell(now);
  try {
    const summary = await fetchTape(request, { folder, mirror, contractSize, keep, env, now: Date.now, stop: stop.signal, progress });
    line.end();
    if (flags.json) printJson(io, 'tape fetch', summary);
    else io.stdout.write(summaryText(summary, width));
  } finally {
    line.end();
  }
}

const WORDS = ['SOURCE', 'SYMBOL', 'KIND', 'FROM..TO'];

function missingWord(given: readonly (string | undefined)[]): Failure {
  const at = WORDS.findIndex((_, k) => given[k] === undefined);
  const hint = 'for example: tickwright tape fetch binance-vision BTCUSDT 1m 2024-01..2024-06; --list shows all sources and kinds';
  return new Failure('fetch-request', { what: `${WORDS[at]} is missing`, hint });
}

/** @throws Failure (flag-value) */
function requireAddress(text: string, where: string): void {
  const url = URL.parse(text);
  if (url !== null && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === '') return;
  throw new Failure('flag-value', { what: `expected an address such as https://mirror.example.com, found ${JSON.stringify(text)}`, where });
}

function stopped(): Failure {
  return new Failure('fetch-stopped', {
    what: 'stopped before the end; the tape is as it was',
    hint: 'the same command goes on from here',
  });
}

/** The line about work in progress. */
class FetchLine {
  readonly #line: WorkLine;
  readonly #from = { download: performance.now(), import: 0 };
  #next: number;

  constructor(io: Io) {
    this.#line = new WorkLine(io, 200, 500);
    this.#next = this.#from.download + this.#line.firstMs;
  }

  tell(progress: FetchProgress): void {
    const now = performance.now();
    if (progress.phase === 'import' && this.#from.import === 0) this.#from.import = now;
    if (now < this.#next) return;
    this.#next = now + this.#line.everyMs;
    if (progress.phase === 'again') return this.#line.show(`the server is asked again: ${progress.why}`);
    const ms = now - this.#from[progress.phase];
    this.#line.show(
      progress.phase === 'import' ? `import ${progressText(progress.rows, progress.share, ms, 'rows')}` : downloadText(progress, ms),
    );
  }

  end(): void {
    this.#line.end();
  }
}

/** "fetch 12 of 31 archives · 45.0 MB · 38 % · 5.2 MB/s · 12 s left" after `ms` of work. */
function downloadText(progress: Extract<FetchProgress, { phase: 'download' }>, ms: number): string {
  const { archives, of, bytes: have, share } = progress;
  const rate = Math.round((have * 1000) / Math.max(ms, 1));
  const left = share > 0 ? ` · ${timeText((ms / 1000) * (1 / Math.min(1, share) - 1))} left` : '';
  return `fetch ${archives} of ${of} archives · ${bytes(have)} · ${Math.floor(share * 100)} % · ${bytes(rate)}/s${left}`;
}

function summaryText(summary: FetchSummary, width: number): string {
  const { source, market, symbol, kind, from, to, archives, daysBefore, missing, imported, rows, folder } = summary;
  const left = imported === null ? '' : droppedText(imported.dropped);
  const facts = [
    ['asked for', `${kind} of ${symbol}, ${source} ${market}, ${from === to ? from : `${from}..${to}`}`],
    ['from', summary.address],
    ...(daysBefore === 0 ? [] : [['in the tape', `${counted(daysBefore, 'day')} before`]]),
    ['fetched', archives === 0 ? 'nothing' : `${counted(archives, 'archive')}, ${bytes(summary.bytes)}, ${sumsText(summary)}`],
    ...(missing.length === 0 ? [] : [['not there', `${missing.join(', ')}: the archive does not have it; the tape has a gap`]]),
    ...(imported === null
      ? []
      : [['imported', `${grouped(String(imported.rowsOut))} of ${counted(imported.rowsIn, 'row')}; left out: ${left}`]]),
  ];
  const assumed = (imported?.assumed ?? []).map((sentence) => `  - ${safeText(sentence)}\n`).join('');
  const taken = assumed === '' ? '' : `\nTaken for granted\n${assumed}`;
  const near = relative(process.cwd(), folder);
  const place = near.length < folder.length ? near : folder;
  return `${safeText(table([{ title: '' }, words('')], facts, width))}${taken}${findingsText(summary.findings)}\n${grouped(String(rows))} rows are in ${safeText(place)}\n`;
}

function sumsText({ archives, unsummed }: FetchSummary): string {
  if (unsummed === 0) return 'their SHA-256 match';
  return unsummed === archives
    ? 'the sums in the packed files match'
    : `SHA-256 match; ${unsummed} have none, and the sums in the packed files match`;
}

/** A row a kind: what `--list` prints. */
function listed(sources: readonly ArchiveSource[]): readonly ListedSource[] {
  return sources.map(({ name, title, address, sums, kinds, symbol, isTried, notes }) => ({
    name,
    title,
    address,
    sums: sums.kind,
    isTried,
    notes,
    kinds: kinds.map((row) => ({
      market: row.market,
      kinds: row.kind === 'bars' ? (row.timeframes ?? []) : [row.kind],
      rows: row.tape,
      symbol: symbol[row.market].example,
      archives: Object.keys(row.paths),
      timeUnit: row.timeUnit,
    })),
  }));
}

function listText(sources: readonly ArchiveSource[], width: number): string {
  const rows = sources.flatMap((source) =>
    [...groupsOf(source)].map(([facts, kinds]) => [source.name, ...facts.split('|'), kinds.join(' ')]),
  );
  const columns = [{ title: 'source' }, { title: 'market' }, { title: 'symbol' }, { title: 'rows' }, { title: 'archives' }, words('kinds')];
  const notes = sources.map(({ name, address, isTried, notes: note }) =>
    wrap(`${name}: ${address}${isTried ? '' : ' (untried against the vendor)'}. ${note}`, width).join('\n'),
  );
  return `${table(columns, rows, width)}\n${notes.join('\n')}\n\nExample: tickwright tape fetch binance-vision BTCUSDT 1m 2024-01..2024-06\n`;
}

/** Kinds by what is the same of them. */
function groupsOf({ kinds, symbol }: ArchiveSource): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const row of kinds) {
    const key = [row.market, symbol[row.market].example, row.tape, Object.keys(row.paths).join(', ')].join('|');
    groups.set(key, [...(groups.get(key) ?? []), ...(row.kind === 'bars' ? row.timeframes! : [row.kind])]);
  }
  return groups;
}
