/**
 * Writes a tape as files of other programs, one for each symbol and kind, in the form that the import reads: digit for digit the same tape
 * again.
 */
import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { TapeError } from '../file/error.ts';
import type { TapeKind } from '../file/manifest.ts';
import { readManifest } from '../read.ts';
import { streamsOf } from '../streams-of.ts';
import type { TapeStream } from '../file/stream.ts';
import { writeArrow } from './arrow.ts';
import type { NumberForm, WriteOptions } from './export-columns.ts';
import { writeCsv } from './csv-export.ts';
import { writeParquet } from './parquet-export.ts';

export type WriteStream = (stream: TapeStream, path: string, options: WriteOptions) => void;

const WRITERS = { csv: writeCsv, parquet: writeParquet, arrow: writeArrow } satisfies Record<string, WriteStream>;
export type ExportFormat = keyof typeof WRITERS;

/** Every decimal of 15 digits is the shortest text of its double. */
const EXACT_MAX = 1e15;

export interface ExportOptions {
  readonly format?: ExportFormat | undefined;
  readonly numbers?: NumberForm | undefined;
  /** Called now and then with the rows so far and their share of the tape. */
  readonly progress?: ((rows: number, share: number) => void) | undefined;
}

export interface ExportedFile {
  readonly file: string;
  readonly symbol: string;
  readonly kind: TapeKind;
  readonly rows: number;
}

/** @throws TapeError as readManifest, and range | unwritable; a file is whole or not there */
export function exportTape(
  tape: string,
  folder: string,
  { format = 'csv', numbers = 'double', progress }: ExportOptions = {},
): ExportedFile[] {
  const manifest = readManifest(tape);
  let written = 0;
  const wrote = (rows: number): void => {
    written += rows;
    progress?.(Math.round(written), written / manifest.rows);
  };
  const write: WriteStream = WRITERS[format];
  try {
    mkdirSync(folder, { recursive: true });
    return streamsOf(tape, manifest, () => true, true).map((stream) => {
      if (format !== 'csv' && numbers === 'double') refuseLongNumbers(stream);
      const file = join(folder, `${stream.symbol}.${stream.kind}.${format}`);
      const part = `${file}.partial`;
      try {
        write(stream, part, { numbers, wrote });
        renameSync(part, file);
      } catch (error) {
        rmSync(part, { force: true });
        throw error;
      } finally {
        stream.close();
      }
      return { file, symbol: stream.symbol, kind: stream.kind, rows: stream.rows };
    });
  } catch (error) {
    if (error instanceof TapeError) throw error;
    throw new TapeError(
      'unwritable',
      `files were expected to be written, found ${String(error)}`,
      folder,
      'check the path and the space on the disk',
      { cause: error },
    );
  }
}

function refuseLongNumbers({ symbol, kind, info }: TapeStream): void {
  const greatest = Math.max(info.maxPrice, info.maxSize);
  if (greatest < EXACT_MAX) return;
  throw new TapeError(
    'range',
    `numbers of at most 15 digits were expected for floating point, found ${greatest}`,
    `${symbol} ${kind}`,
    'write decimals: --numbers decimal',
  );
}
