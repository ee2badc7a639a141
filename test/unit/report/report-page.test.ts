/** The page of a report: it loads nothing, no text of a run becomes markup, and its figures are those of the JSON. */
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { histogramOf } from '../../../src/report/html/run/chart-data.ts';
import { metricText, money, percent, signedMoney } from '../../../src/report/document/figures.ts';
import { blockMarkup } from '../../../src/report/document/document-page.ts';
import { heatMapOf, monthsOf } from '../../../src/report/document/returns/heat-map.ts';
import { html, scriptJson } from '../../../src/report/html/markup.ts';
import type { BreakdownRow, RunReport } from '../../../src/report/run-report.ts';
import { jsonPieces } from '../../../src/report/write-json.ts';
import { pageOf, readReport, writeReportJson, writeReportPage } from '../../../src/run/report/report-files.ts';
import { unpackedBars } from '../../support/tape/unpacked.ts';
import { busyRun, HOSTILE } from '../../support/backtest/report-runs.ts';

let folder = '';
let report: RunReport;
let page = '';
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'report-page-'));
  report = await busyRun(folder, 3000);
  page = pageOf(report);
});
afterAll(() => rmSync(folder, { recursive: true }));

const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64');
const dataOf = (text: string): unknown => JSON.parse(/id="data">(.*)<\/script>/.exec(text)![1]!);

/** The page without the contents of its scripts. */
const markupOf = (text: string): string => text.replace(/<script[^>]*>[^]*?<\/script>/g, '');

describe('the page', () => {
  it('allows only its own style and scripts, each by its hash, and nothing else', () => {
    const policy = /http-equiv="content-security-policy" content="([^"]*)"/.exec(page)![1]!;
    const [, style = ''] = /<style>([^]*?)<\/style>/.exec(page)!;
    const scripts = [...page.matchAll(/<script>([^]*?)<\/script>/g)].map(([, text]) => text!);
    expect(scripts).toHaveLength(14);
    const logo = /a#tv-attr-logo\{--fill:#131722[^"]*/.exec(scripts[0]!)![0];
    const named = (texts: readonly string[]): string => texts.map((text) => `'sha256-${hashOf(text)}'`).join(' ');
    expect(policy).toBe(
      `default-src 'none'; style-src ${named([style, logo])}; script-src ${named(scripts)}; base-uri 'none'; form-action 'none'`,
    );
    for (const script of scripts) expect(() => runInNewContext(`() => {${script}}`)).not.toThrow();
  });

  it('names no address but that of the maker of a library, and has no element that could load', () => {
    const markup = markupOf(page);
    expect(markup.match(/https?:[^"' ]*/g)).toEqual(['https://www.tradingview.com/']);
    const tags = markup.replace(/"[^"<>]*"/g, '""').match(/<[a-z][^>]*>/gi) ?? [];
    expect(tags.length).toBeGreaterThan(300);
    const loading = /^<(?:img|link|iframe|object|embed|audio|video|source|base|form)\b|\s(?:src|style|srcset|on\w+)=/;
    expect(tags.filter((tag) => loading.test(tag))).toEqual([]);
    expect(page).not.toMatch(/fetch\(|XMLHttpRequest|sendBeacon|new WebSocket|importScripts/);
    expect(/<style>([^]*?)<\/style>/.exec(page)![1]).not.toMatch(/@import|url\(/);
  });

  it('lets a wide table scroll within its card: those of the days and the months too', () => {
    for (const days of [7, 120]) {
      const time = Array.from({ length: days }, (_, k) => Date.UTC(2024, 0, 1 + k));
      const { text } = blockMarkup(heatMapOf({ time, strategy: time.map(() => 0.0001), benchmark: [] })!);
      expect(text).toMatch(/<div class="scroll"[^>]*>\s*<table class="heat">/);
    }
  });

  it('of a run is that of its stored report, whose trades are objects', () => {
    const stored = JSON.parse([...jsonPieces(report)].join('')) as RunReport;
    expect(stored.trades.length).toBeGreaterThan(20);
    expect(markupOf(pageOf(stored)) === markupOf(page)).toBe(true);
    expect(dataOf(pageOf(stored))).toEqual(dataOf(page));
    const sums = (key: 'net' | 'fees'): string => stored.trades.reduce((sum, trade) => sum + Number(trade[key]), 0).toFixed(6);
    for (const rows of Object.values(stored.breakdowns) as readonly (readonly BreakdownRow[])[]) {
      expect(rows.reduce((sum, row) => sum + Number(row.net), 0).toFixed(6)).toBe(sums('net'));
      expect(rows.reduce((sum, row) => sum + Number(row.fees), 0).toFixed(6)).toBe(sums('fees'));
    }
  });

  it('takes no text of a run for markup', () => {
    expect(report.trades.some(({ reason }) => reason === HOSTILE)).toBe(true);
    expect(page).not.toContain(HOSTILE);
    expect(page).not.toMatch(/<img|<!--/);
    expect(page.match(/<\/script>/g)).toHaveLength(15);
    expect(JSON.stringify(dataOf(page))).toContain(JSON.stringify(HOSTILE).slice(1, -1));
    expect(html`${'"'}${"'<&>"}`.text).toBe('&quot;&#39;&lt;&amp;&gt;');
    expect(JSON.parse(scriptJson({ text: '</script>\u2028<!--' }))).toEqual({ text: '</script>\u2028<!--' });
    expect(scriptJson('</script>\u2028')).toBe('"\\u003c/script>\\u2028"');
  });

  it('shows the figures of the JSON', () => {
    const json = JSON.parse([...jsonPieces(report)].join('')) as RunReport;
    const shown = [...page.matchAll(/data-key="([^"]+)" data-value="([^"]*)">([^<]*)</g)].map(([, key, value, text]) => [
      key,
      value,
      text!.trim(),
    ]);
    expect(shown.length).toBeGreaterThan(15);
    for (const [key = '', value] of shown) {
      if (key.startsWith('funnel.')) expect(value).toBe(String(json.funnel.find((step) => `funnel.${step.key}` === key)!.count));
      else if (key === 'returns.hold') expect(value).toBe(String(json.returns.hold.at(-1)));
      else expect(value, key).toBe(String(key.split('.').reduce<any>((at, name) => at?.[name], json) ?? null));
    }
    const textOf = (key: string): string | undefined => shown.find(([name]) => name === key)?.[2];
    expect(textOf('pnl.net')).toBe(signedMoney(json.pnl.net));
    expect(textOf('equity.maxDrawdown')).toBe(percent(json.equity.maxDrawdownShare));
    expect(textOf('stats.trades')).toBe(String(json.stats.trades));
    for (const [key, result] of Object.entries(json.metrics)) expect(textOf(`metrics.${key}.value`)).toBe(metricText(result));
  });

  it('has a bar of prices for every trade, and its bracket', () => {
    const { markets, equity, holding } = dataOf(page) as any;
    const [{ whole, trades, symbol, of }] = markets;
    const bars = unpackedBars(whole[0]);
    expect([symbol, of]).toEqual(['BTCUSDT', report.trades.length]);
    expect(equity).toEqual(report.series.equity);
    expect(holding.wins.concat(holding.losses).reduce((sum: number, n: number) => sum + n, 0)).toBe(report.trades.length);
    expect(bars.time.length).toBeLessThanOrEqual(1500);
    for (const [opened, closed, entry, , isLong, stop, target] of trades) {
      expect(opened).toBeGreaterThanOrEqual(bars.time[0]!);
      expect(closed).toBeLessThan(bars.time.at(-1)! + bars.barMs);
      expect([stop < entry, target > entry]).toEqual(isLong === 1 ? [true, true] : [false, false]);
    }
    for (const [k, high] of bars.high.entries()) expect(high).toBeGreaterThanOrEqual(Math.max(bars.open[k]!, bars.close[k]!, bars.low[k]!));
  });

  it('is the same from the stored JSON as from the run, also beside another run', () => {
    const [json, out] = [join(folder, 'report.json'), join(folder, 'report.html')];
    writeReportJson(json, report);
    writeReportPage(out, readReport(json));
    expect(readFileSync(out, 'utf8').trimEnd()).toBe(page.trimEnd());
    const both = pageOf(report, readReport(json));
    expect(both).toContain('the same result hash, so the runs are equal fill by fill');
    expect((dataOf(both) as any).others[0].equity).toEqual(report.series.equity);
    expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  it('is refused for a file that is no report, by name', () => {
    const file = join(folder, 'other.json');
    writeFileSync(file, '{"tape": 1}');
    expect(() => readReport(file)).toThrow(/expected a report, found JSON without config, orders/);
    writeFileSync(file, 'none');
    expect(() => readReport(file)).toThrow(/expected the JSON of a report/);
    expect(() => writeReportPage(join(folder, 'no/such/folder.html'), report)).toThrow(/cannot be written/);
  });
});

describe('what the page computes', () => {
  it('months from days, compounded', () => {
    const time = [Date.UTC(2024, 0, 31), Date.UTC(2024, 1, 1), Date.UTC(2024, 1, 2), Date.UTC(2025, 11, 31)];
    const years = monthsOf({ time, strategy: [0.1, 0.1, -0.5, 0.2], benchmark: [] });
    expect([...years.keys()]).toEqual([2024, 2025]);
    expect(years.get(2024)!.slice(0, 3)).toEqual([0.1, 1.1 * 0.5 - 1, null].map((one) => (one === null ? null : expect.closeTo(one, 12))));
    expect(years.get(2025)![11]).toBeCloseTo(0.2, 12);
  });

  it('a histogram that counts every trade once, also if all were held equally long', () => {
    const equal = [5, 5, 5];
    expect(histogramOf({ heldMs: Float64Array.from(equal), net: Float64Array.from(equal, () => 1) })).toMatchObject({
      wins: [3],
      losses: [0],
      from: [5],
    });
    const heldMs = Float64Array.of(1_500, 2_000, 4_999, 61_000);
    const { from, to, wins, losses } = histogramOf({ heldMs, net: Float64Array.of(-1, 1, -1, -1) });
    expect([from[0], from.at(-1), to.at(-1)]).toEqual([1_000, 60_000, 120_000]);
    expect([wins, losses]).toEqual([
      [0, 1, 0, 0, 0, 0, 0],
      [1, 1, 0, 0, 0, 0, 1],
    ]);
    expect(histogramOf({ heldMs: new Float64Array(0), net: new Float64Array(0) })).toEqual({ from: [], to: [], wins: [], losses: [] });
  });

  it('figures as words', () => {
    expect([money('-1234.5'), money('0.00004'), money('-0.00000000'), signedMoney('2')]).toEqual(['−1,234.50', '0.00004', '0.00', '+2.00']);
    const metric = { name: 'x', unit: 'share', value: null, sample: 7, least: 30, of: 'trades', interval: null } as const;
    expect([metricText(metric), metricText({ ...metric, sample: 30 }), metricText({ ...metric, sample: 30, value: 0.0123 })]).toEqual([
      'too few (7 of 30 trades)',
      '–',
      '1.23\u00a0%',
    ]);
  });
});
