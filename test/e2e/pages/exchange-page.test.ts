/**
 * The page of the paper exchange in a real browser, on a running exchange with traders: what a person sees at the width of a phone, a laptop
 * and a monitor, what the keyboard reaches, and what axe-core finds. With TICKWRIGHT_PICTURES=FOLDER it leaves pictures there.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defaultConfig } from '../../../src/config/defaults.ts';
import { priceOf, type InstrumentSpec } from '../../../src/domain/instrument.ts';
import { createLog } from '../../../src/edge/log/pino-log.ts';
import { openExchange, untilMarketOpens, type RunningExchange } from '../../../src/run/exchange/exchange.ts';
import { hasChromium, openTab, type Tab, type View } from '../../support/processes/browser.ts';
import { exchangeOptions, signedSend } from '../../support/exchange/served-kit.ts';

const HOSTILE = '<img src=x onerror="document.title=1">';
const ACCOUNTS = 3;
const TOKEN = 'token-of-the-test';
const SECTIONS = ['symbols', 'positions', 'orders', 'refusals', 'accounts', 'spot', 'fills', 'requests'];
const VIEWS: readonly View[] = [390, 1280, 1920].flatMap((width) =>
  (['light', 'dark'] as const).map((scheme) => ({ width, height: 900, scheme })),
);

/** Words that stand in a card, in its head or in the second line of a row. */
const SHOWN: Readonly<Record<string, readonly string[]>> = {
  symbols: ['bid size', 'ask size', 'last', 'turnover', 'orders'],
  orders: ['fu-', 'page-', 'size', 'type'],
  positions: ['margin', 'liquidation', 'take / stop', 'mark', 'entry'],
  fills: ['size', 'fee', 'taker'],
  accounts: ['available', 'realised', 'fees', 'funding'],
  refusals: ['open size decimal', 'demo-key', '0.00001'],
  requests: ['id', 'requests', 'refused', 'last refusal', '40016'],
};

/** The configured futures, one whose name would be markup, and a spot market with the name of a future. */
function config(): ReturnType<typeof defaultConfig> {
  const futures = defaultConfig().instruments.filter((one) => one.product === 'futures');
  const hostile: InstrumentSpec = { ...futures[0]!, symbol: HOSTILE, baseCoin: 'X' };
  const spot: InstrumentSpec = { ...futures[0]!, product: 'spot' };
  return { ...defaultConfig(), instruments: [...futures, hostile, spot] };
}

/** Orders of every account, some of which fill and some of which rest, one with a hostile client id; and two that are refused. */
async function trade(exchange: RunningExchange): Promise<void> {
  const place = (account: number, order: object): Promise<Record<string, unknown>> =>
    signedSend(exchange.url, account, 'POST', '/api/v1/future/order/place-order', { marginMode: 'CROSS', tradeSide: 'OPEN', ...order });
  for (let k = 0; k < 12 * ACCOUNTS; k++) {
    const instrument = exchange.instruments[k % 2]!;
    const bid = priceOf(exchange.sim.bookTicker(instrument.index)?.bid ?? 0, instrument);
    const side = k % 2 === 0 ? 'LONG' : 'SHORT';
    const away = (share: number): string => (bid * (side === 'LONG' ? 1 - share : 1 + share)).toFixed(1);
    const how = k % 3 === 0 ? { orderType: 'MARKET', presetStopLossPrice: away(0.02) } : { orderType: 'LIMIT', price: away(0.01) };
    const clientOid = k === 1 ? HOSTILE : `page-${k}`;
    expect(await place(k % ACCOUNTS, { symbol: instrument.symbol, size: '0.01', side, clientOid, ...how })).toMatchObject({
      code: '00000',
    });
  }
  await place(0, { symbol: exchange.instruments[0]!.symbol, size: '0.00001', side: 'LONG', orderType: 'MARKET' });
  await signedSend(exchange.url, 0, 'POST', '/api/v1/future/order/batch-cancel-orders', { orderIdList: [{ clientOid: 'page-none' }] });
}

describe.skipIf(!hasChromium('the page of the exchange'))('the page of the exchange in a browser', () => {
  let exchange: RunningExchange | null = null;
  let tab: Tab;
  const isIn = (state: string): string => `document.getElementById('state').className === '${state}'`;
  const active = `document.activeElement.closest('[id]').id + (document.activeElement.className === 'scroll' ? ' rows' : '')`;

  beforeAll(async () => {
    exchange = await openExchange(
      exchangeOptions({ config: config(), admin: { port: 0, token: TOKEN, isGiven: true } }, ACCOUNTS),
      createLog({ level: 'silent', form: 'json' }),
    );
    await untilMarketOpens(exchange);
    await trade(exchange);
    tab = await openTab();
  });
  afterAll(async () => {
    await tab?.close();
    await exchange?.close();
  });

  it.each(VIEWS)('shows everything at $width pixels, $scheme, without a complaint of the browser or of axe', async (view) => {
    const { url } = exchange!;
    await tab.open(url, view);
    await tab.until(isIn('live'));
    expect(await tab.violations()).toEqual([]);
    expect(await tab.ask('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    const cut = `[...document.querySelectorAll('.scroll, .head, #facts > div')].filter((one) => one.scrollWidth > one.clientWidth)`;
    expect(await tab.ask(`${cut}.map((one) => one.parentElement.id)`)).toEqual([]);
    // `innerText` has only text that is visible.
    for (const [card, words] of Object.entries(SHOWN)) {
      const text = String(await tab.ask(`document.getElementById('${card}').innerText.toLowerCase()`));
      expect({ card, missing: words.filter((word) => !text.includes(word)) }).toEqual({ card, missing: [] });
    }
    expect(await tab.ask('[document.title, document.querySelectorAll("table img, table script, [onerror]").length]')).toEqual([
      'Paper exchange',
      0,
    ]);
    // "Live" is real money elsewhere in the program.
    await tab.until(`document.getElementById('state').innerText === 'updating'`);
    expect(await tab.ask(`/\\blive\\b(?!\\.json)/i.test(document.body.innerText)`)).toBe(false);
    // No cell is blank: nothing is 0, and what is not known says so.
    const blank = `[...document.querySelectorAll('#spot tr:not(.more) td, #requests tr:not(.more) td:not(.b), #fills tr:not(.more) td')].filter((one) => one.textContent === '')`;
    expect(await tab.ask(`${blank}.map((one) => one.closest('section').id + ' ' + one.cellIndex)`)).toEqual([]);
    // Candles and orders by hand are for futures: the spot market of the same name opens nothing.
    const named = `[...document.querySelectorAll('#symbols td.name')].filter((one) => one.textContent.startsWith('BTCUSDT'))`;
    expect(await tab.ask(`${named}.map((one) => [one.textContent, one.querySelector('button') !== null])`)).toEqual([
      ['BTCUSDT', true],
      ['BTCUSDTspot', false],
    ]);
    // A list that is cut ends with a whole row, and says how many are in sight.
    expect(await tab.ask(`document.querySelector('#orders .count').textContent`)).toMatch(/^\d+ of 24 in sight$/);
    const edges = `[...document.querySelectorAll('.scroll')].filter((one) => one.scrollHeight > one.clientHeight + 1).map((one) => {
      const end = one.getBoundingClientRect().bottom;
      return Math.min(...[...one.querySelectorAll('tbody tr')].map((row) => Math.abs(row.getBoundingClientRect().bottom - end))); })`;
    expect(((await tab.ask(edges)) as number[]).filter((away) => away > 1.5)).toEqual([]);
    expect(await tab.ask(`document.getElementById('refusals').innerText`)).toMatch(
      /Refusals\s+the last 2; each item of a batch counts[^]*\/future\/order\/batch-cancel-orders\s*E15/,
    );
    const low = `[...document.querySelectorAll('button, input, select, summary')].filter((one) => one.offsetParent !== null && one.offsetHeight < 44)`;
    expect(await tab.ask(`${low}.map((one) => one.outerHTML)`)).toEqual([]);
    const lefts = `[...new Set([...document.querySelectorAll('.scroll')].flatMap((scroll) => {
      const first = [...scroll.querySelectorAll('th')].find((one) => one.offsetParent !== null && !one.parentElement.parentElement.hidden);
      const left = first && first.getBoundingClientRect().left - scroll.getBoundingClientRect().left;
      return first === undefined ? [] : [left + parseFloat(getComputedStyle(first).paddingLeft)]; }))]`;
    expect(await tab.ask(lefts)).toEqual([14]);
    expect([...tab.requested].filter((origin) => origin !== 'null')).toEqual([new URL(url).origin]);
    expect(tab.complaints).toEqual([]);
    const folder = process.env['TICKWRIGHT_PICTURES'];
    if (folder === undefined) return;
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `exchange-${view.width}-${view.scheme}.png`), await tab.picture());
  });

  it('says over which time a market has changed that is younger than a day', async () => {
    await tab.open(exchange!.url, { width: 1280, height: 900, scheme: 'light' });
    await tab.until(
      `/^[+\\u2212]?[\\d.]+ ?in (?:\\d+ min )?\\d+ s$/.test(document.querySelector('#symbols td:nth-child(8)')?.textContent)`,
    );
    expect(await tab.ask('document.body.innerText.includes("24 h")')).toBe(false);
  });

  it('is used with the keyboard alone: every control and every table is reached, in the order in which they are seen', async () => {
    await tab.open(exchange!.url, { width: 1280, height: 900, scheme: 'light' });
    await tab.until(isIn('live'));
    const reached: unknown[] = [];
    for (let k = 0; k < 40 && reached.at(-1) !== 'admin'; k++) {
      await tab.press('Tab');
      const now = await tab.ask(active);
      // The names of the markets are buttons of one table.
      if (reached.at(-1) !== now) reached.push(now);
      expect(await tab.ask('getComputedStyle(document.activeElement).outlineStyle')).toBe('solid');
    }
    const [symbols, ...others] = SECTIONS;
    expect(reached).toEqual(['find', 'sort', `${symbols} rows`, symbols, ...others.map((section) => `${section} rows`), 'admin']);
    await tab.press('Tab');
    expect(await tab.ask('document.activeElement.textContent')).toBe('openapi.json');
  });

  it('scrolls a table, finds a market and sorts the markets with keys', async () => {
    await tab.open(exchange!.url, { width: 1280, height: 900, scheme: 'light' });
    await tab.until(isIn('live'));
    for (const key of ['e', 't', 'h']) {
      if (key === 'e') await tab.press('Tab');
      await tab.press(key);
    }
    await tab.until(`[...document.querySelectorAll('#symbols td.name')].map((one) => one.firstChild.textContent).join() === 'ETHUSDT'`);
    await tab.press('Tab');
    await tab.press('ArrowDown');
    await tab.until(`location.search === '?find=eth&sort=symbol'`);
    for (const _ of ['symbols', 'ETHUSDT', 'positions', 'orders']) await tab.press('Tab');
    await tab.press('End');
    await tab.until(`document.querySelector('#orders .scroll').scrollTop > 0`);
  });

  it.each([VIEWS[0]!, VIEWS[3]!])(
    'shows a market at $width pixels, takes an order by hand, and switches a fault on and off',
    async (view) => {
      await tab.open(exchange!.url, view);
      await tab.until(isIn('live'));
      await tab.ask(`[...document.querySelectorAll('#symbols button')].find(({ textContent: text }) => text === 'BTCUSDT').click()`);
      await tab.until(`document.querySelector('#candles canvas') !== null && document.querySelectorAll('#depth tbody tr').length > 2`);
      const fill = (form: string, fields: Readonly<Record<string, string>>): Promise<unknown> =>
        tab.ask(
          `for (const [name, value] of Object.entries(${JSON.stringify(fields)})) document.forms['${form}'].elements[name].value = value;
        document.forms['${form}'].requestSubmit()`,
        );
      const says = (text: string): Promise<void> => tab.until(`document.getElementById('admin-said').textContent.includes('${text}')`);
      await fill('by-hand', { size: '0.01' });
      await says('Type the admin token first');
      await tab.ask(`document.forms['faults'].elements.token.value = 'a guess'`);
      await fill('by-hand', { size: '0.01' });
      await says('expected the header');
      await tab.ask(`document.forms['faults'].elements.token.value = '${TOKEN}'`);
      await fill('by-hand', { account: 'account-2', leg: 'LONG OPEN', size: '0.01', price: '100.0' });
      await says('The exchange took the order: fu-');
      await fill('by-hand', { size: '0.00001', price: '' });
      await says('Open Size decimal');
      await fill('faults', { fault: 'drop', endpoints: 'E12' });
      await says('The fault drop is on.');
      await tab.until(`document.getElementById('facts').innerText.includes('drop')`);
      await tab.ask(`document.getElementById('no-faults').click()`);
      await says('All faults have ended.');
      await tab.until(
        `[...document.querySelectorAll('#depth tr')].some(({ innerText: text }) => text.includes('100.00') && /0\\.0[12]0/.test(text))`,
      );
      expect(await tab.violations()).toEqual([]);
      expect(await tab.ask('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
      expect(tab.complaints.filter((one) => !/ 40[13] /.test(one))).toEqual([]);
      const folder = process.env['TICKWRIGHT_PICTURES'];
      if (folder !== undefined) writeFileSync(join(folder, `exchange-market-${view.width}-${view.scheme}.png`), await tab.picture());
    },
  );

  it('says that the exchange is gone, as readable as before', async () => {
    await tab.open(exchange!.url, { width: 1280, height: 900, scheme: 'dark' });
    await tab.until(isIn('live'));
    await exchange!.close();
    exchange = null;
    await tab.until(isIn('gone'));
    expect(await tab.ask(`document.getElementById('state').innerText`)).toMatch(/^no answer since \d\d:\d\d:\d\d$/);
    expect(await tab.violations()).toEqual([]);
  });
});
