/** The stream of changes: ring, resume by id, reset, and readers that hang. */
import { expect, it } from 'vitest';
import { ChangeStream } from '../../../src/control/change-stream.ts';
import { CHANGES_KEPT } from '../../../src/control/changes.ts';

function streamed(): { stream: ChangeStream; readers: boolean[] } {
  const readers: boolean[] = [];
  const source = { now: () => 1, snapshot: () => '{"status":null,"positions":[],"orders":[],"quotes":[]}' };
  return { stream: new ChangeStream('boot', { ...source, onReaders: (isRead) => readers.push(isRead) }), readers };
}

const kinds = (lines: Iterable<string>): string[] => [...lines].map((line) => (JSON.parse(line) as { kind: string }).kind);
const ids = (lines: Iterable<string>): string[] => [...lines].map((line) => (JSON.parse(line) as { id: string }).id);

it('begins with a reset, and resumes after an id that is kept', () => {
  const { stream } = streamed();
  for (let k = 0; k < 5; k++) stream.add('log', '{}');
  const first = [...stream.open('').past];
  expect(kinds(first)).toEqual(['reset']);
  const { id } = JSON.parse(first[0]!) as { id: string };
  stream.add('log', '{"event":"a"}');
  stream.add('halts', '[]');
  expect(kinds(stream.open(id).past)).toEqual(['log', 'halts']);
  expect(ids(stream.open(id).past)).toEqual(['boot.0-6', 'boot.0-7']);
  expect(kinds(stream.open('boot.0-7').past)).toEqual([]);
});

it('begins again for an id that is too old, of another process, in the future or no id', () => {
  const { stream } = streamed();
  for (let k = 0; k < CHANGES_KEPT + 1; k++) stream.add('log', '{}');
  for (const id of ['boot.0-1', 'other.0-5', `boot.0-${CHANGES_KEPT + 9}`, 'boot', '-1', 'boot.0--1', 'boot.0-1e3'])
    expect(kinds(stream.open(id).past), id).toEqual(['reset']);
  expect(kinds(stream.open(`boot.0-${CHANGES_KEPT}`).past)).toEqual(['log']);
  stream.forget();
  expect(kinds(stream.open(`boot.0-${CHANGES_KEPT}`).past)).toEqual(['reset']);
});

it('a reader that is away while all are reset begins again when it comes back', () => {
  const { stream } = streamed();
  stream.add('log', '{}');
  const got: string[] = [];
  const end = stream.open('').begin((line) => got.push(line) > 0);
  stream.add('log', '{}');
  end();
  stream.reset();
  stream.add('log', '{}');
  expect(kinds(stream.open(ids(got).at(-1)!).past)).toEqual(['reset']);
});

it('gives a reader that stopped amid the past a reset when its next line has been dropped', () => {
  const { stream } = streamed();
  for (let k = 0; k < 4; k++) stream.add('log', '{}');
  const past = stream.open('boot.0-1').past[Symbol.iterator]();
  expect(past.next().value).toContain('"boot.0-2"');
  for (let k = 0; k < CHANGES_KEPT + 100; k++) stream.add('log', '{}');
  expect(past.next().value).toContain('"kind":"reset"');
  expect(past.next().done).toBe(true);
});

it('drops a reader that takes no more, and gives the others every line', () => {
  const { stream, readers } = streamed();
  const [fast, hung] = [stream.open(''), stream.open('')];
  const got: string[] = [];
  let taken = 0;
  fast.begin((line) => got.push(line) > 0);
  hung.begin(() => ++taken < 3);
  for (let k = 0; k < 10; k++) stream.add('log', String(k));
  expect([got.length, taken]).toEqual([10, 3]);
  expect(readers.at(-1)).toBe(true);
});

it('says when nobody reads any more', () => {
  const { stream, readers } = streamed();
  const end = stream.open('').begin(() => true);
  expect(readers.at(-1)).toBe(true);
  end();
  expect(readers.at(-1)).toBe(false);
  // One that opened and went away before its first line counts as nobody.
  stream.open('');
  expect(readers.at(-1)).toBe(false);
});

it('keeps at most 8 MB of lines', () => {
  const { stream } = streamed();
  const payload = JSON.stringify('x'.repeat(100_000));
  for (let k = 0; k < 500; k++) stream.add('log', payload);
  const size = [...stream.open('boot.0-490').past].length;
  expect(size).toBe(10);
  expect(kinds(stream.open('boot.0-300').past)).toEqual(['reset']);
});
