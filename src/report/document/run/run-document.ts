/** The report of a run for people: what was run, the result, and what to be careful about. The page of a run has more, and charts. */
import { INTENT_FAULTS } from '../../../domain/orders/refusals.ts';
import { newestTrades, someMetrics } from '../../backtest-report.ts';
import type { RunReport } from '../../run-report.ts';
import { runTitle, shownStrategies } from '../../shown-strategies.ts';
import { managedFigures, type ManagedFigures } from '../../trades/managed-trades.ts';
import type { ReasonFigures } from '../../trades/reason-figures.ts';
import type { RoundTrip } from '../../trades/trade.ts';
import { notesSection, sentence, type Block, type Cell, type Document, type Item, type Section, type Table } from '../document.ts';
import { numbers } from '../text-table.ts';
import { duration, moment, money, percent, price, profit, ratio, rowsWord, unbroken, whole } from '../figures.ts';
import { alertsOf } from './warnings.ts';
import { equitySections } from '../returns/equity-sections.ts';
import { detailSections } from './detail-sections.ts';
import { CHIEF_METRICS, chiefMetrics } from './metric-sections.ts';
import { portfolioSection } from './portfolio-section.ts';
import { readingsSection } from './readings-section.ts';
import { sparkline } from '../sparkline.ts';
import { universeSection } from './universe-section.ts';

const LAST_TRADES = 5;
const MOST_REASONS = 12;
const LONGEST_REASON = 48;

/** Money is rounded; the JSON is exact. `isAll`: with all that the page of a run says below its charts. */
export function runDocument(report: RunReport, { isAll = false }: { readonly isAll?: boolean } = {}): Document {
  return {
    title: runTitle(report),
    words: '',
    sections: [
      { id: 'run', title: '', words: '', blocks: [...alertsOf(report).map(sentence), { kind: 'list', items: runItems(report) }] },
      { id: 'result', title: 'Result', words: '', blocks: [{ kind: 'list', items: resultOf(report) }] },
      ...readingsSection(report),
      ...portfolioSection(report.portfolio),
      ...universeSection(report.universes),
      { id: 'trades', title: 'Trades', words: '', blocks: tradesOf(report) },
      ...(isAll ? [...equitySections(report), ...detailSections(report)] : chiefMetrics(someMetrics(report, CHIEF_METRICS))),
      ...reasonsOf(report),
      ...notesSection(report.notes),
      { id: 'end', title: '', words: '', blocks: [{ kind: 'list', items: endOf(report) }] },
    ],
  };
}

function runItems(report: RunReport): Item[] {
  const { kind, tape } = report;
  const length = unbroken(duration(tape.to - tape.from));
  return [
    [kind === 'session' ? 'seen' : 'tape', `${whole(tape.rows)} ${rowsWord(tape)}, ${moment(tape.from)} to ${moment(tape.to)} (${length})`],
    ...shownStrategies(report).map(({ name, params = {} }): Item => {
      const values = Object.entries(params).map(([key, value]) => `${key}=${String(value)}`);
      return [name, values.join(' ') || 'no parameters'];
    }),
  ];
}

function resultOf({ pnl, equity, exposure, series }: RunReport): Item[] {
  const funding = Number(pnl.funding) === 0 ? '' : `, funding ${money(pnl.funding)}`;
  const parts = `realised ${money(pnl.realised)}, open ${money(pnl.unrealised)}, fees ${money(-Number(pnl.fees))}${funding}`;
  const curve = sparkline(equity.curve.map(([, value]) => Number(value)));
  const fall = `${money(equity.maxDrawdown)} (${percent(equity.maxDrawdownShare)})`;
  return [
    ['net profit', `${money(pnl.net)} = ${parts}`],
    ['equity', `${money(equity.start)} → ${money(equity.end)}   ${curve}`.trimEnd()],
    ['largest drawdown', `${fall}   ${sparkline(series.drawdown)}`.trimEnd()],
    ['exposure', `${percent(exposure.timeShare)} of the time, at most ${money(exposure.largest)}`],
    ['turnover', money(exposure.turnover)],
  ];
}

function tradesOf(report: RunReport): Block[] {
  const { stats, orders, managed = [] } = report;
  const fills = stats.makerFills + stats.takerFills;
  const { modified, filled, cancelled, rejected, unsent } = orders;
  const ends = Object.entries({ modified, filled, cancelled, rejected, unsent }).filter(([, n]) => n > 0);
  const refused = Object.entries(orders.refused);
  const refusedBy = (title: string, isMistake: boolean): Item[] => {
    const rules = refused.filter(([rule]) => Object.hasOwn(INTENT_FAULTS, rule) === isMistake).map(([rule, n]) => `${rule} ${whole(n)}`);
    return rules.length === 0 ? [] : [[title, rules.join(', ')]];
  };
  const items: Item[] = [
    ['closed', stats.trades === 0 ? 'none' : `${whole(stats.trades)}, ${whole(stats.wins)} of them with a profit`],
    ...(managed.length === 0 ? [] : [['managed trades', managedText(managedFigures(managed))] as const]),
    ['fills', `${whole(fills)}${fills === 0 ? '' : `: ${whole(stats.makerFills)} maker, ${whole(stats.takerFills)} taker`}`],
    ['orders', [`${whole(orders.placed)} placed`, ...ends.map(([what, n]) => `${whole(n)} ${what}`)].join(', ')],
    ...refusedBy('refused by risk', false),
    ...refusedBy('refused, invalid', true),
  ];
  const list: Block = { kind: 'list', items };
  return stats.trades === 0 ? [list] : [list, lastTrades(newestTrades(report, LAST_TRADES), stats.trades)];
}

/** Of trades as the strategy entered them: several of them may make one trade of a leg. */
function managedText({ trades, wins, net, profitFactor, meanHeldMs }: ManagedFigures): string {
  const factor = profitFactor === null ? '' : `, profit factor ${ratio(profitFactor)}`;
  return `${whole(trades)}, ${whole(wins)} of them with a profit: net ${money(net)}${factor}, held for ${duration(meanHeldMs)} on average`;
}

function lastTrades(trades: readonly RoundTrip[], of: number): Table {
  return {
    kind: 'table',
    title: of > LAST_TRADES ? `the last ${LAST_TRADES} trades` : '',
    columns: [{ title: 'closed at' }, { title: 'leg' }, ...['size', 'entry', 'exit', 'net'].map(numbers)],
    rows: trades.map(({ closedAt, symbol, positionSide, size, entryPrice, exitPrice, net }): Cell[] => [
      moment(closedAt),
      `${symbol} ${positionSide}`,
      size,
      price(entryPrice),
      price(exitPrice),
      profit(net),
    ]),
  };
}

/** Result by reason, and by the reason of the entry, if there is more than one. */
function reasonsOf(report: RunReport): Section[] {
  const { reasons } = report;
  const isOne = shownStrategies(report).length < 2;
  const nameOf = ({ strategy, reason }: ReasonFigures): string => {
    const said = reason === '' ? '(no reason given)' : reason;
    return clipped(isOne || strategy === '' ? said : `${strategy}: ${said}`);
  };
  const rows = reasons.map((one) => [nameOf(one), whole(one.orders), whole(one.fills), profit(one.net)]);
  const opened = reasons
    .flatMap((one) => (one.opened === undefined || one.opened.trades === 0 ? [] : [{ ...one.opened, name: nameOf(one) }]))
    .sort((a, b) => b.trades - a.trades)
    .map(({ name, trades, wins, net }) => [name, whole(trades), whole(wins), profit(net)]);
  return [
    ...reasonSection('reasons', 'By reason', ['orders', 'fills', 'net'], rows),
    ...reasonSection('entries', 'Trades by the reason of their entry', ['trades', 'with a profit', 'net'], opened),
  ];
}

/** A table with a row for each reason; nothing for a single one. */
function reasonSection(id: string, title: string, figures: readonly string[], rows: readonly Cell[][]): Section[] {
  if (rows.length < 2) return [];
  const columns = [{ title: 'reason' }, ...figures.map(numbers)];
  const more = rows.length - MOST_REASONS;
  const table: Table = { kind: 'table', columns, rows: rows.slice(0, MOST_REASONS) };
  return [{ id, title, words: '', blocks: [table, ...(more > 0 ? [sentence(`and ${whole(more)} more`)] : [])] }];
}

function clipped(text: string): string {
  return text.length > LONGEST_REASON ? `${text.slice(0, LONGEST_REASON - 1)}…` : text;
}

function endOf({ hash, performance: { rowsPerSecond, wallMs, bracketMs } }: RunReport): Item[] {
  const both = bracketMs === undefined ? '' : `; ${bracketMs.toFixed(0)} ms with both readings`;
  return [
    ['result hash', hash],
    ['speed', `${whole(rowsPerSecond)} rows a second (${wallMs.toFixed(0)} ms${both})`],
  ];
}
