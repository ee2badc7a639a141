/** Writes a part of a tape as a new tape. */
import type { Manifest } from '../file/manifest.ts';
import { readManifest } from '../read.ts';
import { streamsOf } from '../streams-of.ts';
import { TapeWriter } from '../write.ts';
import { RowCopier, written, writtenScale } from './edited-rows.ts';

export interface CutOptions {
  /** The first moment, and the one to stop before, in milliseconds since the epoch. Default: those of the tape. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly overwrite?: boolean | undefined;
}

/** Writes the rows of `from` ≤ time < `to`; of bars those that have ended by `to`. @throws TapeError as readManifest and TapeWriter */
export function cutTape(tape: string, folder: string, { from = -Infinity, to = Infinity, overwrite }: CutOptions): Manifest {
  const manifest = readManifest(tape);
  const writer = new TapeWriter(folder, { overwrite, source: manifest.source });
  return written(writer, () => {
    for (const stream of streamsOf(tape, manifest, () => true, true)) {
      const { symbol, kind, scale, info } = stream;
      const copier = new RowCopier(stream, writer.stream(symbol, kind, scale, info.barMs));
      writer.noteWritten(symbol, writtenScale(scale));
      const last = to - (info.barMs ?? 1);
      while (stream.next()) {
        for (let i = 0; i < stream.length; i++) {
          const time = stream.time[i]!;
          if (time >= from && time <= last) copier.copy(i);
        }
      }
      stream.close();
    }
    return writer.finish();
  });
}
