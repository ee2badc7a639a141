/** `verify`, as a real process: it finds every planted cheat, by the check that is there for it, and lets honest strategies pass. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { cleanUp, runToEnd } from '../process.ts';

interface Cheat {
  /** When to trade; `n` counts quotes. */
  readonly when: string;
  /** Code of the module, of `create`, and more handlers. */
  readonly above?: string;
  readonly create?: string;
  readonly handlers?: string;
  readonly size?: string;
  /** The check that finds it, or "load" if the program ends with an error; and what is said. */
  readonly check: string;
  readonly says: RegExp;
}

const CHEATS: Readonly<Record<string, Cheat>> = {
  'reads files': {
    above: "import { readFileSync } from 'node:fs';",
    when: "readFileSync('x') !== null",
    check: 'load',
    says: /may not import node:fs/,
  },
  'gets the module of files': {
    above: "const fs = process.getBuiltinModule('fs');",
    when: 'fs !== null',
    check: 'load',
    says: /process is not for strategies/,
  },
  'imports files while it runs': {
    when: "(void import('node:fs'), n % 500 === 0)",
    check: 'load',
    says: /imports-files-while-it-runs\.ts:\d+: a strategy may not import node:fs/,
  },
  'imports while it runs': {
    when: "(void import('node:util'), n % 500 === 0)",
    check: 'load',
    says: /import\('node:util'\) in onQuote comes too late/,
  },
  'leaves a promise behind': {
    when: "(n === 9 && void Promise.resolve().then(() => { throw new Error('oops'); }), n % 500 === 0)",
    check: 'load',
    says: /leaves-a-promise-behind\.ts:\d+:\d+: a promise that nobody waits for was rejected: oops/,
  },
  'asks the clock': { when: 'Date.now() % 2 === 0', check: 'errors', says: /Date\.now\(\) is not for strategies/ },
  'makes a date of now': { when: 'new Date().getSeconds() % 2 === 0', check: 'errors', says: /new Date\(\) without a time/ },
  'draws chance': { when: 'Math.random() < 0.01', check: 'errors', says: /Math\.random\(\) is not for strategies/ },
  'draws bytes': { when: 'crypto.getRandomValues(new Uint8Array(1))[0] < 3', check: 'errors', says: /crypto is not for strategies/ },
  'sets a timeout': { when: 'setTimeout(() => {}, 1) === null', check: 'errors', says: /setTimeout\(\) is not for strategies/ },
  'changes a prototype': { when: '(Array.prototype.push = () => 0) === null', check: 'errors', says: /read only property/ },
  'counts its runs': {
    above: 'let runs = 0;',
    create: 'const mine = ++runs;',
    when: 'n % (500 + mine) === 0',
    check: 'determinism',
    says: /outlives a run/,
  },
  'keeps objects of another run': {
    above: 'let kept;',
    create: 'kept ??= markets;',
    when: 'kept[0] === market && n % 500 === 0',
    check: 'determinism',
    says: /outlives a run/,
  },
  'remembers the future': {
    above: 'const seen = []; let whole = 0;',
    create: 'const known = whole++ > 0 ? seen.slice() : []; let i = 0;',
    when: '(seen.push(market.bid), i++, known.length > i + 50 ? known[i + 50] > market.bid && n % 40 === 0 : n % 500 === 0)',
    check: 'look-ahead',
    says: /depends on what comes after it/,
  },
  'hides in the global object': {
    when: '(globalThis.turn = (globalThis.turn ?? 0) + 1) % 700 === 0',
    check: 'determinism',
    says: /outlives a run/,
  },
  'goes by local hours': {
    when: 'n % (400 + new Date(ctx.now).getHours()) === 0',
    check: 'determinism',
    says: /another time zone and language/,
  },
  'goes by the language': {
    when: "n % ((1.5).toLocaleString() === '1.5' ? 500 : 300) === 0",
    check: 'determinism',
    says: /another time zone and language/,
  },
  'saves half of its state': {
    create: 'let half = 0;',
    handlers: 'save: () => String(half), restore: (text) => { half = Number(text); },',
    when: '(half++, n % 500 === 0)',
    check: 'restart',
    says: /not all that it needs/,
  },
  'has a table of prices by time': {
    // The way that the price goes from each second of this tape to the next, as somebody could have written it down.
    above: 'const TABLE = new Map(Array.from({ length: 120 }, (_, k) => [Date.UTC(2024, 0, 1, 0, 0, k), k * k % 7 > 3]));',
    when: 'n % 500 === 0 && TABLE.get(Math.floor(ctx.now / 1000) * 1000) === true',
    check: 'dates',
    says: /800 years later, by the times of today, it decided nothing more; it goes by dates of this tape/,
  },
  'computes no number': { when: 'n % 500 === 0', size: '0 / (n - n)', check: 'numbers', says: /NaN/ },
  'never sleeps': { when: 'n % 500 === 0', handlers: 'onOrder: async () => { await null; },', check: 'errors', says: /is async/ },
};

const source = ({ when, above = '', create = '', handlers = '', size = "'0.01'" }: Cheat): string => `// @ts-nocheck
import { defineStrategy } from 'tickwright';
${above}
export default defineStrategy({
  name: 'planted',
  create(_params, markets) {
    let n = 0;
    ${create}
    return {
      ${handlers}
      onQuote(market, ctx) {
        n++;
        if (!(${when})) return;
        if (market.long.lots > 0) ctx.close(market, 'LONG', { reason: 'out' });
        else if (market.orders.length === 0) ctx.open(market, 'LONG', { size: ${size}, reason: 'in' });
      },
    };
  },
});
`;

interface Row {
  readonly name: string;
  readonly verdict: string;
  readonly text: string;
}

let folder = '';
const tape = (): string => join(folder, 'tape');

/** Some cheats are found by more than one check. `remembers the future` is known from the second run on, so determinism finds it too. */
async function rowsOf(file: string): Promise<{ code: number | null; rows: readonly Row[]; err: string }> {
  const { code, out, err } = await runToEnd(['verify', '--strategy', file, '--tape', tape(), '--every-tick', '--moments', '4', '--json']);
  return { code, err, rows: out === '' ? [] : (JSON.parse(out) as { rows: Row[] }).rows };
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tickwright-verify-'));
  await runToEnd(['tape', 'synth', '--out', tape(), '--symbol', 'BTCUSDT', '--duration', '2m', '--seed', '3']);
});
afterEach(cleanUp);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('verify finds a strategy that', () => {
  it.for(Object.entries(CHEATS))('%s', async ([name, cheat]) => {
    const file = join(folder, `${name.replaceAll(' ', '-')}.ts`);
    writeFileSync(file, source(cheat));
    const { code, rows, err } = await rowsOf(file);
    if (cheat.check === 'load') {
      expect(code).toBe(78);
      expect(err).toMatch(cheat.says);
      expect(err).not.toMatch(/^ {4}at /m);
      return;
    }
    expect(code).toBe(1);
    const row = rows.find((one) => one.name === cheat.check);
    expect(row).toMatchObject({ verdict: 'failed', text: expect.stringMatching(cheat.says) as string });
  });
});

describe('verify warns of a strategy that', () => {
  it.for([
    [
      'has a table of prices by their place',
      'n % 100 === 0 && market.bid < [1e9, 90_000, 1e9, 90_000][(n / 100) % 4]',
      /with prices 2 times as high it decided .*; it goes by prices as such/,
    ],
    [
      'has a table of moves by their place',
      'n % 100 === 0 && [true, false, true][(n / 100) % 3]',
      /the same where each price moves the other way/,
    ],
  ] as const)('%s', async ([name, when, says]) => {
    const file = join(folder, `${name.replaceAll(' ', '-')}.ts`);
    writeFileSync(file, source({ when, check: 'prices', says }));
    const { rows } = await rowsOf(file);
    expect(rows.find((one) => one.name === 'prices')).toMatchObject({ verdict: 'warned', text: expect.stringMatching(says) as string });
    expect(rows.find((one) => one.name === 'dates')).toMatchObject({ verdict: 'passed' });
  });
});

describe('verify lets pass', () => {
  it('an honest strategy, and says so on a terminal', async () => {
    const { code, out } = await runToEnd(['verify', '--strategy', 'strategies/ema-cross.ts', '--tape', tape(), '--moments', '4']);
    expect(out).toMatch(/passed +look-ahead +the same decisions before each of 4 moments/);
    expect(out).not.toMatch(/^failed/m);
    expect(code).toBe(0);
  });
  it('a strategy that keeps all it needs in ctx.state', async () => {
    const file = join(folder, 'keeps.ts');
    writeFileSync(
      file,
      `import { defineStrategy } from 'tickwright';
export default defineStrategy({
  name: 'keeps',
  state: { n: 0 },
  create: () => ({
    onQuote(market, ctx) {
      if (++ctx.state.n % 500 !== 0) return;
      if (market.long.lots > 0) ctx.close(market, 'LONG', { reason: 'out' });
      else if (market.orders.length === 0) ctx.open(market, 'LONG', { size: '0.01', reason: 'in' });
    },
  }),
});
`,
    );
    const { code, rows } = await rowsOf(file);
    expect(rows.find(({ name }) => name === 'restart')).toMatchObject({ verdict: 'passed' });
    expect(code).toBe(0);
  });
});
