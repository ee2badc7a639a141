/**
 * Every key of the configuration has an effect. Each has an entry here: two values with a different observable result, or a test elsewhere
 * that covers it. A key without an entry fails.
 */
import { createHmac } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { configurationPage } from '../../../src/config/docs/config-pages.ts';
import { loadConfig } from '../../../src/config/load.ts';
import type { BotConfig } from '../../../src/config/model.ts';
import { leaves } from '../../../src/config/schema/settings-schema.ts';
import { SWITCHES } from '../../../src/contract/switches.ts';
import { CROSS, PLACE } from '../../../src/domain/codes.ts';
import { emptyCommand, type Approved, type Command } from '../../../src/domain/orders/command.ts';
import { EXTERNAL_KINDS, type ExternalKind } from '../../../src/domain/messages/external.ts';
import { LIMIT_KEYS, SYMBOL_LIMIT_KEYS, type LimitKey } from '../../../src/domain/limits.ts';
import { DayProfit, NO_DAYS } from '../../../src/run/bot/store/day-profit.ts';
import { supervise } from '../../../src/run/bot/supervise.ts';
import { logFor } from '../../../src/run/setup/bot-log.ts';
import type { RunningBot } from '../../../src/run/bot/life/running-bot.ts';
import { connectVenue } from '../../../src/run/bot/connect.ts';
import { openBotSocket } from '../../../src/run/bot/control/bot-socket.ts';
import { openStore } from '../../../src/run/bot/store/open-store.ts';
import { allocationOption } from '../../../src/run/setup/configured-allocation.ts';
import { pollSettings, timings } from '../../../src/run/setup/bot-parts.ts';
import { instrumentsOf } from '../../../src/run/setup/instruments/instruments.ts';
import type { Io } from '../../../src/run/setup/options.ts';
import { LiveClock } from '../../../src/edge/time/live-clock.ts';
import { TapeWriter } from '../../../src/tape/write.ts';
import { MemoryLog, orderReport, polledRig, rejection, settleReads } from '../../support/engine/engine-kit.ts';
import {
  clockBacktest,
  happened,
  limitedBy,
  sessionsKept,
  slowBacktest,
  strategyStopped,
  unknownOwnOrder,
  unreadAfter,
} from '../../support/config-effects.ts';
import { startRawServer } from '../../support/exchange/raw-server.ts';
import { hasRedis, startRedis } from '../../support/stores/redis.ts';
import { backtest, strategyFile } from '../../support/backtest/reference-backtest.ts';
import { SILENT_INBOX, UNKNOWN, UNSENT, type Inbox } from '../../../src/ports/venue-event.ts';

const folder = mkdtempSync(join(tmpdir(), 'config-keys-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const CREDENTIALS = { TICKWRIGHT_KEY: 'key', TICKWRIGHT_SECRET: 'secret', TICKWRIGHT_PASSPHRASE: 'pass' };

type Yaml = Record<string, unknown>;
let files = 0;

/** The configuration of a file with these keys; `a.b` is a key in a section. */
function configOf(keys: Yaml, env: Record<string, string> = {}): BotConfig {
  const tree: Yaml = {};
  for (const [path, value] of Object.entries(keys)) {
    const steps = path.split('.');
    const last = steps.pop()!;
    const parent = steps.reduce<Yaml>((node, step) => (node[step] ??= {}) as Yaml, tree);
    parent[last] = value;
  }
  const file = join(folder, `bot-${++files}.yaml`);
  writeFileSync(file, JSON.stringify(tree));
  return loadConfig({ file, env: { ...env }, set: [] }).config;
}

/** How the effect of a key is shown: two values, and what is observed with each while other keys are equal. */
interface Effect {
  readonly values: readonly [unknown, unknown];
  readonly beside?: Yaml;
  readonly see: (config: BotConfig) => unknown;
}
/** A test elsewhere: its title names the key, or a complete table there has a row for it. */
interface Elsewhere {
  readonly file: string;
  readonly title?: string;
  readonly row?: string;
}

const SCRIPT = `    let n = 0;
    return {
      onQuote(market: any, ctx: any) {
        const { equity, available } = ctx.account;
        const seen = [ctx.now, market.time, ctx.random(), equity, available, market.long.margin, market.volume24h, market.long.size].join(' ');
        if (n++ % 20 === 0) ctx.open(market, 'LONG', { size: '0.1', reason: seen });
        if (n % 20 === 5) ctx.limit(market, 'SHORT', 'OPEN', market.ask, '0.01', false, seen);
        if (n === 30) for (let k = 0; k < 12; k++) ctx.limit(market, 'LONG', 'OPEN', market.bid - k, '0.001');
      },
      onOrder({ order, state }: any, ctx: any) {
        if (state === 'filled' && order.side === 'LONG' && order.effect === 'OPEN') ctx.close(order.market, 'LONG', { size: '0.05', reason: order.clientId });
      },
    };`;
let tape = '';
let script = '';
let other = '';

beforeAll(() => {
  tape = join(folder, 'tape');
  const writer = new TapeWriter(tape);
  const scale = { priceDecimals: 1, sizeDecimals: 3 };
  const prints = writer.stream('BTCUSDT', 'trades', scale);
  const book = writer.stream('BTCUSDT', 'quotes', scale);
  for (let k = 0; k < 400; k++) {
    const mid = 600_000 + Math.round(40 * Math.sin(k / 9)) * 2;
    book.quote(1_700_000_000_000 + k * 50, mid - 1, 700, mid + 1, 700);
    prints.trade(1_700_000_000_025 + k * 50, k + 1, mid + (k % 3) - 1, 200 + k, k & 1);
  }
  writer.finish();
  script = strategyFile(folder, SCRIPT);
  other = strategyFile(folder, SCRIPT.replace("'0.1'", "'0.2'"));
});

/** The report of a backtest with the configuration, without the configuration itself. */
async function came(config: BotConfig): Promise<unknown> {
  const strategies = config.strategies.length > 0 ? config.strategies : [{ file: script, params: {}, symbols: [] }];
  const report = await backtest(tape, script, { config, strategies, seed: config.seed });
  const { fills, orders, equity, trades } = report as unknown as Record<string, unknown>;
  expect((fills as unknown[]).length).toBeGreaterThan(4);
  return JSON.parse(JSON.stringify({ fills, orders, equity, trades }));
}
const run = (first: unknown, second: unknown, beside: Yaml = {}): Effect => ({
  values: [first, second],
  beside: { ...WIDE, ...beside },
  see: came,
});
const limited = (first: unknown, second: unknown, beside: Yaml = {}): Effect => ({
  values: [first, second],
  beside: { ...WIDE, 'risk.maxIntentsPerSecond': 1000, ...beside },
  see: limitedBy,
});
/** Ignores all other kinds of external events. */
const NO_OTHERS = (kind: ExternalKind): Yaml =>
  Object.fromEntries(Object.keys(EXTERNAL_KINDS).map((one) => [`external.${one}`, one === kind ? 'halt' : 'ignore']));
const isOfSymbols = (key: LimitKey): boolean => (SYMBOL_LIMIT_KEYS as readonly LimitKey[]).includes(key);
const WIDE = { 'risk.maxNotionalOrder': 'off', 'risk.maxNotionalPosition': 'off', 'risk.maxNotionalTotal': 'off' };

/** Number of queries of each kind in 20 seconds. */
function asked(config: BotConfig): unknown {
  const r = polledRig({ onTrade: () => undefined }, { polls: pollSettings(config) });
  const counts: Record<string, number> = {};
  for (let k = 0; k < 400; k++) {
    r.advance(50);
    for (const { kind } of r.open) counts[kind] = (counts[kind] ?? 0) + 1;
    settleReads(r, [], []);
  }
  return counts;
}
const polls = (first: number, second: number): Effect => ({ values: [first, second], see: asked });

/** The request for one order, how long the client waits for its answer, and the result without one. */
async function sent(config: BotConfig): Promise<unknown> {
  const server = await startRawServer(() => undefined);
  const url = new URL(config.venue.baseUrl);
  url.port = String(server.port);
  const clock = new LiveClock();
  const venue = { ...config.venue, baseUrl: url.href.replace(/\/$/, '') };
  const { credentials } = config;
  const outcome = Promise.withResolvers<string>();
  const outcomes: Inbox = { take: ({ kind, text }) => (kind === UNSENT || kind === UNKNOWN ? outcome.resolve(text) : undefined) };
  const quiet = (): void => undefined;
  const connection = connectVenue({
    config: { ...config, venue },
    credentials: credentials!,
    ids: { bot: 'a', idOf: () => 'a-1' } as never,
    instruments: instrumentsOf(config.instruments),
    clock,
    log: new MemoryLog(),
    stepClock: clock,
    outcomes,
    answers: SILENT_INBOX,
    onWaiting: quiet,
    onRateLimit: quiet,
  });
  const begun = performance.now();
  const command = {
    ...emptyCommand(),
    kind: PLACE,
    seq: 1,
    price: 600_000,
    size: 10,
    marginMode: CROSS,
    time: clock.now(),
    validMs: 60_000,
  };
  connection.venue.execute(command as Approved<Command>);
  const cause = await outcome.promise;
  const waited = Math.round((performance.now() - begun) / 400);
  const text = server.requests[0]?.text ?? '';
  await connection.close();
  await server.close();
  const signature = /access-sign: (\S+)/i.exec(text)?.[1];
  const timestamp = /access-timestamp: (\S+)/i.exec(text)?.[1];
  const { body = '', target = '' } = server.requests[0] ?? {};
  return {
    cause,
    waited,
    target,
    body,
    key: /access-key: (\S+)/i.exec(text)?.[1],
    signed: isSignedWith(signature, timestamp, target, body),
  };
}

/** True if the signature covers the path as sent. */
function isSignedWith(signature = '', timestamp = '', target = '', body = ''): boolean {
  const hash = createHmac('sha256', 'secret').update(`${timestamp}POST${target}${body}`).digest('base64');
  return hash === signature;
}
const VENUE = { 'venue.baseUrl': 'http://127.0.0.1:1', 'venue.timeoutMs': 300 };
const venue = (first: unknown, second: unknown): Effect => ({ values: [first, second], beside: VENUE, see: sent });

/** Log output for a warning and a debug line. */
function logged(config: BotConfig): unknown {
  let text = '';
  const live = { update: () => undefined, write: (lines: string) => void (text += lines), end: () => undefined };
  const log = logFor(config, { isTty: true, live, stderr: { columns: 80 } } as unknown as Io);
  log.warn('a-warning');
  log.debug('a-detail');
  return [text.includes('a-warning'), text.includes('a-detail')];
}

/** True if the status line was updated within 250 ms. */
async function rewritten(config: BotConfig): Promise<unknown> {
  let updates = 0;
  const live = { update: () => void updates++, write: () => undefined, end: () => undefined };
  const ended = new Promise<number>((resolve) => {
    setTimeout(resolve, 250, 0);
  });
  const log = logFor(config, { isTty: true, live, stderr: { columns: 80 } } as unknown as Io);
  const before = { count: -1 };
  const status = { phase: 'armed', equity: Number.NaN, halts: [], strategies: [], liveOrders: 0, unknownOutcomes: 0, haltedAll: '' };
  const stop = async (): Promise<void> => {
    before.count = updates;
    return Promise.resolve();
  };
  const kernel = { phase: 'armed', markets: [], status: () => status, liveOrders: () => [], isQuiet: true };
  const bot = {
    kernel,
    instruments: [],
    traded: [],
    clock: { now: () => 0 },
    counts: () => ({ requests: 0, endpoints: {} }),
    fills: 0,
    startEquity: 0,
    days: new DayProfit(NO_DAYS),
    failed: new Promise(() => undefined),
    changed: new Promise(() => undefined),
    stop,
  } as unknown as RunningBot;
  await supervise(bot, () => Promise.resolve(bot), { config, io: { isTty: true, live } as unknown as Io, log, ended }).catch(() => 0);
  return before.count > 0;
}

/** Minutes until an order that no read shows counts as not landed. */
function presumed(config: BotConfig): unknown {
  const r = polledRig({}, { timings: timings(config) });
  const n = r.ctx().open(r.ctx().markets[0]!, 'LONG', { size: '0.01' });
  r.venue.unknown(n, 'time-out');
  for (let minute = 1; minute < 10; minute++) {
    for (let k = 0; k < 60; k++) {
      r.advance(1000);
      settleReads(r, [], []);
    }
    if (r.log.events().includes('presumed-not-landed')) return minute;
  }
  return 'never';
}

/** Seconds during which a list may show an ended order as open. */
function believedAfter(config: BotConfig): unknown {
  const r = polledRig({}, { timings: timings(config) });
  const n = r.ctx().limit(r.ctx().markets[0]!, 'LONG', 'OPEN', 999, '0.01');
  r.venue.rejected(n, rejection('insufficient-balance'));
  const record = orderReport(r.venue.last(), 'open');
  for (let second = 1; second < 30; second++) {
    r.advance(1000);
    settleReads(r, [record], []);
    if (r.log.events().includes('unexpected-order')) return second;
  }
  return 'never';
}

/** Files that the store creates. */
async function stored(config: BotConfig): Promise<unknown> {
  const store = await openStore(config.store, config.bot, new MemoryLog());
  store.put('a', 'b');
  await store.commit();
  await store.close();
  const made = ['one', 'two'].map((name) => existsSync(join(folder, name)));
  for (const name of ['one', 'two']) rmSync(join(folder, name), { recursive: true, force: true });
  return made;
}

/** The reason why a store is not opened. */
async function refusedStore(config: BotConfig): Promise<unknown> {
  try {
    await (await openStore(config.store, config.bot, new MemoryLog())).close();
    return 'opened';
  } catch (error) {
    return (error as Error).message;
  }
}

const SPEC = { makerFeeRate: '0.0002', takerFeeRate: '0.0006', symbol: 'BTCUSDT', product: 'futures', baseCoin: 'BTC', quoteCoin: 'USDT' };
const GRID = { tickSize: '0.1', lotSize: '0.001', minSize: '0.001', maxSize: '100' };
function data(name: string, value: unknown): string {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), JSON.stringify(value));
  return name;
}

/** The shares of one strategy alone, and when it is next given its share. */
const shared = (config: BotConfig): unknown => {
  const { sharesOf, after } = allocationOption(config).allocation!(['scripted']);
  return [sharesOf([[]]), after(0)];
};

const TIER = (from: string): Yaml => ({ from, maker: '0.0001', taker: '0.0003' });
const IMPACT: Yaml = { 'simulation.impact.model': 'square-root', 'simulation.impact.turnover': '1000000' };
const RATES = (rate: string): unknown => [{ symbol: 'BTCUSDT', time: 1_700_000_010_000, rate }];
const shownBy = (file: string, ...titles: string[]) => Object.fromEntries(titles.map((title) => [title, { file, title }]));
const LIMITS_FILE = 'test/unit/engine/risk/limits.test.ts';

const EFFECTS: Readonly<Record<string, Effect | Elsewhere>> = {
  bot: run('one', 'two'),
  seed: run(1, 2),
  logLevel: { values: ['warn', 'debug'], see: logged },
  statusIntervalMs: { values: [100, 60_000], see: rewritten },
  orderValidityMs: run(10, 5000, { limits: data('slow.json', { public: 10, private: 5, order: 2 }) }),
  orderHorizonMs: { values: ['1m', '3m'], see: presumed },
  listLagMs: { values: ['2s', '12s'], see: believedAfter },
  data: { file: 'test/unit/run/bot/recorded-history.test.ts', title: 'data' },
  barSpeed: { values: [1, 60], see: (config) => timings(config).barSpeed },
  historyPages: { values: [0, 2], see: (config) => pollSettings(config).historyPages },
  instruments: run(data('a.json', [{ ...SPEC, ...GRID }]), data('b.json', [{ ...SPEC, ...GRID, takerFeeRate: '0.001' }])),
  'allocation.by': { values: ['equal', { scripted: '0.5' }], see: shared },
  'allocation.rebalance': { values: ['1m', '0 0 * * *'], beside: { 'allocation.by': 'equal' }, see: shared },
  limits: run(data('fast.json', { public: 10, private: 5 }), data('slower.json', { public: 10, private: 5, order: 1 })),
  strategies: {
    values: [0, 1],
    beside: WIDE,
    see: (config) => came({ ...config, strategies: [{ file: config.seed === 0 ? script : other, params: {}, symbols: [] }] }),
  },
  'venue.baseUrl': venue('http://127.0.0.1:1', 'http://127.0.0.1:1/mount'),
  'venue.dialect': venue('interface', 'mix-v2'),
  'venue.signedPrefix': venue('/api/v1', ''),
  'venue.marginModeWord': venue('CROSS', 'CROSSED'),
  'venue.timeoutMs': venue(150, 1_500),
  'venue.credentials': venue('first.yaml', 'second.yaml'),
  'poll.quotes': polls(250, 1000),
  'poll.trades': polls(1000, 2000),
  'poll.orders': polls(500, 2000),
  'poll.positions': polls(1000, 2500),
  'poll.account': polls(2000, 5000),
  'poll.stats': polls(2000, 10_000),
  'poll.withdrawals': polls(1000, 5000),
  ...Object.fromEntries(LIMIT_KEYS.filter(isOfSymbols).map((key) => [`risk.${key}`, { file: LIMITS_FILE, row: key }])),
  'risk.maxNotionalTotal': limited('250 USDT', 'off'),
  'risk.maxIntentsPerSecond': limited(3, 50),
  'risk.maxLeverage': limited(0.03, 'off'),
  'risk.maxDrawdown': limited('10%', 'off'),
  'risk.maxDrawdownAction': limited('halt-opens', 'cancel', { 'risk.maxDrawdown': '10%' }),
  'risk.minEquity': limited('900', 'off'),
  'risk.minEquityAction': limited('halt-opens', 'cancel', { 'risk.minEquity': '900' }),
  'risk.maxPositionAgeMs': { values: ['10s', '30s'], see: unreadAfter('positions') },
  'risk.maxAccountAgeMs': { values: ['10s', '30s'], see: unreadAfter('account') },
  'risk.symbols': run({}, { BTCUSDT: { maxOrderSize: '0.05' } }),
  ...Object.fromEntries(
    (Object.keys(EXTERNAL_KINDS) as ExternalKind[]).map((kind) => [
      `external.${kind}`,
      { values: ['halt', 'ignore'], beside: NO_OTHERS(kind), see: happened(kind) },
    ]),
  ),
  'external.equityDropShare': { values: ['0.5', '0.7'], beside: NO_OTHERS('equityDrop'), see: happened('equityDrop') },
  onStrategyStop: { values: ['keep', 'flatten'], beside: WIDE, see: strategyStopped },
  strategyGuard: { values: ['on', 'off'], see: clockBacktest(folder, () => tape) },
  handlerLimitMs: { values: [100, 600_000], see: slowBacktest(folder, () => tape) },
  'store.kind': { values: ['embedded', 'memory'], beside: { 'store.folder': 'one' }, see: stored },
  'store.folder': { values: ['one', 'two'], see: stored },
  'store.url': { values: ['redis://127.0.0.1:1', 'redis://127.0.0.1:2'], beside: { 'store.kind': 'redis' }, see: refusedStore },
  'store.acceptPlaintext': { file: 'test/unit/config/config-keys.test.ts', title: 'store.acceptPlaintext' },
  'store.acceptReplicaLoss': { file: 'test/e2e/stores/redis-failover.test.ts', title: 'store.acceptReplicaLoss' },
  'store.keepDays': { file: 'test/unit/run/bot/journal-upkeep.test.ts', title: 'store.keepDays' },
  'store.outageMs': { file: 'test/e2e/stores/redis.test.ts', title: 'store.outageMs' },
  'control.port': { values: [0, 38_917], see: doors },
  ...shownBy('test/e2e/monitor/monitor.test.ts', 'monitor.enabled', 'monitor.port'),
  'recovery.unknownOwnOrders': { values: ['adopt', 'cancel'], see: unknownOwnOrder },
  'alerts.file': { file: 'test/unit/cli/alert-test.test.ts', title: 'alerts.file' },
  ...shownBy('test/e2e/monitor/webhooks.test.ts', 'webhooks.file', 'webhooks.start'),
  ...shownBy('test/e2e/monitor/watchdog.test.ts', 'watchdog.start', 'watchdog.silenceMs', 'watchdog.resume', 'watchdog.flattenAfterMs'),
  'watchdog.credentials': { file: 'test/unit/run/watchdog/watching.test.ts', title: 'watchdog.credentials' },
  ...shownBy('test/unit/run/monitor/divergence-watcher.test.ts', 'alerts.divergenceBp'),
  ...shownBy('test/unit/monitor/alerts/alerts.test.ts', 'alerts.rules', 'alerts.quietHours', 'alerts.collapseMs', 'alerts.escalateAfterMs'),
  'record.enabled': { values: [true, false], see: sessionsKept },
  'record.maxMegabytes': { values: [1, 100], see: sessionsKept },
  'record.maxDays': { values: [2, 30], see: sessionsKept },
  'record.tape': { file: 'test/e2e/sessions/tape-record.test.ts', title: 'record.tape' },
  'record.answers': { file: 'test/e2e/sessions/replay.test.ts', title: 'record.answers' },
  'simulation.upMs': run(20, 200),
  'simulation.downMs': run(20, 200),
  'simulation.latency.model': run('constant', 'jitter'),
  'simulation.latency.jitterMs': run(0, 300, { 'simulation.latency.model': 'jitter' }),
  'simulation.latency.spikeChance': run('0', '0.5', { 'simulation.latency.model': 'spikes' }),
  'simulation.latency.spikeMs': run(0, 150, { 'simulation.latency.model': 'spikes', 'simulation.latency.spikeChance': '0.5' }),
  'simulation.latency.file': run(data('delays.json', [5, 10]), data('slow-delays.json', [50, 90]), {
    'simulation.latency.model': 'measured',
  }),
  'simulation.fillModel': run('touch', 'queue'),
  'simulation.fees.model': run('flat', 'tiers', { 'simulation.fees.tiers': [TIER('0')] }),
  'simulation.fees.tiers': run([TIER('0')], [TIER('1000000')], { 'simulation.fees.model': 'tiers' }),
  'simulation.fees.volume': run('0', '1000000', { 'simulation.fees.model': 'tiers', 'simulation.fees.tiers': [TIER('1000000')] }),
  'simulation.impact.model': run('none', 'square-root', { 'simulation.impact.turnover': '1000000' }),
  'simulation.impact.coefficient': run('1', '5', IMPACT),
  'simulation.impact.volatility': run('0.01', '0.05', IMPACT),
  'simulation.impact.turnover': run('100000', '1000000', { 'simulation.impact.model': 'square-root' }),
  'simulation.deposits': run({ USDT: '100000' }, { USDT: '90000' }),
  'simulation.leverage': run(20, 10),
  'simulation.leverages': run({}, { BTCUSDT: { long: 5, short: 5 } }),
  'simulation.funding.model': run('constant', 'off', { 'simulation.funding.everyMs': 2000, 'simulation.funding.rate': '0.001' }),
  'simulation.funding.everyMs': run('2s', '5s', { 'simulation.funding.rate': '0.001' }),
  'simulation.funding.file': run(data('rates.json', RATES('0.001')), data('other-rates.json', RATES('-0.001')), {
    'simulation.funding.model': 'recorded',
  }),
  'simulation.funding.rate': run('0.001', '0.002', { 'simulation.funding.everyMs': 2000 }),
  'exchange.page': { file: 'test/contract/server/exchange-page.test.ts', title: 'exchange.page' },
  'exchange.ledgerReads': { file: 'test/contract/ledger/exchange-notes.test.ts', title: 'exchange.ledgerReads' },
  'exchange.ledgerKeep': { file: 'test/unit/contract/ledger.test.ts', title: 'exchange.ledgerKeep' },
  'exchange.reference': { file: 'test/contract/exchange/exchange-market-spot.test.ts', title: 'exchange.reference' },
};

/** True if the control plane also listens on loopback. */
async function doors(config: BotConfig): Promise<unknown> {
  const log = new MemoryLog();
  const socket = await openBotSocket(config, mkdtempSync(join(folder, 'socket-')), log);
  await socket.close();
  return Object.keys(log.lines.at(-1)?.fields ?? {});
}

/** The test titles in a file. */
const titlesOf = (text: string): string[] =>
  [...text.matchAll(/\b(?:test|it)(?:\.\w+\((?:[^()]|\([^()]*\))*\))*\(\s*(['"`])(.*?)\1/gs)].map(([, , title]) => title ?? '');

function entryOf(path: string): Effect | Elsewhere | undefined {
  const [tree = '', key = ''] = path.split('.');
  const isSwitch = tree === 'exchange' && key in SWITCHES;
  return EFFECTS[path] ?? (isSwitch ? { file: 'test/contract/exchange/exchange-switches.test.ts', row: key } : undefined);
}

describe('every key of the configuration', () => {
  beforeAll(() => {
    for (const [name, key] of [
      ['first', 'one'],
      ['second', 'two'],
    ] as const)
      writeFileSync(join(folder, `${name}.yaml`), `key: "${key}"\nsecret: "secret"\npassphrase: "pass"\n`, { mode: 0o600 });
  });

  test('is in docs/reference/configuration.md (if not: npm run docs)', () => {
    expect(readFileSync(new URL('../../../docs/reference/configuration.md', import.meta.url), 'utf8') === configurationPage()).toBe(true);
  });

  test.each([...leaves().keys()])('%s acts', async (path) => {
    const entry = entryOf(path);
    if (entry === undefined) throw new Error(`${path} has no entry here: show what it does`);
    if ('file' in entry) {
      const text = readFileSync(new URL(`../../../${entry.file}`, import.meta.url), 'utf8');
      const { title, row } = entry;
      if (title !== undefined) {
        const named = titlesOf(text).some((one) => one.includes(title));
        expect(named, `a title of ${entry.file} names ${title}`).toBe(true);
      } else expect(text, `a row of ${entry.file} is ${row}`).toMatch(new RegExp(`^  ${row}: [[{(a-z]`, 'm'));
      return;
    }
    const { values, beside = {}, see } = entry;
    const env = path === 'venue.credentials' || !path.startsWith('venue.') ? {} : CREDENTIALS;
    const [first, second] = [
      await see(configOf({ ...beside, [keyOf(path)]: values[0] }, env)),
      await see(configOf({ ...beside, [keyOf(path)]: values[1] }, env)),
    ];
    expect(second).not.toEqual(first);
    // The key causes it: an equal value gives an equal result.
    if (see === came || see === asked) expect(await see(configOf({ ...beside, [keyOf(path)]: values[0] }, env))).toEqual(first);
  });

  test.skipIf(!hasRedis('store.acceptPlaintext'))('store.acceptPlaintext: an unencrypted store elsewhere is taken only so', async () => {
    const redis = await startRedis();
    // A loopback address by its target, but not by its name.
    const beside = { 'store.kind': 'redis', 'store.url': `redis://0.0.0.0:${redis.port}/0` };
    expect(await refusedStore(configOf({ ...beside, 'store.acceptPlaintext': false }))).toMatch(/set store\.acceptPlaintext/);
    expect(await refusedStore(configOf({ ...beside, 'store.acceptPlaintext': true }))).toBe('opened');
    await redis.remove();
  });
});

/** Strategies are selected in the test instead. */
function keyOf(path: string): string {
  return path === 'strategies' ? 'seed' : path;
}
