/** The page of a report in a real browser, with 100,000 fills: it draws, asks for nothing, is small, and opens in a second. */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeReportPage } from '../../../src/run/report/report-files.ts';
import { hasChromium, openTab, type Tab } from '../../support/processes/browser.ts';
import { busyRun } from '../../support/backtest/report-runs.ts';

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
    { width: 1440, height: 900, scheme: 'light' },
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
