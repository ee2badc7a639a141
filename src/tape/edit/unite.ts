/** Two tapes as one: the streams of both, and of streams that both have the rows of both, each once. */
import { pow10 } from '../../domain/amounts/scale.ts';
import type { Quality } from '../file/data-quality.ts';
import { TapeError } from '../file/error.ts';
import type { Manifest } from '../file/manifest.ts';
import type { TapeStream } from '../file/stream.ts';
import { addUp } from '../import/drops.ts';
import { measureQuality } from '../quality/quality.ts';
import { readManifest } from '../read.ts';
import { streamsOf } from '../streams-of.ts';
import { TapeWriter } from '../write.ts';
import type { StreamScale } from '../write/assemble.ts';
import type { StreamWriter } from '../write/stream-writer.ts';
import { RowCopier, written, writtenScale } from './edited-rows.ts';

/**
 * Writes the rows of both tapes in order of time to `folder`. A row that both have is taken once: bars, mark prices and funding rates by
 * their time, trades by their time and id, quotes if all values are the same. `fetched` is what tape.json says of fetched days.
 * @throws TapeError unsupported, and as readManifest and TapeWriter
 */
export function uniteTapes(first: string, second: string, folder: string, fetched: Manifest['fetched']): Manifest {
  const [one, two] = [readManifest(first), readManifest(second)];
  const writer = new TapeWriter(folder, { source: [...new Set([one.source, two.source])].join(', '), sortSymbols: true });
  return written(writer, () => {
    const others = streamsOf(second, two, () => true, true);
    for (const stream of streamsOf(first, one, () => true, true)) {
      const at = others.findIndex(({ symbol, kind }) => symbol === stream.symbol && kind === stream.kind);
      const other = at < 0 ? null : others.splice(at, 1)[0]!;
      if (other !== null && other.info.barMs !== stream.info.barMs) throw otherBars(stream, other, second);
      copy(stream, other, writer);
    }
    for (const stream of others) copy(stream, null, writer);
    return writer.finish((work, manifest) => ({
      quality: measureQuality(work, manifest, outliersOf([...(one.quality ?? []), ...(two.quality ?? [])]), [
        ...(one.quality ?? []).flatMap(({ cleaned }) => cleaned),
        ...(two.quality ?? []).flatMap(({ cleaned }) => cleaned),
      ]),
      dropped: addUp([one.dropped ?? {}, two.dropped ?? {}]),
      fetched,
    }));
  });
}

function otherBars(stream: TapeStream, other: TapeStream, where: string): TapeError {
  const what = `bars of ${(stream.info.barMs ?? 0) / 1000} s of ${stream.symbol} were expected, found bars of ${(other.info.barMs ?? 0) / 1000} s`;
  return new TapeError('unsupported', what, where, 'put bars of two lengths on a tape each');
}

function copy(stream: TapeStream, other: TapeStream | null, writer: TapeWriter): void {
  const { symbol, kind, scale, info } = stream;
  const widest: StreamScale = {
    priceDecimals: Math.max(scale.priceDecimals, other?.scale.priceDecimals ?? 0),
    sizeDecimals: Math.max(scale.sizeDecimals, other?.scale.sizeDecimals ?? 0),
  };
  const target = writer.stream(symbol, kind, widest, info.barMs);
  writer.noteWritten(symbol, writtenScale(scale));
  if (other !== null) writer.noteWritten(symbol, writtenScale(other.scale));
  const a = new Rows(stream, target);
  const b = other === null ? null : new Rows(other, target);
  merge(a, b ?? NONE, kind === 'trades' && (a.isNumbered || b?.isNumbered === true));
}

/** `isNumbered`: trades without ids of the venue, which the import of each tape numbered from 0. They are numbered again. */
function merge(a: Cursor, b: Cursor, isNumbered: boolean): void {
  let number = 0;
  const take = (rows: Cursor): void => rows.take(isNumbered ? number++ : undefined);
  while (!a.isOver || !b.isOver) {
    if (b.isOver || (!a.isOver && a.time < b.time)) take(a);
    else if (a.isOver || b.time < a.time) take(b);
    else sameTime(a, b, isNumbered, take);
  }
}

/** The rows of one millisecond: those of the first tape, then those of the second that it does not have. */
function sameTime(a: Cursor, b: Cursor, isNumbered: boolean, take: (rows: Cursor) => void): void {
  const { time } = a;
  const seen = new Map<string, number>();
  while (!a.isOver && a.time === time) {
    const key = a.key(isNumbered);
    seen.set(key, (seen.get(key) ?? 0) + 1);
    take(a);
  }
  while (!b.isOver && b.time === time) {
    const key = b.key(isNumbered);
    const left = seen.get(key) ?? 0;
    if (left === 0) {
      take(b);
      continue;
    }
    // What is known by its time alone is there once; of equal rows there are as many as the tape with more of them has.
    if (key !== '') seen.set(key, left - 1);
    b.step();
  }
}

interface Cursor {
  readonly isOver: boolean;
  readonly time: number;
  key(isNumbered: boolean): string;
  take(id: number | undefined): void;
  step(): void;
}

const NONE: Cursor = { isOver: true, time: Infinity, key: () => '', take: () => undefined, step: () => undefined };

/** A cursor over the rows of a stream. */
class Rows implements Cursor {
  readonly isNumbered: boolean;
  isOver = false;
  readonly #stream: TapeStream;
  readonly #copier: RowCopier;
  readonly #price: number;
  readonly #size: number;
  #at = 0;

  constructor(stream: TapeStream, writer: StreamWriter) {
    this.#stream = stream;
    this.#copier = new RowCopier(stream, writer);
    this.#price = pow10(writer.priceDecimals - stream.scale.priceDecimals);
    this.#size = pow10(writer.sizeDecimals - stream.scale.sizeDecimals);
    this.#load();
    this.isNumbered = !this.isOver && stream.id[0] === 0;
  }

  get time(): number {
    return this.#stream.time[this.#at]!;
  }

  /** What tells a row from others of its time. */
  key(isNumbered: boolean): string {
    const { kind, id, price, size, side, bid, bidSize, ask, askSize } = this.#stream;
    const i = this.#at;
    const [p, s] = [this.#price, this.#size];
    if (kind === 'trades') return isNumbered ? `${price[i]! * p} ${size[i]! * s} ${side[i]}` : String(id[i]);
    return kind === 'quotes' ? `${bid[i]! * p} ${bidSize[i]! * s} ${ask[i]! * p} ${askSize[i]! * s}` : '';
  }

  take(id: number | undefined): void {
    this.#copier.copy(this.#at, id);
    this.step();
  }

  step(): void {
    if (++this.#at === this.#stream.length) this.#load();
  }

  #load(): void {
    this.#at = 0;
    this.isOver = !this.#stream.next();
    if (this.isOver) this.#stream.close();
  }
}

/** The outliers of both, by symbol and kind: how many in all, and the first. */
function outliersOf(qualities: readonly Quality[]): Parameters<typeof measureQuality>[2] {
  const found = new Map<
    string,
    { symbol: string; kind: string; outliers: { count: number; firstTime: number; firstPrice: number; firstUsual: number } }
  >();
  for (const { symbol, outliers } of qualities) {
    for (const { kind, count, time, price, usual } of outliers) {
      const key = `${symbol} ${kind}`;
      const before = found.get(key)?.outliers;
      const first = before !== undefined && before.firstTime <= time ? before : { firstTime: time, firstPrice: price, firstUsual: usual };
      found.set(key, { symbol, kind, outliers: { ...first, count: count + (before?.count ?? 0) } });
    }
  }
  return found;
}
