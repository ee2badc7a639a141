/** What a release left on disk, in test/golden/releases: made by `npm run golden`. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { RedisCalls } from '../../../src/edge/redis/redis-client.ts';

/** A key of Redis with all that it has. */
export type KeptKey =
  | { readonly key: string; readonly type: 'stream'; readonly entries: readonly (readonly [id: string, fields: readonly string[]])[] }
  | { readonly key: string; readonly type: 'hash'; readonly fields: readonly string[] };

export interface KeptRelease {
  readonly version: string;
  /** Parameters of the strategy, which is test/e2e/strategies/holder.ts on BTCUSDT. */
  readonly params: Readonly<Record<string, string | number | boolean>>;
  /** Files of the state folder of `start`, by path: gzip, base64. */
  readonly files: Readonly<Record<string, string>>;
  /** A file of `tickwright backup`, base64. */
  readonly backup: string;
  /** What its position and its resting order were; the strategy was halted. */
  readonly holds: { readonly size: string; readonly entry: string; readonly order: string; readonly price: string };
  /** The journal of another bot like it, which was killed. */
  readonly redis: readonly KeptKey[];
}

const FOLDER = new URL('../../golden/releases/', import.meta.url);

/** Those of all releases, the oldest first. */
export function keptReleases(): KeptRelease[] {
  const names = readdirSync(FOLDER).filter((name) => name.endsWith('.json'));
  const all = names.map((name) => JSON.parse(readFileSync(new URL(name, FOLDER), 'utf8')) as KeptRelease);
  return all.sort((a, b) => a.version.localeCompare(b.version, 'en', { numeric: true }));
}

/** Writes the state folder as the killed bot left it. */
export function layOut({ files }: KeptRelease, folder: string): void {
  for (const [path, packed] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true, mode: 0o700 });
    writeFileSync(join(folder, path), gunzipSync(Buffer.from(packed, 'base64')), { mode: 0o600 });
  }
}

/** Every file below a folder with its bytes, for a comparison. */
export function bytesBelow(folder: string): ReadonlyMap<string, string> {
  const found = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = found.map((entry) => join(entry.parentPath, entry.name)).sort();
  return new Map(paths.map((path) => [path, readFileSync(path, 'base64')]));
}

/** Writes the journal into an empty Redis. */
export async function layOutOnRedis({ redis }: KeptRelease, client: RedisCalls): Promise<void> {
  for (const kept of redis) {
    if (kept.type === 'hash') await client.command('HSET', kept.key, ...kept.fields);
    else for (const [id, fields] of kept.entries) await client.command('XADD', kept.key, id, ...fields);
  }
}
