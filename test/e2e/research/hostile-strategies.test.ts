/** Strategies that do forbidden things: each is stopped and named, in a backtest and in a bot, both as real processes. */
import { createServer } from 'node:http';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { tmpdir } from 'node:os';
import { pathToFileURL } from 'node:url';
import { addressOf, cleanUp, DEMO, freshFolder, launch, ROOT, runToEnd, type Program } from '../process.ts';

/** Name → code of the handler, and the error message. */
const TRAPPED: Readonly<Record<string, readonly [code: string, says: RegExp]>> = {
  clock: ['Date.now()', /Date\.now\(\) is not for strategies; use ctx\.now/],
  date: ['new Date()', /new Date\(\) without a time .* ctx\.now/],
  performance: ['performance.now()', /performance is not for strategies; use ctx\.now/],
  chance: ['Math.random()', /Math\.random\(\) is not for strategies; use ctx\.random\(\)/],
  uuid: ['crypto.randomUUID()', /crypto is not for strategies; use ctx\.random\(\)/],
  timeout: ['setTimeout(() => {}, 1)', /setTimeout\(\) is not for strategies; use ctx\.setTimer/],
  microtask: ['queueMicrotask(() => {})', /queueMicrotask\(\) is not for strategies/],
  abort: ['AbortSignal.timeout(1)', /AbortSignal\.timeout\(\) is not for strategies; use ctx\.setTimer/],
  weakly: ['void new WeakRef({})', /WeakRef\(\) is not for strategies/],
  finalizes: ['void new FinalizationRegistry(() => {})', /FinalizationRegistry\(\) is not for strategies/],
  network: ["void fetch('http://127.0.0.1:9')", /fetch\(\) is not for strategies/],
  socket: ["void new WebSocket('ws://127.0.0.1:9')", /WebSocket is not for strategies/],
  channel: ['void new MessageChannel()', /MessageChannel is not for strategies/],
  environment: ["process.env['TICKWRIGHT_SECRET']", /process is not for strategies/],
  exits: ['process.exit(0)', /process is not for strategies/],
  arrays: ['Array.prototype.map = () => []', /TypeError: Cannot assign to read only property 'map'/],
  json: ['JSON.parse = () => ({})', /TypeError: Cannot assign to read only property 'parse'/],
  objects: [
    "Object.defineProperty(Object.prototype, 'size', { value: 9 })",
    /TypeError: Cannot define property size, object is not extensible/,
  ],
  overrides: ['globalThis.Date = class {} as never', /TypeError: Cannot assign to read only property 'Date'/],
  evaluates: ["new Function('return Date.now()')()", /Date\.now\(\) is not for strategies/],
  promises: ['return Promise.resolve()', /gave back a promise/],
};

/** What a strategy may do. */
const CALM = 'new Date(ctx.now).toISOString(); ctx.random(); [3, 1].toSorted(); structuredClone({ a: 1 })';

const source = (name: string, code: string, above = ''): string => `import { defineStrategy } from 'tickwright';
${above}
export default defineStrategy({
  name: '${name}',
  // @ts-ignore
  create: () => ({
    onQuote(market, ctx) {
      ${code};
    },
  }),
});
`;

let folder = '';
const file = (name: string): string => join(folder, `${name}.ts`);
const write = (name: string, code: string, above?: string): string => {
  writeFileSync(file(name), source(name, code, above));
  return file(name);
};
/** The line of the strategy's only handler. */
const HANDLER_LINE = 8;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tickwright-hostile-'));
  for (const [name, [code]] of Object.entries(TRAPPED)) write(name, code);
  write('calm', CALM);
  const made = await runToEnd(['tape', 'synth', '--out', join(folder, 'tape'), '--duration', '20s', '--symbol', 'BTCUSDT']);
  if (made.code !== 0) throw new Error(made.err);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
afterEach(cleanUp);

const backtest = (
  strategies: readonly string[],
  more: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<Program> =>
  runToEnd(
    ['backtest', '--no-bracket', '--tape', join(folder, 'tape'), '--json', ...strategies.flatMap((one) => ['--strategy', one]), ...more],
    env,
  );

describe('in a backtest', () => {
  it('forbidden actions are refused; the report names strategy, place and alternative [S1] [security 7]', async () => {
    const names = Object.keys(TRAPPED);
    const ran = await backtest([...names, 'calm'].map(file));
    expect(ran.code, ran.err).toBe(1);
    const { failed } = JSON.parse(ran.out) as { failed: { strategy: string; why: string }[] };
    expect(failed.map(({ strategy }) => strategy)).toEqual(names);
    for (const { strategy, why } of failed) {
      expect(why).toMatch(TRAPPED[strategy]![1]);
      if (strategy !== 'promises') expect(why, strategy).toContain(`${strategy}.ts:${HANDLER_LINE}`);
    }
  });

  it.each([
    [
      'files',
      "import { readFileSync } from 'node:fs';\nvoid readFileSync;",
      /files\.ts:2: a strategy may not import node:fs; use save and restore/,
    ],
    ['sockets', "import 'net';", /sockets\.ts:2: a strategy may not import net/],
    [
      'programs',
      "import { spawn } from 'node:child_process';\nvoid spawn;",
      /programs\.ts:2: a strategy may not import node:child_process/,
    ],
    ['indirect', "import './helper.ts';", /helper\.ts:1: a strategy may not import node:worker_threads/],
    ['early', 'const since = Date.now();', /early\.ts:2:\d+: .*Date\.now\(\) is not for strategies/],
    ['setup', '', /setup: create threw ForbiddenError: Math\.random\(\) is not for strategies/],
  ])('%s: refused before anything runs, with file and line', async (name, above, says) => {
    writeFileSync(join(folder, 'helper.ts'), "import 'node:worker_threads';\n");
    write(name, '', above);
    if (name === 'setup')
      writeFileSync(file(name), source(name, '').replace('create: () => ({', 'create: () => ({ barMs: 1 + Math.random(),'));
    const ran = await backtest([file(name)]);
    expect(ran.err).toMatch(says);
    expect(ran).toMatchObject({ code: 78, out: '' });
  });

  it('a search names what a promise of a strategy was rejected for, without a trace', async () => {
    const left = "if (ctx.now % 2 === 0) void Promise.resolve().then(() => { throw new Error('oops'); })";
    const code = source('leaves', left, "import { param } from 'tickwright';");
    writeFileSync(file('leaves'), code.replace('// @ts-ignore', 'params: { n: param.integer(1, { min: 1, max: 9 }) },'));
    const on = ['--tape', join(folder, 'tape'), '--strategy', file('leaves')];
    const ran = await runToEnd(['optimize', ...on, '--param', 'n=1..4', '--trials', '4']);
    expect(ran.err).toMatch(/leaves\.ts:8:\d+: a promise that nobody waits for was rejected: oops/);
    expect(ran.err).not.toMatch(/^ {4}at /m);
    expect(ran.code).toBe(78);
  });

  it('a handler that does not return is named with its line, and the process ends with 70 [S2]', async () => {
    const ran = await backtest([file('calm'), write('spins', 'while (true) market.tick + 1')], ['--set', 'handlerLimitMs=300']);
    expect(ran.err).toMatch(/^error: spins: onQuote did not return within 1\.5 s \(file:.*spins\.ts:8:\d+\); the process ends with 70\n$/);
    expect(ran).toMatchObject({ code: 70, out: '' });
  });

  const SMALL = { NODE_OPTIONS: '--max-old-space-size=200' };
  const WITHOUT_TIME = ['--every-tick', '--set', 'handlerLimitMs=60000'];

  it.each([
    ['slowly', 2_000, 0],
    ['faster than the watch looks', 100_000, 200],
  ])('a strategy that uses up the memory %s is named, and the process ends with 71 [S5]', async (_how, many, from) => {
    const name = `eats${many}`;
    const eats = `if (++calls > ${from}) for (let k = 0; k < ${many}; k++) kept.push({ time: ctx.now, calls, k })`;
    const ran = await backtest([write(name, eats, 'const kept: unknown[] = [];\nlet calls = 0;')], WITHOUT_TIME, SMALL);
    expect(ran.err).toMatch(/error: .*\d+ MB of \d+ MB of memory are used up.*the process ends with 71/);
    expect(ran.err).toContain(name);
    expect(ran.code).toBe(71);
  });

  it('an innocent strategy is not blamed for memory that another keeps [S5]', async () => {
    const slowly = write('keeps-bits', 'for (let k = 0; k < 2_000; k++) kept.push({ time: ctx.now, k })', 'const kept: unknown[] = [];');
    // It makes garbage, so that collections fall into its calls.
    const innocent = write('innocent', 'let sum = 0; for (let k = 0; k < 20_000; k++) sum += [k, ctx.now].length');
    for (let turn = 0; turn < 3; turn++) {
      const ran = await backtest(turn === 1 ? [innocent, slowly] : [slowly, innocent], WITHOUT_TIME, SMALL);
      expect(ran.code).toBe(71);
      expect(ran.err).toMatch(
        /error: unknown which strategy: (keeps-bits, innocent|innocent, keeps-bits): \d+ MB of \d+ MB of memory are used up/,
      );
      expect(ran.err).not.toMatch(/error: innocent/);
    }
  });

  it('a run whose memory is watched ends without a word about it', async () => {
    const keeps = 'if (kept.length < 40) kept.push(Array.from({ length: 100_000 }, (_, k) => k + 0.5))';
    const ran = await backtest([write('keeps', keeps, 'const kept: number[][] = [];')], WITHOUT_TIME, SMALL);
    expect(ran).toMatchObject({ code: 0, err: '' });
  });

  it('one call that uses up all memory is named before the runtime ends the process [S5]', async () => {
    const ran = await backtest(
      [write('greedy', 'for (;;) kept.push({ time: ctx.now })', 'const kept: unknown[] = [];')],
      WITHOUT_TIME,
      SMALL,
    );
    expect(ran.err).toMatch(/(warning|error): greedy: onQuote: \d+ MB of \d+ MB of memory are (in use|used up)/);
    expect(ran.out).toBe('');
    expect([0, 1], 'it did not end by itself').not.toContain(ran.code);
  });

  it('output of a strategy goes to stderr with its name, and does not disturb the JSON', async () => {
    const ran = await backtest([write('prints', "if (market.bid > 0 && market.long.size === 0) console.log('here')")]);
    expect(ran.code).toBe(0);
    expect(ran.err).toMatch(/^\[prints\] here$/m);
    expect(JSON.parse(ran.out)).toMatchObject({ failed: [] });
  });
});

describe('in a bot', () => {
  const bot = async (
    strategies: readonly string[],
    more: readonly string[] = [],
    home = freshFolder(),
  ): Promise<{ bot: Program; store: string }> => {
    const exchange = launch(['exchange', '--synth', '--port', '0']);
    const url = await addressOf(exchange);
    const store = join(home, 'store');
    const set = [`venue.baseUrl=${url}`, `store.folder=${store}`].flatMap((one) => ['--set', one]);
    const args = ['run', '--config', 'config/paper.yaml', '--symbol', 'BTCUSDT', ...strategies.flatMap((one) => ['--strategy', one])];
    return { bot: launch([...args, ...set, ...more], { ...DEMO, TICKWRIGHT_STATE_HOME: home }), store };
  };

  it('forbidden actions are refused and named; the strategy is disabled, others continue [S1] [security 7]', async () => {
    const names = Object.keys(TRAPPED);
    const { bot: running } = await bot([...names, 'calm'].map(file));
    await running.until('all are disabled', () => running.logged('strategy-disabled').length === names.length);
    for (const [name, [, says]] of Object.entries(TRAPPED)) {
      const errors = running.logged('strategy-error').filter(({ strategy }) => strategy === name);
      expect(errors[0], name).toMatchObject({ handler: 'onQuote', error: expect.stringMatching(says) });
    }
    expect(running.logged('strategy-disabled')[0]).toMatchObject({ policy: 'cancel', orders: 0, positions: [] });
    expect(running.logged('strategy-error').filter(({ strategy }) => strategy === 'calm')).toEqual([]);
    await running.kill('SIGINT');
    expect(running.code).toBe(0);
    expect(running.logged('stopped')[0]!['disabled']).toEqual(names);
  });

  it('a handler that does not return: named, exit 70 even after SIGTERM, stopped at the restart [S2]', async () => {
    const home = freshFolder();
    const spins = write('turns', '');
    writeFileSync(spins, source('turns', 'for (;;) ctx.now + 1').replace('onQuote(market, ctx)', 'onStart(ctx)'));
    const { bot: running, store } = await bot([file('calm'), spins], ['--set', 'handlerLimitMs=1000'], home);
    await running.untilLogged('armed');
    running.send('SIGTERM');
    await running.ended;
    expect(running.code, running.err.slice(-2_000)).toBe(70);
    const [hung] = running.logged('strategy-hung');
    expect(hung).toMatchObject({ level: 'error', strategy: 'turns', handler: 'onStart', limitMs: 1_000, code: 70 });
    expect(hung!['where']).toMatch(/turns\.ts:8:\d+$/);
    expect(readFileSync(`${store}.halts.json`, 'utf8')).toContain('strategy:turns');

    const { bot: again } = await bot([file('calm'), spins], [], home);
    await again.untilLogged('ready');
    expect(again.logged('strategy-disabled')[0]).toMatchObject({
      strategy: 'turns',
      why: expect.stringContaining('tickwright resume turns'),
    });
    await again.kill('SIGINT');
    expect(again.code).toBe(0);
  });

  it('a process that runs out of memory or is killed in a long call: the next start names the strategy [S5]', async () => {
    const home = freshFolder();
    const slow = write('dozes', 'for (let k = 0; k < 4e10; k++) x += k', 'let x = 0;');
    const { bot: running, store } = await bot([file('calm'), slow], ['--set', 'handlerLimitMs=600000'], home);
    await running.untilLogged('armed');
    const note = `${store}.running.json`;
    await running.until('a note', () => existsSync(note) && readFileSync(note, 'utf8').includes('"forMs":1'));
    await running.kill('SIGKILL');
    const { bot: again } = await bot([file('calm'), slow], [], home);
    await again.untilLogged('ready');
    expect(again.logged('died-while-running')[0]).toMatchObject({ strategy: 'dozes', handler: 'onQuote', isRunning: true });
    expect(again.logged('strategy-disabled')[0]).toMatchObject({
      strategy: 'dozes',
      why: expect.stringContaining('tickwright resume dozes'),
    });
    expect(existsSync(note), 'a note is read once').toBe(false);
    await again.kill('SIGINT');
    expect(again.code).toBe(0);
    expect(existsSync(note), 'a normal end leaves none').toBe(false);
  });

  it('what a strategy leaves behind reaches neither files, network, process nor keys [security 1] [security 7]', async () => {
    let reached = 0;
    const server = createServer((_, response) => {
      reached++;
      response.end('{}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as { port: number }).port}/`;
    const marks = freshFolder();
    const reads = "(fs) => console.log('LEAK files ' + fs.readFileSync('/proc/self/environ', 'utf8').length)";
    const attacks: Readonly<Record<string, string>> = {
      'builtin-of-a-promise': `Promise.resolve().then(() => process.getBuiltinModule('fs')).then(${reads})`,
      'fetch-of-a-promise': `Promise.resolve().then(() => fetch('${url}')).then(() => console.log('LEAK network'))`,
      'fetch-as-a-callback': `Promise.resolve('${url}').then(globalThis.fetch).then(() => console.log('LEAK network'))`,
      'an-await': `(async () => { await null; ${reads.replace('(fs) =>', 'const fs = await import("node:fs");')} })()`,
      'text-as-code': `Promise.resolve().then(() => new Function('return process')().getBuiltinModule('fs')).then(${reads})`,
      'a-getter': `Promise.resolve().then(Object.getOwnPropertyDescriptor(globalThis, 'process').get).then((p) => p.getBuiltinModule('fs')).then(${reads})`,
      'a-module-of-text': `import('data:text/javascript,export { default } from "node:fs"').then((m) => m.default).then(${reads})`,
      environment: "Promise.resolve().then(() => console.log('LEAK ' + Object.keys(process.env)))",
      ends: 'Promise.resolve().then(() => process.exit(9))',
      socket: `Promise.resolve().then(() => new WebSocket('${url.replace('http', 'ws')}'))`,
      'a-stack-of-its-own': `Error.captureStackTrace = (o) => { o.stack = [{ getFileName: () => '${pathToFileURL(join(ROOT, 'src/main.ts')).href}', isEval: () => false, isNative: () => false }]; }; Promise.resolve().then(() => process.getBuiltinModule('fs')).then(${reads})`,
      // The console writes to a socket; what made that could make others.
      'the-stream-of-the-console': `{ for (const name of ['_stdout', '_stderr', 'Console']) if (name in console) console.log('LEAK ' + name); throw new Error('is not for strategies'); }`,
    };
    const files = Object.entries(attacks).map(([name, code]) =>
      write(name, `if (isFirst) { isFirst = false; ${code}; }`, 'let isFirst = true;'),
    );
    const { bot: running } = await bot(files, [], marks);
    await running.untilLogged('armed');
    await running.until('each is refused', () => running.logged('strategy-error').length >= files.length);
    expect(running.out + running.err).not.toContain('LEAK');
    expect(reached).toBe(0);
    for (const line of running.logged('strategy-error'))
      expect(JSON.stringify(line['error'])).toMatch(/is not for strategies|may not import|comes too late/);
    // The keys are in no variable of the process, as the system shows it to whoever reads files.
    expect(readFileSync(`/proc/${running.pid}/environ`, 'utf8')).not.toMatch(/demo-(key|secret|pass)/);
    await running.kill('SIGINT');
    expect(running.code).toBe(0);
    server.close();
  });

  it('credentials are in no variable, argument or object that a strategy reaches [security 1]', async () => {
    const searches = `
      const seen = new Set();
      const open: unknown[] = [market, ctx, globalThis];
      const found: string[] = [];
      for (let k = 0; k < 200_000 && open.length > 0; k++) {
        const one = open.pop();
        if (typeof one === 'string' && /demo-(secret|pass)/.test(one)) found.push(one);
        if (one?.constructor?.name === 'Secret') found.push('a Secret');
        if ((typeof one !== 'object' && typeof one !== 'function') || one === null || seen.has(one)) continue;
        seen.add(one);
        for (const key of Reflect.ownKeys(one)) { try { open.push((one as never)[key]); } catch {} }
        open.push(Object.getPrototypeOf(one));
      }
      ctx.log('searched', { seen: seen.size, found: found.join() });
      ctx.log('env', { text: String(Object.keys(globalThis).length) });
      throw new Error('searched ' + seen.size + ', found ' + found.length);`;
    const { bot: running } = await bot([write('thief', searches)]);
    await running.untilLogged('strategy-error');
    const [error] = running.logged('strategy-error');
    const [, seen, found] = /searched (\d+), found (\d+)/.exec(String(error!['error'])) ?? [];
    expect(Number(seen)).toBeGreaterThan(500);
    expect(Number(found)).toBe(0);
    await running.kill('SIGINT');
    expect(running.err).not.toMatch(/demo-(secret|pass)/);
  });
});
