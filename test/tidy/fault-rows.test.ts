/** Every row of docs/promises.md has a test with its id that runs in CI, and every id in a test title has a row. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { faultRows, idsInTitles } from './fault-rows.ts';
import { ROOT, sourcesIn } from './source.ts';

const { live, dropped } = faultRows(readFileSync(join(ROOT, 'docs/promises.md'), 'utf8'));
const tested = new Set(sourcesIn('test').flatMap(idsInTitles));

describe('the rows of docs/promises.md', () => {
  it('are listed once each', () => {
    expect(live.length).toBeGreaterThan(100);
    expect(live.filter((id, at) => live.indexOf(id) !== at)).toEqual([]);
  });

  it('have a test each that runs in CI, or a reason why not', () => {
    expect(live.filter((id) => !tested.has(id) && !dropped.includes(id))).toEqual([]);
  });

  it('are dropped only if no test names them', () => {
    expect(dropped.filter((id) => tested.has(id) || !live.includes(id))).toEqual([]);
  });

  it('include every id in a test title', () => {
    expect([...tested].filter((id) => !live.includes(id))).toEqual([]);
  });
});

describe('the parser of titles', () => {
  const ids = (text: string): string[] => idsInTitles({ path: 'test/x.test.ts', text });

  it.each([
    ["it('a [N7]', () => {})", ['N7']],
    ['it.each(rows)(`row ${id} [outcomes C6] [fault R1]`, f)', ['outcomes C6', 'fault R1']],
    ['it.each<Row>([{ a: f(1) }])("typed [N7]", f)', ['N7']],
    ["test('joined [N7] ' + 'and [N8]', { timeout: 60_000 }, f)", ['N7', 'N8']],
    ["describe('suite [N7]', () => { it('one', f); it.skip('two', f); })", ['N7']],
    ["describe('by a function [N7]', () => scenes(['a', 'b']))", ['N7']],
  ])('finds ids in %s', (text, expected) => {
    expect(ids(text)).toEqual(expected);
  });

  it.each([
    "// it('b [N7]', f)\nconst a = 'x [N7]'; call('c [N7]', f);",
    "it.skip('b [N7]', f); it.todo('c [N7]'); it.fails('d [N7]', f); it.skip.each(rows)('e [N7]', f)",
    "describe.skip('a [N7]', () => { it('b [N8]', f); })",
    "describe('all of it is off [N7]', () => { it.skip('a', f); it('b', { todo: true }, f); })",
    "it('a [N7]', { fails: true }, f); it('b [N7]', { timeout: 1, skip: true }, f)",
    "const KNOWN_TO_FAIL = { fails: true }; it('a [N7]', KNOWN_TO_FAIL, f); it('b [N8]', { ...KNOWN_TO_FAIL, timeout: 1 }, f)",
    "const IS_CI = process.env['CI'] === 'true'; it.skipIf(IS_CI)('a [N7]', f); it('b [N8]', { skip: IS_CI }, f)",
    "const onCi = it.skipIf(process.env.CI !== undefined); onCi('a [N7]', f); onCi.each(rows)('b [N7]', f)",
    "describe.skipIf(Boolean(process.env['CI']))('a', () => { it('what is not known does not count [N7]', f); })",
    "it.runIf(process.env['TICKWRIGHT_LONG'])('a sweep of its own [N7]', f)",
    "it.runIf(process.platform === 'win32')('a [N7]', f); it.skipIf(isSlow())('b [N8]', f)",
  ])('ignores tests that do not run in CI: %s', (text) => {
    expect(ids(text)).toEqual([]);
  });

  it.each([
    "describe.skipIf(!hasRedis('x'))('a [N7]', () => { it('b', f); })",
    "const HAS = existsSync(DATA); describe.skipIf(!HAS)('a', () => { it('b [N7]', f); })",
    'const there = FILES.every((file) => existsSync(file)); it.skipIf(!there)("a [N7]", f)',
    "const judge = await installed<P>('x'); it.skipIf(judge === null)('a [N7]', f)",
    "const hasServer = hasRedis('x'); describe.skipIf(kind.name === 'redis' && !hasServer)(`the ${kind} [N7]`, f)",
    "it.runIf(process.platform === 'linux')('a [N7]', f)",
    "it.skipIf(process.env['CI'] === undefined)('only there [N7]', f)",
  ])('assumes that tools and recordings are present: %s', (text) => {
    expect(ids(text)).toEqual(['N7']);
  });

  it('distinguishes dropped rows from live ones', () => {
    expect(faultRows('| `N1` | x |\n\n## Dropped rows\n\n| `N2` | why |')).toEqual({ live: ['N1'], dropped: ['N2'] });
  });
});
