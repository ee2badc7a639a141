/** The page of a report in a real browser, with 100,000 fills: it draws, asks for nothing, is small, and opens in a second. */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeReportPage } from '../../../src/run/report/report-files.ts';
import { hasChromium, openTab, type Tab } from '../../support/processes/browser.ts';
import { busyRun, heldRun, indicatorRun } from '../../support/backtest/report-runs.ts';

/** What the chart of prices shows: see price-chart.js. */
interface Price {
  readonly barMs: number;
  readonly sight: readonly [number, number];
  readonly chosen: readonly (number | string)[] | null;
  readonly middles: readonly [number, number][];
  readonly breaks: readonly (readonly number[])[];
}

/** A second on a quiet machine; tests share theirs. */
const OPEN_MS = Number(process.env['TICKWRIGHT_OPEN_MS'] ?? 60_000);
const isThere = hasChromium('the page of a report');

describe('a page of 100,000 fills', () => {
  let folder = '';
  let file = '';
  let fills = 0;
  let tab: Tab | null = null;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'report-browser-'));
    file = join(folder, 'report.html');
    const report = await busyRun(folder, 230_000);
    fills = report.fills.length;
    writeReportPage(file, report);
    if (isThere) tab = await openTab();
  });
  afterAll(async () => {
    await tab?.close();
    rmSync(folder, { recursive: true });
  });

  it('has at most 3 MB', () => {
    console.info(`the page of 100,000 fills has ${(statSync(file).size / 1e6).toFixed(2)} MB`);
    expect(fills).toBeGreaterThanOrEqual(100_000);
    expect(statSync(file).size).toBeLessThanOrEqual(3_000_000);
  });

  it.skipIf(!isThere).each([
    { width: 1280, height: 900, scheme: 'light' },
    { width: 390, height: 844, scheme: 'dark' },
  ] as const)('draws every chart at $width pixels without a complaint, a request or a side scroll', async (view) => {
    await tab!.open(pathToFileURL(file).href, view);
    const drawn = 'document.documentElement.dataset.drawn';
    await tab!.until(`${drawn} !== undefined`);
    expect(await tab!.ask(`[...document.querySelectorAll('.chart')].every((one) => one.querySelector('canvas, .none') !== null)`)).toBe(
      true,
    );
    expect(Number(await tab!.ask(drawn))).toBeGreaterThanOrEqual(7);
    expect(await tab!.ask('document.documentElement.scrollWidth')).toBe(view.width);
    const cut = `[...document.querySelectorAll('nav a')].filter((one) => one.getBoundingClientRect().right > innerWidth).length`;
    if (view.width > 700) expect(await tab!.ask(cut), 'links that are cut off').toBe(0);
    expect(await tab!.ask('document.title')).toMatch(/^Backtest of /);
    expect(tab!.complaints).toEqual([]);
    // Pages of the disk have the origin "null".
    expect([...tab!.requested]).toEqual(['null']);
    expect(await tab!.ask(`performance.getEntriesByType('resource').length`)).toBe(0);
    const ms = Number(await tab!.ask('performance.timing.loadEventEnd - performance.timing.navigationStart'));
    console.info(`opened and drawn in ${ms} ms`);
    expect(ms).toBeGreaterThan(0);
    expect(ms).toBeLessThan(OPEN_MS);
  });

  it.skipIf(!isThere)('shows the bars of a trade that is clicked in a list or on the chart, and finer ones on zoom', async () => {
    const { report } = await indicatorRun(folder);
    const own = join(folder, 'indicators.html');
    writeReportPage(own, report);
    await tab!.open(pathToFileURL(own).href, { width: 1280, height: 900, scheme: 'dark' });
    await tab!.until('document.documentElement.dataset.drawn !== undefined');
    const price = async (): Promise<Price> => (await tab!.ask('window.report.price()')) as Price;
    const whole = await price();
    expect(whole).toMatchObject({ barMs: 600_000, chosen: null });
    const names = `[...document.querySelectorAll('#price-lines label')].map((one) => one.textContent)`;
    expect(await tab!.ask(names)).toEqual([
      'ema(10) 5m',
      'donchian(8) 15m: upper',
      'donchian(8) 15m: middle',
      'donchian(8) 15m: lower',
      'own',
    ]);

    await tab!.ask(`document.querySelector('#best-trades .go').click()`);
    const best = await price();
    const { openedAt, closedAt, net } = report.trades.toSorted((a, b) => Number(b.net) - Number(a.net))[0]!;
    expect([best.barMs, best.chosen![0], best.chosen![1], best.chosen![7]]).toEqual([60_000, openedAt, closedAt, net]);
    expect(best.sight[0]).toBeLessThan(openedAt);
    expect(best.sight[1]).toBeGreaterThan(closedAt);
    expect(await tab!.ask(`document.getElementById('price-caption').textContent`)).toMatch(
      /^BTCUSDT, bars of 1m · trade \d+ of \d+, 2025-/,
    );

    await tab!.ask(`document.getElementById('price-all').click()`);
    expect(await price()).toMatchObject({ barMs: 600_000, chosen: null });
    // A wheel over the chart, again and again.
    const canvas = `document.querySelector('#chart-price canvas')`;
    await tab!.ask(`document.getElementById('price').scrollIntoView({ behavior: 'instant' })`);
    const zoom = `for (let k = 0; k < 40; k++) { const { x, y, width } = ${canvas}.getBoundingClientRect();
      ${canvas}.dispatchEvent(new WheelEvent('wheel', { deltaY: -400, clientX: x + width / 2, clientY: y + 50, bubbles: true, cancelable: true })); }`;
    await tab!.ask(`(() => { ${zoom} })()`);
    await tab!.until('window.report.price().barMs === 60000');
    const near = await price();
    expect(near.sight[1] - near.sight[0]).toBeLessThan((whole.sight[1] - whole.sight[0]) / 4);

    const [k, [x, y]] = near.middles
      .map((middle, place): [number, [number, number]] => [place, middle])
      .find(([, [at]]) => at > 300 && at < 900)!;
    await tab!.click(x, y);
    await tab!.until('window.report.price().chosen !== null');
    expect((await price()).chosen![0]).toBe(report.trades[k]!.openedAt);
    expect(tab!.complaints).toEqual([]);
  });

  it.skipIf(!isThere)('shows a position that is still open, and no line across a gap of its points', async () => {
    const own = join(folder, 'held.html');
    const report = await heldRun(folder);
    writeReportPage(own, report);
    await tab!.open(pathToFileURL(own).href, { width: 1280, height: 900, scheme: 'light' });
    await tab!.until('document.documentElement.dataset.drawn !== undefined');
    expect(await tab!.ask(`document.getElementById('price-count').textContent`)).toBe('1 trade; a position is still open, dashed');
    const { breaks, middles } = (await tab!.ask('window.report.price()')) as Price;
    const { lines } = report.market[0]!.drawing!;
    const wanted = lines.map(({ name, time }) => time.filter((at, k) => time[k + 1]! - at > (name === 'own' ? 3_600_000 : 300_000)));
    expect(wanted.map(({ length }) => length).toSorted((one, other) => one - other)).toEqual([0, 0, 0, 0, 1, 79]);
    expect([breaks, middles.length]).toEqual([wanted, 2]);
    await tab!.ask(`document.getElementById('trade-before').click()`);
    const words = await tab!.ask(`document.getElementById('price-caption').textContent`);
    expect(words).toMatch(/ · open position, .*: long [\d.,]+, in → [\d.,]+ at the last price, still open$/);
    expect(tab!.complaints).toEqual([]);
  });

  it.skipIf(!isThere)('sorts the list of all trades by a key on the title of a column', async () => {
    await tab!.open(pathToFileURL(file).href, { width: 1280, height: 900, scheme: 'light' });
    await tab!.until('document.documentElement.dataset.drawn !== undefined');
    const table = `document.querySelector('table.sortable')`;
    const column = `[...${table}.tBodies[0].rows].map((row) => Number(row.cells[8].dataset.value))`;
    const state = `${table}.tHead.rows[0].cells[8].ariaSort`;
    await tab!.ask(`${table}.closest('details').open = true`);
    await tab!.ask(`${table}.tHead.rows[0].cells[8].firstElementChild.focus()`);
    const before = (await tab!.ask(column)) as number[];
    const most = before.toSorted((a, b) => b - a);
    expect(before.length).toBeGreaterThan(100);
    expect(before).not.toEqual(most);
    await tab!.press('Enter');
    expect([await tab!.ask(column), await tab!.ask(state)]).toEqual([most, 'descending']);
    await tab!.press('Enter');
    expect([await tab!.ask(column), await tab!.ask(state)]).toEqual([most.toReversed(), 'ascending']);
  });
});
