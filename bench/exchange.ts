/**
 * Measures signed requests a second of the paper exchange on loopback. The exchange, with its ledger on disk, and the client are two
 * processes of one machine. `node bench/exchange.ts [seconds] [connections]` prints the figures. A figure counts only if every reply was a
 * success and the ledger has every order once. The same orders go to a bare server (`bare-server.ts`) in turns. `--reads all` writes a ledger line for each read. `node bench/exchange.ts memory [orders]`
 * prints the memory of the exchange after a fifth of the orders and after all of them.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from 'undici';
import { ENDPOINTS, type EndpointName } from '../src/contract/endpoints/endpoints.ts';
import type { RefusedRequest } from '../src/contract/envelope.ts';
import { createInstrument } from '../src/domain/instrument.ts';
import { openLedger } from '../src/edge/file/ledger/ledger.ts';
import { RequestNotes, type LedgerReads } from '../src/edge/file/ledger/request-notes.ts';
import { readLedger } from '../src/edge/file/ledger/read-ledger.ts';
import { startServer } from '../src/edge/serve/server.ts';
import { sign, signatureKey } from '../src/edge/signature.ts';
import { VenueSim } from '../src/sim/core/venue-core.ts';
import { createExchange, createVenueApi } from '../src/sim/api/api.ts';
import { BTCUSDT } from '../test/support/specs.ts';

const SYMBOLS = 100;
const RESTING = 1_000;
/** Orders that each connection leaves resting before it cancels them in one batch. */
const BATCH = 20;
/** How often exchange and bare server are measured after each other. */
const TURNS = 5;
/** How the ledger records reads. */
const READS = process.argv.includes('--reads') ? (process.argv[process.argv.indexOf('--reads') + 1] ?? '') : 'counts';
const KEY = 'bench-key';
const SECRET = 'bench-secret';
const PASSPHRASE = 'bench-pass';

async function serve(folder: string, reads: LedgerReads): Promise<void> {
  const instruments = Array.from({ length: SYMBOLS }, (_, index) =>
    createInstrument({ ...BTCUSDT, symbol: `S${index}USDT`, baseCoin: `S${index}`, takerFeeRate: '0.0005' }, index),
  );
  const clock = { now: (): number => Date.now() };
  const ledger = openLedger(folder, { identity: 'bench', clock, names: new Map([[KEY, 'bench']]) });
  const accounts = [{ name: 'bench', futures: '50000000', spot: {} }];
  const sim = new VenueSim(
    { instruments, accounts, fillModel: 'touch', leverage: 20, historyLimit: 10_000, keepTrades: 1_000 },
    ledger.sink,
  );
  const venueApi = createVenueApi(sim, { instruments, clock: ledger.clock, accounts: new Map([[KEY, 0]]) });
  ledger.start(createExchange(sim, venueApi));
  for (let i = 0; i < SYMBOLS; i++) {
    ledger.quote(i, 599_999, 5_000, 600_001, 5_000, Date.now());
    ledger.trade(i, 600_000, 500, 0, Date.now(), 1);
  }
  const account = { key: KEY, secret: SECRET, passphrase: PASSPHRASE };
  const notes = new RequestNotes(ledger, reads);
  const onRefused = (refused: RefusedRequest): void => notes.refused(refused);
  const server = await startServer({ handler: notes.over(ledger.handler), onRefused, accounts: [account], now: clock.now, port: 0 });
  process.stdout.write(`${server.url}\n`);
  process.on('message', () => {
    globalThis.gc?.();
    const { heapUsed, external, rss } = process.memoryUsage();
    process.send?.({ heldMb: (heapUsed + external) / 2 ** 20, rssMb: rss / 2 ** 20 } satisfies Held);
  });
  process.on('SIGTERM', () => {
    void server.close().then(() => {
      process.stdout.write(`${JSON.stringify({ cpuMs: process.cpuUsage().user / 1000, rssMb: process.memoryUsage().rss >> 20 })}\n`);
      notes.close();
      ledger.close();
      process.exit(0);
    });
  });
}

/** Memory of a process: the heap after a garbage collection, and the resident set size. */
interface Held {
  readonly heldMb: number;
  readonly rssMb: number;
}

const signer = signatureKey(SECRET);

async function send(client: Client, name: EndpointName, params: Readonly<Record<string, unknown>>): Promise<any> {
  const endpoint = ENDPOINTS[name];
  const isGet = endpoint.method === 'GET';
  const query = isGet ? `?${new URLSearchParams(params as Record<string, string>).toString()}` : '';
  const path = endpoint.path + query;
  const body = isGet ? '' : JSON.stringify(params);
  const timestamp = String(Date.now());
  const response = await client.request({
    path,
    method: endpoint.method,
    body: isGet ? null : body,
    headers: {
      'content-type': 'application/json',
      'access-key': KEY,
      'access-passphrase': PASSPHRASE,
      'access-timestamp': timestamp,
      'access-sign': sign(signer, timestamp, endpoint.method, path, body),
    },
  });
  const reply = (await response.body.json()) as { code: string; msg: string; data: any };
  if (reply.code !== '00000') throw new Error(`${name}: ${reply.code} ${reply.msg}`);
  return reply.data;
}

let made = 0;
/** Milliseconds from a place-order to its answer. */
const waits: number[] = [];

/** The value below which `share` of `sorted` lies. */
function quantile(sorted: readonly number[], share: number): string {
  return (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(2);
}

function order(): Record<string, unknown> {
  const n = ++made;
  const price = (40_000 + (n % 9_000)).toFixed(1);
  return {
    symbol: `S${n % SYMBOLS}USDT`,
    marginMode: 'CROSS',
    size: '0.001',
    side: 'LONG',
    tradeSide: 'OPEN',
    orderType: 'LIMIT',
    price,
    clientOid: `bench-1-${n.toString(36)}`,
  };
}

/** Runs `work` on every connection until the time is over; returns the counted calls per second. */
async function rate(clients: readonly Client[], seconds: number, work: (client: Client) => Promise<number>): Promise<number> {
  const started = performance.now();
  const until = started + seconds * 1_000;
  let count = 0;
  await Promise.all(
    clients.map(async (client) => {
      while (performance.now() < until) {
        const done = await work(client);
        count += done;
      }
    }),
  );
  return (count * 1_000) / (performance.now() - started);
}

async function placeAndCancel(client: Client): Promise<number> {
  const orders = Array.from({ length: BATCH }, order);
  for (const one of orders) {
    const sent = performance.now();
    await send(client, 'placeOrder', one);
    waits.push(performance.now() - sent);
  }
  await send(client, 'cancelOrders', { orderIdList: orders.map(({ clientOid }) => ({ clientOid })) });
  return BATCH;
}

interface Serving {
  readonly child: ChildProcess;
  readonly clients: readonly Client[];
  /** What it printed. */
  readonly lines: string[];
}

interface Exchange extends Serving {
  readonly folder: string;
}

/** Starts the exchange with its resting orders. */
async function open(connections: number): Promise<Exchange> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-exchange-'));
  const serving = await start(['--expose-gc', fileURLToPath(import.meta.url), 'serve', folder, READS], connections);
  const [first] = serving.clients;
  if (first === undefined) throw new Error('at least one connection is needed');
  for (let k = 0; k < RESTING; k++) await send(first, 'placeOrder', order());
  return { ...serving, folder };
}

/** Starts a server that prints its URL. */
async function start(args: readonly string[], connections: number): Promise<Serving> {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
  const lines: string[] = [];
  const url = await new Promise<string>((resolve) => {
    child.stdout?.on('data', (chunk: Buffer) => {
      lines.push(chunk.toString().trim());
      resolve(lines[0] ?? '');
    });
  });
  return { child, clients: Array.from({ length: connections }, () => new Client(url, { pipelining: 1 })), lines };
}

async function close({ child, clients }: Serving): Promise<void> {
  await Promise.all(clients.map((client) => client.close()));
  child.kill('SIGTERM');
  await new Promise((resolve) => child.on('exit', resolve));
}

/** Memory of the exchange after a fifth of `orders` and after all of them, each placed and cancelled. */
async function memory(orders: number, connections: number): Promise<void> {
  const exchange = await open(connections);
  const held = async (): Promise<Held> => {
    exchange.child.send('tell');
    const [figures] = (await once(exchange.child, 'message')) as [Held];
    return figures;
  };
  const placeUntil = (count: number): Promise<unknown> =>
    Promise.all(
      exchange.clients.map(async (client) => {
        for (let done = made; done < count; done = made) await placeAndCancel(client);
      }),
    );
  await placeUntil(orders / 5);
  const early = await held();
  await placeUntil(orders);
  const late = await held();
  await close(exchange);
  rmSync(exchange.folder, { recursive: true, force: true });
  console.log(JSON.stringify({ orders: made, early, late }));
}

async function measure(seconds: number, connections: number): Promise<void> {
  const exchange = await open(connections);
  const { clients, lines, folder } = exchange;
  const bare = await start([fileURLToPath(new URL('bare-server.ts', import.meta.url)), SECRET], connections);
  await rate(clients, 1, placeAndCancel);
  // The same orders go to a bare server in turns with the exchange, after a second in which both get warm.
  let toBare = -made;
  await rate(bare.clients, 1, placeAndCancel);
  toBare += made;
  waits.length = 0;
  const places = await rate(clients, seconds, placeAndCancel);
  const shares: number[] = [];
  for (let turn = 0; turn < TURNS; turn++) {
    const own = await rate(clients, seconds / TURNS, placeAndCancel);
    toBare -= made;
    shares.push(own / (await rate(bare.clients, seconds / TURNS, placeAndCancel)));
    toBare += made;
  }
  await close(bare);
  const ofBare = shares.toSorted((x, y) => x - y)[TURNS >> 1] ?? Number.NaN;
  const sorted = waits.toSorted((x, y) => x - y);
  const symbol = 'S1USDT';
  const pending = await rate(clients, seconds / 2, async (client) => (await send(client, 'pendingOrders', { symbol, limit: '100' }), 1));
  const books = await rate(clients, seconds / 2, async (client) => (await send(client, 'bookTickers', { symbol }), 1));
  const all = await rate(clients, seconds / 2, async (client) => (await send(client, 'bookTickers', {}), 1));
  await close(exchange);
  const truth = readLedger(folder);
  const ids = new Set(truth.orders.map((one) => one.order['clientOid']));
  const placed = made - toBare;
  const isExact = truth.orders.length === placed && ids.size === placed;
  rmSync(folder, { recursive: true, force: true });
  if (process.argv.includes('--json')) {
    console.log(JSON.stringify({ place: places, ofBare, pending, ticker: books, tickers: all, isExact }));
    if (!isExact) process.exitCode = 1;
    return;
  }
  const show = (what: string, perSecond: number): void =>
    console.log(`${what.padEnd(58)} ${Math.round(perSecond).toLocaleString('en')} a second`);
  console.log(`paper exchange, ${connections} connections, ${SYMBOLS} symbols, ${RESTING} resting orders, ledger on disk`);
  show('signed place-order (E12), cancelled in batches of 20', places);
  console.log(`  answered in p50 ${quantile(sorted, 0.5)} ms, p99 ${quantile(sorted, 0.99)} ms, longest ${quantile(sorted, 1)} ms`);
  console.log(`  of a bare node:http server with the same bodies and signatures: ${ofBare.toFixed(2)}`);
  show('signed pending orders of one symbol (E18, 10 records)', pending);
  show('book ticker of one symbol (E7)', books);
  show('book tickers of all symbols (E7, 100 records)', all);
  console.log(`exchange process: ${lines[1] ?? ''}; ledger ${isExact ? 'holds each' : 'DOES NOT HOLD EACH'} of ${placed} orders once`);
  if (!isExact) process.exitCode = 1;
}

const [mode, argument, reads] = process.argv.slice(2);
if (mode === 'serve') await serve(argument ?? '', reads as LedgerReads);
else if (mode === 'memory') await memory(Number(argument ?? 1_000_000), 16);
else await measure(Number(mode ?? 4), Number(argument ?? 16));
