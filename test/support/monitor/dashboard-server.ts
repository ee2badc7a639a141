/**
 * A monitor that is played: it serves the files of the dashboard and a market of many symbols, legs, orders and fills, with every state that a
 * page must show. The shapes are those of the real monitor.
 */
import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ControlName } from '../../../src/control/commands.ts';
import type { Passphrase } from '../../../src/edge/web/passphrase.ts';
import { ladderOf } from './played-ladder.ts';
import { playedSessions } from './played-sessions.ts';
import { studyOf } from './played-study.ts';
import type { DashboardFiles } from '../../../src/run/monitor/page-files.ts';
import { unprovenOf } from '../../../src/run/monitor/unproven.ts';

interface PlayedOptions {
  readonly symbols?: number;
  readonly fills?: number;
  readonly role?: 'view' | 'operate';
  /** What acts that raise risk need. */
  readonly passphrase?: Passphrase;
  /** A text put wherever the venue or a strategy may write one. */
  readonly hostile?: string;
}

export interface PlayedMonitor {
  readonly url: string;
  /** Commands that the page has sent. */
  readonly sent: { readonly path: string; readonly body: Record<string, unknown> }[];
  /** Sends a change to every stream. */
  change(kind: string, payload: unknown, time?: number): void;
  /** The status as the monitor sends it each second. */
  status(): Readonly<Record<string, any>>;
  /** No more changes from now on; or they go on. */
  setSilent(isSilent: boolean): void;
  /** From now on another program answers, which does not know the key of the proofs. */
  takePort(): void;
  close(): Promise<void>;
}

const MINUTE = 60_000;

export async function openPlayedMonitor(
  { files, policy }: DashboardFiles,
  { symbols = 3, fills = 200, role = 'operate', hostile = '', passphrase }: PlayedOptions = {},
): Promise<PlayedMonitor> {
  const world = worldOf(symbols, fills, hostile);
  const streams = new Set<ServerResponse>();
  const sent: PlayedMonitor['sent'] = [];
  let id = 0;
  let isSilent = false;
  let proof = 'proof';
  const lineOf = (kind: string, payload: unknown, time = Date.now()): string =>
    `${JSON.stringify({ id: `boot-${++id}`, kind, time, [kind]: payload })}\n`;
  const change = (kind: string, payload: unknown, time?: number): void => {
    const line = lineOf(kind, payload, time);
    for (const stream of streams) stream.write(line);
  };
  const timer = setInterval(() => {
    if (!isSilent) change('status', world.status());
  }, 1000);

  const study = studyOf(hostile);
  const answers: Readonly<Record<string, (query: URLSearchParams) => unknown>> = {
    '/api/orders': (query) => ({
      rows: world.orders.filter((one) => (query.get('id') ?? String(one.number)) === String(one.number)),
      next: null,
    }),
    '/api/fills': (query) => {
      const before = Number(query.get('before') ?? fills + 1);
      const limit = Number(query.get('limit') ?? 100);
      const rows = Array.from({ length: Math.min(limit, before - 1) }, (_, k) => world.fill(before - 1 - k));
      return { rows, next: rows.at(-1)?.id ?? null };
    },
    '/api/log': () => ({ rows: world.lines, next: null }),
    '/api/notes': () => ({ rows: world.notes, next: null }),
    '/api/bars': (query) => world.chart(query.get('symbol') ?? '', Number(query.get('from') ?? 0)),
    '/api/equity': () => ({
      rows: Array.from({ length: 300 }, (_, k) => [world.start + k * MINUTE, (10_000 + 80 * Math.sin(k / 30) + k / 4).toFixed(2)]),
    }),
    '/api/sessions': () => playedSessions(hostile),
    '/api/studies': () => ({ time: Date.now(), rows: [study] }),
    '/api/studies/1': () => study,
    '/api/queries/pnl': (query) => ({
      groups: ['ema-cross', 'grid', hostile || 'stop-loss'].map((key, k) => ({
        key:
          query.get('by') === 'day' ? new Date(Date.now() - 86_400_000 * 11 * k).toISOString().slice(0, 10) : `${query.get('by')} ${key}`,
        fills: 12 + k,
        closed: 6,
        wins: 4 - k,
        profit: `${40 - 31 * k}.25`,
        fees: '3.10',
        funding: '-0.42',
        net: `${36 - 31 * k}.73`,
        volume: '12000',
      })),
    }),
    '/api/rehearsals/ema-cross': () => ({
      strategy: 'ema-cross',
      sha256: '1f0c2aa94b7e0d1c',
      rows: [
        {
          session: 'one',
          from: world.start,
          to: world.start + 100 * MINUTE,
          recorded: { orders: 12, profit: '41.2' },
          before: { orders: 12, fills: 12, profit: '40.9' },
          next: { orders: 14, fills: 14, profit: '-3.5' },
          failed: '',
          differences: 1,
          first: [{ time: world.start + MINUTE, by: 'new', order: `open BTCUSDT LONG 0.250 at 60100.0${hostile}` }],
        },
      ],
    }),
    '/api/queries/limits': () => ({
      limits: [
        level('symbol:SOLUSDT', 'maxSpread', ['', '0.50', '%'], null, 'opens are refused'),
        level('bot', 'maxDailyLoss', ['91.50', '100.00', 'USDT'], 0.915, 'opens halt, orders are cancelled'),
        level(`leg:${hostile || 'BTCUSDT'}:LONG`, 'maxNotionalPosition', ['30490', '50000', 'USDT'], 0.6098, 'opens are refused'),
        level('strategy:grid', 'maxIntentsPerSecond', ['1', '50', ''], 0.02, 'commands are refused'),
      ],
    }),
    '/api/queries/why': (query) =>
      /^\d+$/.test(query.get('what') ?? '')
        ? {
            number: 43,
            symbol: world.orders[0]!.symbol,
            sentence: `Order 43 filled. ${hostile}`,
            steps: [{ time: Date.now(), what: 'request', text: 'sent' }],
          }
        : { time: Date.now(), isReplayed: false, lines: [], ladders: [ladderOf(hostile)] },
  };

  const server = createServer((request, response) => void answer(request, response));
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    const file = files.get(pathname);
    if (file !== undefined) {
      const text =
        pathname === '/' ? file.body.toString('utf8').replace('<!-- token -->', '<meta name="token" content="one-time" />') : file.gzip;
      const packed = pathname === '/' ? {} : { 'content-encoding': 'gzip' };
      response.writeHead(200, { 'content-type': file.type, 'content-security-policy': policy, ...packed });
      response.end(text);
      return;
    }
    const nonce = String(request.headers['x-monitor-nonce'] ?? '');
    if (nonce !== '') response.setHeader('x-monitor-proof', createHmac('sha256', proof).update(nonce).digest('base64url'));
    const json = (value: unknown, status = 200): void =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    if (request.method === 'POST') {
      let text = '';
      for await (const more of request) text += String(more);
      if (pathname === '/api/login') return json({ session: 'session', proof: 'proof', role, boot: 'boot', bot: 'demo' });
      const { factor, ...fields } = JSON.parse(text) as Record<string, unknown>;
      const name = pathname.split('/').at(-1) as ControlName;
      const isCommand = pathname.startsWith('/api/commands/') && passphrase !== undefined;
      const unproven = isCommand
        ? unprovenOf({ passphrase, onWrong: () => undefined }, { session: 'session', name, fields, factor })
        : null;
      if (unproven !== null) return void response.writeHead(unproven.status, { 'content-type': 'application/json' }).end(unproven.body);
      sent.push({ path: pathname, body: fields });
      if (pathname === '/api/stop') {
        world.halts.unshift({
          scope: 'bot',
          code: 'operator',
          detail: 'STOP on the page',
          since: Date.now(),
          by: 'operator',
          ends: 'tickwright resume',
        });
        change('halts', world.halts);
      }
      return json({
        ok: true,
        command: pathname.split('/').at(-1),
        did: ['No opening order leaves any more.'],
        open: [],
        isDone: true,
        tookMs: 12,
      });
    }
    if (pathname === '/api/stream') {
      response.writeHead(200, { 'content-type': 'application/x-ndjson' });
      response.write(
        lineOf('reset', {
          boot: 'boot',
          now: {
            connection: { state: 'connected', since: Date.now(), heardAt: Date.now(), cause: '' },
            status: world.status(),
            positions: world.positions,
            orders: world.orders,
            quotes: world.quotes,
          },
        }),
      );
      streams.add(response);
      response.on('close', () => streams.delete(response));
      return;
    }
    const found = answers[pathname];
    if (found === undefined) json({ ok: false, code: 'no-route', message: `There is no ${pathname}.`, hint: '' }, 404);
    else json(found(searchParams));
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    sent,
    change,
    status: world.status,
    setSilent: (silent) => (isSilent = silent),
    takePort() {
      proof = 'a guess';
      for (const stream of streams) stream.destroy();
    },
    async close() {
      clearInterval(timer);
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const level = (
  scope: string,
  key: string,
  [value, limit, unit]: [string, string, string],
  share: number | null,
  effect: string,
): object => ({
  scope,
  setting: `risk.${key}`,
  rule: key,
  value,
  limit,
  unit,
  share,
  effect,
});

/** The bot behind the played monitor: legs of every kind of stop, an order of unknown outcome, halts, refusals. */
function worldOf(count: number, fills: number, hostile: string) {
  const start = Math.floor(Date.now() / MINUTE) * MINUTE - 300 * MINUTE;
  const names = Array.from({ length: count }, (_, k) => ['BTCUSDT', 'ETHUSDT', hostile || 'SOLUSDT'][k] ?? `COIN${k}USDT`);
  const priceAt = (time: number): number => 60_500 + 400 * Math.sin((time - start) / MINUTE / 25) + 90 * Math.sin((time - start) / MINUTE);
  const exit = (by: string, price: string) => ({
    by,
    what: by === 'venue' ? 'stop-loss' : 'trailing-stop',
    size: '0.5',
    price,
    limit: '',
    distance: '-1.62',
    order: 11,
  });
  const leg = (symbol: string, side: string, more: object) => ({
    symbol,
    side,
    size: '0.500',
    own: '0.500',
    strategies: ['ema-cross'],
    entryPrice: '60250.5',
    price: '60980.0',
    value: '30490.00',
    unrealised: '364.75',
    liquidationPrice: '31200.0',
    opening: '0.000',
    closing: '0.000',
    exits: [exit('venue', '59990.0')],
    unprotected: '0.000',
    worstLoss: '130.25',
    provenAt: Date.now() - 1400,
    ...more,
  });
  const positions = [
    leg(names[0]!, 'LONG', {}),
    leg(names[1] ?? 'ETHUSDT', 'SHORT', {
      size: '12.00',
      own: '8.00',
      entryPrice: '3050.10',
      price: '3071.25',
      unrealised: '-253.80',
      liquidationPrice: '',
      exits: [exit('bot', '3102.00')],
      unprotected: '12.00',
      worstLoss: '',
      strategies: ['grid'],
    }),
    leg(names[2] ?? 'SOLUSDT', 'LONG', {
      size: '40.0',
      own: '40.0',
      entryPrice: '',
      price: '',
      unrealised: '',
      liquidationPrice: '',
      exits: [],
      unprotected: '40.0',
      worstLoss: '',
    }),
    ...names.slice(3, 200).map((symbol, k) => leg(symbol, k % 2 === 0 ? 'LONG' : 'SHORT', { worstLoss: String(k) })),
  ];
  const order = (number: number, more: object) => ({
    number,
    clientId: `tw-1-${number}`,
    venueId: String(9_000_000 + number),
    symbol: names[0]!,
    strategy: 'ema-cross',
    kind: 'futures',
    side: 'LONG',
    effect: 'OPEN',
    type: 'LIMIT',
    price: '59800.0',
    trigger: '',
    triggerBy: '',
    stopLoss: '59000.0',
    takeProfit: '62000.0',
    size: '0.250',
    filled: '0.000',
    state: 'working',
    createdAt: Date.now() - 60_000,
    reason: 'cross up',
    updatedAt: Date.now() - 60_000 + number,
    ...more,
  });
  const orders = [
    order(41, {}),
    order(42, { effect: 'CLOSE', price: '62500.0', size: '0.500', stopLoss: '', takeProfit: '', reason: 'target' }),
    order(43, { symbol: names[2] ?? 'SOLUSDT', state: 'unknown', venueId: '', size: '15.0', price: '142.10', reason: 'breakout' }),
    order(40, { state: 'refused', reason: hostile || 'max-notional: 31,200 of 30,000 USDT' }),
    order(39, { state: 'filled', filled: '0.500' }),
  ];
  const halts = [
    {
      scope: `symbol:${names[2] ?? 'SOLUSDT'}`,
      code: 'outcome-unknown',
      detail: 'the outcome of order 43 is unknown',
      since: Date.now() - 7000,
      by: 'bot',
      ends: 'a read that shows order 43',
    },
  ];
  const fill = (id: number) => ({
    id,
    time: Date.now() - (fills - id) * 61_000,
    number: id % 2 === 0 ? 39 : 1_000 + id,
    symbol: names[id % Math.min(count, 2)]!,
    strategy: 'ema-cross',
    side: id % 4 < 2 ? 'LONG' : 'SHORT',
    effect: id % 2 === 0 ? 'OPEN' : 'CLOSE',
    size: '0.250',
    price: priceAt(Date.now() - (fills - id) * 61_000).toFixed(1),
    value: '15100.00',
    fee: id % 7 === 0 ? '' : '6.0412',
    profit: id % 2 === 0 ? '0' : (20 * Math.cos(id)).toFixed(2),
    positionAfter: '0.500',
    reason: id % 2 === 0 ? 'cross up' : 'target',
  });
  const status = () => ({
    bot: 'demo',
    isRunning: true,
    phase: 'armed',
    time: Date.now(),
    startedAt: start,
    pid: 4242,
    venue: 'http://127.0.0.1:8787 (paper)',
    account: 'paper',
    venueAnsweredAt: Date.now() - 300,
    troubles: [],
    readAt: {
      equity: Date.now() - 2100,
      orders: Date.now() - 900,
      positions: Math.floor(Date.now() / 2000) * 2000,
      prices: Date.now() - 200,
    },
    equity: '10412.37',
    profit: '412.37',
    today: { day: '2026-11-28', profit: '61.20', fees: '18.05', funding: '-1.10', net: '42.05', equity: '55.10', equitySince: start },
    orders: 3,
    placed: 43,
    fills,
    unknownOutcomes: 1,
    halts,
    onHold: '',
    flattening: [],
    flattened: [],
    strategies: [
      {
        name: 'ema-cross',
        symbols: names,
        params: { fast: '12', slow: '26', size: '0.25' },
        set: ['fast'],
        configured: { fast: '9' },
        changed: { SOLUSDT: 'added' },
        errors: 0,
        isDisabled: false,
        warmingUp: '',
      },
      {
        name: 'grid',
        symbols: names.slice(1, 2),
        params: { step: '0.4%' },
        set: [],
        errors: 2,
        isDisabled: false,
        warmingUp: '14 of 60 1h bars of ETHUSDT',
        reload: {
          at: Date.now() - 90_000,
          sha256: '1f0c2aa94b7e0d1c',
          trialUntil: 0,
          returned: hostile || 'onQuote threw: step is undefined',
          onDisk: 'other',
        },
      },
    ],
    requests: 88_212,
    errors: 1,
    lastError: { time: Date.now() - 600_000, event: 'read-failed', text: hostile || 'E19 timeout' },
    lostLines: null,
    memory: { heapMb: 48, limitMb: 4144, rssMb: 131 },
    counts: { 'intent-refused max-notional': 3, 'intent-refused outcome-unknown': 12, 'command-rejected 40762': 1 },
    health: {
      turns: 1,
      lateMs: 3,
      clockOffsetMs: -41,
      requests: 88_212,
      rateLimited: 2,
      endpoints: {
        E7: { requests: 80_000, failures: 1, p50Ms: 8, p99Ms: 31 },
        E19: { requests: 8_000, failures: 2, p50Ms: 11, p99Ms: 48 },
      },
      pollsSkipped: 0,
      commandsInFlight: 1,
      journal: { made: 1043, durable: 1043 },
      lines: { warn: 7, error: 1 },
    },
  });
  const bars = () => {
    const rows: (number | string)[][] = [];
    for (let k = 0; k < 300; k++) {
      const [open, close] = [priceAt(start + k * MINUTE), priceAt(start + (k + 1) * MINUTE)];
      // Ten minutes in which the monitor saw no price.
      if (k < 240 || k > 250)
        rows.push([
          start + k * MINUTE,
          open.toFixed(1),
          (Math.max(open, close) + 30).toFixed(1),
          (Math.min(open, close) - 30).toFixed(1),
          close.toFixed(1),
        ]);
    }
    return rows;
  };
  const lines = [
    {
      id: 7,
      level: 'warn',
      time: new Date(Date.now() - 90_000).toISOString(),
      event: 'read-failed',
      endpoint: 'E19',
      cause: hostile || 'timeout',
      symbol: names[0],
    },
  ];
  const notes = [
    { id: 3, time: Date.now() - 61_000, strategy: 'ema-cross', symbol: names[0], text: hostile || 'fast 60 412 crossed above slow 60 398' },
  ];
  const quotes = names.map((symbol) => ({
    symbol,
    bid: '60979.9',
    ask: '60980.1',
    last: priceAt(Date.now()).toFixed(1),
    time: Date.now(),
  }));
  /** What the chart shows: two lines, a halt that is over, one that holds, and ten minutes without prices. */
  const chart = (symbol: string, from: number) => {
    const rows = bars().filter(([time]) => Number(time) >= from);
    const line = (name: string, value: (time: number) => number) => ({
      strategy: 'ema-cross',
      name,
      rows: rows.map(([time]) => [time, value(Number(time)).toFixed(2)]),
    });
    const past = { scope: 'bot', code: 'daily-loss', detail: '', since: start + 200 * MINUTE, until: start + 220 * MINUTE };
    const held = halts.filter(({ scope }) => scope === 'bot' || scope === `symbol:${symbol}`);
    return {
      symbol,
      rows,
      lines: [line('slow', (time) => priceAt(time - 5 * MINUTE)), line('rsi', (time) => 50 + 20 * Math.sin(time / MINUTE / 9))],
      halts: [past, ...held.map((halt) => ({ ...halt, until: 0 }))],
      blind: [{ from: start + 239 * MINUTE, until: start + 251 * MINUTE, cause: 'the bot read no price' }],
    };
  };
  return { start, positions, orders, halts, fill, status, chart, lines, notes, quotes };
}
