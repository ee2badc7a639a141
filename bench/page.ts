/**
 * Tests the exchange's page in a real browser: serves markets of several sizes with traders, opens the page in each window size and colour
 * scheme, and writes pictures to var/page. It fails if the browser logs an error, a request goes to another host, the page is wider than the
 * window, or a hostile name becomes markup. `npm run -s page -- [--browser chromium] [--seconds 6]`
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';
import { defaultConfig } from '../src/config/defaults.ts';
import { priceOf, type InstrumentSpec } from '../src/domain/instrument.ts';
import { createLog } from '../src/edge/log/log.ts';
import { openExchange, untilMarketOpens, type RunningExchange } from '../src/run/exchange/exchange.ts';
import { exchangeOptions, signedSend } from '../test/support/served-kit.ts';
import { openTab, type Tab, type View } from './page/browser.ts';

const { values } = parseArgs({ options: { browser: { type: 'string', default: 'chromium' }, seconds: { type: 'string', default: '6' } } });
const FOLDER = 'var/page';
const HOSTILE = '<img src=x onerror="document.title=1">';
const VIEWS: readonly (readonly [name: string, symbols: number, view: View, query: string])[] = [
  ['light', 2, { width: 1440, height: 900, scheme: 'light' }, ''],
  ['dark', 50, { width: 1440, height: 900, scheme: 'dark' }, ''],
  ['tablet', 50, { width: 900, height: 1100, scheme: 'light' }, '?find=usdt'],
  ['phone', 2, { width: 390, height: 844, scheme: 'dark' }, ''],
  ['wide', 1000, { width: 1920, height: 1080, scheme: 'light' }, '?sort=volume'],
];

/** Words that stand in a card, in its head or beside its rows. */
const SHOWN = [
  ['orders', '["fu-", "page-", "size", "type"]'],
  ['positions', '["margin", "liquidation", "take / stop", "mark", "entry"]'],
  ['fills', '["size", "fee", "maker"]'],
  ['accounts', '["available", "realised", "funding"]'],
  ['refusals', '["open size decimal", "demo-key", "asked"]'],
] as const;

/** The configured futures, then synthetic ones, and one whose name would be markup where names are. */
function specs(count: number): readonly InstrumentSpec[] {
  const known = defaultConfig().instruments.filter((one) => one.product === 'futures');
  const like = known[0]!;
  const more = Array.from({ length: count }, (_, k): InstrumentSpec => ({
    ...like,
    symbol: `C${String(k).padStart(3, '0')}USDT`,
    baseCoin: `C${k}`,
  }));
  const hostile: InstrumentSpec = { ...like, symbol: HOSTILE, baseCoin: 'X' };
  return [...known, ...more].slice(0, count).concat(hostile);
}

async function serve(symbols: number): Promise<RunningExchange> {
  const config = { ...defaultConfig(), instruments: specs(symbols) };
  const options = exchangeOptions({ speed: 5, config }, symbols > 2 ? 20 : 3);
  const exchange = await openExchange(options, createLog({ level: 'error', form: 'text' }));
  await untilMarketOpens(exchange);
  return exchange;
}

/** Orders of every account, some of which fill and some of which rest, one with a hostile client id. */
async function trade(exchange: RunningExchange, accounts: number): Promise<void> {
  const futures = exchange.instruments.slice(0, 20);
  for (let k = 0; k < 6 * accounts; k++) {
    const instrument = futures[k % futures.length]!;
    const { symbol, index } = instrument;
    const bid = priceOf(exchange.sim.bookTicker(index)?.bid ?? 0, instrument);
    const isMarket = k % 3 === 0;
    const side = k % 2 === 0 ? 'LONG' : 'SHORT';
    const order = { symbol, marginMode: 'CROSS', size: '0.01', side, tradeSide: 'OPEN', orderType: isMarket ? 'MARKET' : 'LIMIT' };
    const body = {
      ...order,
      ...(isMarket && { presetStopLossPrice: (bid * (side === 'LONG' ? 0.98 : 1.02)).toFixed(1) }),
      ...(isMarket ? {} : { price: (bid * (side === 'LONG' ? 0.99 : 1.01)).toFixed(1) }),
      clientOid: k === 1 ? HOSTILE : `page-${k}`,
    };
    await signedSend(exchange.url, k % accounts, 'POST', '/api/v1/future/order/place-order', body);
  }
  const refused = {
    symbol: futures[0]!.symbol,
    marginMode: 'CROSS',
    size: '0.00001',
    side: 'LONG',
    tradeSide: 'OPEN',
    orderType: 'MARKET',
  };
  await signedSend(exchange.url, 0, 'POST', '/api/v1/future/order/place-order', refused);
  await signedSend(exchange.url, 0, 'POST', '/api/v1/future/order/batch-cancel-orders', { orderIdList: [{ clientOid: 'page-none' }] });
}

/** Problems of the page, and its picture on disk. */
async function look(tab: Tab, url: string, name: string, view: View): Promise<string[]> {
  await tab.open(url, view);
  await sleep(Number(values.seconds) * 1000);
  const found = tab.complaints.map((text) => `the browser says: ${text}`);
  const ask = async (question: string, expected: unknown): Promise<void> => {
    const answer = await tab.ask(question);
    if (answer !== expected) found.push(`${question} is ${String(answer)}, not ${String(expected)}`);
  };
  await ask('document.getElementById("state").className', 'live');
  await ask('document.documentElement.scrollWidth <= innerWidth', true);
  await ask('document.querySelectorAll("table img, table script, [onerror]").length', 0);
  await ask('document.title', 'Paper exchange');
  await ask('document.querySelectorAll("#symbols tbody tr").length > 1', true);
  await ask('document.querySelectorAll("#orders tbody tr, #fills tbody tr").length > 4', true);
  // All needed words must be visible at every width. `innerText` has only visible text.
  for (const [card, words] of SHOWN)
    await ask(`${words}.every((word) => document.getElementById("${card}").innerText.toLowerCase().includes(word))`, true);
  const strangers = [...tab.requested].filter((origin) => origin !== new URL(url).origin && origin !== 'null');
  if (strangers.length > 0) found.push(`requests went to ${strangers.join(', ')}`);
  writeFileSync(`${FOLDER}/${name}.png`, await tab.picture());
  return found;
}

mkdirSync(FOLDER, { recursive: true });
const tab = await openTab(values.browser);
let faults = 0;
for (const [name, symbols, view, query] of VIEWS) {
  const exchange = await serve(symbols);
  await trade(exchange, symbols > 2 ? 20 : 3);
  const found = await look(tab, `${exchange.url}/${query}`, name, view);
  faults += found.length;
  process.stdout.write(
    `${FOLDER}/${name}.png  ${view.width} px, ${view.scheme}, ${symbols} symbols: ${found.length === 0 ? 'well' : found.join('; ')}\n`,
  );
  await exchange.close();
}
await tab.close();
process.exitCode = faults === 0 ? 0 : 1;
