/** Strategy files from anywhere: a valid one loads, each invalid one is reported with file and line. Each case is its own process. */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';

const LOADER = new URL('../../../src/run/setup/strategy/load-strategy.ts', import.meta.url).href;
const SOURCES = new URL('../../../src/run/setup/strategy/loaded-sources.ts', import.meta.url).href;
const STRAYS = new URL('../../../src/run/setup/strategy/stray-exports.ts', import.meta.url).href;
const GOOD =
  "import { defineStrategy } from 'tickwright';\nexport default defineStrategy({ name: 'good', create: () => ({ onQuote() {} }) });\n";

interface Loaded {
  readonly name?: string;
  readonly unread?: readonly string[];
  readonly kind?: string;
  readonly what?: string;
  readonly where?: string;
  readonly hint?: string;
}

/** Names of other frameworks, and what stands here instead. */
const FOREIGN: [string, RegExp][] = [
  ['stoploss', /stopLoss: bar\.close \* 0\.98/],
  ['minimal_roi', /ctx\.enter .*takeProfit/],
  ['trailing_stop', /ctx\.enter .*trailing/],
  ['protections', /--set risk/],
  ['startup_candle_count', /needs: \{ bars/],
  ['timeframe', /needs: \{ bars/],
  ['leverage', /simulation\.leverage/],
  ['constraint', /--constraint/],
  ['hyperopt_space', /bounds of the parameters/],
  ['search_space', /bounds of the parameters/],
  ['optimize', /bounds of the parameters/],
];

const cases: { file: string; given: string; what: RegExp; where: string; hint?: RegExp }[] = [
  {
    file: 'enum.ts',
    given: 'enum A { B }\nexport default A;\n',
    what: /enum is not supported/,
    where: 'enum.ts:1',
    hint: /const object for an enum/,
  },
  {
    file: 'property.ts',
    given: '\nclass A { constructor(private x: number) {} }\n',
    what: /parameter property/,
    where: 'property.ts:2',
    hint: /assign fields/,
  },
  { file: 'syntax.ts', given: 'const a = 1;\nconst b = ;\n', what: /^syntax error/, where: 'syntax.ts:2' },
  {
    file: 'twice.ts',
    given: 'const a = 1;\nexport const c = 2;\nconst a = 2;\n',
    what: /^syntax error: .*already been declared/,
    where: 'twice.ts:3',
  },
  {
    file: 'named.ts',
    given: 'export const x = 1;\n',
    what: /default export was expected, found only x/,
    where: 'named.ts',
    hint: /export default defineStrategy/,
  },
  { file: 'other.ts', given: 'export default { a: 1 };\n', what: /what defineStrategy gives, found object/, where: 'other.ts' },
  { file: 'null.ts', given: 'export default null;\n', what: /found null/, where: 'null.ts' },
  {
    file: 'door.ts',
    given: "import { defineStrategi } from 'tickwright';\nexport default defineStrategi;\n",
    what: /no.*export named 'defineStrategi'/,
    where: 'door.ts:1',
    hint: /^did you mean "defineStrategy"\?$/,
  },
  { file: 'missing.ts', given: "import './signals';\n", what: /Cannot find module/, where: 'missing.ts', hint: /with its ending/ },
  {
    file: 'package.ts',
    given: "import 'no-such-package';\n",
    what: /Cannot find package 'no-such-package'/,
    where: 'package.ts',
    hint: /beside the strategy file/,
  },
  {
    file: 'throws.ts',
    given: "export default 1;\n\nthrow new Error('boom');\n",
    what: /failed while it was loaded: Error: boom/,
    where: 'throws.ts:3:7',
  },
  {
    file: 'parse.ts',
    given: "export default 1;\nJSON.parse('{');\n",
    what: /failed while it was loaded: SyntaxError/,
    where: 'parse.ts:2:6',
  },
  { file: 'name.ts', given: GOOD.replace("'good'", "'Not Good'"), what: /a strategy has a name/, where: 'name.ts:2:16' },
  {
    file: 'spaces.ts',
    given: `${GOOD}export const spaces = { fast: [5, 50] };\n`,
    what: /^the export "spaces" is read by nothing; a file exports its strategy as default, and `objective`$/,
    where: 'spaces.ts',
    hint: /bounds of the parameters/,
  },
  {
    file: 'objectve.ts',
    given: `${GOOD}export const objectives = () => 1;\n`,
    what: /^the export "objectives" is read by nothing/,
    where: 'objectve.ts',
    hint: /^did you mean "objective"\?$/,
  },
  {
    file: 'params.ts',
    given: `${GOOD}export const params = {};\n`,
    what: /^the export "params" is read by nothing/,
    where: 'params.ts',
    hint: /defineStrategy takes/,
  },
  ...FOREIGN.map(([name, hint]) => ({
    file: `${name}.ts`,
    // Neither a key, nor a field, nor a comment of this name is a use of it.
    given: `${GOOD.replace('{}', `{ void { ${name}: [].${name} }; }`)}export const ${name} = 1; // ${name}\n`,
    what: new RegExp(`^the export "${name}" is read by nothing`),
    where: `${name}.ts`,
    hint,
  })),
  {
    file: 'key.ts',
    given: GOOD.replace("'good',", "'good', parms: {},"),
    what: /takes no "parms" \(did you mean "params"\?\)/,
    where: 'key.ts:2:16',
  },
  {
    file: 'needs.ts',
    given: GOOD.replace("'good',", "'good', needs: {},"),
    what: /"needs" is a part of what create returns/,
    where: 'needs.ts:2:16',
  },
  { file: 'text.txt', given: 'hello', what: /ends in \.ts/, where: 'text.txt' },
];

let folder = '';
let results: ReadonlyMap<string, Loaded> = new Map();

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tickwright-strategies-'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(folder, 'good.ts'), GOOD);
  // Exports that the strategy is made of, the objective of a search, and those for its own tests are no mistakes.
  const own = `export const params = {};\nexport const objective = () => 1;\nexport const object = 1;\n${GOOD.replace("'good',", "'good', params,")}`;
  writeFileSync(join(folder, 'own.ts'), own);
  const uses = `export const timeframe: string = '1m';
export const stoploss = 0.02;
export const $levels = [1];
export const roi = { a: 1 };
export class Helper {}
export function leverage() {}
${GOOD.replace('{}', '{ void [timeframe, ...$levels, 1 > 0 ? stoploss : leverage()]; }')}export { stoploss as other };
`;
  writeFileSync(join(folder, 'uses.ts'), uses);
  mkdirSync(join(folder, 'folder'));
  for (const { file, given } of cases) writeFileSync(join(folder, file), given);
  const files = ['good.ts', 'own.ts', 'uses.ts', 'folder', 'none.ts', ...cases.map((c) => c.file)];
  const script = `
    import { loadStrategy } from ${JSON.stringify(LOADER)};
    import { unreadExports } from ${JSON.stringify(STRAYS)};
    const loaded = {};
    for (const file of ${JSON.stringify(files)}) {
      try { const made = await loadStrategy(file); loaded[file] = { name: made.name, unread: unreadExports(made) }; }
      catch (error) { loaded[file] = { kind: error.kind, ...error.problems[0] }; }
    }
    console.log(JSON.stringify(loaded));`;
  writeFileSync(join(folder, 'script.mjs'), script);
  const { stdout } = await promisify(execFile)(process.execPath, ['script.mjs'], { cwd: folder });
  results = new Map(Object.entries(JSON.parse(stdout) as Record<string, Loaded>));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('a file outside this package loads, and the bare name tickwright in it is this program', () => {
  expect(results.get('good.ts')).toEqual({ name: 'good', unread: [] });
  expect(results.get('own.ts')).toEqual({ name: 'good', unread: ['object'] });
});

test('an export that its file uses is no mistake; of the others those are named that are no functions', () => {
  expect(results.get('uses.ts')).toEqual({ name: 'good', unread: ['other', 'roi'] });
});

test.each(cases)('$file', ({ file, what, where, hint }) => {
  const found = results.get(file);
  expect(found?.kind).toBe('configuration');
  expect(found?.what).toMatch(what);
  expect(found?.where).toBe(join(folder, where));
  if (hint) expect(found?.hint).toMatch(hint);
});

test('a folder and a missing file', () => {
  expect(results.get('folder')?.what).toMatch(/found a folder/);
  expect(results.get('none.ts')?.what).toMatch(/there is no such strategy file/);
});

test('a strategy of a package, such as a ready-made bot, has its text with what it imports beside it, and not that of other packages', async () => {
  const strategies = join(folder, 'node_modules/tickwright/strategies');
  const other = join(strategies, 'node_modules/other');
  mkdirSync(other, { recursive: true });
  writeFileSync(join(other, 'package.json'), '{"name":"other","type":"module","exports":"./other.ts"}');
  writeFileSync(join(other, 'other.ts'), 'export const other: number = 2;\n');
  writeFileSync(join(strategies, 'beside.ts'), 'export const beside: number = 1;\n');
  const file = join(strategies, 'packaged.ts');
  const text = `import { defineStrategy } from 'tickwright';
import { beside } from './beside.ts';
import { other } from 'other';
export default defineStrategy({ name: 'first', create: (): object => ({ barMs: beside + other }) });
`;
  writeFileSync(file, text);
  const code = `const { loadStrategy, loadAgain } = await import(${JSON.stringify(LOADER)});
    const { keptSourceOf, strategyOf } = await import(${JSON.stringify(SOURCES)});
    const { writeFileSync } = await import('node:fs');
    const [, file, text] = process.argv;
    await loadStrategy(file);
    const first = keptSourceOf(file);
    writeFileSync(file, text.replace('first', 'second'));
    const again = await loadAgain(file);
    console.log(JSON.stringify([...[first, again].map((one) => one?.files.map(({ text }) => text)), strategyOf(again).name]));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', code, file, text]);
  const beside = 'export const beside: number = 1;\n';
  expect(JSON.parse(stdout)).toEqual([[text, beside], [text.replace('first', 'second'), beside], 'second']);
});
