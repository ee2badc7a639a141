/** Tables of the page: profit by what trades have in common, costs, trades, drawdowns, parameters. */
import { tradeRows } from '../../backtest-report.ts';
import type { BreakdownRow, RunReport } from '../../run-report.ts';
import type { RoundTrip } from '../../trades/trade.ts';
import { exitWords } from '../../trades/trip-exits.ts';
import { duration, moment, money, percent, price, ratio, signedMoney, toneOf, whole } from '../../document/figures.ts';
import { signedBarOf } from '../bars.ts';
import { html, type Markup } from '../markup.ts';
import type { Fact } from '../../document/document.ts';
import { tilesMarkup } from '../../document/document-page.ts';
import { type Head, scrolling, sortableTableOf, tableOf } from '../table.ts';
import { managedFigures } from '../../trades/managed-trades.ts';

/** Rows of a breakdown that has no end, and of the lists of trades: of the best and worst, and of all. */
const MOST_ROWS = 15;
const BEST = 8;
const MOST_TRADES = 1_000;

function breakdown(title: string, rows: readonly BreakdownRow[], mostRows = MOST_ROWS): Markup {
  const shown = rows.slice(0, mostRows);
  const most = Math.max(...shown.map(({ net }) => Math.abs(Number(net))), 1e-12);
  const lines = shown.map(({ key, trades, wins, net }) => {
    return html`<tr>
      <td>${key === '' ? '(none)' : key}</td>
      <td class="n">${whole(trades)}</td>
      <td class="n">${percent(wins / trades, 0)}</td>
      <td class="bars">${signedBarOf(Number(net) / most)}</td>
      <td class="n ${toneOf(net)}" data-value="${net}">${money(net)}</td>
    </tr> `;
  });
  const more = rows.length > shown.length ? html`<p class="soft">and ${rows.length - shown.length} more in the JSON</p>` : null;
  return html`<figure>
    <figcaption>${title}</figcaption>
    ${tableOf(['', ['trades'], ['wins'], '', ['net']], lines)} ${more}
  </figure>`;
}

export function breakdownsOf({ breakdowns, stats }: RunReport): Markup {
  if (stats.trades === 0) return html``;
  const { symbol, strategy, reason, entry = [], path = [], side, hour, weekday } = breakdowns;
  return html`<section id="profit" class="card">
    <div class="head">
      <h2>Where the profit came from</h2>
      <p>closed trades, after fees; one closed in parts counts under each reason; hours and weekdays in UTC, when a trade was opened</p>
    </div>
    <div class="three">
      ${breakdown('By symbol', symbol)} ${breakdown('By strategy', strategy)} ${breakdown('By reason of the entry', entry)}
      ${breakdown('By reason of the exit', reason)} ${breakdown('By entry and exit', path)} ${breakdown('By side', side)}
      ${breakdown('By hour', hour, 24)} ${breakdown('By weekday', weekday)}
    </div>
  </section>`;
}

function costLine(title: string, amount: string | number | null, small: string): Markup {
  const text = amount === null ? '–' : signedMoney(amount);
  return html`<tr>
    <td>${title}<br /><span class="soft">${small}</span></td>
    <td class="n ${toneOf(amount ?? 0)}" data-value="${String(amount)}">${text}</td>
  </tr> `;
}

/** From the profit before costs to the profit after them, and what execution cost. */
export function costsOf({ pnl, execution, stats }: RunReport): Markup {
  const { slippage, markouts, timeToFill } = execution;
  const gross = Number(pnl.realised) + Number(pnl.unrealised);
  const known = markouts.filter(({ fills }) => fills > 0);
  const after = known.map(({ afterMs, fills, share }) => {
    return html`<tr>
      <td>
        Mid ${duration(afterMs)} after a fill<br /><span class="soft">${whole(fills)} fills; below 0 the market moved against us</span>
      </td>
      <td class="n ${toneOf(share ?? 0)}">${share === null ? '–' : percent(share)}</td>
    </tr> `;
  });
  if (known.length === 0) after.push(costLine('Mid after a fill', null, 'unknown: bars do not show it, or no price came after a fill'));
  const wait = timeToFill.meanMs === null ? '–' : duration(timeToFill.meanMs);
  return html`<section id="costs" class="card">
    <div class="head">
      <h2>Costs and fills</h2>
      <p>${whole(stats.makerFills)} maker fills, ${whole(stats.takerFills)} taker fills</p>
    </div>
    <table>
      <tbody>
        ${costLine('Profit before costs', gross, 'realised and open, at the prices of the fills')}
        ${costLine('Fees', -Number(pnl.fees), 'paid to the venue')} ${costLine('Funding', pnl.funding, 'received, or paid if negative')}
        ${costLine('Net profit', pnl.net, 'what is left')}
        ${costLine('Slippage, part of the first line', slippage.fills === 0 ? null : slippage.amount, `${whole(slippage.fills)} fills: the mid that the bot saw when it decided, against the price of the fill`)}
        ${after}
        <tr>
          <td>Time to the first fill<br /><span class="soft">mean of ${whole(timeToFill.orders)} orders</span></td>
          <td class="n">${wait}</td>
        </tr>
      </tbody>
    </table>
  </section>`;
}

const TRADE_HEADS: readonly Head[] = [
  'opened (UTC)',
  ['held'],
  'leg',
  ['size'],
  ['entry'],
  ['exit'],
  'entry reason',
  'exit reason',
  ['net'],
];

type ShownTrade = Pick<
  RoundTrip,
  'openedAt' | 'closedAt' | 'symbol' | 'positionSide' | 'size' | 'entryPrice' | 'exitPrice' | 'entryReason' | 'net'
>;

/** `exit`: why it was closed. */
function tradeRow(trade: ShownTrade, exit: string): Markup {
  const { openedAt, closedAt, symbol, positionSide, size, entryPrice, exitPrice, entryReason, net } = trade;
  return html`<tr>
    <td data-value="${openedAt}">${moment(openedAt)}</td>
    <td class="n" data-value="${closedAt - openedAt}">${duration(closedAt - openedAt)}</td>
    <td>${symbol} ${positionSide}</td>
    <td class="n" data-value="${size}">${size}</td>
    <td class="n" data-value="${entryPrice}">${price(entryPrice)}</td>
    <td class="n" data-value="${exitPrice}">${price(exitPrice)}</td>
    <td class="words" title="${entryReason}">${entryReason}</td>
    <td class="words" title="${exit}">${exit}</td>
    <td class="n ${toneOf(net)}" data-value="${net}">${money(net)}</td>
  </tr> `;
}

function tradeTable(trades: readonly RoundTrip[]): Markup {
  const rows = trades.map((trade) => tradeRow(trade, exitWords(trade)));
  return scrolling(TRADE_HEADS, tableOf(TRADE_HEADS, rows));
}

/** The newest of all `count` trades in a table to be sorted. */
function allTrades(rows: readonly Markup[], count: number): Markup {
  const title = rows.length === count ? `All ${whole(count)} trades` : `The newest ${whole(rows.length)} of ${whole(count)} trades`;
  return html`<details>
    <summary class="soft">${title}; the title of a column sorts by it</summary>
    ${scrolling(TRADE_HEADS, sortableTableOf(TRADE_HEADS, rows))}
  </details>`;
}

export function tradesOf(report: RunReport): Markup {
  const { net, named } = tradeRows(report);
  const count = net.length;
  if (count === 0) return html``;
  const ranked = [...net.keys()].sort((a, b) => net[b]! - net[a]!);
  const isFew = count <= 2 * BEST;
  const best = isFew ? ranked : ranked.slice(0, BEST);
  const worst = isFew ? [] : ranked.slice(-BEST).toReversed();
  const newest = Array.from({ length: Math.min(count, MOST_TRADES) }, (_, k) => count - 1 - k);
  const trades = named(new Set([...best, ...worst, ...newest]));
  const at = (places: readonly number[]): RoundTrip[] => places.map((place) => trades.get(place)!);
  return html`<section class="card">
    <div class="head">
      <h2>${isFew ? 'Trades, the best first' : 'The best trades'}</h2>
      <p>${whole(count)} were closed, each a leg from flat to flat; backtest --trades FILE writes all as CSV</p>
    </div>
    ${tradeTable(at(best))}
    ${
      worst.length === 0
        ? null
        : html`<div class="head"></div>
            <div class="head"><h2>The worst trades</h2></div>
            ${tradeTable(at(worst))}`
    }
    ${allTrades(
      at(newest).map((trade) => tradeRow(trade, exitWords(trade))),
      count,
    )}
  </section>`;
}

/** Trades as the strategy entered them. */
export function managedOf({ managed = [] }: RunReport): Markup | null {
  if (managed.length === 0) return null;
  const { trades, wins, net, profitFactor, meanHeldMs } = managedFigures(managed);
  const facts: Fact[] = [
    {
      title: 'Managed trades',
      figure: { text: whole(trades), value: trades },
      words: `${percent(wins / trades, 1)} with a profit (${whole(wins)})`,
    },
    {
      title: 'Net',
      figure: { text: signedMoney(net), value: net, tone: toneOf(net) },
      words: `${signedMoney(Number(net) / trades)} a trade`,
    },
    {
      title: 'Profit factor',
      figure: { text: profitFactor === null ? '–' : ratio(profitFactor), value: profitFactor },
      words: 'sum of profits ÷ sum of losses',
    },
    { title: 'Held for', figure: { text: duration(meanHeldMs), value: meanHeldMs }, words: 'on average' },
  ];
  return html`<section id="managed" class="card">
    <div class="head">
      <h2>Managed trades</h2>
      <p>each as the strategy entered it, with its own exits; several of them may make one trade of a leg</p>
    </div>
    ${tilesMarkup(facts)}
    ${allTrades(
      managed
        .slice(-MOST_TRADES)
        .toReversed()
        .map((trade) => tradeRow(trade, trade.reason)),
      managed.length,
    )}
  </section>`;
}

export function drawdownsOf({ drawdowns }: Pick<RunReport, 'drawdowns'>): Markup {
  const lines = drawdowns.map(({ from, trough, to, amount, share }) => {
    const back = to === null ? 'not yet' : duration(to - trough);
    return html`<tr>
      <td>${moment(from)}</td>
      <td class="n">${percent(share)}</td>
      <td class="n">${money(amount)}</td>
      <td class="n">${duration(trough - from)}</td>
      <td class="n">${back}</td>
    </tr> `;
  });
  if (lines.length === 0) return html`<p class="soft">The equity never fell below a peak.</p>`;
  const heads: readonly Head[] = ['peak (UTC)', ['depth'], ['amount'], ['fell for'], ['recovered in']];
  return scrolling(heads, tableOf(heads, lines));
}

/** Parameters of the strategies, and the configuration of the run; with another run, those that differ are marked. */
export function parametersOf({ parameters, config, performance }: RunReport, other: RunReport | undefined): Markup {
  const lines = parameters.map(({ strategy, name, value }) => {
    const beside = other?.parameters.find((one) => one.strategy === strategy && one.name === name)?.value ?? '';
    const differs = other !== undefined && beside !== value;
    return html`<tr class="${differs ? 'differs' : ''}">
      <td>${strategy}</td>
      <td>${name}</td>
      <td class="n">${value}</td>
      ${other === undefined ? null : html`<td class="n">${beside === '' ? '–' : beside}</td>`}
    </tr> `;
  });
  const speed = performance.rows === 0 ? '' : `${whole(performance.rowsPerSecond)} rows a second`;
  return html`<section id="settings" class="card">
    <div class="head">
      <h2>Parameters</h2>
      <p>${speed}</p>
    </div>
    ${tableOf(['strategy', 'parameter', ['value'], ...(other === undefined ? [] : ([['other run']] as Head[]))], lines)}
    <details>
      <summary class="soft">The whole configuration of the run</summary>
      <pre>${JSON.stringify(config, null, 2)}</pre>
    </details>
  </section>`;
}
