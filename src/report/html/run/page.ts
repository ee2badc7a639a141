/** The report of a run as a page. Tables are markup, so the page can be read without its script; the script draws the charts. */
import type { RunReport } from '../../run-report.ts';
import type { Section } from '../../document/document.ts';
import { chartDataOf, lineOf, type Line } from './chart-data.ts';
import { comparisonOf } from './comparison.ts';
import { duration, moment } from '../../document/figures.ts';
import { heatMapOf } from './heat-map.ts';
import { pageFileOf, navigationOf, type HashOf, type Link, type PageFiles } from '../page-file.ts';
import { chart, html, Markup } from '../markup.ts';
import { metricTableOf } from './metric-table.ts';
import { headOf, notesOf, overviewSection } from './overview.ts';
import { blockMarkup, linksOf, sectionMarkup } from '../../document/document-page.ts';
import { portfolioSection } from '../../document/run/portfolio-section.ts';
import { readingsSection } from '../../document/run/readings-section.ts';
import { runTitle } from '../../shown-strategies.ts';
import { selectionBiasSection } from '../../document/research/selection-bias-section.ts';
import { funnelOf } from './funnels.ts';
import { breakdownsOf, costsOf, drawdownsOf, managedOf, parametersOf, tradesOf } from './tables.ts';

export interface PageOptions {
  readonly files: PageFiles;
  /** Another run to compare with. */
  readonly other?: RunReport | undefined;
  readonly hashOf: HashOf;
}

/** The parts of the page that are sections of a document. */
interface Parts {
  readonly cost: readonly Section[];
  readonly overview: Section;
  readonly readings: readonly Section[];
  readonly strategies: readonly Section[];
}

export function reportPage(report: RunReport, { files, other, hashOf }: PageOptions): string {
  const lines: Line[] = [
    ...(other === undefined ? [] : [lineOf('other run', other.series)]),
    ...(report.bracket?.readings ?? []).filter(({ name }) => name !== 'as reported').map(({ name, series }) => lineOf(name, series)),
  ];
  const parts: Parts = {
    cost: selectionBiasSection(report.search?.selectionBias),
    overview: overviewSection(report, other),
    readings: readingsSection(report),
    strategies: portfolioSection(report.portfolio),
  };
  const body = html`
    ${headOf(report)} ${navigation(report, other, parts)} ${notesOf(report)} ${searchOf(report, parts)} ${sectionMarkup(parts.overview)}
    ${parts.readings.map(sectionMarkup)} ${other === undefined ? null : comparisonOf(report, other)} ${parts.strategies.map(sectionMarkup)}
    ${equityOf(report)} ${PRICE} ${tradesSection(report)} ${breakdownsOf(report)}
    <div class="two">${costsOf(report)} ${funnelOf(report)}</div>
    ${tradesOf(report)} ${managedOf(report)} ${metricTableOf(report, other)} ${parametersOf(report, other)}
    <footer>
      <p>
        Made by Tickwright. Charts by uPlot (MIT) and TradingView Lightweight Charts™ (Apache-2.0), © 2026 TradingView, Inc.,
        <a href="https://www.tradingview.com/" rel="noreferrer">tradingview.com</a>. The file loads nothing from anywhere.
      </p>
    </footer>
  `;
  return pageFileOf({ title: runTitle(report), body, data: chartDataOf(report, lines), files, hashOf });
}

/** What the search that chose the parameters explains of the result. */
function searchOf({ search }: RunReport, { cost }: Parts): Markup | null {
  if (search == null) return null;
  const { trial, trials, searched } = search;
  const part = `${moment(searched.from)} to ${moment(searched.to)} UTC`;
  return html`<p class="sentence">The parameters are those of trial ${trial}, the best of ${trials} on ${part}.</p>
    ${cost.map(sectionMarkup)}`;
}

function navigation(
  { stats, managed = [] }: RunReport,
  other: RunReport | undefined,
  { cost, overview, readings, strategies }: Parts,
): Markup {
  const isTraded = stats.trades > 0;
  const links: readonly (Link | null)[] = [
    ['notes', 'Read first'],
    ...linksOf(cost),
    ...linksOf([overview, ...readings]),
    other === undefined ? null : ['comparison', 'Comparison'],
    ...linksOf(strategies),
    ['equity', 'Equity'],
    ['price', 'Market'],
    isTraded ? ['trades', 'Trades'] : null,
    isTraded ? ['profit', 'Profit by'] : null,
    ['costs', 'Costs'],
    ['orders', 'Orders'],
    managed.length > 0 ? ['managed', 'Managed trades'] : null,
    ['metrics', 'Metrics'],
    ['settings', 'Parameters'],
  ];
  return navigationOf(links);
}

function equityOf({ returns, days, drawdowns, series }: RunReport): Markup {
  const heat = heatMapOf(days);
  const period = periodName(returns.periodMs);
  return html`<section id="equity" class="card">
      <div class="head">
        <h2>Equity</h2>
        <p>drag to zoom, double click to see all; times in UTC</p>
      </div>
      ${chart('chart-equity', 'Equity and buy and hold', `${series.time.length} points`)}
      ${chart('chart-drawdown', 'Under water', 'distance from the highest equity so far')}
    </section>
    <section class="card">
      <div class="two">
        <div>${chart('chart-exposure', 'Exposure', 'value of all open positions')}</div>
        <div>${chart('chart-returns', `Return per ${period}`, `${returns.time.length} periods`)}</div>
        <div>${chart('chart-sharpe', 'Rolling Sharpe ratio', `a year, over a moving window`)}</div>
        <div>
          ${heat === null ? null : blockMarkup(heat)}
          <figure>
            <figcaption>Deepest drawdowns</figcaption>
            ${drawdownsOf({ drawdowns })}
          </figure>
        </div>
      </div>
    </section>`;
}

const PERIODS: Readonly<Record<number, string>> = { 1000: 'second', 60_000: 'minute', 3_600_000: 'hour', 86_400_000: 'day' };

function periodName(ms: number): string {
  return PERIODS[ms] ?? duration(ms);
}

const PRICE = new Markup(`<section id="price" class="card">
<div class="head"><h2>Market and trades</h2><p>scroll or pinch to zoom</p></div>
<div class="toolbar"><label>Market <select id="market"></select></label>
<span class="key"><svg viewBox="0 0 14 12"><path d="M2 10l5-8 5 8z" fill="currentColor"/></svg>entry long, ▾ short</span>
<span class="key up">━ profit</span><span class="key down">━ loss</span><span class="key">┄ stop-loss and take-profit</span>
<span id="price-count"></span></div>
<p id="price-caption" class="soft"></p>
<div class="chart" id="chart-price"></div>
</section>`);

function tradesSection({ stats }: RunReport): Markup {
  if (stats.trades === 0) return html``;
  return html`<section id="trades" class="card">
    <div class="head">
      <h2>Trades</h2>
      <p>how far prices went against and in favour of a trade while it was open, as shares of its entry price</p>
    </div>
    <div class="two">
      <div>${chart('chart-excursions', 'Excursions', 'adverse to the left, favourable upwards')}</div>
      <div>${chart('chart-holding', 'Holding times', 'trades by how long they were held')}</div>
    </div>
  </section>`;
}
