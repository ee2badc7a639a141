/** The files of a recorded session: written entries are read again, and damaged ones are never accepted. */
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { Random } from '../../../src/base/random.ts';
import { Packer, Unpacker } from '../../../src/edge/file/pack.ts';
import { pruneSessions, SessionReader, SessionWriter, sessionsIn } from '../../../src/edge/file/session-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'tickwright-session-file-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function packedAgain(values: readonly unknown[]): unknown[] {
  const [packer, unpacker] = [new Packer(), new Unpacker()];
  const unpacked: unknown[] = [];
  for (const value of values) packer.put(value);
  unpacker.feed(packer.take());
  while (!unpacker.isAtEnd) unpacked.push(unpacker.next());
  return unpacked;
}

describe('packed values', () => {
  it('are unpacked unchanged', () => {
    const numbers = [
      0,
      -0,
      1,
      -1,
      111,
      112,
      -112,
      -113,
      31,
      32,
      4095,
      2 ** 31,
      2 ** 52,
      -(2 ** 52),
      2 ** 53 - 1,
      1 - 2 ** 53,
      2 ** 53,
      0.1,
    ];
    const odd = [
      Number.NaN,
      Infinity,
      -Infinity,
      '',
      'ü€😀',
      '😀 x',
      '\ud83d',
      '\ude00',
      null,
      undefined,
      true,
      false,
      [],
      {},
      [[1], { a: [{}] }],
    ];
    const twice = [...numbers, ...numbers.toReversed(), ...odd, ...odd];
    expect(packedAgain([...twice, twice])).toStrictEqual([...twice, twice]);
  });

  it('are unpacked unchanged for nested objects with random numbers and texts', () => {
    const random = new Random(3);
    const texts = ['', 'v1', 'v12', 'v2', 'paper-sk2a-1', 'paper-sk2a-2', '😀', '😁'];
    const leaf = (): unknown =>
      [random.below(300) - 150, random.uniform() * 1e18, texts[random.below(texts.length)], null, undefined][random.below(5)];
    const value = (depth: number): unknown => {
      const kind = random.below(4);
      if (depth === 0 || kind === 0) return leaf();
      if (kind === 1) return Array.from({ length: random.below(4) }, () => value(depth - 1));
      return { instrument: random.below(3), a: value(depth - 1), b: leaf() };
    };
    const values = Array.from({ length: 3_000 }, () => value(4));
    expect(packedAgain(values)).toStrictEqual(values);
  });

  it('of the same object cost one byte, and give the same object again', () => {
    const quotes = Array.from({ length: 500 }, (_, instrument) => ({ instrument, bid: 60_000 + instrument, venueTime: 1_700_000_000_000 }));
    const packer = new Packer();
    packer.put(quotes);
    const first = packer.take();
    packer.put(quotes);
    const second = packer.take();
    expect(second.length).toBeLessThan(510);
    const unpacker = new Unpacker();
    unpacker.feed(first);
    const one = unpacker.next() as object[];
    unpacker.feed(second);
    const two = unpacker.next() as object[];
    expect(two).toStrictEqual(quotes);
    expect(two.every((quote, k) => quote === one[k])).toBe(true);
  });

  it('that a packer did not write are refused', () => {
    const unpacker = new Unpacker();
    unpacker.feed(Buffer.from([31]));
    expect(() => unpacker.next()).toThrow('expected the tag of a packed value, found 31');
    unpacker.feed(Buffer.from([13, 200]));
    expect(() => unpacker.next()).toThrow('end in the middle');
  });
});

/** A session with this many blocks of one entry each, over several files. */
function session(name: string, blocks: number, segmentAt = Infinity): string {
  const path = join(folder, name);
  const [writer, packer] = [new SessionWriter(path), new Packer()];
  for (let k = 0; k < blocks; k++) {
    packer.put({ kind: 1, k, text: 'x'.repeat(100) });
    writer.write(packer.take());
    if (writer.segmentBytes < segmentAt) continue;
    writer.nextSegment();
    packer.reset();
  }
  writer.close();
  return path;
}

function read(path: string): { entries: number[]; cut: SessionReader['cut'] } {
  const reader = new SessionReader(path);
  const entries = [...(reader.entries() as Generator<{ k: number }>)].map(({ k }) => k);
  return { entries, cut: reader.cut };
}

describe('a session on disk', () => {
  it('is read completely across its segments', () => {
    const path = session('whole', 20, 150);
    expect(readdirSync(path).length).toBeGreaterThan(2);
    expect(read(path)).toEqual({ entries: Array.from({ length: 20 }, (_, k) => k), cut: null });
  });

  it('cut at any byte gives exactly the blocks before the cut', () => {
    const path = session('torn', 6);
    const file = join(path, '000001.seg');
    const whole = readFileSync(file);
    const counts = new Set<number>();
    for (let length = whole.length; length >= 0; length--) {
      truncateSync(file, length);
      const { entries, cut } = read(path);
      expect(entries).toEqual(Array.from({ length: entries.length }, (_, k) => k));
      if (cut !== null) expect(cut.offset + cut.bytes).toBe(length);
      counts.add(entries.length);
    }
    expect([...counts]).toEqual([6, 5, 4, 3, 2, 1, 0]);
  });

  it('with any changed bit gives only the entries before it', () => {
    const path = session('changed', 6);
    const file = join(path, '000001.seg');
    const whole = readFileSync(file);
    for (let at = 0; at < whole.length; at++) {
      const bytes = Buffer.from(whole);
      bytes[at]! ^= 1 << (at % 8);
      writeFileSync(file, bytes);
      const { entries, cut } = read(path);
      expect(cut, `byte ${at}`).not.toBeNull();
      expect(entries).toEqual(Array.from({ length: entries.length }, (_, k) => k));
      expect(cut!.offset).toBeLessThanOrEqual(at);
    }
  });

  it('is not read past a missing segment, nor past added bytes', () => {
    const path = session('missing', 20, 150);
    rmSync(join(path, '000002.seg'));
    const before = read(path).entries.length;
    expect(before).toBeLessThan(10);
    const third = readFileSync(join(path, '000003.seg'));
    writeFileSync(join(path, '000002.seg'), third);
    expect(read(path)).toMatchObject({ entries: { length: before }, cut: { offset: 8 } });
    const longer = session('longer', 3);
    appendFileSync(join(longer, '000001.seg'), 'more');
    expect(read(longer)).toMatchObject({ entries: [0, 1, 2], cut: { bytes: 4 } });
  });
});

describe('sessions in a folder', () => {
  const many = join(folder, 'many');
  function make(name: string, bytes: number, daysOld: number): string {
    const path = join(many, name);
    mkdirSync(path, { recursive: true });
    writeFileSync(join(path, '000001.seg'), Buffer.alloc(bytes));
    const at = new Date(Date.now() - daysOld * 86_400_000);
    utimesSync(join(path, '000001.seg'), at, at);
    return path;
  }

  it('are removed by age and by size, the oldest first, and the running one stays', () => {
    const [a, b, c, d] = [make('1', 400, 9), make('2', 400, 2), make('3', 400, 1), make('4', 400, 0)];
    expect(sessionsIn(many)).toEqual([a, b, c, d]);
    const left = pruneSessions(many, { maxBytes: 1_000, notBefore: Date.now() - 5 * 86_400_000, running: d });
    expect([left, sessionsIn(many)]).toEqual([800, [c, d]]);
    expect(pruneSessions(many, { maxBytes: 100, notBefore: 0, running: d })).toBe(400);
    expect([existsSync(c), existsSync(d)]).toEqual([false, true]);
  });
});
