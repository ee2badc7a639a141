/** The top of the page: what was run, what to read before believing it, and the figures that matter most. */
import { NOTE_TOPICS } from '../../notes.ts';
import type { MetricResult } from '../../metrics/results.ts';
import type { RunReport } from '../../run-report.ts';
import { runTitle } from '../../shown-strategies.ts';
import {
  duration,
  intervalText,
  metricText,
  moment,
  money,
  percent,
  rowsWord,
  signedMoney,
  signedPercent,
  toneOf,
  whole,
} from '../../document/figures.ts';
import { headingOf, notesMarkup } from '../page-file.ts';
import type { Fact, Section } from '../../document/document.ts';
import { html, type Markup } from '../markup.ts';
import { alertsOf } from '../../document/run/warnings.ts';

export function headOf(report: RunReport): Markup {
  const { tape, hash } = report;
  return headingOf(
    runTitle(report),
    `${moment(tape.from)} to ${moment(tape.to)} UTC (${duration(tape.to - tape.from)}), ${whole(tape.rows)} ${rowsWord(tape)}, result hash ${hash}`,
  );
}

/** The warnings, first those that change what the figures mean. */
export function notesOf(report: RunReport): Markup {
  const { notes, noteTopics } = report;
  const alerts = alertsOf(report).map((alert) => html`<li class="failed">${alert}</li>`);
  const about = (topic: string): Markup[] =>
    notes.filter((_, k) => (noteTopics[k] ?? 'run') === topic).map((note) => html`<li>${note}</li> `);
  const groups = Object.entries(NOTE_TOPICS).map(([topic, title]) => ({
    title,
    notes: topic === 'run' ? [...alerts, ...about(topic)] : about(topic),
  }));
  return notesMarkup(groups, 'on data, assumptions and what the model leaves out');
}

/** The figures that matter most; with another run, its figures below those of this one. */
export function overviewSection(report: RunReport, other: RunReport | undefined): Section {
  const others = other === undefined ? [] : factsOf(other);
  const facts = factsOf(report).map((fact, k) =>
    others[k] === undefined ? fact : { ...fact, beside: `other run: ${others[k].figure.text}` },
  );
  return { id: 'overview', link: 'Result', title: '', words: '', blocks: [{ kind: 'facts', facts }] };
}

function sharpeText(sharpe: MetricResult): string {
  const { sample, least, of } = sharpe;
  if (sample < least) return `a year: it needs ${least === 1 ? 'a whole day' : `${least} ${of}`}`;
  const interval = intervalText(sharpe);
  return interval === '' ? 'a year, from returns of equal periods' : `a year; 95 %: ${interval}`;
}

function factsOf(report: RunReport): Fact[] {
  const { pnl, equity, stats, exposure, metrics, returns, orders } = report;
  const start = Number(equity.start);
  const growth = start === 0 ? 0 : Number(equity.end) / start - 1;
  const held = (returns.hold.at(-1) ?? start) / (start || 1) - 1;
  const fills = stats.makerFills + stats.takerFills;
  const costs = Number(pnl.fees) - Number(pnl.funding);
  const sharpe = metrics['sharpe'];
  const factor = metrics['profitFactor'];
  const turnover = Number(exposure.turnover);
  return [
    {
      title: 'Net profit',
      figure: { key: 'pnl.net', value: pnl.net, text: signedMoney(pnl.net), tone: toneOf(pnl.net) },
      words: `${signedPercent(growth)} of ${money(equity.start)}`,
    },
    {
      title: 'Buy and hold',
      figure: { key: 'returns.hold', value: returns.hold.at(-1) ?? null, text: signedPercent(held), tone: toneOf(held) },
      words: `the strategy made ${signedPercent(growth)}`,
    },
    {
      title: 'Largest drawdown',
      figure: { key: 'equity.maxDrawdown', value: equity.maxDrawdown, text: percent(equity.maxDrawdownShare) },
      words: `${money(equity.maxDrawdown)} below the peak`,
    },
    {
      title: 'Sharpe ratio',
      figure: {
        key: 'metrics.sharpe.value',
        value: sharpe?.value ?? null,
        text: sharpe === undefined ? '–' : metricText(sharpe),
        tone: sharpe?.value == null ? '' : toneOf(sharpe.value),
      },
      words: sharpe === undefined ? '' : sharpeText(sharpe),
    },
    {
      title: 'Trades',
      figure: { key: 'stats.trades', value: stats.trades, text: whole(stats.trades) },
      words: stats.trades === 0 ? 'none was closed' : `${percent(stats.wins / stats.trades, 1)} with a profit (${whole(stats.wins)})`,
    },
    {
      title: 'Profit factor',
      figure: { key: 'metrics.profitFactor.value', value: factor?.value ?? null, text: factor === undefined ? '–' : metricText(factor) },
      words: 'sum of profits ÷ sum of losses',
    },
    {
      title: 'Costs',
      figure: { key: 'pnl.fees', value: pnl.fees, text: money(costs) },
      words: `fees ${money(pnl.fees)}, funding ${signedMoney(pnl.funding)}${turnover > 0 ? `; ${percent(costs / turnover, 3)} of turnover` : ''}`,
    },
    {
      title: 'Exposure',
      figure: { key: 'exposure.timeShare', value: exposure.timeShare, text: percent(exposure.timeShare, 1) },
      words: `of the time; ${whole(fills)} fills of ${whole(orders.placed)} orders`,
    },
  ];
}
