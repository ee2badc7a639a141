/**
 * Folders of files on Redis by the digest of their content: tapes and strategies of searches. A folder is put there once, fetched once by
 * each worker, and kept on disk under its digest. A folder that nobody asks for is forgotten by Redis after a week.
 */
import { createHash, randomUUID } from 'node:crypto';
import { closeSync, existsSync, mkdirSync, openSync, readSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname, isAbsolute, join, relative } from 'node:path';
import { Failure } from '../../../base/failure/failure.ts';
import type { RedisCalls } from '../../../edge/redis/redis-client.ts';

const PREFIX = 'tickwright:files:';
/** Bytes of a piece. */
const PIECE = 512 * 1024;
const KEEP_SECONDS = 7 * 86_400;

/** A file of a folder: its path within it, its bytes and the SHA-256 of its content. */
interface FileEntry {
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
}

type Listing = readonly FileEntry[];

/** Puts files of `folder` on Redis, unless they are there. Returns the digest by which they are fetched. */
export async function putFiles(redis: RedisCalls, folder: string, paths: readonly string[]): Promise<string> {
  const listing: Listing = paths.map((path) => ({ path, ...digestOf(join(folder, path)) }));
  const text = JSON.stringify(listing);
  const digest = createHash('sha256').update(text).digest('hex');
  const known = await redis.command('EXPIRE', `${PREFIX}${digest}`, KEEP_SECONDS);
  if (known === 1) return digest;
  for (const { path, sha256 } of listing) {
    let number = 0;
    for (const piece of piecesOf(join(folder, path))) {
      await redis.command('SET', pieceKey(sha256, number++), piece.toString('base64'), 'EX', KEEP_SECONDS + 3_600);
    }
  }
  // The listing comes last: it says that all pieces are there.
  await redis.command('SET', `${PREFIX}${digest}`, text, 'EX', KEEP_SECONDS);
  return digest;
}

/** The folder `digest` below `cache`; fetches it if it is not there. @throws Failure if Redis does not have it, or has other bytes */
export async function fetchFiles(redis: RedisCalls, digest: string, cache: string): Promise<string> {
  const folder = join(cache, digest);
  if (existsSync(folder)) return folder;
  const text = await redis.command('GET', `${PREFIX}${digest}`);
  if (typeof text !== 'string') throw lost(digest, 'Redis does not have them any more');
  const part = `${folder}.${randomUUID()}.part`;
  try {
    for (const file of JSON.parse(text) as Listing) await fetchFile(redis, file, part, digest);
    try {
      renameSync(part, folder);
    } catch (error) {
      // Another worker on this machine was faster.
      if (!existsSync(folder)) throw error;
    }
  } finally {
    rmSync(part, { recursive: true, force: true });
  }
  return folder;
}

async function fetchFile(redis: RedisCalls, { path, bytes, sha256 }: FileEntry, folder: string, digest: string): Promise<void> {
  const target = join(folder, path);
  if (isAbsolute(path) || relative(folder, target).startsWith('..')) throw lost(digest, `the path ${path} leads out of the folder`);
  mkdirSync(dirname(target), { recursive: true });
  const hash = createHash('sha256');
  const file = openSync(target, 'w');
  try {
    for (let number = 0, written = 0; written < bytes; number++) {
      const piece = await redis.command('GET', pieceKey(sha256, number));
      if (typeof piece !== 'string' || piece === '') throw lost(digest, `piece ${number} of ${path} is missing`);
      const content = Buffer.from(piece, 'base64');
      hash.update(content);
      writeSync(file, content);
      written += content.length;
    }
  } finally {
    closeSync(file);
  }
  if (hash.digest('hex') !== sha256) throw lost(digest, `${path} has other bytes than it should`);
}

function pieceKey(sha256: string, number: number): string {
  return `${PREFIX}piece:${sha256}:${number}`;
}

function digestOf(file: string): Pick<FileEntry, 'bytes' | 'sha256'> {
  const hash = createHash('sha256');
  let bytes = 0;
  for (const piece of piecesOf(file)) {
    hash.update(piece);
    bytes += piece.length;
  }
  return { bytes, sha256: hash.digest('hex') };
}

function* piecesOf(path: string): Generator<Buffer, void> {
  const file = openSync(path, 'r');
  try {
    for (;;) {
      const buffer = Buffer.alloc(PIECE);
      const length = readSync(file, buffer, 0, PIECE, null);
      if (length === 0) return;
      yield buffer.subarray(0, length);
    }
  } finally {
    closeSync(file);
  }
}

function lost(digest: string, why: string): Failure {
  return new Failure('search-files', { what: `the files ${digest.slice(0, 12)} of a search cannot be fetched: ${why}`, where: '--redis' });
}
