/** The result of `monte-carlo` as a page: a fan of curves for each way to redraw the run. */
import type { Fan, Spread } from '../../../statistics/monte-carlo.ts';
import { documentOf, headingOf, navigationOf, tilesMarkup, type HashOf, type PageFiles } from '../document.ts';
import { duration, money, percent, signedMoney, toneOf, whole } from '../../document/figures.ts';
import { html, type Markup } from '../markup.ts';
import { band, line, plot, ruleAt, type Place } from '../plot/plot.ts';
import { axisOf, plainTick, scaleOf, type Scale } from '../plot/scale.ts';
import type { MonteCarloResult } from '../../research/monte-carlo-result.ts';
import { RESEARCH_FOOTER } from './search-page.ts';
import { tableOf, type Head } from '../table.ts';

export function monteCarloPage(result: MonteCarloResult, files: PageFiles, hashOf: HashOf): string {
  const { strategy, trades, start, net, maxDrawdown, periodMs } = result;
  const title = `Other possible results of ${strategy}`;
  const fans: readonly (readonly [Fan | null, string, string, string])[] = [
    [result.shuffled, 'Trades in another order', 'the same trades: the end is fixed, the drawdown is not', 'trade'],
    [result.redrawn, 'Trades drawn again', 'as many trades, each drawn from all of them', 'trade'],
    [result.blocks, 'Returns drawn in blocks', `returns of ${duration(periodMs)} each, in blocks that keep their dependence`, 'period'],
    ...(result.markets === null ? [] : [[result.markets.fan, 'Re-drawn markets', result.markets.words, 'share of the time'] as const]),
  ];
  const body = html`${headingOf(title, `the run: net ${signedMoney(net)}, ${whole(trades)} trades, largest drawdown ${percent(maxDrawdown)}`)}
    ${navigationOf([
      ['overview', 'Result'],
      ['fans', 'Fans'],
      ['runs', 'Late and missed'],
    ])}
    <section id="overview">${tilesMarkup(fans.flatMap(([fan, name]) => (fan === null ? [] : [tileOf(fan, name, start)])))}</section>
    <section id="fans" class="card">
      <div class="head">
        <h2>What else could have happened</h2>
        <p>equity: the line is the median, half of the curves lie in the dark band and nine of ten in the light one</p>
      </div>
      <div class="two">${fans.map((one) => fanOf(...one, result))}</div>
    </section>
    ${runsOf(result)} ${RESEARCH_FOOTER}`;
  return documentOf({ title, body, files, hashOf });
}

function tileOf(
  { final, lossProbability, maxDrawdown, runs }: Fan,
  name: string,
  start: number,
): Parameters<typeof tilesMarkup>[0][number] {
  return {
    title: `${name}: ends in a loss`,
    key: 'lossProbability',
    value: lossProbability,
    text: percent(lossProbability, 1),
    small: `of ${whole(runs)} curves; 5 % end below ${signedMoney(final.p5 - start)}, 5 % have a drawdown above ${percent(maxDrawdown.p95)}`,
  };
}

function fanOf(fan: Fan | null, name: string, words: string, across: string, { start }: MonteCarloResult): Markup {
  if (fan === null)
    return html`<figure>
      <figcaption>${name} <span>${words}</span></figcaption>
      <p class="soft">There are too few trades or returns.</p>
    </figure>`;
  const y: Scale = scaleOf([start, ...fan.lines.flatMap((one) => [...one])], plainTick);
  const last = Math.max(1, (fan.lines[0]?.length ?? 2) - 1);
  const places = fan.lines.map((values) => Array.from(values, (value, k): Place => [k / last, y.at(value)]));
  const [p5 = [], p25 = [], p50 = [], p75 = [], p95 = []] = places;
  const marks = [ruleAt('y', y.at(start), 'start'), band(p5, p95, 'outer'), band(p25, p75, ''), line(p50, '')];
  const quarter = (k: number): { at: number; text: string } => ({ at: k / 4, text: `${25 * k} %` });
  return html`<figure>
    <figcaption>${name} <span>${words}</span></figcaption>
    ${plot({ x: { title: across, ticks: [0, 1, 2, 3, 4].map(quarter) }, y: axisOf(y, 'equity'), marks, label: `fan of ${name}` })}
  </figure>`;
}

function runsOf({ delays, missed, net, trades }: MonteCarloResult): Markup {
  const late = [{ title: 'as it was', net, trades }, ...delays.map((one) => ({ title: `entries ${duration(one.delayMs)} late`, ...one }))];
  const rows = late.map(
    (one) =>
      html`<tr>
        <td>${one.title}</td>
        <td class="n ${toneOf(one.net)}" data-value="${one.net}">${signedMoney(one.net)}</td>
        <td class="n">${whole(one.trades)}</td>
      </tr> `,
  );
  const columns = ['p5', 'p25', 'p50', 'p75', 'p95'] as const satisfies readonly (keyof Spread)[];
  const misses = missed.map(
    ({ share, net: spread }) =>
      html`<tr>
        <td>${percent(share, 0)} of the entries missed</td>
        ${columns.map((key) => html`<td class="n ${toneOf(spread[key])}">${money(spread[key])}</td>`)}
      </tr> `,
  );
  return html`<section id="runs" class="two">
    <div class="card">
      <div class="head">
        <h2>Entries that are late</h2>
        <p>backtests on the same tape</p>
      </div>
      ${tableOf(['', ['net'], ['trades']], rows)}
    </div>
    <div class="card">
      <div class="head">
        <h2>Entries that are missed</h2>
        <p>net of backtests in which some never leave, drawn at random</p>
      </div>
      <div class="scroll">${tableOf(['', ...['5 %', '25 %', 'median', '75 %', '95 %'].map((text): Head => [text])], misses)}</div>
    </div>
  </section>`;
}
