/** Trades or bars as longer bars. */
import { periodStart } from '../../domain/time/timeframe.ts';
import { TapeError } from '../file/error.ts';
import type { Manifest, StreamInfo } from '../file/manifest.ts';
import { readManifest } from '../read.ts';
import { streamsOf } from '../streams-of.ts';
import type { TapeStream } from '../file/stream.ts';
import type { StreamWriter } from '../write/stream-writer.ts';
import { TapeWriter } from '../write.ts';
import { RowCopier, written, writtenScale } from './edited-rows.ts';

/** Day bars begin at midnight UTC; week bars on Monday, as 1970-01-05 was the first one. */

export interface ResampleOptions {
  readonly overwrite?: boolean | undefined;
}

/**
 * Writes bars of `barMs` made of the trades of each symbol, or of its bars where it has no trades. Mark prices and funding rates are copied.
 * The first and the last bar hold what the tape has of them; a time without rows has no bar.
 * @throws TapeError unsupported, and as readManifest and TapeWriter
 */
export function resampleTape(tape: string, folder: string, barMs: number, { overwrite }: ResampleOptions = {}): Manifest {
  const manifest = readManifest(tape);
  const sources = manifest.symbols.map(({ symbol }) => sourceOf(manifest.streams, symbol, barMs, tape));
  const writer = new TapeWriter(folder, { overwrite, source: manifest.source });
  const isWanted = (info: StreamInfo): boolean => sources.includes(info) || info.kind === 'marks' || info.kind === 'funding';
  return written(writer, () => {
    for (const stream of streamsOf(tape, manifest, isWanted, true)) {
      const { symbol, kind, scale } = stream;
      writer.noteWritten(symbol, writtenScale(scale));
      if (kind === 'marks' || kind === 'funding') {
        const copier = new RowCopier(stream, writer.stream(symbol, kind, scale));
        while (stream.next()) for (let i = 0; i < stream.length; i++) copier.copy(i);
      } else resample(stream, writer.stream(symbol, 'bars', scale, barMs), barMs);
      stream.close();
    }
    return writer.finish();
  });
}

function sourceOf(streams: readonly StreamInfo[], symbol: string, barMs: number, tape: string): StreamInfo {
  const own = streams.filter((one) => one.symbol === symbol);
  const source = own.find(({ kind }) => kind === 'trades') ?? own.find(({ kind }) => kind === 'bars');
  if (source === undefined) throw new TapeError('unsupported', `${symbol}: trades or bars were expected, found neither`, tape);
  const { barMs: length = 1 } = source;
  if (barMs % length === 0) return source;
  const hint = 'choose a timeframe that is a whole number of its bars';
  throw new TapeError('unsupported', `${symbol}: bars of ${length / 1000} s make no bars of ${barMs / 1000} s`, tape, hint);
}

function resample(stream: TapeStream, target: StreamWriter, barMs: number): void {
  const isTrades = stream.kind === 'trades';
  let start = -1;
  let open = 0;
  let high = 0;
  let low = 0;
  let close = 0;
  let volume = 0;
  const write = (): void => {
    if (start < 0) return;
    if (volume > Number.MAX_SAFE_INTEGER) {
      const what = `volume: the sizes from ${new Date(start).toISOString()} on add up to more than 2^53 − 1 of their smallest steps`;
      throw new TapeError('range', what, `bars of ${stream.symbol}`, 'choose a shorter timeframe');
    }
    target.bar(start, open, high, low, close, volume);
  };
  while (stream.next()) {
    const [opens, highs, lows, closes, sizes] = isTrades
      ? [stream.price, stream.price, stream.price, stream.price, stream.size]
      : [stream.open, stream.high, stream.low, stream.last, stream.volume];
    for (let i = 0; i < stream.length; i++) {
      const time = stream.time[i]!;
      if (start < 0 || time >= start + barMs) {
        write();
        start = periodStart(time, barMs);
        open = opens[i]!;
        high = highs[i]!;
        low = lows[i]!;
        volume = 0;
      }
      high = Math.max(high, highs[i]!);
      low = Math.min(low, lows[i]!);
      close = closes[i]!;
      volume += sizes[i]!;
    }
  }
  write();
}
