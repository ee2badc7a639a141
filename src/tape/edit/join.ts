/** Two tapes of the same symbols, one after the other, as one. */
import { TapeError } from '../file/error.ts';
import type { Manifest, StreamInfo, SymbolInfo } from '../file/manifest.ts';
import { readManifest } from '../read.ts';
import { streamsOf } from '../streams-of.ts';
import type { TapeStream } from '../file/stream.ts';
import type { StreamWriter } from '../write/stream-writer.ts';
import type { StreamScale } from '../write/assemble.ts';
import { TapeWriter } from '../write.ts';
import { RowCopier, written, writtenScale } from './edited-rows.ts';

export interface Joined {
  readonly manifest: Manifest;
  /** Rows of the second tape that the first one has already. */
  readonly overlap: number;
}

/**
 * Writes the rows of `first`, then those of `second` that come later. Where they overlap the first one counts; trades of the same
 * millisecond are told apart by their ids. @throws TapeError order | unsupported, and as readManifest and TapeWriter
 */
export function joinTapes(
  first: string,
  second: string,
  folder: string,
  options: { readonly overwrite?: boolean | undefined } = {},
): Joined {
  const one = readManifest(first);
  const two = readManifest(second);
  refuse(one, two, first, second);
  const source = [...new Set([one.source, two.source])].join(', ');
  const writer = new TapeWriter(folder, { overwrite: options.overwrite, source });
  return written(writer, () => {
    const later = streamsOf(second, two, () => true, true);
    let overlap = 0;
    for (const stream of streamsOf(first, one, () => true, true)) {
      const { symbol, kind, scale, info } = stream;
      const next = later.find((other) => isSame(other.info, info))!;
      const target = writer.stream(symbol, kind, widest(scale, next.scale), info.barMs);
      writer.noteWritten(symbol, writtenScale(scale));
      writer.noteWritten(symbol, writtenScale(next.scale));
      overlap += append(next, target, copyAll(stream, target));
    }
    return { manifest: writer.finish(), overlap };
  });
}

/** Copies every row, and gives the ids of those of the last millisecond; 0 for a row without an id. */
function copyAll(stream: TapeStream, target: StreamWriter): ReadonlySet<number> {
  const copier = new RowCopier(stream, target);
  const ids = new Set<number>();
  while (stream.next()) {
    for (let i = 0; i < stream.length; i++) {
      if (stream.time[i]! > target.lastTime) ids.clear();
      copier.copy(i);
      ids.add(stream.kind === 'trades' ? stream.id[i]! : 0);
    }
  }
  stream.close();
  return ids;
}

/** Copies the rows after those of the target, and counts the others. */
function append(stream: TapeStream, target: StreamWriter, lastIds: ReadonlySet<number>): number {
  const copier = new RowCopier(stream, target);
  const end = target.lastTime;
  let overlap = 0;
  while (stream.next()) {
    for (let i = 0; i < stream.length; i++) {
      const time = stream.time[i]!;
      const isNew = time > end || (time === end && stream.kind === 'trades' && !lastIds.has(0) && !lastIds.has(stream.id[i]!));
      if (isNew) copier.copy(i);
      else overlap++;
    }
  }
  stream.close();
  return overlap;
}

function refuse(one: Manifest, two: Manifest, first: string, second: string): void {
  const names = ({ streams }: Manifest): string[] => streams.map(nameOf).toSorted();
  const [has, other] = [names(one), names(two)];
  if (has.join() !== other.join()) {
    throw new TapeError(
      'unsupported',
      `tapes of the same symbols and kinds were expected, found ${has.join(', ')} and ${other.join(', ')}`,
      second,
      'import the recordings of both together',
    );
  }
  if (two.from >= one.from) return;
  throw new TapeError(
    'order',
    'the earlier tape was expected first, found the later one',
    first,
    'name the tapes in the order of their times',
  );
}

function nameOf({ symbol, kind, barMs }: StreamInfo): string {
  return `${symbol} ${kind}${barMs === undefined ? '' : ` of ${barMs / 1000} s`}`;
}

function isSame(a: StreamInfo, b: StreamInfo): boolean {
  return a.symbol === b.symbol && a.kind === b.kind;
}

function widest(a: SymbolInfo, b: SymbolInfo): StreamScale {
  return {
    priceDecimals: Math.max(a.priceDecimals, b.priceDecimals),
    sizeDecimals: Math.max(a.sizeDecimals, b.sizeDecimals),
  };
}
