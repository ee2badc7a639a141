/** What the `tape` commands do, as text or as JSON: make a tape out of recordings, tell what one holds, draw one from a seed. */
import { importCsv, type ImportSummary } from '../tape/import.ts';
import type { Manifest, StreamInfo } from '../tape/manifest.ts';
import { readManifest } from '../tape/read.ts';

export type { ImportSummary } from '../tape/import.ts';

/** Makes the tape `folder`, in the place of one that is there only if `overwrite`. @throws TapeError */
export async function importRecordings(files: readonly string[], folder: string, overwrite: boolean): Promise<ImportSummary> {
  return importCsv(files, folder, { overwrite });
}

/** What a tape holds: the manifest and its size on disk. */
export interface TapeInfo extends Manifest {
  readonly folder: string;
  readonly bytes: number;
  readonly bytesPerRow: number;
}

/** @throws TapeError */
export function tapeInfo(folder: string): TapeInfo {
  const manifest = readManifest(folder);
  const bytes = manifest.streams.reduce((sum: number, stream: StreamInfo) => sum + stream.bytes, 0);
  return { folder, ...manifest, bytes, bytesPerRow: manifest.rows === 0 ? 0 : Math.round((bytes / manifest.rows) * 100) / 100 };
}
