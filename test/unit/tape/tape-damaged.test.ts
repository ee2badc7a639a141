/** Damaged recordings: cut off at many places, with wrong bytes, with lengths that claim gigabytes, and in other encodings. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32, gzipSync, zstdCompressSync } from 'node:zlib';
import { type ColumnSource, parquetWriteBuffer } from 'hyparquet-writer';
import { expect, test } from 'vitest';
import { Failure } from '../../../src/base/failure/failure.ts';
import { Random } from '../../../src/base/random.ts';
import { exportTape } from '../../../src/tape/export/export.ts';
import { importFiles } from '../../../src/tape/import/import.ts';
import { withFolder } from '../../support/tape/tape-rows.ts';
import { zipOf } from '../../support/tape/zip.ts';

const T = 1_735_689_600_000;
const ROWS = Array.from({ length: 60 }, (_, k) => [T + k * 60_000, 93_000.1 + (k % 4), 93_010.5, 92_990.7, 93_001.2 + (k % 4), 1.5]);
const NAMES = ['time', 'open', 'high', 'low', 'close', 'volume'];
const CSV = `${[NAMES, ...ROWS].map((row) => row.join(',')).join('\n')}\n`;

const COLUMNS = NAMES.map((name, k): ColumnSource => ({ name, data: ROWS.map((row) => row[k]!), type: 'DOUBLE' }));

/** The words of a library, or of JavaScript, about its own data. */
const LEAKS = /TypeError|RangeError|undefined|null|BigInt|is not a|Cannot |outside the bounds|thrown/;

/** What the import says of these bytes: "" if it takes them. It must fail with a Failure that names the file, and leave nothing. */
async function saidOf(folder: string, name: string, bytes: Uint8Array | string): Promise<string> {
  const file = join(folder, name);
  const out = join(folder, 'tape');
  writeFileSync(file, bytes);
  try {
    await importFiles([file], out, { symbol: 'BTCUSDT' });
    return '';
  } catch (error) {
    expect(error).toBeInstanceOf(Failure);
    const [problem] = (error as Failure).problems;
    expect(problem!.where).toContain(name);
    expect(problem!.hint).toMatch(/./);
    expect((error as Failure).message).not.toMatch(LEAKS);
    expect(readdirSync(folder)).toEqual([name]);
    return `${(error as Failure).message} · ${problem!.hint!}`;
  } finally {
    rmSync(out, { recursive: true, force: true });
    rmSync(file);
  }
}

async function arrow(folder: string): Promise<Uint8Array> {
  const csv = join(folder, 'in.csv');
  writeFileSync(csv, CSV);
  await importFiles([csv], join(folder, 'in'), { symbol: 'BTCUSDT' });
  const files = exportTape(join(folder, 'in'), join(folder, 'out'), { format: 'arrow' });
  const bytes = readFileSync(files[0]!.file);
  for (const name of ['in', 'out', 'in.csv']) rmSync(join(folder, name), { recursive: true });
  return bytes;
}

const FORMS: Readonly<Record<string, (folder: string) => Uint8Array | Promise<Uint8Array>>> = {
  'a.csv.gz': () => gzipSync(CSV),
  'a.csv.zst': () => zstdCompressSync(CSV),
  'a.zip': () => zipOf({ 'a.csv': CSV }),
  'a.json': () => Buffer.from(JSON.stringify(ROWS)),
  'a.parquet': () => new Uint8Array(parquetWriteBuffer({ columnData: COLUMNS })),
  'a.feather': arrow,
};

test.each(Object.keys(FORMS))('%s that is damaged fails in words about the file, and leaves nothing', async (name) => {
  await withFolder(async (folder) => {
    const whole = await FORMS[name]!(folder);
    expect(await saidOf(folder, name, whole)).toBe('');
    for (let k = 0; k < 20; k++) expect(await saidOf(folder, name, whole.subarray(0, Math.floor((whole.length * k) / 20)))).not.toBe('');
    const random = new Random(7);
    // Not the headers of Parquet pages: the library writes as many levels as a damaged one claims, up to 2^30.
    const from = name.endsWith('.parquet') ? Buffer.from(whole).indexOf('schema') : 0;
    for (let k = 0; k < 120; k++) {
      const damaged = Uint8Array.from(whole);
      const at = from + random.below(whole.length - from - 4);
      if (k % 3 === 0) new DataView(damaged.buffer).setUint32(at, 0x7fffffff, true);
      else damaged[at] = random.below(256);
      await saidOf(folder, name, damaged);
    }
  });
});

test('an entry of an archive whose bytes changed is refused, though it can be unpacked', async () => {
  await withFolder(async (folder) => {
    const stored = zipOf({ 'a.csv': CSV }, { isStored: true });
    stored[stored.indexOf('93010.5') + 3] = 0x32;
    expect(await saidOf(folder, 'a.zip', stored)).toMatch(/a\.zip!a\.csv: .* the checksum of its bytes is another/);
    expect(crc32(CSV)).toBe(stored.readUInt32LE(14));
  });
});

test('text in another encoding is named, with the command that converts it', async () => {
  await withFolder(async (folder) => {
    mkdirSync(folder, { recursive: true });
    const wide = Buffer.from(CSV, 'utf16le');
    expect(await saidOf(folder, 'a.csv', Buffer.concat([Buffer.from([0xff, 0xfe]), wide]))).toMatch(/found UTF-16 · convert it: iconv/);
    expect(await saidOf(folder, 'a.csv', wide)).toMatch(/found UTF-16/);
    expect(await saidOf(folder, 'a.csv', Buffer.concat([Buffer.from([0xfe, 0xff]), wide.swap16()]))).toMatch(/found UTF-16/);
    expect(await saidOf(folder, 'a.csv', Buffer.alloc(500))).toMatch(/found bytes of zero/);
    expect(await saidOf(folder, 'a.csv', CSV.replaceAll('\n', '\r'))).toMatch(/found CR alone · convert it: tr/);
    expect(await saidOf(folder, 'a.csv', '')).toMatch(/found an empty file/);
    expect(await saidOf(folder, 'a.csv', '\uFEFF' + CSV.replaceAll('\n', '\r\n'))).toBe('');
  });
});
