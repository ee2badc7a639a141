/** Finds what a file holds by its first bytes, whatever its name: text, plain or packed; an archive of texts; JSON; Parquet; Arrow. */
import { closeSync, createReadStream, openSync, readSync, statSync, type ReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { createGunzip, createZstdDecompress } from 'node:zlib';
import { systemCode, TapeError } from '../../file/error.ts';
import { readJson } from './json.ts';
import { zipEntries } from './zip.ts';

export type FileForm = 'text' | 'parquet' | 'arrow';

/** One recording: a file, or an entry of an archive. */
export interface Input {
  /** For people: "a.zip!b.csv". */
  readonly name: string;
  readonly file: string;
  readonly form: FileForm;
  /** Time when the file was last written, milliseconds since the epoch. */
  readonly writtenAt: number;
  /** Its size on disk, and how much of that was read since it was opened last; 0 and 0 where that is not known. */
  readonly bytes: number;
  readonly bytesRead: () => number;
  /** Its text. */
  open(): Readable | Iterable<Buffer>;
}

export const CHUNK_BYTES = 1 << 18;

/** @throws TapeError missing | malformed | unsupported */
export function inputsOf(file: string): Input[] {
  let head: Buffer;
  let writtenAt: number;
  let bytes: number;
  try {
    head = firstBytes(file);
    ({ mtimeMs: writtenAt, size: bytes } = statSync(file));
  } catch (error) {
    throw unreadableFile(file, error);
  }
  const one = (open: Input['open'], form: FileForm = 'text', size = 0, bytesRead = (): number => 0): Input[] => [
    { name: file, file, form, writtenAt, bytes: size, bytesRead, open },
  ];
  switch (head.toString('latin1', 0, 4)) {
    case 'PAR1':
      return one(() => [], 'parquet');
    case 'ARRO':
      return one(() => [], 'arrow');
    case 'FEA1':
      throw oldFeather(file);
    case 'PK\x03\x04':
      return archive(file, writtenAt);
  }
  let reader: ReadStream | null = null;
  const open = (): Readable => opened((reader = createReadStream(file, { highWaterMark: CHUNK_BYTES })), head);
  return one(open, 'text', bytes, () => reader?.bytesRead ?? 0);
}

/** As `inputsOf`, with JSON seen through: its first byte may be packed. */
export async function textOf(input: Input): Promise<Input> {
  if (input.form !== 'text') return input;
  const start = await firstText(input);
  if (!/^\uFEFF?\s*[[{]/.test(start)) return input;
  return { ...input, open: () => readJson(input.open() as Readable, input.name) as unknown as Readable };
}

async function firstText(input: Input): Promise<string> {
  try {
    const stream = input.open();
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      if ('destroy' in stream) stream.destroy();
      return chunk.toString('utf8', 0, 64);
    }
    return '';
  } catch (error) {
    throw unreadableFile(input.name, error);
  }
}

function archive(file: string, writtenAt: number): Input[] {
  const known = zipEntries(file).filter(({ name }) => /\.(csv|txt|json|tsv|dat)$/i.test(name) && !/(^|\/)(__MACOSX|\.)/.test(name));
  // Texts beside files of rows say something about them.
  const isText = ({ name }: { readonly name: string }): boolean => /\.txt$/i.test(name);
  const entries = known.every(isText) ? known : known.filter((entry) => !isText(entry));
  if (entries.length === 0)
    throw new TapeError('unsupported', 'an archive with a CSV or JSON file in it was expected, found none', file, 'unpack it first');
  return entries.map((entry) => ({
    name: `${file}!${entry.name}`,
    file,
    form: 'text' as const,
    writtenAt,
    bytes: 0,
    bytesRead: () => 0,
    open: () => entry.open(),
  }));
}

function opened(plain: ReadStream, head: Buffer): Readable {
  const isGzip = head[0] === 0x1f && head[1] === 0x8b;
  const isZstd = head.length >= 4 && head.readUInt32LE(0) === 0xfd2fb528;
  if (!isGzip && !isZstd) return plain;
  const unpacked = isGzip ? createGunzip({ chunkSize: CHUNK_BYTES }) : createZstdDecompress({ chunkSize: CHUNK_BYTES });
  plain.on('error', (error) => unpacked.destroy(error));
  unpacked.on('close', () => plain.destroy());
  return plain.pipe(unpacked);
}

function firstBytes(file: string): Buffer {
  const head = Buffer.alloc(8);
  const handle = openSync(file, 'r');
  try {
    return head.subarray(0, readSync(handle, head, 0, 8, 0));
  } finally {
    closeSync(handle);
  }
}

function oldFeather(file: string): TapeError {
  return new TapeError(
    'unsupported',
    'CSV, JSON, Parquet or an Arrow file was expected, found feather of version 1',
    file,
    `convert it: python -c "import pandas; pandas.read_feather('in.feather').to_feather('out.feather')"`,
  );
}

export function unreadableFile(file: string, cause: unknown): TapeError {
  if (cause instanceof TapeError) return cause;
  const code = systemCode(cause);
  if (code === 'ENOENT') return new TapeError('missing', 'a file was expected, found none', file, 'check the path', { cause });
  if (code.startsWith('Z_') || code.startsWith('ZSTD_'))
    return new TapeError('malformed', `a whole packed file (gzip, zstd, zip) was expected, found ${code}`, file, 'fetch the file again', {
      cause,
    });
  if (code === '') throw cause;
  return new TapeError('missing', `a readable file was expected, found ${code}`, file, 'check the path and its permissions', { cause });
}
