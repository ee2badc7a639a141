/**
 * The dashboard in a real browser, on a monitor that is played: what a person sees at the width of a phone, a laptop and a monitor, what the
 * keyboard does, what axe-core finds, and what the page does when it hears nothing. With TICKWRIGHT_PICTURES=FOLDER it leaves pictures there.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { Passphrase, passphraseFile } from '../../../src/edge/web/passphrase.ts';
import { dashboardFiles } from '../../../src/run/monitor/page-files.ts';
import { hasChromium, openTab, type Tab, type View } from '../../support/processes/browser.ts';
import { openPlayedMonitor, type PlayedMonitor } from '../../support/monitor/dashboard-server.ts';
import { openDashboard, PHONE, shows } from '../../support/monitor/opened-dashboard.ts';

const HOSTILE = '<img src=x onerror="document.title=1"><script>document.title=2</script>';
const LAPTOP: View = { width: 1280, height: 900, scheme: 'light' };
const VIEWS: readonly View[] = [390, 1280, 1920].flatMap((width) =>
  (['light', 'dark'] as const).map((scheme) => ({ width, height: 900, scheme })),
);
/** A word of each page that stands there only once its rows have come. */
const PAGES: Readonly<Record<string, string>> = {
  live: 'held by the venue',
  strategies: 'fast = 12',
  orders: 'tw-1-43',
  fills: 'order 39',
  limits: 'max-notional',
  performance: 'stop-loss',
  log: 'read-failed',
  searches: 'fast=8',
  sessions: 'nothing traded',
};

const PATIENCE = { timeout: 60_000, interval: 20 };
const focused = 'document.activeElement.id || document.activeElement.textContent';

/** Counts pixels of a colour of the scheme on the canvases of the chart, and finds columns that have it from top to bottom. */
const PIXELS = `
  globalThis.looks = () => {
    const canvas = [...document.querySelectorAll('#chart canvas')].sort((a, b) => b.width * b.height - a.width * a.height);
    return canvas.filter(({ width }) => width === canvas[0].width).map((one) => one.getContext('2d').getImageData(0, 0, one.width, one.height));
  };
  globalThis.isNear = ({ data }, at, [red, green, blue], far) =>
    Math.abs(data[at] - red) + Math.abs(data[at + 1] - green) + Math.abs(data[at + 2] - blue) <= far && data[at + 3] > 120;
  globalThis.colorOf = (name) =>
    [1, 3, 5].map((k) => parseInt(getComputedStyle(document.documentElement).getPropertyValue('--' + name).trim().slice(k, k + 2), 16));
  globalThis.pixelsOf = (name, far = 12) => {
    let count = 0;
    for (const image of looks()) for (let at = 0; at < image.data.length; at += 4) if (isNear(image, at, colorOf(name), far)) count++;
    return count;
  };
  globalThis.columnsOf = (name) => {
    const found = [];
    for (const image of looks())
      for (let x = 0; x < image.width; x++) {
        let high = 0;
        for (let y = 0; y < image.height; y++) if (isNear(image, 4 * (y * image.width + x), colorOf(name), 12)) high++;
        if (high > 0.8 * image.height) found.push(x);
      }
    return found;
  };
  undefined`;

async function pictured(tab: Tab, name: string): Promise<void> {
  const folder = process.env['TICKWRIGHT_PICTURES'];
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `dashboard-${name}.png`), await tab.picture());
}

describe.skipIf(!hasChromium('the dashboard'))('the dashboard in a browser', () => {
  const files = dashboardFiles();
  let tab: Tab;
  let monitor: PlayedMonitor;
  const open = async (view: View, options: Parameters<typeof openPlayedMonitor>[1] = {}, page = 'live'): Promise<void> => {
    monitor = await openDashboard(tab, files, { page, view, options, until: shows(PAGES[page]!) });
  };

  beforeAll(async () => {
    tab = await openTab();
  });
  afterAll(async () => {
    await tab?.close();
  });
  afterEach(async () => {
    // Whatever happened, no part of the page has failed.
    if ((await tab.ask(`document.getElementById('failed')?.hidden`)) !== true) throw new Error('a part of the page has failed');
    await monitor?.close();
  });

  it.each(VIEWS)('shows every page at $width pixels, $scheme, without a complaint of the browser or of axe', async (view) => {
    monitor = await openPlayedMonitor(files);
    for (const [page, word] of Object.entries(PAGES)) {
      await tab.open(`${monitor.url}#${page}`, view);
      await tab.until(shows(word));
      if (page === 'live') await tab.until(`document.querySelector('#chart canvas') !== null`);
      expect({ page, found: await tab.violations() }).toEqual({ page, found: [] });
      expect({ page, fits: await tab.ask('document.documentElement.scrollWidth <= innerWidth') }).toEqual({ page, fits: true });
      const low = `[...document.querySelectorAll('button, input, select, nav a, summary')].filter((one) => one.getBoundingClientRect().height < 44)`;
      expect({ page, low: await tab.ask(`${low}.map((one) => one.textContent)`) }).toEqual({ page, low: [] });
      expect({ page, complaints: tab.complaints }).toEqual({ page, complaints: [] });
      expect([...tab.requested].filter((origin) => origin !== 'null')).toEqual([new URL(monitor.url).origin]);
      await pictured(tab, `${page}-${view.width}-${view.scheme}`);
    }
  });

  it('says what is unknown, who holds each stop and what ends each halt', async () => {
    await open(PHONE);
    const text = String(await tab.ask('document.body.innerText'));
    for (const words of [
      'PAPER',
      'at least; no bound: SOLUSDT, ETHUSDT',
      'watched by this process only',
      'no stop',
      'Ends by itself',
      '40.0 to 55.0 SOL',
    ])
      expect(text).toContain(words);
    // Each unknown value of a leg says why.
    expect(
      await tab.ask(`[...document.querySelectorAll('#at-risk .unknown')].map((one) => one.parentElement.innerText.replace(/\\s+/g, ' '))`),
    ).toEqual([
      'unknown not read yet',
      'unknown no price read yet',
      'unknown needs entry and mark',
      'unknown not read yet',
      'unknown an order of unknown outcome may have opened more',
      'unknown no bound: no stop at the venue, no liquidation price',
    ]);
    // A leg that no read shows, but that an order of unknown outcome may have opened.
    const sent = {
      number: 50,
      symbol: 'NEWUSDT',
      side: 'SHORT',
      effect: 'OPEN',
      state: 'unknown',
      size: '2.5',
      filled: '0.5',
      strategy: 'grid',
    };
    monitor.change('order', { ...sent, price: '', trigger: '', reason: '', updatedAt: Date.now(), createdAt: Date.now() });
    await tab.until(
      `[...document.querySelectorAll('#at-risk tr')].some(({ innerText: row }) => row.includes('NEWUSDT') && row.includes('0.0 to 2.0'))`,
    );
  });

  it('halts with the first press of STOP by keyboard, lists what goes further, and flattens after a hold', async () => {
    await open(PHONE);
    await tab.press('Tab');
    expect(await tab.ask(focused)).toBe('stop');
    await tab.press('Enter');
    await tab.until(shows('No opening order leaves any more.'));
    expect(monitor.sent).toEqual([{ path: '/api/stop', body: { why: 'STOP on the page' } }]);
    for (const words of ['12 ms', 'Closes 3 positions', 'BTCUSDT LONG 0.500', 'tickwright resume'])
      expect(await tab.ask(shows(words))).toBe(true);
    await tab.until(shows('Hold: Resume'));
    // Close, resume, reduce only, cancel all: then flatten.
    for (let k = 0; k < 5; k++) await tab.press('Tab');
    expect(await tab.ask(focused)).toBe('Hold: Flatten');
    await tab.press(' ');
    await tab.press('Enter');
    expect(monitor.sent.length).toBe(1);
    await tab.ask(`document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: ' ', bubbles: true }))`);
    await expect.poll(() => monitor.sent.at(-1)).toEqual({ path: '/api/commands/flatten', body: { why: 'the page' } });
    // The way back is the first of them. This monitor wants no passphrase.
    await tab.ask(`document.querySelector('#stop-menu .hold').dispatchEvent(new KeyboardEvent('keydown', { key: ' ', bubbles: true }))`);
    await expect.poll(() => monitor.sent.at(-1)).toEqual({ path: '/api/commands/resume', body: { why: 'the page' } });
    await tab.press('Escape');
    await tab.until(`document.getElementById('stop-menu') === null`);
  });

  it('greys when it hears nothing, says so, and STOP still works', async () => {
    await open(LAPTOP);
    monitor.setSilent(true);
    await tab.until(`document.querySelector('.grey') !== null`);
    // Ages may make it grey first.
    await tab.until(shows('The monitor sends nothing.'));
    expect(await tab.violations()).toEqual([]);
    await tab.ask(`document.getElementById('stop').click()`);
    await tab.until(shows('No opening order leaves any more.'));
    monitor.setSilent(false);
    await tab.until(`document.querySelector('.grey') === null`);
  });

  it('says that the bot is lost, and what to type when the monitor is gone too', async () => {
    await open(LAPTOP);
    monitor.change('connection', { state: 'lost', since: Date.now(), heardAt: Date.now(), cause: 'its socket is closed' });
    await tab.until(shows('The bot gives no answer: its socket is closed'));
    await monitor.close();
    await tab.until(`document.querySelector('.stale').innerText.includes('does not reach the monitor')`);
    await tab.ask(`document.getElementById('stop').click()`);
    await tab.until(shows('Type “tickwright halt” on the machine of the bot'));
  });

  it('believes no other program that took the port of the monitor, and sends it no second command', async () => {
    await open(LAPTOP);
    monitor.takePort();
    await tab.ask(`document.getElementById('stop').click()`);
    await tab.until(shows('another program has its port'));
    expect(await tab.ask(shows('No opening order leaves any more.'))).toBe(false);
    await tab.until(`document.getElementById('stop') === null`);
  });

  it('reads ages by the clock of the monitor, not by the times of changes that a stream repeats', async () => {
    await open(LAPTOP);
    const halt = { scope: 'bot', code: 'operator', detail: 'an old line', since: Date.now(), by: 'ann', ends: 'tickwright resume' };
    // Each status of the monitor takes the halt away again.
    const again = setInterval(() => monitor.change('halts', [halt], Date.now() - 3_600_000), 50);
    try {
      await tab.until(shows('an old line'));
      expect(await tab.ask(`document.querySelector('.proof').innerText`)).toMatch(/^positions read \d+ s ago$/);
      expect(await tab.ask(`document.querySelector('.grey') === null`)).toBe(true);
    } finally {
      clearInterval(again);
    }
  });

  it('says "not read yet" while the positions have not been read', async () => {
    await open(LAPTOP);
    monitor.setSilent(true);
    monitor.change('status', {
      ...monitor.status(),
      phase: 'starting',
      readAt: { equity: Date.now(), orders: 0, positions: 0, prices: 0 },
    });
    await tab.until(shows('positions not read yet'));
  });

  it('greys after two missed reads also when the reads before came with long gaps between them', async () => {
    await open(LAPTOP);
    monitor.setSilent(true);
    const at = Date.now();
    const readBefore = (age: number): void =>
      monitor.change('status', { ...monitor.status(), readAt: { equity: at, orders: at, positions: at - age, prices: at } });
    for (const age of [91_000, 30_000, 29_000, 28_000, 27_000, 26_000]) readBefore(age);
    // The bot goes on to say how it is.
    const again = setInterval(() => readBefore(26_000), 500);
    try {
      await tab.until(shows('Two reads of the positions are overdue.'));
    } finally {
      clearInterval(again);
    }
  });

  it('draws lines of the strategy, notes, halts that are over and times without prices on the chart', async () => {
    await open(LAPTOP);
    await tab.until(`document.querySelector('#chart canvas') !== null`);
    await tab.ask(PIXELS);
    // The first line of a strategy is blue, the second violet; candles are green and red.
    await tab.until(`pixelsOf('violet') > 100`);
    // A halt that is over: an edge where it began, and one where it ended.
    expect(await tab.ask(`columnsOf('down').filter((x, k, all) => x > (all[k - 1] ?? -9) + 5).length`)).toBe(2);
    expect(await tab.ask(`pixelsOf('hold', 90) > 300`)).toBe(true);
    // Under the pointer: prices, values of the lines, and what the strategy noted in that minute.
    const pointed = async (share: number): Promise<string> => {
      const [x, y] = (await tab.ask(`(() => {
        const place = document.querySelector('#chart .chart');
        place.scrollIntoView({ block: 'center' });
        const { left, width, top, height } = place.getBoundingClientRect();
        return [left + ${share} * width, top + height / 2];
      })()`)) as [number, number];
      await tab.point(x, y);
      return String(await tab.ask(`document.querySelector('.told').innerText`));
    };
    await expect.poll(() => pointed(0.3), PATIENCE).toMatch(/^..:..:.. .* · slow [\d.\u202f]+ · rsi [\d.]+$/);
    monitor.change('note', { strategy: 'ema-cross', symbol: 'BTCUSDT', text: 'a note of now' });
    let share = 0.7;
    await expect.poll(() => pointed((share = share > 0.95 ? 0.7 : share + 0.004)), PATIENCE).toContain('ema-cross: “a note of now”');
    await pictured(tab, 'chart');
  });

  it.each(['live', 'strategies'])('moves nothing while figures change: %s', async (page) => {
    await open(PHONE, {}, page);
    if (page === 'live') await tab.until(`document.querySelector('#chart canvas') !== null`);
    monitor.setSilent(true);
    await tab.ask(`globalThis.shifts = []; new PerformanceObserver((list) => shifts.push(...list.getEntries()
      .map(({ value, sources }) => [value, sources.map(({ node }) => (node?.parentElement ?? node)?.outerHTML?.slice(0, 200))])))
      .observe({ type: 'layout-shift' }); undefined`);
    const updates = Number(process.env['TICKWRIGHT_UPDATES'] ?? 12);
    for (let k = 0; k < updates; k++) {
      const status = monitor.status();
      const today = { ...status['today'], net: String(10 ** (k % 5) - 2_000) };
      monitor.change('status', {
        ...status,
        equity: `${10 ** (k % 6)}.37`,
        today,
        memory: { ...status['memory'], heapMb: 48 + 10 ** (k % 4) },
      });
      for (const symbol of ['BTCUSDT', 'ETHUSDT'])
        monitor.change('quotes', [{ symbol, bid: `${60_000 + k}.1`, ask: `${60_000 + k}.3`, last: `${60_000 + k}.2`, time: Date.now() }]);
      await sleep(260);
    }
    expect(await tab.ask('shifts')).toEqual([]);
  });

  it('says how near each limit is, what is not known of it, and what happens at 100 %', async () => {
    await open(PHONE, {}, 'limits');
    await tab.until(shows('maxDailyLoss'));
    const rows = `[...document.querySelectorAll('#levels tbody tr')].map((row) => [...row.cells].map((cell) => cell.innerText.replace(/\\s+/g, ' ').trim()))`;
    expect(await tab.ask(rows)).toEqual([
      ['maxSpread SOLUSDT', 'unknown', '0.50 %', 'unknown', 'opens are refused'],
      ['maxNotionalPosition ETHUSDT SHORT', '36 855 USDT', '40 000 USDT', '▲ 92 %', 'opens are refused'],
      ['maxDailyLoss the whole bot', '12.00 USDT', '100.00 USDT', '12 %', 'opens halt, orders are cancelled'],
      ['maxIntentsPerSecond grid', '1', '50', '2 %', 'commands are refused'],
    ]);
    expect(await tab.ask(`document.querySelectorAll('#levels meter').length`)).toBe(3);
  });

  it('changes a parameter and the symbols of a strategy with a held button and the passphrase, and says what the bot answers', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tickwright-'));
    const file = join(folder, 'passphrase.json');
    writeFileSync(file, passphraseFile('of the test', 1_000));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    await open(PHONE, { passphrase: new Passphrase({ file, now: () => performance.now() }) }, 'strategies');
    const prove = async (text: string): Promise<void> => {
      await tab.until(`document.querySelector('#passphrase input') === document.activeElement`);
      for (const key of text) await tab.press(key);
      await tab.press('Enter');
    };
    expect(await tab.ask(shows('fast = 12 (set by hand; configured: 9)'))).toBe(true);
    expect(await tab.ask(shows('SOLUSDT added'))).toBe(true);
    await tab.ask(`document.querySelector('#strategy-ema-cross .change').open = true`);
    await tab.until(`document.querySelector('#strategy-ema-cross .change input') !== null`);
    const typed = async (label: string, text: string): Promise<void> => {
      await tab.ask(
        `[...document.querySelectorAll('#strategy-ema-cross label')].find((one) => one.innerText.startsWith('${label}')).querySelector('input').focus()`,
      );
      for (const key of text) await tab.press(key);
    };
    const hold = async (label: string): Promise<void> => {
      const button = `[...document.querySelectorAll('#strategy-ema-cross .hold')].find((one) => one.innerText === ${JSON.stringify(label)})`;
      await tab.until(`${button} !== undefined`);
      await tab.ask(`${button}.dispatchEvent(new KeyboardEvent('keydown', { key: ' ', bubbles: true }))`);
    };
    await typed('New value', '10');
    await hold('Hold: set fast to 10');
    const last = (): unknown => monitor.sent.at(-1);
    await prove('a guess');
    await tab.until(shows('The passphrase was wrong. Nothing has changed.'));
    expect([monitor.sent, await tab.violations()]).toEqual([[], []]);
    expect(await tab.ask(shows('ema-cross: fast from 12 to 10'))).toBe(true);
    expect(await tab.ask(`document.querySelector('.change p[aria-live]').innerText`)).toBe(
      'fast=10: not applied, waits for your passphrase.',
    );
    expect(await tab.ask(`[...document.querySelectorAll('#passphrase button')].map((one) => one.innerText)`)).toEqual([
      'Apply',
      'Cancel, change nothing',
    ]);
    await pictured(tab, 'passphrase');
    await tab.press('Escape');
    await tab.until(shows('fast=10: not applied. No passphrase was typed: nothing was done.'));
    await hold('Hold: set fast to 10');
    await prove('of the test');
    await expect
      .poll(last, PATIENCE)
      .toEqual({ path: '/api/commands/set', body: { strategy: 'ema-cross', assignment: 'fast=10', why: 'the page' } });
    await tab.until(`/fast=10: opens of the bot .*No opening order leaves any more/s.test(document.body.innerText)`);
    await hold('Hold: fast back to 9, as configured');
    await prove('of the test');
    await expect
      .poll(last, PATIENCE)
      .toEqual({ path: '/api/commands/set', body: { strategy: 'ema-cross', assignment: 'fast=', why: 'the page' } });
    await typed('Symbol', 'XRPUSDT');
    await hold('Hold: add XRPUSDT');
    await prove('of the test');
    await expect
      .poll(last, PATIENCE)
      .toEqual({ path: '/api/commands/add', body: { symbol: 'XRPUSDT', strategy: 'ema-cross', why: 'the page' } });
    for (let k = 0; k < 'XRPUSDT'.length; k++) await tab.press('Backspace');
    await typed('Symbol', 'SOLUSDT');
    // What becomes of an open position is chosen, never assumed.
    await tab.until(shows('Choose what becomes of SOLUSDT LONG 40.0 first.'));
    await tab.ask(`(() => {
      const choice = [...document.querySelectorAll('#strategy-ema-cross label')].find((one) => one.innerText.startsWith('SOLUSDT LONG 40.0 is open:'));
      choice.querySelector('select').value = 'flatten';
      choice.querySelector('select').dispatchEvent(new Event('change', { bubbles: true }));
    })()`);
    await hold('Hold: remove SOLUSDT');
    await expect.poll(last, PATIENCE).toEqual({
      path: '/api/commands/remove',
      body: { symbol: 'SOLUSDT', strategy: 'ema-cross', position: 'flatten', why: 'the page' },
    });
    // What the text on disk would have done is shown before it can be given to the bot.
    const holds = `[...document.querySelectorAll('#strategy-ema-cross .hold')].map((one) => one.innerText).filter((text) => text.includes('reload'))`;
    const show = `[...document.querySelectorAll('#strategy-ema-cross button')].find((one) => one.innerText.startsWith('Show what the text'))`;
    await tab.until(`${show} !== undefined`);
    expect(await tab.ask(holds)).toEqual([]);
    await tab.ask(`${show}.click()`);
    await tab.until(shows('only the text on disk: open BTCUSDT LONG 0.250 at 60100.0'));
    expect(await tab.ask(shows('▼ worse by 44.40'))).toBe(true);
    await hold('Hold: reload ema-cross with 1f0c2aa94b7e');
    await prove('of the test');
    await expect
      .poll(last, PATIENCE)
      .toEqual({ path: '/api/commands/reload', body: { strategy: 'ema-cross', sha256: '1f0c2aa94b7e0d1c', why: 'the page' } });
    await tab.ask(`document.querySelector('#strategy-grid .change').open = true`);
    await tab.until(shows('failed: onQuote threw: step is undefined. It runs the text from before'));
    expect(await tab.violations()).toEqual([]);
    await pictured(tab, 'change');
  });

  it('says why nothing is traded, and what became of an order', async () => {
    await open(LAPTOP, {}, 'limits');
    await tab.ask(`[...document.querySelectorAll('button')].find(({ innerText: text }) => text === 'Why is it not trading?').click()`);
    await tab.until(shows('the whole bot is halted'));
    expect(await tab.ask(shows('Changed by tickwright resume'))).toBe(true);
    expect(await tab.violations()).toEqual([]);
    await tab.ask(`document.querySelector('.why-place .quiet').click(); location.hash = '#orders'`);
    await tab.until(shows('tw-1-43'));
    await tab.ask(`document.querySelector('#orders .sentence').click()`);
    await tab.until(shows('request: sent'));
  });

  it('lets a view session look, and says why it cannot act', async () => {
    await open(LAPTOP, { role: 'view' });
    expect(await tab.ask(`document.getElementById('stop').ariaDisabled + document.getElementById('stop').innerText`)).toMatch(
      /true.*view only/s,
    );
    await tab.ask(`document.getElementById('stop').click(); location.hash = '#strategies'`);
    await tab.until(shows('This session may only look.'));
    expect(monitor.sent).toEqual([]);
  });

  it('takes no text of a venue or a strategy for markup', async () => {
    await open(LAPTOP, { hostile: HOSTILE });
    for (const [page, word] of Object.entries(PAGES)) {
      await tab.ask(`location.hash = '#${page}'`);
      await tab.until(shows(page === 'limits' ? word : '<img src=x'));
      expect(await tab.ask(`[document.title, document.querySelectorAll('#page img, #page script, [onerror]').length]`)).toEqual([
        'Tickwright',
        0,
      ]);
    }
  });

  it.each(VIEWS.filter(({ scheme }) => scheme === 'light'))(
    'moves nothing at $width pixels while it loads and is updated',
    async (view) => {
      await open(view);
      await tab.until(`document.querySelector('#chart canvas') !== null`);
      // Two updates come in this time. What is counted is the share of the screen that moved, times how far.
      const moved = await tab.ask(`new Promise((done) => {
      let sum = 0;
      const take = (list) => list.getEntries().forEach(({ value }) => (sum += value));
      new PerformanceObserver(take).observe({ type: 'layout-shift', buffered: true });
      setTimeout(() => done(sum), 2500);
    })`);
      console.info(`layout shift at ${view.width} pixels: ${Number(moved).toFixed(3)}`);
      expect(moved).toBeLessThan(0.05);
    },
  );

  it('shows profit by day and the results of closing orders, and leaves out what is not known', async () => {
    await open(PHONE, {}, 'performance');
    await tab.until(shows('Results of closing orders'));
    await tab.until(`document.querySelectorAll('.month').length > 0 && document.querySelectorAll('.bars li').length > 2`);
    const today = new Date().toISOString().slice(0, 10);
    expect(await tab.ask(`document.querySelector('[aria-label^="${today}: "]').ariaLabel`)).toBe(`${today}: +36.73, 12 fills`);
    // Each seventh fill of the played bot has no fee yet.
    expect(await tab.ask('document.querySelector("#distribution").innerText')).toContain('left out: a profit or a fee is not known');
  });

  it('runs no part of a program that took the port of the monitor', async () => {
    const path = '/app/monitor/page/later/results.js';
    const other = gzipSync('document.title = "taken"; export const Calendar = () => "taken"; export const Distribution = Calendar;');
    const taken = { ...files, files: new Map(files.files).set(path, { ...files.files.get(path)!, gzip: other }) };
    monitor = await openPlayedMonitor(taken);
    await tab.open(`${monitor.url}#performance`, LAPTOP);
    await tab.until(shows('could not be loaded'));
    expect(await tab.ask('document.title')).not.toBe('taken');
  });

  it('is ready within a second with 1,000 symbols and 100,000 fills, and weighs at most 150 kB', async () => {
    await open(LAPTOP, { symbols: 1000, fills: 100_000 });
    await tab.until(`document.querySelector('#chart canvas') !== null`);
    // Processor time of the page, which does not depend on what else the machine does.
    const busy = await tab.busyMs();
    const waited = await tab.ask(`Math.round(performance.getEntriesByName('ready')[0].startTime)`);
    console.info(`ready after ${String(waited)} ms; ${Math.round(busy)} ms of processor time with the chart`);
    expect(busy).toBeLessThan(1000);
    const sizeOf = (paths: Iterable<string>): number => [...paths].reduce((sum, path) => sum + files.files.get(path)!.gzip.length, 0);
    const fetched = (await tab.ask(`performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname)`)) as string[];
    const later = sizeOf(files.later);
    // Counted with what the first screen fetches by itself.
    const first = [...files.later].filter((path) => fetched.includes(path));
    expect(first).toEqual(['/app/monitor/page/later/events.js']);
    const bytes = sizeOf(files.files.keys()) - later + sizeOf(first);
    console.info(`${bytes} bytes compressed, and ${later} in ${files.later.size} parts when they are first shown`);
    expect(bytes).toBeLessThan(150_000);
    // A part that is fetched later costs no more than a picture.
    for (const path of files.later) expect(sizeOf([path]), path).toBeLessThan(20_000);
  });
});
