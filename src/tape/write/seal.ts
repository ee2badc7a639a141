/** Brings the rows of logs into the form of a tape: blocks that follow those of the streams' files. */
import { greatestCommonDivisor, pow10 } from '../../domain/amounts/scale.ts';
import { manifestOf, type SymbolStreams } from './assemble.ts';
import { MemorySink } from '../file/byte-sink.ts';
import { MEASURES } from '../file/columns.ts';
import { SILENCE_MS } from '../file/gaps.ts';
import {
  TAPE_KINDS,
  type Manifest,
  type Recording,
  type RecordingGap,
  type Silence,
  type StreamInfo,
  type TapeKind,
} from '../file/manifest.ts';
import { StreamWriter, type StreamSummary } from './stream-writer.ts';
import { readLog, type LoggedStream, type LogNote, type LogTaker } from './row-log.ts';

/** Small blocks: a recording has many streams, and each gets few rows at a time. */
const BLOCK_ROWS = 4096;
const SPANS_KEPT = 100;
const GAPS_KEPT = 1000;

/** The manifest with the rows of `logs`, whose bytes are in the `tail` of each stream. `next` is the log that comes after them. */
export function sealed(before: Manifest, logs: readonly Uint8Array[], next: number, folder: string): Manifest {
  const sealing = new Sealing(before);
  for (const log of logs) readLog(log, sealing);
  return sealing.manifest(next, folder);
}

interface OpenStream {
  readonly writer: StreamWriter;
  readonly sink: MemorySink;
}

class Sealing implements LogTaker {
  readonly #before: Manifest;
  readonly #open = new Map<string, OpenStream>();
  readonly #spans: Silence[];
  readonly #gaps: RecordingGap[];
  #gapCount: number;
  readonly #lastIds: Record<string, number>;

  constructor(before: Manifest) {
    this.#before = before;
    const { spans = [], gaps = [], gapCount = 0, lastIds = {} } = before.recording ?? {};
    this.#spans = [...spans];
    this.#gaps = [...gaps];
    this.#gapCount = gapCount;
    this.#lastIds = { ...lastIds };
  }

  row(stream: LoggedStream, time: number, values: readonly number[]): void {
    const { writer } = this.#openFor(stream);
    // Rows of another log may have had more decimals.
    const p = pow10(writer.priceDecimals - stream.priceDecimals);
    const s = pow10(writer.sizeDecimals - stream.sizeDecimals);
    const at = Math.max(time, writer.lastTime);
    const scaled = MEASURES[stream.kind].map((measure, k) => values[k]! * (measure === 'price' ? p : measure === 'size' ? s : 1));
    const [a, b, c, d, e] = scaled as [number, number, number, number, number];
    if (stream.kind === 'trades') {
      writer.trade(at, a, b, c, values[3]!);
      this.#lastIds[stream.symbol] = a;
    } else if (stream.kind === 'quotes') writer.quote(at, a, b, c, d);
    else if (stream.kind === 'bars') writer.bar(at, a, b, c, d, e);
    else writer.single(at, a);
  }

  note(note: LogNote): void {
    if ('began' in note) this.#spans.push({ from: note.began, to: note.began });
    else {
      this.#gapCount++;
      this.#gaps.push(note.gap);
    }
  }

  written(time: number): void {
    const last = this.#spans.at(-1);
    if (last !== undefined) this.#spans[this.#spans.length - 1] = { from: last.from, to: Math.max(last.to, time) };
  }

  manifest(next: number, folder: string): Manifest {
    const names = [...this.#before.symbols.map(({ symbol }) => symbol), ...[...this.#open.values()].map(({ writer }) => writer.symbol)];
    const found = [...new Set(names)].map((symbol) => this.#symbol(symbol));
    const recording: Recording = {
      log: next,
      spans: this.#spans.slice(-SPANS_KEPT),
      gaps: this.#gaps.slice(-GAPS_KEPT),
      gapCount: this.#gapCount,
      lastIds: this.#lastIds,
    };
    const hasRows = found.some(({ summaries }) => summaries.length > 0);
    return { ...(hasRows ? manifestOf(this.#before.source, found, folder) : this.#before), recording };
  }

  #openFor({ symbol, kind, priceDecimals, sizeDecimals }: LoggedStream): OpenStream {
    const key = `${symbol} ${kind}`;
    const known = this.#open.get(key);
    if (known !== undefined) {
      known.writer.refine(priceDecimals, sizeDecimals);
      return known;
    }
    const after = this.#streamBefore(symbol, kind);
    const scale = this.#before.symbols.find((one) => one.symbol === symbol);
    const sink = new MemorySink();
    const writer = new StreamWriter({
      symbol,
      kind,
      name: `${symbol}.${kind}.tape`,
      sink,
      priceDecimals: after === undefined ? priceDecimals : scale!.priceDecimals,
      sizeDecimals: after === undefined ? sizeDecimals : scale!.sizeDecimals,
      gapMs: after?.gaps.over ?? SILENCE_MS[kind],
      blockRows: BLOCK_ROWS,
      after,
    });
    writer.refine(priceDecimals, sizeDecimals);
    const opened = { writer, sink };
    this.#open.set(key, opened);
    return opened;
  }

  #streamBefore(symbol: string, kind: TapeKind): StreamInfo | undefined {
    return this.#before.streams.find((one) => one.symbol === symbol && one.kind === kind);
  }

  /** The earlier streams of a symbol, extended or replaced by those of the logs. */
  #symbol(symbol: string): SymbolStreams {
    const scale = this.#before.symbols.find((one) => one.symbol === symbol);
    const summaries = TAPE_KINDS.flatMap((kind): StreamSummary[] => {
      const info = this.#streamBefore(symbol, kind);
      const kept = info === undefined ? [] : [{ info, ...scale! }];
      const open = this.#open.get(`${symbol} ${kind}`);
      if (open === undefined) return kept;
      const summary = open.writer.finish();
      const tail = open.sink.bytes();
      return [{ ...summary, ...stepsOf(summary, kept[0]), info: { ...summary.info, tail } }];
    });
    const written = scale && { priceDecimals: scale.writtenPriceDecimals, sizeDecimals: scale.writtenSizeDecimals };
    return { symbol, summaries, written };
  }
}

/** The largest steps of which all prices and sizes, old and new, are multiples. */
function stepsOf(summary: StreamSummary, before: StreamSummary | undefined): Pick<StreamSummary, 'priceStep' | 'sizeStep'> {
  if (before === undefined) return summary;
  const price = before.priceStep * pow10(summary.priceDecimals - before.priceDecimals);
  const size = before.sizeStep * pow10(summary.sizeDecimals - before.sizeDecimals);
  return { priceStep: greatestCommonDivisor(summary.priceStep, price), sizeStep: greatestCommonDivisor(summary.sizeStep, size) };
}
