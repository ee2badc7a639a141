/** The archives of a tape that are downloaded and not imported yet, in a folder beside it, and whether they are whole. */
import { createHash } from 'node:crypto';
import { createReadStream, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { Failure } from '../../base/failure/failure.ts';
import type { Downloader, TellBytes } from '../../edge/http/downloader.ts';
import type { Archive } from '../../tape/fetch/archives.ts';
import type { ArchiveSource } from '../../tape/fetch/sources.ts';
import { TapeError } from '../../tape/file/error.ts';
import { inputsOf } from '../../tape/import/files/inputs.ts';

export interface FetchedFile {
  /** cached: it was here. missing: the archive has none. */
  readonly from: 'vendor' | 'cached' | 'missing';
  readonly bytes: number;
  /** True if the vendor publishes a sum of it, and that was compared. */
  readonly isSummed: boolean;
}

/** The part of the folder beside the tape that downloads are in. */
export const FILES = 'files';

export class ArchiveFiles {
  readonly #folder: string;
  readonly #source: ArchiveSource;
  readonly #address: string;
  readonly #downloader: Downloader;

  /** `folder` is the one beside the tape. */
  constructor(folder: string, source: ArchiveSource, address: string, downloader: Downloader) {
    this.#folder = folder;
    this.#source = source;
    this.#address = address;
    this.#downloader = downloader;
  }

  /** Downloads the archive, checks it, and gives it its name only then. @throws Failure (fetch-failed, fetch-checksum) */
  async fetch(archive: Archive, tell: TellBytes): Promise<FetchedFile> {
    const file = archiveFile(this.#folder, this.#source, archive);
    if (existsSync(file)) return { from: 'cached', bytes: 0, isSummed: true };
    const part = `${file}.part`;
    const url = this.#address + archive.path;
    mkdirSync(dirname(file), { recursive: true });
    for (let isSecond = false; ; isSecond = true) {
      let bytes = 0;
      const isThere = await this.#downloader.download(url, part, (have, total) => tell((bytes = have), total));
      if (!isThere) {
        rmSync(part, { force: true });
        return { from: 'missing', bytes: 0, isSummed: false };
      }
      const { problem, isSummed } = await this.#check(part, url);
      if (problem === null) {
        renameSync(part, file);
        return { from: 'vendor', bytes, isSummed };
      }
      rmSync(part);
      const hint = 'it was downloaded twice; nothing was imported';
      if (isSecond) throw new Failure('fetch-checksum', { what: problem, where: url, hint });
    }
  }

  async #check(part: string, url: string): Promise<{ readonly problem: string | null; readonly isSummed: boolean }> {
    const { sums } = this.#source;
    const text = sums.kind === 'none' ? null : await this.#downloader.text(url + sums.ending);
    if (text === null) return { problem: await packProblem(part, url), isSummed: false };
    const expected = /^\s*([0-9a-f]{64})\b/i.exec(text)?.[1]?.toLowerCase() ?? 'none in the file of the sum';
    const found = await sha256Of(part);
    return { problem: found === expected ? null : `expected the SHA-256 ${expected}, found ${found}`, isSummed: true };
  }
}

/** Where an archive is in the folder beside the tape: as at the vendor. */
export function archiveFile(folder: string, { name }: ArchiveSource, { path }: Archive): string {
  return join(folder, FILES, name, ...path.split('/'));
}

/** True if a file has at most a header: nothing was traded. */
export async function hasNoRows(file: string): Promise<boolean> {
  for (const input of inputsOf(file)) {
    if (input.form !== 'text') return false;
    for await (const chunk of input.open() as AsyncIterable<Buffer>) {
      const lines = chunk
        .toString('latin1')
        .split('\n')
        .filter((line) => line.trim() !== '');
      if (lines.length > 1 || /^[^A-Za-z]/.test(lines[0] ?? '')) return false;
    }
  }
  return true;
}

async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) hash.update(chunk);
  return hash.digest('hex');
}

/** Unpacks the file, whose own sum is compared then. */
async function packProblem(file: string, url: string): Promise<string | null> {
  try {
    const inputs = inputsOf(file);
    if (inputs.some((input) => input.name === file) && !(await isGzip(file))) return 'expected a packed file, found another';
    for (const input of inputs) for await (const _ of input.open() as Readable);
    return null;
  } catch (error) {
    if (error instanceof TapeError) return error.problems[0]!.what;
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (code.startsWith('Z_')) return `expected a whole packed file, found ${code} in ${url.split('/').at(-1)}`;
    throw error;
  }
}

async function isGzip(file: string): Promise<boolean> {
  for await (const chunk of createReadStream(file, { end: 1 }) as AsyncIterable<Buffer>) return chunk.equals(Buffer.from([0x1f, 0x8b]));
  return false;
}
