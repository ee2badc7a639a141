/** Each tidy rule finds the violations that it is for, and ignores similar valid code. */
import { describe, expect, it } from 'vitest';
import { coldDeclares, hotViolations, exemptionCount, uselessMarks } from './hot.ts';
import { unusedExports, unusedMembers } from './exports.ts';
import { deadFiles, oversized } from './dead-files.ts';
import { deadAnchors, deadDocs, deadPaths, dottedKeys, machinePaths, strayFiles, strayResolutions, wordsByHand } from './repository.ts';
import { headerOf, importsOf, startedBy, type Source } from './source.ts';
import { assertsNothing, crossings, roomOf, strayOwners, uselessExcuses } from './walls.ts';
import { impurities, modeWords, oldestOfMap, unfinishedWork } from './forbidden-words.ts';

const file = (path: string, text: string): Source => ({ path, text });

describe('reading imports', () => {
  it('finds every form of import and export, including types, and no comment or string', () => {
    const text = [
      `import a from './a.ts';`,
      `import { b, type B } from "./b.ts";`,
      `import type { C } from './c.ts';`,
      `import {\n  d,\n} from './d.ts';`,
      `import * as e from './e.ts';`,
      `import './f.ts';`,
      `export { g } from './g.ts';`,
      `export * from './h.ts';`,
      `const i = await import('./i.ts');`,
      `// import x from './no.ts'`,
      `/* import y from './no.ts' */`,
      `const s = "import z from './no.ts'";`,
      `export const from = 'no';`,
    ].join('\n');
    expect(importsOf(file('src/x/x.ts', text)).toSorted()).toEqual('abcdefghi'.split('').map((name) => `./${name}.ts`));
  });

  it('finds a worker that is started by its URL', () => {
    expect(startedBy(file('a.ts', `new Worker(new URL('./worker.ts', import.meta.url))`))).toEqual(['./worker.ts']);
  });
});

describe('walls', () => {
  it('find a file of the engine that keeps state and asserts nothing, and an excuse that is not needed', () => {
    const silent = file('src/engine/orders/a.ts', 'export class Resolver {}');
    expect(assertsNothing(silent)).toBe(true);
    expect(assertsNothing({ ...silent, text: `${silent.text} assert(true, 'all is well')` })).toBe(false);
    expect(assertsNothing({ ...silent, path: 'src/engine/market/a.ts' })).toBe(false);
    expect(assertsNothing({ ...silent, text: 'export class FieldError extends TypeError {}' })).toBe(false);
    expect(assertsNothing({ ...silent, text: '/** Books. @hot */\nexport class Bookings {}' })).toBe(false);
    const excused = file('src/engine/trades/trade.ts', 'export class Trade {}');
    expect([assertsNothing(excused), uselessExcuses([excused]).includes(excused.path)]).toEqual([false, false]);
    expect(uselessExcuses([{ ...excused, text: 'export class Trade { at() { assert(true, "") } }' }])).toContain(excused.path);
  });

  it.each([
    ['src/engine/a.ts', '../sim/b.ts'],
    ['src/engine/rules/a.ts', '../../edge/http/b.ts'],
    ['src/engine/a.ts', '../contract/b.ts'],
    ['src/sim/a.ts', '../engine/b.ts'],
    ['src/sim/a.ts', '../edge/http/b.ts'],
    ['src/edge/http/a.ts', '../redis/b.ts'],
    ['src/edge/http/a.ts', '../../engine/b.ts'],
    ['src/edge/a.ts', './http/b.ts'],
    ['src/base/a.ts', '../domain/b.ts'],
    ['src/domain/a.ts', '../ports/b.ts'],
    ['src/contract/a.ts', '../ports/b.ts'],
    ['src/tape/a.ts', '../run/b.ts'],
    ['src/run/a.ts', '../cli/b.ts'],
    ['src/cli/a.ts', '../engine/b.ts'],
    ['src/index.ts', './edge/http/b.ts'],
    ['src/newroom/a.ts', '../base/b.ts'],
    ['strategies/a.ts', '../src/index.ts'],
    ['strategies/a.ts', './b.ts'],
    ['strategies/a.ts', 'node:fs'],
    ['src/run/a.ts', 'tickwright'],
  ])('stop %s from importing %s', (path, name) => {
    expect(crossings(file(path, `import type { X } from '${name}';`))).toHaveLength(1);
  });

  it.each([
    ['src/engine/a.ts', '../ports/b.ts'],
    ['src/engine/rules/a.ts', '../kernel.ts'],
    ['src/sim/api/a.ts', '../../contract/b.ts'],
    ['src/edge/http/a.ts', '../../contract/b.ts'],
    ['src/edge/http/a.ts', '../shared.ts'],
    ['src/edge/http/map/a.ts', '../b.ts'],
    ['src/run/a.ts', '../edge/http/b.ts'],
    ['src/run/a.ts', '../sim/b.ts'],
    ['src/main.ts', './cli/main.ts'],
    ['strategies/a.ts', 'tickwright'],
    ['src/tape/a.ts', 'node:fs'],
  ])('let %s import %s', (path, name) => {
    expect(crossings(file(path, `import { X } from '${name}';`))).toEqual([]);
  });

  it('know the room of a file', () => {
    const rooms = [
      'src/index.ts',
      'src/main.ts',
      'src/base/a.ts',
      'src/edge/http/a.ts',
      'src/edge/a.ts',
      'src/edge/http/b/c.ts',
      'strategies/a.ts',
    ];
    expect(rooms.map(roomOf)).toEqual(['door', 'main', 'base', 'edge/http', 'edge', 'edge/http', 'strategies']);
  });

  it('find a package in a file that does not own it, and in two files', () => {
    const owner = file('src/domain/amounts/decimal.ts', `import { Decimal } from 'decimal.js';`);
    expect(strayOwners([owner])).toEqual([]);
    expect(strayOwners([owner, file('src/sim/a.ts', `import type { Decimal } from 'decimal.js';`)])).toHaveLength(2);
    expect(strayOwners([file('src/run/a.ts', `import p from 'pino';`)])).toHaveLength(1);
    const two = ['src/edge/log/a.ts', 'src/edge/log/b.ts'].map((path) => file(path, `import p from 'pino';`));
    expect(strayOwners(two)).toHaveLength(1);
  });
});

describe('words', () => {
  it.each([
    'Date.now();',
    'const d = new Date(0);',
    'Math.random();',
    'setTimeout(f, 1);',
    'setInterval(f, 1);',
    'process.env;',
    'console.log(1);',
    'performance.now();',
    `import { readFileSync } from 'node:fs';`,
    'async function f() {}',
    'const f = async () => 1;',
    'class A { async m() {} }',
    'await x;',
    'for await (const x of y) z(x);',
    'const a = { Date };',
    'const { now } = Date;',
    'f(process);',
  ])('of the outside world are found in the core: %s', (text) => {
    expect(impurities(file('src/engine/a.ts', text)).length).toBeGreaterThan(0);
    expect(impurities(file('src/edge/time/a.ts', text))).toEqual([]);
  });

  it.each([
    'const a = { Date: 1, process: 2 };',
    'a.process();',
    'a.console;',
    'class A { process() {} console = 1; }',
    '// Date.now() await',
    `const s = 'Date';`,
    'type D = Date; interface P { process: Promise<void> }',
    'Math.max(1, 2);',
    'const update = 1;',
  ])('that only look similar are ignored: %s', (text) => {
    expect(impurities(file('src/engine/a.ts', text))).toEqual([]);
  });

  it('for modes are found outside the wiring', () => {
    for (const text of ['if (isBacktest) f();', `if (mode === 'live') f();`, 'const dryRun = 1;', `a.mode !== 'x';`]) {
      expect(modeWords(file('src/engine/a.ts', text))).toHaveLength(1);
      expect(modeWords(file('src/run/a.ts', text))).toEqual([]);
    }
    expect(modeWords(file('src/engine/a.ts', `// mode === 'live'\nif (marginMode === 1) f();`))).toEqual([]);
  });

  it('finds where the oldest entry of a map is taken', () => {
    for (const text of ['map.delete(map.keys().next().value!);', 'const first = map.entries()\n  .next();'])
      expect(oldestOfMap(file('src/engine/a.ts', text))).toHaveLength(1);
    expect(oldestOfMap(file('src/engine/a.ts', '// map.keys().next()\nfor (const key of map.keys()) f(key);'))).toEqual([]);
  });

  it('of unfinished work, default exports, missing headers and wrong names are found', () => {
    const good = file('src/base/a-b.ts', '/** What it is. */\nexport const a = 1;\n');
    expect(unfinishedWork(good)).toEqual([]);
    expect(unfinishedWork(file(good.path, `${good.text}// ${'TO'}DO later\n`))).toHaveLength(1);
    expect(unfinishedWork(file(good.path, `${good.text}export default a;\n`))).toHaveLength(1);
    expect(unfinishedWork(file(good.path, 'export const a = 1;\n'))).toHaveLength(1);
    expect(unfinishedWork(file('src/base/aB.ts', good.text))).toHaveLength(1);
    expect(unfinishedWork(file('strategies/a.ts', `${good.text}export default a;\n`))).toEqual([]);
  });
});

describe('sizes', () => {
  it('is limited to 300 lines, 500 with a reason, and 150 for a strategy', () => {
    const long = (path: string, lines: number, header = '/** A file. */'): string[] => {
      const source = file(path, `${header}\n${'a;\n'.repeat(lines - 1)}`);
      return oversized(source, headerOf(source));
    };
    expect(long('src/a.ts', 300)).toEqual([]);
    expect(long('src/a.ts', 301)).toHaveLength(1);
    expect(long('test/unit/a.test.ts', 500)).toEqual([]);
    expect(long('test/unit/a.test.ts', 501)).toHaveLength(1);
    expect(long('src/a.ts', 500, '/** A file. size: one table */')).toEqual([]);
    expect(long('src/a.ts', 501, '/** A file. size: one table */')).toHaveLength(1);
    expect(long('src/contract/endpoints/a.ts', 900)).toEqual([]);
    expect(long('strategies/a.ts', 150)).toEqual([]);
    expect(long('strategies/a.ts', 151)).toHaveLength(1);
  });
});

describe('dead files', () => {
  it('are those that no root reaches', () => {
    const sources = [
      file('src/main.ts', `import './a.ts'; new Worker(new URL('./w.ts', import.meta.url));`),
      file('src/a.ts', `import type { B } from './deep/b.ts';`),
      file('src/deep/b.ts', `import '../a.ts';`),
      file('src/w.ts', ''),
      file('src/dead.ts', `import './a.ts';`),
    ];
    expect(deadFiles(sources, ['src/main.ts'])).toEqual(['src/dead.ts']);
    expect(deadFiles(sources, ['src/main.ts', 'src/dead.ts'])).toEqual([]);
  });
});

describe('exports', () => {
  it('that no file imports are found, only values, whatever the form of import', () => {
    const offered = file(
      'src/a.ts',
      `export function f() {}\nexport async function g() {}\nexport const c = 1, d = 2;\nexport class K {}\nexport type T = 1;\nexport interface I {}`,
    );
    const found = (...texts: string[]): string[] => {
      const importers = texts.map((text, k) => file(`src/b/${k}.ts`, text));
      return unusedExports([offered], [offered, ...importers]).map((one) => one.split(' ')[1] ?? '');
    };
    expect(found()).toEqual(['f', 'g', 'c', 'd', 'K']);
    expect(found(`import { f, type K } from '../a.ts';`, `export { c as e } from '../a.ts';`)).toEqual(['g', 'd']);
    expect(found(`import * as a from '../a.ts';\na.f(a.c);`)).toEqual(['g', 'd', 'K']);
    expect(found(`const { g } = await import('../a.ts');`, `// f from '../a.ts'`)).toEqual(['f', 'c', 'd', 'K']);
    expect(found(`import { f } from './a.ts';`)).toEqual(['f', 'g', 'c', 'd', 'K']);
  });
});

describe('unused members', () => {
  it('are found, but not those that an interface asks for', () => {
    const a = file(
      'src/a.ts',
      'class A {\n  used = 1;\n  idle(): void {}\n  #own = 2;\n}\nclass B implements I {\n  called(): void {}\n}\n',
    );
    expect(unusedMembers([a, file('src/b.ts', '// idle is not called\na.used;')])).toEqual(['src/a.ts:3 idle']);
  });
});

describe('hot rules', () => {
  const hot = (body: string): Source => file('src/engine/a.ts', `/** A file. @hot */\n${body}\n`);

  it('finds fields with declare in files that are not hot', () => {
    const fields = 'class A {\n  declare readonly a: number;\n  declare private b: number;\n  declare c: number;\n}';
    expect(coldDeclares(file('src/engine/a.ts', `/** A file. */\n${fields}\n`))).toEqual([
      'src/engine/a.ts:3 declare',
      'src/engine/a.ts:4 declare',
    ]);
    expect(coldDeclares(hot(fields))).toEqual([]);
  });
  it.each([
    'function f() { return { a: 1 }; }',
    'function f() { return [1]; }',
    'function f() { return new A(); }',
    'function f() { return g(...a); }',
    'function f(...a: number[]) { return a; }',
    'function f() { return () => 1; }',
    'function f() { function g() {} }',
    'async function f() { await g(); }',
    'function f(a: number) { return `a ${a}`; }',
    'function f() { return Decimal; }',
    'class A { m() { return []; } }',
    'const f = () => ({ a: 1 });',
    'class A { get x() { return {}; } }',
    'function f() { if (a) throw new E(); return {}; }',
  ])('find %s', (body) => {
    expect(hotViolations(hot(body)).length).toBeGreaterThan(0);
    expect(hotViolations(file('src/engine/a.ts', `/** A file. */\n${body}\n`))).toEqual([]);
  });

  it.each([
    'const table = [1, 2]; const o = { a: 1 };',
    'const table = rows.map((r) => r.map((c) => [c]));',
    'class A { #a = new Float64Array(8); constructor() { this.b = []; } }',
    'function f(x: number): number { return x + 1; }',
    'function f() { throw new E(`a ${b}`); }',
    'function f() { return `plain`; }',
    'function f() { return {}; } // hot-ok: once per order',
    'function f(): void { // hot-ok: cold start\n  g([1], {});\n}',
    'class A { m(): void { // hot-ok: cold start\n  g([1], {});\n} }',
    'class A { m(): void {\n  // hot-ok: cold start\n  g([1], {});\n} }',
    'function f(a: A = b) { for (let i = 0; i < a.length; i++) g(a[i] as number); }',
  ])('leave %s alone', (body) => {
    expect(hotViolations(hot(body))).toEqual([]);
    expect(uselessMarks(hot(body))).toEqual([]);
  });

  it.each([
    'function f(x: number): number { return x + 1; } // hot-ok: nothing is made',
    'const table = [1]; // hot-ok: construction',
    'function f() { throw new E(); } // hot-ok: a bug',
    'class A { constructor() { this.b = []; } } // hot-ok: construction',
    'function f() {\n  const a = 1; // hot-ok: a number\n  return [a];\n}',
  ])('find a mark that excuses nothing: %s', (body) => {
    expect(uselessMarks(hot(body))).toHaveLength(1);
    expect(uselessMarks(file('src/engine/a.ts', `/** A file. */\nfunction f() { return {}; } // hot-ok: it is cold\n`))).toHaveLength(1);
  });

  it('require a reason for each exception, and count those', () => {
    expect(hotViolations(hot('function f() { return {}; } // hot-ok:'))).toHaveLength(1);
    expect(exemptionCount(hot('a; // hot-ok: one\nb; // hot-ok: two\nc; // hot-ok:'))).toBe(2);
  });
});

describe('the repository language', () => {
  it('finds absolute paths of a machine, and no others', () => {
    const found = ['/ho' + 'me/ann/bot', '/ro' + 'ot/.npm', '/wo' + 'rk/main/src', '/Us' + 'ers/ann/x', '/tm' + 'p/tw/notes.md'];
    for (const path of found) expect(machinePaths(file('README.md', `see ${path} there`))).toHaveLength(1);
    for (const path of ['./home/x', 'https://a.example/home/x', '../work/x', '/api/v1/root/x', '~/home/x', '/usr/bin/node', '/tmp/tape']) {
      expect(machinePaths(file('README.md', `see ${path} there`))).toEqual([]);
    }
  });

  it('finds missing files that a page names', () => {
    const page = file('docs/a.md', 'See [b](b.md#part), [c](../src/c.ts), [far](https://a.example/src/x.ts) and `npx vitest run test/d`.');
    expect(deadPaths(page, () => false)).toEqual(
      ['src/c.ts', 'test/d', 'docs/b.md'].map((path) => `docs/a.md names ${path}, which does not exist`),
    );
    expect(deadPaths(page, () => true)).toEqual([]);
  });

  it('counts words by hand: no code blocks, no generated parts, no marks', () => {
    const page = file('docs/a.md', '# One two\n| three | – | 4 |\n```sh\nno no\n```\n<!-- bench:start -->no<!-- bench:end --> five\n');
    expect(wordsByHand(page)).toBe(5);
  });

  it('finds keys of the configuration that cannot be copied', () => {
    const page = file('docs/a.md', 'Set `a.b: c`, `a: { b: c }` or `a.b`.\n```text\nd.e.f: 1\n```\nSee h.i: it is prose.\n');
    expect(dottedKeys(page)).toEqual(
      ['a.b: c', 'd.e.f: 1'].map((key) => `docs/a.md has ${key}, which cannot be copied into a configuration`),
    );
  });

  it('finds links to a missing heading', () => {
    const page = file('docs/a.md', '# A\n[up](#a), [b](b.md#a-part--of-it), [b](b.md#none), [far](https://a.example/#x)');
    const textAt = (path: string): string => (path === 'docs/a.md' ? page.text : '## A `part` – of it\n```\n# none\n```\n');
    expect(deadAnchors(page, textAt)).toEqual(['docs/a.md links to docs/b.md#none, which is no heading of it']);
  });

  it('finds missing pages that code names', () => {
    const source = file('src/a.ts', "// docs/a.md\nfail('see docs/b.md or docs/reference/c.json; docs/${name}.md');");
    expect(deadDocs(source, (path) => path === 'docs/a.md')).toEqual(
      ['docs/b.md', 'docs/reference/c.json'].map((path) => `src/a.ts names ${path}, which does not exist`),
    );
  });

  it('finds files left behind', () => {
    expect(strayFiles(['README.md', 'src/a.ts', '.ci/run', '.gitignore'])).toEqual([]);
    expect(strayFiles(['a.A', 'notes', 'src/run', 'trades.csv.gz'])).toEqual(['a.A', 'notes', 'src/run', 'trades.csv.gz']);
  });

  it('finds a package with a registry address', () => {
    const lock = (resolved?: string): unknown => ({
      packages: { '': {}, 'node_modules/a': { version: '1.0.0', ...(resolved && { resolved }) } },
    });
    expect(strayResolutions(lock())).toEqual([]);
    expect(strayResolutions(lock('https://packages.example.org/a/-/a-1.0.0.tgz'))).toHaveLength(1);
    expect(strayResolutions(lock('git+ssh://git@example.org/a.git'))).toHaveLength(1);
  });
});
