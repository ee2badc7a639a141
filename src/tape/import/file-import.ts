/** Passes the rows of one recording to the streams of their symbols. */
import { TapeError } from '../file/error.ts';
import { FIRST, TIME } from '../formats/format.ts';
import { plainSymbol } from '../formats/symbols.ts';
import { POW10 } from '../../domain/amounts/scale.ts';
import { addUp, type DropReason, type Drops } from './drops.ts';
import { LineScanner, type RowValues } from './lines/csv-lines.ts';
import { readLines } from './lines/csv-file.ts';
import { describeBadLine } from './lines/import-error.ts';
import { readColumns } from './columns/columnar.ts';
import { openColumns } from './columns/open-columns.ts';
import { RowStore, STORED_MAX } from './row-store.ts';
import { checkSymbol, type Source } from './source/source.ts';
import { timeReading } from './source/source-times.ts';
import type { StreamImport } from './stream-import.ts';
import type { TapeKind } from '../file/manifest.ts';

export interface ImportedFile {
  readonly file: string;
  readonly format: string;
  readonly kind: string;
  readonly rowsIn: number;
  readonly rowsOut: number;
  readonly dropped: Drops;
  /** Rows whose time was moved up to the row above, and the farthest move. */
  readonly clamped: number;
  readonly clampedMsMax: number;
  /** Trades whose side follows from the move of the price. */
  readonly sidesGuessed: number;
  /** Numbers with rounding errors of floating point, which were rounded to 15 digits. */
  readonly numbersRounded: number;
  readonly isNewestFirst: boolean;
  /** Columns that a tape does not keep. */
  readonly ignoredColumns: readonly string[];
}

export interface FileContext {
  readonly contractSize: string | undefined;
  streamOf(symbol: string, kind: TapeKind, source: Source): StreamImport;
  progress(rows: number): void;
}

/** The streams of a symbol: of a ticker two. */
interface Target {
  readonly bytes: Buffer;
  readonly first: StreamImport;
  readonly marks: StreamImport | null;
  lastRate: number;
}

export class FileImport {
  readonly #source: Source;
  readonly #context: FileContext;
  readonly #targets = new Map<string, Target>();
  readonly #touched = new Set<StreamImport>();
  readonly #store: RowStore<Target> | null;
  readonly #marks = { value: new Float64Array(8), decimals: new Int32Array(8), written: new Int32Array(8) };
  #dropped: Partial<Record<DropReason, number>> = {};
  #rows = 0;
  #line = 0;
  #numbersRounded = 0;

  constructor(source: Source, context: FileContext) {
    this.#source = source;
    this.#context = context;
    this.#store = source.isNewestFirst ? new RowStore() : null;
  }

  async run(): Promise<ImportedFile> {
    const {
      source: { input, layout, isNewestFirst },
    } = { source: this.#source };
    if (input.form === 'text') await this.#lines();
    else await this.#columns();
    this.#store?.backwards((row, target, number) => this.#take(row, target, `${input.name}, row ${number + 1} of ${this.#rows}`));
    const parts = [...this.#touched].map((stream) => stream.endFile());
    return {
      file: input.name,
      format: layout.format,
      kind: layout.kind,
      rowsIn: this.#rows,
      rowsOut: parts.reduce((total, p) => total + p.rowsOut, 0),
      dropped: addUp([this.#dropped, ...parts.map((p) => p.dropped)]),
      clamped: parts.reduce((total, p) => total + p.clamped, 0),
      clampedMsMax: Math.max(0, ...parts.map((p) => p.clampedMsMax)),
      sidesGuessed: parts.reduce((total, p) => total + p.sidesGuessed, 0),
      numbersRounded: this.#numbersRounded,
      isNewestFirst,
      ignoredColumns: layout.ignored,
    };
  }

  async #lines(): Promise<void> {
    const { layout, input, symbol } = this.#source;
    const scanner = new LineScanner(layout, timeReading(this.#source));
    let current: Target | null = symbol === null ? null : this.#targetOf(symbol);
    await readLines(input, (bytes, start, end) => {
      for (let at = start; at < end;) {
        let stop = at;
        while (bytes[stop] !== 10) stop++;
        this.#line++;
        const rowEnd = stop > at && bytes[stop - 1] === 13 ? stop - 1 : stop;
        const rowStart = this.#line === 1 ? afterMark(bytes, at) : at;
        if (this.#line > layout.leading && rowEnd > rowStart) {
          if (scanner.scan(bytes, rowStart, rowEnd)) {
            this.#rows++;
            if (symbol === null && (current === null || !isSame(current.bytes, bytes, scanner.symbolStart, scanner.symbolEnd))) {
              current = this.#targetOf(Buffer.from(bytes.subarray(scanner.symbolStart, scanner.symbolEnd)).toString('latin1'));
            }
            this.#give(scanner, current!);
          } else this.#bad(bytes, rowStart, rowEnd, scanner);
        }
        at = stop + 1;
      }
      this.#context.progress(this.#rows);
      return true;
    });
    this.#numbersRounded = scanner.numbersRounded;
  }

  async #columns(): Promise<void> {
    const { symbol, input, layout } = this.#source;
    const fixed = symbol === null ? null : this.#targetOf(symbol);
    this.#numbersRounded = await readColumns(await openColumns(input), { input, layout, times: timeReading(this.#source) }, (row, name) => {
      this.#rows++;
      this.#line++;
      this.#give(row, fixed ?? this.#targetOf(name));
    });
    this.#context.progress(this.#rows);
  }

  #give(row: RowValues, target: Target): void {
    if (this.#store === null) return this.#take(row, target, null);
    if (this.#store.rows === STORED_MAX) {
      throw new TapeError(
        'range',
        `at most ${STORED_MAX} rows were expected in a file that is newest first, found more`,
        this.#source.input.name,
        'turn it round first',
      );
    }
    this.#store.add(row, target);
  }

  #take(row: RowValues, target: Target, where: string | null): void {
    if (this.#isIncomplete(row)) return this.#count('incomplete');
    const problem = target.marks === null ? target.first.take(row) : this.#ticker(row, target, target.marks);
    if (problem === null) return;
    const place =
      where ??
      (this.#source.input.form === 'text' ? `${this.#source.input.name}:${this.#line}` : `${this.#source.input.name}, row ${this.#line}`);
    throw new TapeError(problem.code, problem.what, place, problem.hint);
  }

  /** A row of both a funding rate and a mark price; either may be missing. */
  #ticker(row: RowValues, target: Target, marks: StreamImport): ReturnType<StreamImport['take']> {
    const { value, decimals, written } = this.#marks;
    const rate = row.value[FIRST]! / POW10[row.decimals[FIRST]!]!;
    let problem = null;
    if (!Number.isNaN(rate) && rate !== target.lastRate) {
      target.lastRate = rate;
      problem = target.first.take(row);
    }
    if (problem !== null || Number.isNaN(row.value[FIRST + 1]!)) return problem;
    value[TIME] = row.value[TIME]!;
    value[FIRST] = row.value[FIRST + 1]!;
    decimals[FIRST] = row.decimals[FIRST + 1]!;
    written[FIRST] = row.written[FIRST + 1]!;
    return marks.take(this.#marks);
  }

  /** The file was written while this bar lasted. */
  #isIncomplete(row: RowValues): boolean {
    const { barMs, input } = this.#source;
    const time = row.value[TIME]!;
    return barMs > 0 && time <= input.writtenAt && time + barMs > input.writtenAt;
  }

  #count(reason: DropReason): void {
    this.#dropped[reason] = (this.#dropped[reason] ?? 0) + 1;
  }

  /** A header between the rows of months that were put together is passed over. */
  #bad(bytes: Uint8Array, start: number, end: number, scanner: LineScanner): void {
    const { layout, input } = this.#source;
    const text = Buffer.from(bytes.subarray(start, end)).toString('latin1');
    const isHeader = layout.header === null ? isPublishedHeader(text, layout.names) : text.trim() === layout.header.trim();
    if (isHeader) return this.#count('header-again');
    throw describeBadLine(layout, scanner, bytes, start, end, `${input.name}:${this.#line}`);
  }

  #targetOf(symbol: string): Target {
    const known = this.#targets.get(symbol);
    if (known !== undefined) return known;
    const { layout, exchange, input } = this.#source;
    checkSymbol(symbol, exchange, layout, input.name, this.#context.contractSize);
    const name = layout.isForeign ? plainSymbol(symbol) : symbol;
    const { kind } = layout;
    const first = this.#stream(name, kind === 'ticker' ? 'funding' : kind);
    const marks = kind === 'ticker' ? this.#stream(name, 'marks') : null;
    const created = { bytes: Buffer.from(symbol, 'latin1'), first, marks, lastRate: Number.NaN };
    this.#targets.set(symbol, created);
    return created;
  }

  #stream(symbol: string, kind: TapeKind): StreamImport {
    const stream = this.#context.streamOf(symbol, kind, this.#source);
    if (!this.#touched.has(stream)) stream.beginFile();
    this.#touched.add(stream);
    return stream;
  }
}

function isPublishedHeader(text: string, names: readonly string[]): boolean {
  const fields = text.replaceAll('"', '').split(/[,;|\t]/);
  return fields.length === names.length && fields.every((field) => /^[A-Za-z_ ]+$/.test(field.trim()));
}

/** After the mark of UTF-8. */
function afterMark(bytes: Uint8Array, at: number): number {
  return bytes[at] === 0xef && bytes[at + 1] === 0xbb && bytes[at + 2] === 0xbf ? at + 3 : at;
}

function isSame(symbol: Buffer, bytes: Uint8Array, start: number, end: number): boolean {
  if (end - start !== symbol.length) return false;
  for (let i = 0; i < symbol.length; i++) if (bytes[start + i] !== symbol[i]) return false;
  return true;
}
