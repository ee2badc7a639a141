/** Opens the streams of a tape as they are stored: prices and sizes with the decimals of the tape, not on the grid of an instrument. */
import { Scaling } from './file/columns.ts';
import type { Manifest, StreamInfo } from './file/manifest.ts';
import { DiskSource } from './block-sources.ts';
import { TapeStream } from './file/stream.ts';

export function streamsOf(folder: string, manifest: Manifest, isWanted: (info: StreamInfo) => boolean, hasIds = false): TapeStream[] {
  const reading = { from: manifest.from, speed: 1, start: manifest.from, hasIds };
  return manifest.streams.filter(isWanted).map((info, index) => {
    const scale = manifest.symbols.find(({ symbol }) => symbol === info.symbol)!;
    return new TapeStream(index, info, scale, new DiskSource(folder, info, new Scaling(info, scale, undefined), reading));
  });
}
