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
import { MINUTE, worldOf } from './played-world.ts';
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
      rows: Array.from({ length: 300 }, (_, k) => [
        world.start + k * MINUTE,
        (10_412.37 + 80 * (Math.sin(k / 30) - Math.sin(299 / 30)) - (299 - k) / 4).toFixed(2),
      ]),
    }),
    '/api/sessions': () => playedSessions(hostile),
    '/api/studies': () => ({ time: Date.now(), rows: [study] }),
    '/api/studies/1': () => study,
    '/api/queries/pnl': (query) => ({
      groups: (GROUPS[query.get('by') ?? ''] ?? GROUPS['strategy']!).map((key, k) => ({
        key:
          key === ''
            ? new Date(Date.now() - 86_400_000 * 11 * k).toISOString().slice(0, 10)
            : key.replace('hostile', hostile || 'stop-loss'),
        fills: 12 + k,
        closed: 6,
        wins: 4 - k,
        profit: `${40 - 31 * k}.25`,
        fees: '3.10',
        funding: '-0.42',
        net: (Number(`${40 - 31 * k}.25`) - 3.1 - 0.42).toFixed(2),
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
        level(`leg:${hostile || 'ETHUSDT'}:SHORT`, 'maxNotionalPosition', ['36855', '40000', 'USDT'], 0.921375, 'opens are refused'),
        level('bot', 'maxDailyLoss', ['12.00', '100.00', 'USDT'], 0.12, 'opens halt, orders are cancelled'),
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
        did: [
          'opens of the bot are halted (operator)',
          'No opening order leaves any more.',
          'to end it: tickwright resume',
          'in effect 93 ms after it was typed',
        ],
        open: [],
        isDone: true,
        times: { effectMs: 93, lastOrderMs: null, flatMs: null },
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

/** What profit is grouped by; "" is a day. */
const GROUPS: Readonly<Record<string, readonly string[]>> = {
  day: ['', '', ''],
  strategy: ['ema-cross', 'grid', 'hostile'],
  symbol: ['BTCUSDT', 'ETHUSDT', 'hostile'],
  reason: ['cross up', 'target', 'hostile'],
};

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
