/**
 * Measures one poll of 1,000 symbols: all book tickers (E7) over HTTP, validated, compared with the previous poll, and changes applied to
 * local state. It is the CPU of the whole process, including socket, parser and garbage collector.
 * `node bench/poll.ts [polls]`
 */
import { ClientIds } from '../src/domain/orders/client-ids.ts';
import { fork } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { Secret } from '../src/base/secret.ts';
import { defaultConfig } from '../src/config/defaults.ts';
import type { InstrumentSpec } from '../src/domain/instrument.ts';
import { createLog } from '../src/edge/log/pino-log.ts';
import { LiveClock } from '../src/edge/time/live-clock.ts';
import { Random } from '../src/base/random.ts';
import { ANSWERED, type Inbox } from '../src/ports/venue-event.ts';
import { connectVenue } from '../src/run/bot/connect.ts';
import { instrumentsOf } from '../src/run/setup/instruments/instruments.ts';
import { parseFloor } from './floor.ts';

const SYMBOLS = 1_000;
/** Share of the symbols whose book has changed since the poll before. */
const CHANGED = 0.3;

function specs(): InstrumentSpec[] {
  return Array.from({ length: SYMBOLS }, (_, k) => ({
    symbol: `C${k}USDT`,
    product: 'futures' as const,
    baseCoin: `C${k}`,
    quoteCoin: 'USDT',
    tickSize: '0.01',
    lotSize: '0.001',
    minSize: '0.001',
    maxSize: '1000000',
    makerFeeRate: '0.0002',
    takerFeeRate: '0.0006',
  }));
}

/** Answers book tickers (E7) for all symbols; a part of them changes each time. */
function exchange(): void {
  const random = new Random(1);
  const books = Array.from({ length: SYMBOLS }, (_, k) => ({
    symbol: `C${k}USDT`,
    bidPrice: '100.00',
    bidQty: '1.000',
    askPrice: '100.01',
    askQty: '1.000',
    ts: 0,
  }));
  const server = createServer((_request, response) => {
    const now = Date.now();
    for (const book of books) {
      if (random.uniform() > CHANGED) continue;
      const bid = 10_000 + random.below(100);
      book.bidPrice = (bid / 100).toFixed(2);
      book.askPrice = ((bid + 1) / 100).toFixed(2);
      book.bidQty = (random.below(9_999) / 1000 + 0.001).toFixed(3);
      book.ts = now;
    }
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ code: '00000', msg: 'success', requestTime: now, data: books }));
  });
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
}

async function measure(polls: number, port: number): Promise<void> {
  const defaults = defaultConfig();
  const config = { ...defaults, venue: { ...defaults.venue, baseUrl: `http://127.0.0.1:${port}` }, limits: { public: 1e5, private: 1e5 } };
  const credentials = { key: new Secret('key'), secret: new Secret('secret'), passphrase: new Secret('pass') };
  let wake: (changed: number) => void = () => undefined;
  const refuse = (): void => {
    throw new Error('nothing but an answer was expected');
  };
  const outcomes: Inbox = { take: refuse };
  const answers: Inbox = {
    take: ({ kind, answer }) => (kind === ANSWERED ? wake(answer?.kind === 'quotes' ? answer.quotes.length : 0) : refuse()),
  };
  const clock = new LiveClock();
  const connection = connectVenue({
    config,
    credentials,
    ids: ClientIds.begin({ bot: 'bench', epoch: 1 }),
    instruments: instrumentsOf(specs()),
    clock,
    stepClock: clock,
    outcomes,
    answers,
    onWaiting: () => undefined,
    log: createLog({ level: 'error', form: 'json' }),
    onRateLimit: () => undefined,
  });
  const poll = (): Promise<number> =>
    new Promise((resolve) => {
      wake = resolve;
      connection.venue.query({ kind: 'quotes', instrument: -1 });
    });
  for (let k = 0; k < 50; k++) await poll();
  const each: number[] = [];
  let changed = 0;
  for (let k = 0; k < polls; k++) {
    const before = process.cpuUsage();
    changed += await poll();
    const used = process.cpuUsage(before);
    each.push((used.user + used.system) / 1000);
  }
  each.sort((a, b) => a - b);
  const mean = each.reduce((sum, ms) => sum + ms, 0) / each.length;
  const at = (q: number): number => Math.round((each[Math.floor(q * each.length)] ?? Number.NaN) * 100) / 100;
  const parsed = (await parseFloor(`http://127.0.0.1:${port}/floor`, polls)).sort((a, b) => a - b);
  console.log(
    JSON.stringify({
      polls,
      changedPerPoll: Math.round(changed / polls),
      cpuMsMean: Math.round(mean * 100) / 100,
      cpuMsP50: at(0.5),
      cpuMsP90: at(0.9),
      parseMsP50: Math.round((parsed[Math.floor(parsed.length / 2)] ?? Number.NaN) * 1000) / 1000,
    }),
  );
  await connection.venue.drain();
  await connection.close();
}

if (process.argv[2] === 'exchange') {
  // Without this it would outlive a measurement that failed, and hold its output open.
  process.once('disconnect', () => process.exit());
  exchange();
} else if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const child = fork(fileURLToPath(import.meta.url), ['exchange']);
  const port = await new Promise<number>((resolve) => child.once('message', (message) => resolve(message as number)));
  try {
    await measure(Number(process.argv[2] ?? 400), port);
  } finally {
    child.kill();
  }
}
