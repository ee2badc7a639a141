/** The report of a run as a page. Tables are markup, so the page can be read without its script; the script draws the charts. */
import { sectionsMarkup, linksOf } from '../../document/document-page.ts';
import { sentence, type Section } from '../../document/document.ts';
import { moment } from '../../document/figures.ts';
import { selectionBiasSection } from '../../document/research/selection-bias-section.ts';
import { comparisonSection } from '../../document/run/comparison-section.ts';
import { detailSections } from '../../document/run/detail-sections.ts';
import { equitySections } from '../../document/returns/equity-sections.ts';
import { portfolioSection } from '../../document/run/portfolio-section.ts';
import { tradeChartsSection } from '../../document/run/trades/trade-charts.ts';
import { readingsSection } from '../../document/run/readings-section.ts';
import type { RunReport } from '../../run-report.ts';
import { runTitle } from '../../shown-strategies.ts';
import { html, Markup } from '../markup.ts';
import { navigationOf, pageFileOf, type HashOf, type Link, type PageFiles } from '../page-file.ts';
import { chartDataOf, lineOf, type Line } from './chart-data.ts';
import { headOf, notesOf, overviewSection } from './page-top.ts';

export interface PageOptions {
  readonly files: PageFiles;
  /** Another run to compare with. */
  readonly other?: RunReport | undefined;
  readonly hashOf: HashOf;
}

export function reportPage(report: RunReport, { files, other, hashOf }: PageOptions): string {
  const lines: Line[] = [
    ...(other === undefined ? [] : [lineOf('other run', other.series)]),
    ...(report.bracket?.readings ?? []).filter(({ name }) => name !== 'as reported').map(({ name, series }) => lineOf(name, series)),
  ];
  const result = [
    ...searchSections(report),
    overviewSection(report, other),
    ...readingsSection(report),
    ...(other === undefined ? [] : [comparisonSection(report, other)]),
    ...portfolioSection(report.portfolio),
    ...equitySections(report),
  ];
  const details = [...tradeChartsSection(report), ...detailSections(report, other)];
  const links: readonly Link[] = [['notes', 'Read first'], ...linksOf(result), ['price', 'Market'], ...linksOf(details)];
  const body = html`
    ${headOf(report)} ${navigationOf(links)} ${notesOf(report)} ${sectionsMarkup(result)} ${PRICE} ${sectionsMarkup(details)}
    <footer>
      <p>
        Made by Tickwright. Charts by uPlot (MIT) and TradingView Lightweight Charts™ (Apache-2.0), © 2026 TradingView, Inc.,
        <a href="https://www.tradingview.com/" rel="noreferrer">tradingview.com</a>. The file loads nothing from anywhere.
      </p>
    </footer>
  `;
  return pageFileOf({ title: runTitle(report), body, data: chartDataOf(report, lines), files, hashOf });
}

/** The search that chose the parameters, and what it explains of the result. */
function searchSections({ search }: RunReport): Section[] {
  if (search == null) return [];
  const { trial, trials, searched, selectionBias } = search;
  const part = `${moment(searched.from)} to ${moment(searched.to)} UTC`;
  const said = sentence(`The parameters are those of trial ${trial}, the best of ${trials} on ${part}.`);
  return [{ id: 'search', title: '', words: '', blocks: [said] }, ...selectionBiasSection(selectionBias)];
}

const PRICE = new Markup(`<section id="price" class="card">
<div class="head"><h2>Market and trades</h2><p>scroll or pinch to zoom: bars become finer; click a trade to see the bars of it</p></div>
<div class="toolbar"><label>Market <select id="market"></select></label>
<span class="steps"><button type="button" id="trade-before" aria-label="the trade before">‹</button>
<button type="button" id="trade-next" aria-label="the next trade">›</button> trade
<button type="button" id="price-all">whole run</button></span>
<span class="key"><svg viewBox="0 0 14 12"><path d="M2 10l5-8 5 8z" fill="currentColor"/></svg>entry long, ▾ short</span>
<span class="key up">━ profit</span><span class="key down">━ loss</span><span class="key">┄ stop-loss and take-profit</span></div>
<p id="price-lines" class="toolbar"></p>
<p id="price-caption" class="soft" role="status"></p>
<div class="chart" id="chart-price"></div>
<p id="price-count" class="soft"></p>
</section>`);
