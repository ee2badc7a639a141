/** Turns recordings (CSV, plain or gzipped) into a tape. Nothing is lost silently: every row that does not get there is counted by reason. */
import { readHeader, type CsvLayout } from './csv-header.ts';
import { readLines } from './csv-file.ts';
import { LineScanner, type TimeUnit } from './csv-lines.ts';
import { TapeError } from '../error.ts';
import { describeBadLine } from './import-error.ts';
import { StreamImport, type DropReason, type ImportReading } from './stream-import.ts';
import type { Manifest } from '../manifest.ts';
import { TapeWriter, type TapeWriterOptions } from '../write.ts';

export interface ImportOptions extends TapeWriterOptions {
  /** A row's time may be this many ms before the row above it: it is then taken as of that row's time. Beyond is an error. Default 1000. */
  readonly backwardsMs?: number | undefined;
  /** What the times of all files are written in; they are kept as milliseconds. Default 'ms'. */
  readonly timeUnit?: TimeUnit | undefined;
}

export interface ImportedFile {
  readonly file: string;
  readonly kind: 'trades' | 'quotes';
  readonly rowsIn: number;
  readonly rowsOut: number;
  readonly dropped: Readonly<Partial<Record<DropReason, number>>>;
  /** Rows whose time was moved up to the row above, and the farthest move. */
  readonly clamped: number;
  readonly clampedMsMax: number;
  /** Columns that a tape does not keep. */
  readonly ignoredColumns: readonly string[];
}

export interface ImportSummary {
  readonly folder: string;
  readonly rowsIn: number;
  readonly rowsOut: number;
  readonly dropped: Readonly<Partial<Record<DropReason, number>>>;
  readonly clamped: number;
  /** In the order they were read: by the time of their first row. */
  readonly files: readonly ImportedFile[];
  readonly manifest: Manifest;
}

/**
 * Reads recorded trades (`symbol,tradeId,price,size,side,ts`) and quotes (`symbol,bidPrice,bidQty,askPrice,askQty,ts`, each in any
 * order) and writes the tape `folder`. Time is the venue's `ts`; further columns, the recorder's `recvTs` among them, are not kept
 * and named in the summary. Files of one symbol and kind follow each other in order of time; where they overlap, the later file's
 * rows before the end of the earlier are dropped.
 * @throws TapeError missing | malformed | unsupported | order | exists | empty | range | unwritable; nothing is left behind then
 */
export async function importCsv(files: readonly string[], folder: string, options: ImportOptions = {}): Promise<ImportSummary> {
  if (files.length === 0) throw new TapeError('empty', 'at least one file was expected, found none', folder);
  const { backwardsMs = 1000, timeUnit: unit = 'ms' } = options;
  const sources = await Promise.all(files.map((file) => peek(file, unit)));
  sources.sort((a, b) => a.first - b.first || (a.file < b.file ? -1 : 1));
  const names = sources.map(({ file }) => file.split(/[\\/]/).at(-1) ?? file).toSorted();
  const writer = new TapeWriter(folder, { source: names.join(', '), ...options, sortSymbols: true });
  const streams = new Map<string, StreamImport>();
  try {
    const imported: ImportedFile[] = [];
    for (const source of sources) imported.push(await importFile(source, writer, streams, { backwardsMs, unit }));
    if (imported.every((f) => f.rowsIn === 0)) {
      throw new TapeError('empty', 'rows were expected below the header line, found none', files.join(', '));
    }
    const manifest = writer.finish();
    const sum = (pick: (f: ImportedFile) => number): number => imported.reduce((total, f) => total + pick(f), 0);
    return {
      folder,
      rowsIn: sum((f) => f.rowsIn),
      rowsOut: sum((f) => f.rowsOut),
      dropped: addUp(imported.map((f) => f.dropped)),
      clamped: sum((f) => f.clamped),
      files: imported,
      manifest,
    };
  } catch (error) {
    writer.abort();
    throw error;
  }
}

interface Source {
  readonly file: string;
  readonly layout: CsvLayout;
  /** Time of the first row, infinity when there is none. */
  readonly first: number;
}

/** Reads the header and the first row. @throws TapeError missing | malformed | unsupported */
async function peek(file: string, unit: TimeUnit): Promise<Source> {
  let layout: CsvLayout | null = null;
  let first = Infinity;
  await readLines(file, (bytes, start, end) => {
    const text = Buffer.from(bytes.buffer, bytes.byteOffset + start, Math.min(end - start, 1 << 17)).toString('latin1');
    const lines = text.split('\n');
    let at = 0;
    if (layout === null) {
      layout = readHeader(Buffer.from(lines[0] ?? '', 'latin1').toString('utf8'), file);
      at = (lines[0] ?? '').length + 1;
    }
    const row = lines.slice(at === 0 ? 0 : 1).find((line) => line.trim() !== '');
    if (row === undefined) return true;
    const scanner = new LineScanner(layout, unit);
    const rowBytes = Buffer.from(row.trimEnd(), 'latin1');
    // A bad first row is told by the import proper, which knows its line.
    if (scanner.scan(rowBytes, 0, rowBytes.length)) first = scanner.value[1]!;
    return false;
  });
  if (layout === null) throw new TapeError('malformed', 'a header line was expected, found an empty file', `${file}:1`);
  return { file, layout, first };
}

async function importFile(
  { file, layout }: Source,
  writer: TapeWriter,
  streams: Map<string, StreamImport>,
  reading: ImportReading,
): Promise<ImportedFile> {
  const scanner = new LineScanner(layout, reading.unit);
  const touched = new Set<StreamImport>();
  let current: StreamImport | null = null;
  let line = 0;
  let rowsIn = 0;
  await readLines(file, (bytes, start, end) => {
    for (let at = start; at < end;) {
      let stop = at;
      while (bytes[stop] !== 10) stop++;
      line++;
      const rowEnd = stop > at && bytes[stop - 1] === 13 ? stop - 1 : stop;
      if (line > 1 && rowEnd > at) {
        if (!scanner.scan(bytes, at, rowEnd)) throw describeBadLine(layout, scanner, bytes, at, rowEnd, `${file}:${line}`, reading.unit);
        rowsIn++;
        if (current === null || !current.isFor(bytes, scanner.symbolStart, scanner.symbolEnd)) {
          current = streamFor(bytes, scanner, layout, writer, streams, reading);
          if (!touched.has(current)) current.beginFile();
          touched.add(current);
        }
        const problem = current.take(scanner);
        if (problem !== null) throw new TapeError(problem.code, problem.what, `${file}:${line}`, problem.hint);
      }
      at = stop + 1;
    }
    return true;
  });
  const parts = [...touched].map((stream) => stream.endFile());
  return {
    file,
    kind: layout.kind,
    rowsIn,
    rowsOut: parts.reduce((total, p) => total + p.rowsOut, 0),
    dropped: addUp(parts.map((p) => p.dropped)),
    clamped: parts.reduce((total, p) => total + p.clamped, 0),
    clampedMsMax: Math.max(0, ...parts.map((p) => p.clampedMsMax)),
    ignoredColumns: layout.ignored,
  };
}

function streamFor(
  bytes: Uint8Array,
  scanner: LineScanner,
  layout: CsvLayout,
  writer: TapeWriter,
  streams: Map<string, StreamImport>,
  reading: ImportReading,
): StreamImport {
  const symbol = Buffer.from(bytes.subarray(scanner.symbolStart, scanner.symbolEnd)).toString('latin1');
  const key = `${symbol} ${layout.kind}`;
  const known = streams.get(key);
  if (known !== undefined) return known;
  const created = new StreamImport(symbol, layout.kind, writer, reading);
  streams.set(key, created);
  return created;
}

function addUp(counts: readonly Readonly<Partial<Record<DropReason, number>>>[]): Partial<Record<DropReason, number>> {
  const total: Partial<Record<DropReason, number>> = {};
  for (const count of counts) {
    for (const [reason, rows] of Object.entries(count) as [DropReason, number][]) total[reason] = (total[reason] ?? 0) + rows;
  }
  return total;
}
