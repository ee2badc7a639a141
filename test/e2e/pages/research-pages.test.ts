/** The pages of a search, a walk-forward, a Monte Carlo, a run and two runs, written by the commands and read in a real browser. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { SearchResult } from '../../../src/report/research/search-result.ts';
import type { RunReport } from '../../../src/report/run-report.ts';
import { hasChromium, openTab, type Tab } from '../../support/processes/browser.ts';
import { withoutProgress } from '../../support/processes/shell-document.ts';
import { cleanUp, runToEnd } from '../process.ts';

const isThere = hasChromium('the pages of research');
const CROSS = ['--strategy', 'strategies/ema-cross.ts', '--every-tick'];
const SPACE = ['--param', 'fast=2..10', '--param', 'slow=11..60', '--param', 'bar=500ms,1s,2s', '--sampler', 'random', '--workers', '1'];

describe('pages of research', () => {
  let folder = '';
  let tab: Tab | null = null;
  const file = (name: string): string => join(folder, name);
  const run = async (...args: readonly string[]): Promise<void> => {
    const { err, code } = await runToEnd([...args]);
    expect({ code, err: withoutProgress(err) }).toEqual({ code: 0, err: expect.stringMatching(/^(Written: .*\n)*$/) });
  };
  const read = (name: string): SearchResult => JSON.parse(readFileSync(file(name), 'utf8')) as SearchResult;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tickwright-pages-'));
    await run('tape', 'synth', '--out', file('tape'), '--symbol', 'BTCUSDT', '--duration', '3m', '--seed', '5');
    const tape = ['--tape', file('tape')];
    const search = ['--trials', '20', '--study', file('my.study'), '--by', 'totalReturn,maxDrawdown'];
    await run('optimize', ...CROSS, ...SPACE, ...tape, ...search, '--html', file('search.html'), '-o', file('search.json'));
    await run('walk-forward', ...CROSS, ...SPACE, ...tape, '--trials', '4', '--folds', '2', '--html', file('walk-forward.html'));
    await run('monte-carlo', ...CROSS, ...tape, '--curves', '100', '--runs', '2', '--markets', '2', '--html', file('monte-carlo.html'));
    await run('backtest', ...CROSS, ...tape, '--no-bracket', '-o', file('one.json'), '--html', file('one.html'));
    await run('backtest', ...CROSS, ...tape, '--param', 'fast=9', '--no-bracket', '-o', file('other.json'));
    await run('report', file('one.json'), '--compare', file('other.json'), '--html', file('both.html'));
    if (isThere) tab = await openTab();
  });
  afterEach(cleanUp);
  afterAll(async () => {
    await tab?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('are the same from the result as JSON, and from the file of the complete study', async () => {
    await run('report', file('search.json'), '--html', file('from-json.html'));
    await run('report', file('my.study'), '--html', file('from-study.html'));
    const page = readFileSync(file('search.html'), 'utf8');
    expect(readFileSync(file('from-json.html'), 'utf8')).toBe(page);
    expect(readFileSync(file('from-study.html'), 'utf8')).toBe(page);
    // Style and policy included.
    expect(page.length).toBeLessThan(300_000);
  });

  it('have the run of the best parameters beside them: its report names the search, what it explains of the result, and groups its notes', async () => {
    const [json, html] = [file('run.json'), file('run.html')];
    await run('backtest', ...CROSS, '--tape', file('tape'), '--study', file('my.study'), '--no-bracket', '-o', json, '--html', html);
    const { best, selectionBias, counts, searched } = read('search.json');
    const report = JSON.parse(readFileSync(json, 'utf8')) as RunReport;
    expect(report.search).toEqual({ trial: best?.number, trials: counts.done, searched, selectionBias });
    const values = Object.fromEntries(report.parameters.map(({ name, value }) => [name, value]));
    expect(values).toMatchObject({ fast: best?.params['fast'], slow: best?.params['slow'] });
    expect(report.noteTopics).toHaveLength(report.notes.length);
    const page = readFileSync(html, 'utf8');
    const texts = [`The parameters are those of trial ${best?.number}, the best of ${counts.done} on`, selectionBias!.cost!.sentence];
    const titles = ['The sample', 'What the strategy saw', 'What the model assumes'].map((title) => `<h3>${title}</h3>`);
    for (const text of [...texts, ...titles]) expect([text, page.includes(text)]).toEqual([text, true]);
    const other = await runToEnd(['backtest', '--strategy', 'strategies/grid.ts', '--tape', file('tape'), '--study', file('my.study')]);
    expect([other.code, other.err]).toEqual([2, expect.stringContaining('the study is of ema-cross, the run of grid')]);
    expect(report.notes.join()).not.toContain('another tape');
    await run('tape', 'cut', file('tape'), '--to', '2024-01-01T00:01', '--out', file('cut'));
    await run('backtest', ...CROSS, '--tape', file('cut'), '--study', file('my.study'), '--no-bracket', '-o', json);
    expect((JSON.parse(readFileSync(json, 'utf8')) as RunReport).notes.at(-1)).toMatch(/a study on another tape/);
  });

  it('say in which state a study is that is not complete', async () => {
    const { err, code } = await runToEnd(['report', file('tape/tape.json')]);
    expect([code, err]).toEqual([2, expect.stringContaining('expected a report')]);
  });

  const views = [
    { width: 1280, height: 900, scheme: 'light' },
    { width: 390, height: 844, scheme: 'dark' },
  ] as const;
  const pages = ['search', 'walk-forward', 'monte-carlo'].flatMap((name) => views.map((view) => ({ name, ...view })));
  const runPages = ['one', 'both'].flatMap((name) => views.map((view) => ({ name, ...view })));
  it.skipIf(!isThere).each(pages)(
    '$name opens at $width pixels without a complaint, a request or a side scroll',
    async ({ name, ...view }) => {
      await tab!.open(pathToFileURL(file(`${name}.html`)).href, view);
      await expect.poll(() => tab!.ask(`document.readyState === 'complete' && document.querySelector('h1') !== null`)).toBe(true);
      expect(await tab!.ask('document.documentElement.scrollWidth')).toBe(view.width);
      expect(tab!.complaints).toEqual([]);
      expect([...tab!.requested]).toEqual(['null']);
      expect(await tab!.ask('document.scripts.length')).toBe(0);
      // No mark lies outside its plot, and no text of an axis outside the page.
      const outside = `[...document.querySelectorAll('.plot text')].filter((one) => { const box = one.getBoundingClientRect(); return box.left < -1 || box.right > innerWidth + 1; }).length`;
      expect(await tab!.ask(outside)).toBe(0);
      expect(await tab!.violations()).toEqual([]);
    },
  );

  it.skipIf(!isThere).each(runPages)('axe finds nothing on the page of $name at $width pixels, $scheme', async ({ name, ...view }) => {
    await tab!.open(pathToFileURL(file(`${name}.html`)).href, view);
    await tab!.until('document.documentElement.dataset.drawn !== undefined');
    await tab!.ask(`document.querySelectorAll('details').forEach((one) => { one.open = true; })`);
    expect(await tab!.ask(`document.querySelectorAll('#metrics td.flows').length`)).toBeGreaterThan(0);
    expect(await tab!.violations()).toEqual([]);
  });

  it.skipIf(!isThere)('show of a search what its JSON says', async () => {
    await tab!.open(pathToFileURL(file('search.html')).href, views[0]);
    await expect.poll(() => tab!.ask(`document.querySelectorAll('#best tbody tr').length`)).toBeGreaterThan(1);
    const result = read('search.json');
    const shown = (key: string): Promise<unknown> => tab!.ask(`document.querySelector('[data-key="${key}"]')?.dataset.value`);
    expect(await shown('selectionBias.cost.deflatedSharpe')).toBe(String(result.selectionBias?.cost?.deflatedSharpe));
    expect(await shown('selectionBias.cost.overfitting.probability')).toBe(String(result.selectionBias?.cost?.overfitting?.probability));
    expect(await shown('searched.totalReturn')).toBe(String(result.best?.searched['totalReturn']));
    expect(await shown('holdout.totalReturn')).toBe(String(result.best?.holdout?.['totalReturn']));
    expect(await tab!.ask(`document.querySelector('#cost .sentence').textContent`)).toBe(result.selectionBias?.cost?.sentence);
    // A dot for each trial; a small plot for each parameter; a heat map and contour lines.
    expect(await tab!.ask(`document.querySelectorAll('#trials circle').length`)).toBe(20);
    expect(await tab!.ask(`document.querySelectorAll('#slices .plot').length`)).toBe(3);
    expect(await tab!.ask(`document.querySelectorAll('#landscape .plot').length`)).toBe(4);
    expect(Number(await tab!.ask(`document.querySelectorAll('#front circle.down').length`))).toBe(result.front.length);
  });
});
