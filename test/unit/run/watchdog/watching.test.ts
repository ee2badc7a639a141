/** What counts as a sign of life, who is told of it, and what a bot says that no list shows. */
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Secret } from '../../../../src/base/secret.ts';
import { defaultConfig } from '../../../../src/config/defaults.ts';
import { LONG, OPEN, PLACE, PLACE_TRIGGER } from '../../../../src/domain/codes.ts';
import { followBeats } from '../../../../src/edge/control/beat-follower.ts';
import { openBeatSocket } from '../../../../src/edge/control/beat-socket.ts';
import { HaltRequests } from '../../../../src/edge/file/beside/halt-requests.ts';
import { RunningMark } from '../../../../src/edge/file/beside/running-mark.ts';
import type { LogOutput } from '../../../../src/edge/log/pino-log.ts';
import { Notifier } from '../../../../src/edge/systemd/notify.ts';
import { SILENT_LOG } from '../../../../src/ports/log.ts';
import { AskedHalts } from '../../../../src/run/bot/store/asked-halts.ts';
import { Heartbeat, type BeatingBot } from '../../../../src/run/bot/life/heartbeat.ts';
import { beatOf, type Beat } from '../../../../src/run/watchdog/life/beat.ts';
import { WatchdogKeeper } from '../../../../src/run/watchdog/keeper.ts';
import { watchdogCredentials, watchdogSettings } from '../../../../src/run/watchdog/settings.ts';
import { StatusFile } from '../../../../src/run/watchdog/status-file.ts';
import { Watchdog } from '../../../../src/run/watchdog/watchdog.ts';
import { UnlistedOpens, type UnlistedOpen } from '../../../../src/run/watchdog/unlisted-opens.ts';
import { Silence } from '../../../../src/run/watchdog/life/silence.ts';
import { MemoryLog } from '../../../support/engine/engine-kit.ts';
import { SPECS } from '../../../support/exchange/exchange-kit.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'beats-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const until = (check: () => boolean): Promise<unknown> => vi.waitUntil(check, { timeout: 180_000, interval: 20 });

const BEAT: Beat = { bot: 'a', pid: 1, epoch: 5, phase: 'armed', turns: 1, isHalted: false, settings: '' };

it('a bot is silent unless its kernel advances, and only while the watchdog runs itself', () => {
  const silence = new Silence();
  silence.heard(BEAT);
  silence.passed(400);
  // The process lives and beats, but no turn is completed.
  expect([silence.heard(BEAT), silence.ms]).toEqual([false, 400]);
  expect([silence.heard({ ...BEAT, turns: 2 }), silence.ms]).toEqual([true, 0]);
  // The machine slept for an hour, and both with it.
  silence.passed(3_600_000);
  expect([silence.ms, silence.uncountedMs]).toEqual([1_000, 3_599_000]);
  expect([silence.heard({ ...BEAT, pid: 2, turns: 0 }), silence.ms]).toEqual([true, 0]);
  // Starts that fail before there is a kernel, again and again.
  for (let pid = 3; pid < 6; pid++) {
    silence.passed(300);
    expect(silence.heard({ ...BEAT, pid, epoch: 0, phase: 'starting', turns: 0 })).toBe(false);
  }
  expect(silence.ms).toBe(900);
  expect([silence.heard({ ...BEAT, pid: 5 }), silence.ms]).toEqual([true, 0]);
});

it('who comes is greeted, and gets each line from then on; a file that vanished is made again', async () => {
  const socket = await openBeatSocket(folder);
  const lines: string[] = [];
  let greeting = ['one'];
  socket.greetWith(() => greeting);
  const follower = followBeats(folder, (line) => void lines.push(line));
  await until(() => lines.length === 1);
  expect([lines, socket.listeners, follower.isConnected]).toEqual([['one'], 1, true]);
  socket.tell('two');
  await until(() => lines.length === 2);
  greeting = ['of now'];
  rmSync(join(folder, 'beats.sock'));
  const late: string[] = [];
  const other = followBeats(folder, (line) => void late.push(line));
  await until(() => late.length === 1);
  expect([late, socket.listeners]).toEqual([['of now'], 2]);
  socket.tell('end');
  await socket.close();
  await until(() => lines.length === 3 && late.length === 2);
  await until(() => !follower.isConnected);
  follower.stop();
  other.stop();
});

it('a follower finds a bot that comes later', async () => {
  const lines: string[] = [];
  const follower = followBeats(folder, (line) => void lines.push(line));
  const socket = await openBeatSocket(folder);
  socket.greetWith(() => ['here']);
  await until(() => lines.length === 1);
  follower.stop();
  await socket.close();
});

/** A bot that takes a step of its kernel for each turn, unless it is broken. */
function beating(): {
  readonly bot: BeatingBot;
  /** Its beats, and all its lines. */
  readonly told: Beat[];
  readonly lines: string[];
  /** What a listener that comes now is told. */
  readonly greeted: () => readonly string[];
  readonly heartbeat: Heartbeat;
  orders: object[];
  halts: object[];
  isBroken: boolean;
} {
  const told: Beat[] = [];
  const lines: string[] = [];
  let greeted = (): readonly string[] => [];
  const loop = { turns: 0, take: (step: () => void) => step() };
  const state = { orders: [] as object[], halts: [] as object[], isBroken: false };
  const events = { runTimers: () => void (loop.turns += state.isBroken ? 0 : 1) };
  const kernel = { phase: 'armed', halts: () => state.halts, liveOrders: () => state.orders };
  const bot = {
    kernel,
    ids: { epoch: 9, idOf: (seq: number) => `a-9-${seq}` },
    loop,
    events,
    clock: { now: () => 0 },
  } as unknown as BeatingBot;
  const socket = {
    tell: (line: string) => {
      lines.push(line);
      const beat = beatOf(line);
      if (beat !== null) told.push(beat);
    },
    greetWith: (greeting: () => readonly string[]) => void (greeted = greeting),
    close: () => Promise.resolve(),
  };
  const facts = { bot: 'a', settings: 's', namesLegs: false, isWatched: () => true };
  const heartbeat = new Heartbeat({ ...facts, socket, mark: new RunningMark(folder), log: SILENT_LOG });
  return Object.assign(state, { bot, told, lines, greeted: () => greeted(), heartbeat });
}

it('the heart beats with a step of the kernel; one that takes none is told as it is', () => {
  const rig = beating();
  rig.heartbeat.begin(rig.bot);
  rig.heartbeat.beat();
  rig.isBroken = true;
  rig.heartbeat.beat();
  expect(rig.told.map(({ phase, turns }) => [phase, turns])).toEqual([
    ['starting', 0],
    ['armed', 1],
    ['armed', 2],
    ['armed', 2],
  ]);
  expect(new RunningMark(folder).read()).toMatchObject({ bot: 'a', epoch: 9 });
});

/** The orders that these lines name. */
function named(lines: readonly string[]): readonly UnlistedOpen[] {
  const opens = new UnlistedOpens();
  for (const line of lines) opens.take(line);
  return opens.all;
}

/** As the mark names them, and as a listener knows them that has heard all or comes now. */
const everywhere = (rig: ReturnType<typeof beating>): (readonly UnlistedOpen[])[] => [
  named(new RunningMark(folder).read()!.lines),
  named(rig.lines),
  named(rig.greeted()),
];

const TRIGGER = { kind: PLACE_TRIGGER, effect: OPEN, symbol: 'BTCUSDT', side: LONG, size: 5, price: 0 };

it('an opening order that no list shows is named on the socket and on the disk before it leaves, until it has ended', async () => {
  const rig = beating();
  rig.heartbeat.begin(rig.bot);
  rig.heartbeat.record({ kind: 'command', seq: 3, time: 7, data: { ...TRIGGER, kind: PLACE } });
  rig.heartbeat.record({ kind: 'command', seq: 4, time: 7, data: TRIGGER });
  const order = {
    seq: 4,
    kind: PLACE_TRIGGER,
    symbol: 'BTCUSDT',
    clientId: 'a-9-4',
    venueId: '',
    side: LONG,
    size: 5,
    price: 0,
  };
  expect(everywhere(rig)).toEqual([[order], [order], [order]]);
  rig.orders = [{ ...order, effect: OPEN, venueId: 'v' }];
  rig.heartbeat.beat();
  const known = { ...order, venueId: 'v' };
  expect(everywhere(rig)).toEqual([[known], [known], [known]]);
  // A process that ended amid a write leaves half a line.
  appendFileSync(new RunningMark(folder).path, '{"ended":"a-9');
  expect(named(new RunningMark(folder).read()!.lines)).toEqual([known]);
  rig.orders = [];
  rmSync(new RunningMark(folder).path);
  rig.heartbeat.beat();
  expect(everywhere(rig)).toEqual([[], [], []]);
});

it('a bot that starts says nothing of the orders of the one before it', () => {
  const rig = beating();
  expect(rig.greeted().map((line) => beatOf(line)?.phase)).toEqual(['starting']);
  rig.orders = [{ ...TRIGGER, seq: 1, venueId: 'v' }];
  rig.heartbeat.begin(rig.bot);
  expect(everywhere(rig).map((orders) => orders.map(({ clientId }) => clientId))).toEqual([['a-9-1'], ['a-9-1'], ['a-9-1']]);
});

it('a thousand trigger orders take a line each, and the mark stays small', () => {
  const rig = beating();
  rig.heartbeat.begin(rig.bot);
  for (let seq = 1; seq <= 1_000; seq++) rig.heartbeat.record({ kind: 'command', seq, time: 7, data: TRIGGER });
  expect(Buffer.byteLength(rig.lines.join(''))).toBeLessThan(250_000);
  rig.heartbeat.beat();
  expect(everywhere(rig)).toEqual([[], [], []]);
  rig.heartbeat.beat();
  expect(new RunningMark(folder).read()!.lines.length).toBeLessThan(5);
});

it('the begin and the end of a halt are told before anything leaves', () => {
  const rig = beating();
  rig.heartbeat.begin(rig.bot);
  const told = rig.told.length;
  rig.halts = [{ scope: 'bot' }];
  rig.heartbeat.record({ kind: 'halt', seq: 0, time: 0, data: {} });
  rig.halts = [];
  rig.heartbeat.record({ kind: 'lift', seq: 0, time: 0, data: {} });
  expect(rig.told.slice(told).map(({ isHalted }) => isHalted)).toEqual([true, false]);
});

it('a new epoch is told and marked before its first command leaves', () => {
  const rig = beating();
  rig.heartbeat.begin(rig.bot);
  const told = rig.told.length;
  Object.assign(rig.bot.ids, { epoch: 10 });
  const command = { kind: 'command', time: 0, data: { kind: PLACE, effect: OPEN, symbol: 'BTCUSDT' } } as const;
  rig.heartbeat.record({ ...command, seq: 5 });
  rig.heartbeat.record({ ...command, seq: 6 });
  expect(rig.told.slice(told).map(({ epoch }) => epoch)).toEqual([10]);
  expect(new RunningMark(folder).read()).toMatchObject({ bot: 'a', epoch: 10 });
});

it('only an end that was asked for takes the running mark away', async () => {
  const [failed, asked] = [beating(), beating()];
  failed.heartbeat.begin(failed.bot);
  await failed.heartbeat.end(false);
  expect([new RunningMark(folder).read()?.epoch, failed.told.at(-1)!.phase]).toEqual([9, 'armed']);
  await asked.heartbeat.end(true);
  expect([new RunningMark(folder).read(), asked.told.at(-1)!.phase]).toEqual([null, 'ended']);
});

it('a bot whose watchdog is gone says so and starts another, more and more rarely', () => {
  const socket = { listeners: 0 };
  const log = new MemoryLog();
  let launched = 0;
  const config = defaultConfig();
  const settings = watchdogSettings({ ...config, watchdog: { ...config.watchdog, start: 'bot' } }, true);
  const keeper = new WatchdogKeeper({ settings, socket, log, launch: () => void launched++ });
  keeper.start();
  keeper.stop();
  const looks = (seconds: number): number => {
    for (let k = 0; k < 2 * seconds; k++) keeper.look();
    return launched;
  };
  looks(4);
  expect([launched, keeper.isMissing]).toEqual([1, false]);
  expect([looks(2), looks(10), looks(300)]).toEqual([2, 3, 9]);
  expect(keeper.isMissing).toBe(true);
  socket.listeners = 1;
  looks(1);
  expect(keeper.isMissing).toBe(false);
  expect(log.lines.map(({ event }) => event)).toEqual(['watchdog-missing', 'watchdog-there']);
});

it('its own credentials are those of watchdog.credentials, and a bot hands its own to no such watchdog', () => {
  const file = join(folder, 'own.yaml');
  writeFileSync(file, 'key: "k"\nsecret: "s"\npassphrase: "p"\n', { mode: 0o600 });
  const [a, b] = ['a', 'b'].map((text) => new Secret(text));
  const config = { ...defaultConfig(), credentials: { key: a!, secret: b!, passphrase: b! } };
  const keyOf = (credentials: string): string => {
    const settings = watchdogSettings({ ...config, watchdog: { ...config.watchdog, credentials } }, true);
    return `${settings.credentials?.key ?? 'none'} ${watchdogCredentials(settings)!.key.reveal()}`;
  };
  expect([keyOf(''), keyOf(file)]).toEqual(['a a', 'none k']);
});

it('a stopped watchdog says so in its status, and a check under way then neither writes nor says anything', async () => {
  const { promise: asked, resolve } = Promise.withResolvers<void>();
  const server = createServer(() => resolve());
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
  const [a, b] = ['a', 'b'].map((text) => new Secret(text));
  const config = { ...defaultConfig(), instruments: SPECS, credentials: { key: a!, secret: b!, passphrase: b! } };
  const venue = { ...config.venue, baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
  const store = { ...config.store, folder: join(folder, 'bot') };
  new RunningMark(store.folder).write({ bot: 'a', epoch: 9, lines: [] });
  const log = Object.assign(new MemoryLog(), { scrub: (text: string) => text }) as unknown as MemoryLog & LogOutput;
  const notifier = new Notifier({ env: {}, now: () => 0, onFailure: () => undefined });
  const watchdog = new Watchdog(watchdogSettings({ ...config, venue, store }, false), log, notifier);
  await asked;
  const ended = watchdog.stop();
  // Its number is of another process soon: nobody is to kill that.
  expect(new StatusFile(store.folder).read()).toMatchObject({ pid: null, state: 'ended' });
  const taken = { ...new StatusFile(store.folder).read()!, pid: 1 };
  new StatusFile(store.folder).write(taken);
  await ended;
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
  expect(new StatusFile(store.folder).read()).toEqual(taken);
  expect(log.lines.map(({ event }) => event)).toEqual(['watchdog-watching', 'watchdog-stopped']);
});

it('a request of an epoch fences its process and those before, which end; a later process cancels what is left, and forgets it', async () => {
  const requests = new HaltRequests(join(folder, 'bot'));
  const fenced: string[] = [];
  const operated: string[] = [];
  const processOf = (epoch: number): AskedHalts =>
    new AskedHalts({
      requests,
      operate: ({ name }) => {
        operated.push(name);
        return Promise.resolve({ ok: true, did: [], orders: [], flattens: '' });
      },
      durable: () => Promise.resolve(true),
      epoch: () => epoch,
      fenced: (why) => void fenced.push(why),
      soon: () => undefined,
      now: () => 0,
      log: SILENT_LOG,
    });
  requests.add({ id: 'w', name: 'halt', scope: '', by: 'watchdog', why: 'silent', time: 1, epoch: 7, cancelsOpens: true });
  const own = processOf(7);
  own.look();
  own.look();
  expect([fenced, own.vetoOf({ kind: PLACE, effect: OPEN })]).toEqual([['silent'], 'halted']);
  const later = processOf(8);
  later.look();
  later.look();
  await until(() => requests.isEmpty);
  expect([fenced, later.vetoOf({ kind: PLACE, effect: OPEN }), operated]).toEqual([['silent'], null, ['cancel-opens']]);
});
