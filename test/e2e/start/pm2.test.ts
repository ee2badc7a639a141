/** The bot under the real PM2 7, with its own daemon and home: the promises of its configuration file. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { totalmem } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
// @ts-expect-error plain JavaScript, read by PM2
import ecosystem from '../../../ecosystem.config.cjs';
import { HEAP_FLAG, HEAP_MB } from '../../../src/base/heap-limit.ts';
import { isPatchedNode } from '../../../src/cli/shell/node-version.ts';
import { readLedger, type LedgerOrder } from '../../../src/edge/file/ledger/read-ledger.ts';
import { StatusFile } from '../../../src/run/watchdog/status-file.ts';
import { addressOf, cleanUp, freshFolder, launch, ROOT, type LogLine, type Program } from '../process.ts';

const { chooseNode, isFitForLive } = ecosystem;
const PM2 = join(ROOT, 'node_modules/pm2/bin/pm2');
const WITHIN_MS = 180_000;
/** Secrets in the operator's shell and in the credentials file: PM2 must not store any of them. */
const CANARIES = ['canary-key-71', 'canary-secret-72', 'canary-passphrase-73', 'canary-other-74'];

/** Taking memory takes long on a busy machine: such a call counts as one that did not return. */
const UNHURRIED = 'handlerLimitMs: 600000';

interface Shown {
  readonly name: string;
  readonly pid: number;
  readonly pm2_env: { readonly status: string; readonly restart_time: number; readonly exit_code?: number };
}

let home = '';
let exchange: Program;
let url = '';

beforeAll(async () => {
  home = freshFolder();
  exchange = launch(['exchange', '--synth', '--port', '0', '--state', join(home, 'exchange'), '--accounts', '7']);
  url = await addressOf(exchange);
});

afterAll(async () => {
  if (home !== '') pm2('kill');
  await cleanUp();
});

/** Runs `pm2 ARGS` as an operator whose shell holds secrets; returns its output. */
function pm2(...args: readonly string[]): string {
  const [key = '', secret = '', passphrase = '', other = ''] = CANARIES;
  const env = {
    PATH: process.env['PATH'],
    HOME: home,
    PM2_HOME: join(home, 'pm2'),
    PM2_WORKER_INTERVAL: '500',
    TICKWRIGHT_KEY: key,
    TICKWRIGHT_SECRET: secret,
    TICKWRIGHT_PASSPHRASE: passphrase,
    SOME_API_TOKEN: other,
  };
  const ran = spawnSync(process.execPath, [PM2, ...args], { cwd: home, env, encoding: 'utf8', timeout: 240_000 });
  return ran.stdout + ran.stderr;
}

/** Runs `tickwright restart WHAT` with PM2 on PATH. */
function restart(what: string): { readonly status: number | null; readonly stdout: string; readonly stderr: string } {
  const PATH = [join(ROOT, 'node_modules/.bin'), process.env['PATH']].join(delimiter);
  const env = { PATH, HOME: home, PM2_HOME: join(home, 'pm2') };
  return spawnSync(process.execPath, ['src/tickwright.js', 'restart', what], { cwd: ROOT, env, encoding: 'utf8', timeout: 240_000 });
}

/** PM2's state of a program. Each call starts a process, so the daemon's log is read instead where possible. */
function shown(name: string): Shown {
  const text = pm2('jlist');
  const list = JSON.parse(text.slice(text.indexOf('[{'), text.lastIndexOf(']') + 1) || '[]') as Shown[];
  const found = list.find((one) => one.name === name);
  if (found === undefined) throw new Error(`PM2 shows no ${name}: ${text}`);
  return found;
}

const daemonLog = (): string => (existsSync(join(home, 'pm2/pm2.log')) ? readFileSync(join(home, 'pm2/pm2.log'), 'utf8') : '');

/** The exit codes of a program as seen by PM2: 0 for every death by signal. */
function exits(name: string): number[] {
  return [...daemonLog().matchAll(new RegExp(`App \\[${name}:\\d+\\] exited with code \\[(\\d+)\\]`, 'g'))].map(([, code]) => Number(code));
}

const starts = (name: string): number => daemonLog().split(new RegExp(`App \\[${name}:\\d+\\] starting in -fork mode-`)).length - 1;

async function until(what: string, test: () => boolean): Promise<void> {
  const end = performance.now() + WITHIN_MS;
  while (!test()) {
    if (performance.now() > end) throw new Error(`not within ${WITHIN_MS} ms: ${what}\n${pm2('ls')}\n${daemonLog().slice(-2_000)}`);
    await sleep(50);
  }
}

interface Bot {
  readonly name: string;
  /** The file with which PM2 starts, reloads and restarts it. */
  readonly file: string;
  /** Its log so far. */
  log(): readonly LogLine[];
  text(): string;
}

/** A bot on an account of the exchange, with the shipped PM2 configuration. `change` is JavaScript that overrides parts of it. */
function bot(name: string, account: number, { config = '', params = '{}', change = '{}' } = {}): Bot {
  const folder = join(home, name);
  mkdirSync(folder);
  const suffix = account === 1 ? '' : `-${account}`;
  const credentials = join(folder, 'credentials.yaml');
  writeFileSync(credentials, `key: "demo-key${suffix}"\nsecret: "demo-secret${suffix}"\npassphrase: "demo-pass${suffix}"\n`, {
    mode: 0o600,
  });
  writeFileSync(
    join(folder, 'bot.yaml'),
    `bot: ${name}
venue: { baseUrl: "${url}", credentials: credentials.yaml }
limits: ${join(ROOT, 'config/limits.paper.json')}
strategies: [{ file: ${join(ROOT, 'test/e2e/strategies/rests.ts')}, symbols: [BTCUSDT], params: ${params} }]
store: { kind: embedded, folder: store }
${config}`,
  );
  const shipped = JSON.stringify(pathToFileURL(join(ROOT, 'ecosystem.config.js')).href);
  const file = join(folder, 'ecosystem.config.mjs');
  writeFileSync(
    file,
    `import { apps as shipped } from ${shipped};
const [app] = shipped;
const args = app.args.map((arg) => (arg === 'config/paper.yaml' ? ${JSON.stringify(join(folder, 'bot.yaml'))} : arg));
export const apps = [{ ...app, name: '${name}', args, exp_backoff_restart_delay: 100, merge_logs: true,
  out_file: 'out.log', error_file: 'error.log', cwd: ${JSON.stringify(folder)}, ...${change} }];
`,
  );
  const text = (): string =>
    ['out.log', 'error.log'].map((one) => (existsSync(join(folder, one)) ? readFileSync(join(folder, one), 'utf8') : '')).join('');
  const lines = (): string[] =>
    text()
      .split('\n')
      .filter((line) => line.startsWith('{') && line.endsWith('}'));
  return { name, file, text, log: () => lines().map((line) => JSON.parse(line) as LogLine) };
}

const logged = (one: Bot, event: string): LogLine[] => one.log().filter((line) => line.event === event);

describe('the bot under PM2', () => {
  it('is online once ready, returns after kill -9, abort and reload with its order, and stays down after stop', async () => {
    const one = bot('steady', 1);
    pm2('start', one.file);
    expect(logged(one, 'ready'), 'PM2 waited for it').toHaveLength(1);
    let { pid, pm2_env: env } = shown('steady');
    expect(env.status).toBe('online');
    const doctor = spawnSync(process.execPath, ['src/tickwright.js', 'doctor', '--config', join(home, 'steady/bot.yaml'), '--json'], {
      cwd: ROOT,
      encoding: 'utf8',
    });
    expect(doctor.stdout, 'it shows the limit of the running bot').toMatch(/the running bot uses \d+ MB of at most 8\d\d MB of heap/);
    await until('the order rests', () => readLedger(join(home, 'exchange')).orders.length === 1);

    for (const [k, signal] of (['SIGKILL', 'SIGABRT'] as const).entries()) {
      process.kill(pid, signal);
      await until(`armed again after ${signal}`, () => logged(one, 'armed').length === k + 2);
      const again = Number(readFileSync(join(home, 'pm2/pids/steady-0.pid'), 'utf8'));
      expect(again).not.toBe(pid);
      pid = again;
    }
    expect(exits('steady'), 'PM2 calls a death by signal 0').toEqual([0, 0]);
    expect(
      logged(one, 'armed').map((line) => line['liveOrders']),
      'its order is adopted',
    ).toEqual([0, 1, 1]);

    pm2('reload', one.file);
    await until('armed after the reload', () => logged(one, 'armed').length === 4);
    // Exit code 3: its order stays at the venue.
    expect(logged(one, 'stopped').at(-1)).toMatchObject({ code: 3 });
    expect(readLedger(join(home, 'exchange')).orders, 'no more than one order').toHaveLength(1);

    pm2('save');
    const dump = readFileSync(join(home, 'pm2/dump.pm2'), 'utf8');
    expect(dump).toContain('"name": "steady"');
    for (const word of [...CANARIES, 'demo-secret', 'demo-pass']) expect(dump).not.toContain(word);
    expect(pm2('env', '0')).not.toContain('canary');

    pm2('stop', 'steady');
    expect(logged(one, 'stopped')).toHaveLength(2);
    await sleep(1_000);
    ({ pm2_env: env } = shown('steady'));
    expect(env).toMatchObject({ status: 'stopped', exit_code: 3, restart_time: 3 });
    expect(starts('steady')).toBe(4);
  });

  it('a bot that hangs loses its opening order to the watchdog that it started, and comes back halted', async () => {
    const one = bot('hangs', 7, { config: 'watchdog: { start: bot, silenceMs: 20000 }\n' });
    pm2('start', one.file);
    const { pid } = shown('hangs');
    const orders = (): LedgerOrder[] =>
      readLedger(join(home, 'exchange')).orders.filter(({ order }) => String(order['clientOid']).startsWith('hangs-'));
    const status = new StatusFile(join(home, 'hangs/store'));
    await until('its order rests, and it is watched', () => orders().length === 1 && status.read()?.state === 'watching');
    process.kill(pid, 'SIGSTOP');
    await until('its order is cancelled', () => orders().every(({ ended }) => ended !== null) && status.read()?.state === 'done');
    expect(status.read()).toMatchObject({ acted: 1, cancelled: 1, left: 0 });
    process.kill(pid, 'SIGKILL');
    await until('the next is halted', () => logged(one, 'armed').length === 2 && logged(one, 'halt-request').length === 1);
    expect(orders()).toHaveLength(1);
    pm2('stop', 'hangs');
    const isGone = (): boolean => !existsSync(`/proc/${status.read()?.pid}`);
    await until('its watchdog has ended', isGone);
  });

  it('goes on as it is when its new configuration is wrong, and `restart` says so', async () => {
    const one = bot('changed', 6);
    pm2('start', one.file);
    const { pid } = shown('changed');
    const file = join(home, 'changed/bot.yaml');
    const right = readFileSync(file, 'utf8');
    for (const wrong of [right.replace('params: {}', 'params: { eats: -1 }'), right.replace('rests.ts', 'gone.ts'), `${right}risc: {}\n`]) {
      writeFileSync(file, wrong);
      for (const what of ['changed', one.file]) {
        const { status, stdout, stderr } = restart(what);
        expect([status, stderr], stdout).toEqual([78, expect.stringContaining('nothing was restarted')]);
      }
    }
    expect([shown('changed').pid, logged(one, 'armed').length, logged(one, 'stopped').length]).toEqual([pid, 1, 0]);
    writeFileSync(file, right.replace('params: {}', 'params: { eats: 0 }'));
    const { status, stdout, stderr } = restart('changed');
    expect(status, stdout + stderr).toBe(0);
    await until('armed after the reload', () => logged(one, 'armed').length === 2);
    expect(restart('nobody')).toMatchObject({ status: 2, stderr: expect.stringContaining('PM2 has no program "nobody"') });
    pm2('delete', 'changed');
  });

  it('refuses a second one on the same store with 75, and retries until the first has ended [P6]', async () => {
    const [first, second] = [bot('first', 2), bot('second', 2)];
    pm2('start', first.file);
    const shared = readFileSync(join(home, 'first/bot.yaml'), 'utf8').replaceAll(/(credentials: |folder: )(\w)/g, `$1${home}/first/$2`);
    writeFileSync(join(home, 'second/bot.yaml'), shared);
    pm2('start', second.file);
    await until('the second is refused', () => exits('second').includes(75));
    expect(second.text()).toMatch(/another|held|process \d+ \(bot first/);
    expect(logged(second, 'armed')).toEqual([]);
    expect(exits('first')).toEqual([]);
    pm2('stop', 'first');
    await until('the second takes over', () => logged(second, 'armed').length === 1);
    pm2('delete', 'second');
  });

  it('stays down if its configuration is invalid, and says why', async () => {
    const one = bot('wrong', 3, { config: 'risc: {}' });
    pm2('start', one.file);
    await until('it has ended', () => exits('wrong').length > 0);
    await sleep(1_000);
    expect(exits('wrong')).toEqual([78]);
    expect(starts('wrong')).toBe(1);
    expect(one.text()).toMatch(/error: .*bot\.yaml:\d+:\d+: .*risc/);
  });

  it('restarts after it used up its memory: cleanly at PM2’s limit, and after the heap is full [P4]', async () => {
    const leaks = bot('leaks', 4, { params: '{ eats: 8 }', config: UNHURRIED, change: "{ max_memory_restart: '350M' }" });
    const smaller = "args.map((arg) => arg.replace(/^--max-old-space-size=.*/, '--max-old-space-size=128'))";
    const bursts = bot('bursts', 5, { params: '{ eats: 8 }', config: UNHURRIED, change: `{ args: ${smaller} }` });
    pm2('start', leaks.file);
    pm2('start', bursts.file);
    await until('a clean restart of the one', () => logged(leaks, 'stopped').length > 0 && logged(leaks, 'armed').length > 1);
    await until('a restart of the other', () => logged(bursts, 'armed').length > 1);
    for (const one of [leaks, bursts]) expect(logged(one, 'armed')[1], 'the order is adopted').toMatchObject({ liveOrders: 1 });
    pm2('delete', 'leaks', 'bursts');
  });
});

describe('the memory of the bot under PM2', () => {
  it('ends at the limit of ecosystem.config.cjs, with a line that names it, and PM2 starts the bot again', async () => {
    const grows = bot('grows', 6, { params: '{ eats: 48 }', config: UNHURRIED });
    pm2('start', grows.file);
    await until('it ends by its limit', () => exits('grows').length > 0);
    expect(exits('grows')[0], grows.text().slice(-3_000)).toBe(71);
    const [line] = logged(grows, 'memory-full');
    expect(line).toMatchObject({ level: 'error', code: 71 });
    // The memory may be found full while the strategy runs or between two of its calls.
    expect([line!['strategy'], ...(line!['suspects'] ?? [])]).toContain('rests');
    // Node.js adds room for young objects to the limit, about as much as is taken off here.
    expect(Math.abs(Number(line!['limitMb']) - HEAP_MB)).toBeLessThan(20);
    await until('it is armed again', () => logged(grows, 'armed').length > 1);
    expect(logged(grows, 'armed')[1], 'its order is adopted').toMatchObject({ liveOrders: 1 });
    pm2('delete', 'grows');
  });
});

describe('the Node.js that PM2 uses', () => {
  it('is checked as doctor checks it', () => {
    const versions = [
      '20.20.2',
      '22.19.0',
      '22.23.3',
      '22.23.4',
      '23.11.0',
      '24.21.0',
      '24.22.0',
      '24.22.1',
      '25.9.0',
      '26.10.0',
      '26.12.1',
      '27.0.0',
    ];
    for (const version of versions) expect((isFitForLive as (v: string) => boolean)(version), version).toBe(isPatchedNode(version));
  });

  it('has a limit of its heap that a process manager elsewhere is told too', () => {
    const memoryMb = Math.floor(Math.min(totalmem(), process.constrainedMemory() || Infinity) / 1_048_576);
    const [app] = ecosystem.apps as readonly { readonly args: readonly string[] }[];
    expect(app!.args).toContain(`${HEAP_FLAG}=${Math.min(HEAP_MB, Math.floor(memoryMb / 2))}`);
    expect(readFileSync(join(ROOT, 'docs/reference/exit-codes.md'), 'utf8')).toContain(`${HEAP_FLAG}=${HEAP_MB}`);
  });

  it('is the first suitable one, yours before npm’s; without one the shell prints a warning', () => {
    const folder = freshFolder();
    const node = (name: string, version: string): string => {
      mkdirSync(join(folder, name));
      const path = join(folder, name, 'node');
      writeFileSync(path, `#!/bin/sh\necho ${version}\n`, { mode: 0o755 });
      return path;
    };
    const choose = chooseNode as (env: Record<string, string>) => { path: string; version: string; isFit: boolean };
    const [old, good] = [node('old', '24.21.0'), node('good', '24.22.1')];
    const own = isPatchedNode(process.versions.node);
    if (!own)
      expect(choose({ PATH: `${join(folder, 'old')}:${join(folder, 'good')}` })).toEqual({ path: good, version: '24.22.1', isFit: true });
    expect(choose({ PATH: '', TICKWRIGHT_NODE: good })).toEqual({ path: good, version: '24.22.1', isFit: true });
    if (!own) expect(choose({ PATH: join(folder, 'old'), TICKWRIGHT_NODE: old })).toEqual({ path: old, version: '24.21.0', isFit: false });
  });
});
