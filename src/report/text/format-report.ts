/** The report of a run as text: what was run, the result, and what to be careful about. */
import { settingsOf } from '../../domain/limits.ts';
import { newestTrades, someMetrics } from '../backtest-report.ts';
import type { Reading } from '../reading.ts';
import type { Blocked, RunReport } from '../run-report.ts';
import { allMetrics, CHIEF_METRICS, chiefMetrics } from './metric-text.ts';
import type { ReasonFigures } from '../trades/reason-figures.ts';
import type { RoundTrip } from '../trades/round-trips.ts';
import { portfolioLines } from './portfolio-text.ts';
import { duration, HARD, moment, money, percent, price, whole } from '../document/figures.ts';
import { aligned, entry, rowsWord, section, sparkline, wrapped } from './text-parts.ts';

const LAST_TRADES = 5;
const MOST_REASONS = 12;
const LONGEST_REASON = 48;

interface ShownStrategy {
  readonly name: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly symbols?: readonly string[];
}

/** Plain text without colours, 80 columns wide unless a word is longer. Money is rounded to two decimals; the JSON is exact. */
export function formatReport(report: RunReport, { isAll = false }: { readonly isAll?: boolean } = {}): string {
  const { tape, config, notes, performance } = report;
  const strategies = (config['strategies'] as readonly ShownStrategy[] | undefined) ?? [];
  const names = strategies.map((s) => s.name).join(', ') || 'no strategy';
  const lines = [
    `${report.kind === 'session' ? 'Session' : 'Backtest'} of ${names} on ${symbolsOf(strategies, tape.symbols).join(', ')}`,
    ...report.failed.flatMap(({ strategy, why }) => wrapped(`STOPPED: strategy ${strategy} was disabled ${why}`, '', '  ')),
    ...(report.threw ?? []).flatMap(({ strategy, why }) => wrapped(`ERRORS: strategy ${strategy} threw ${why}`, '', '  ')),
    ...nothingPlaced(report),
    ...entry(
      report.kind === 'session' ? 'seen' : 'tape',
      `${whole(tape.rows)} ${rowsWord(tape)}, ${moment(tape.from)} to ${moment(tape.to)} (${duration(tape.to - tape.from).replaceAll(' ', HARD)})`,
    ),
    ...strategies.flatMap(({ name, params }) => entry(name, paramsOf(params))),
    ...section('Result'),
    ...resultOf(report),
    ...bracketOf(report),
    ...portfolioLines(report.portfolio),
    ...section('Trades'),
    ...tradesOf(report),
    ...(isAll ? allMetrics(report.metrics) : chiefMetrics(someMetrics(report, CHIEF_METRICS))),
    ...reasonsOf(report),
  ];
  if (notes.length > 0)
    lines.push(...section('Read this before you believe it'), ...notes.flatMap((note) => wrapped(note, '  • ', '    ')));
  const { rowsPerSecond, wallMs, bracketMs } = performance;
  const both = bracketMs === undefined ? '' : `; ${bracketMs.toFixed(0)} ms with both readings`;
  const speed = `${whole(rowsPerSecond)} rows a second (${wallMs.toFixed(0)} ms${both})`;
  lines.push('', ...entry('result hash', report.hash), ...entry('speed', speed), '');
  return lines.join('\n');
}

/** A run without an order, or without one from some time on, looks like a calm one: what refused them stands at the top. */
function nothingPlaced({ orders }: RunReport): string[] {
  if (orders.placed > 0 && orders.blocked != null) return wrapped(blockedText(orders.blocked), '', '  ');
  const rules = Object.keys(orders.refused);
  if (orders.placed > 0 || rules.length === 0) return [];
  const said = rules.map((rule) => [rule, settingsOf(rule).join(', ')].filter((part) => part !== '').join(': '));
  return wrapped(`NOTHING WAS PLACED: every order was refused (${said.join('; ')}), see the notes below`, '', '  ');
}

function blockedText({ from, intents, rules }: Blocked): string {
  return `BLOCKED from ${moment(from)} on: ${whole(intents)} intents refused (${rules.join(', ')}), and nothing was placed; see the notes below`;
}

/** The three readings side by side, a column each. */
function bracketOf({ bracket }: RunReport): string[] {
  if (bracket === null) return [];
  const { readings } = bracket;
  const rows: (readonly [string, (reading: Reading) => string])[] = [
    ['net profit', ({ net }) => money(net)],
    ['fees', ({ fees }) => money(fees)],
    ['largest drawdown', ({ maxDrawdownShare }) => percent(maxDrawdownShare)],
    ['trades', ({ trades }) => whole(trades)],
    ['with a profit', ({ wins }) => whole(wins)],
    ['fills', ({ fills }) => whole(fills)],
  ];
  const lines = rows.map(([title, textOf]) => [title, ...readings.map(textOf)]);
  const terms = readings
    .filter(({ name }) => name !== 'as reported')
    .flatMap(({ name, terms: words }) => wrapped(`${name}: ${words}`, '  ', '    '));
  return [
    ...section('Between worst and best'),
    ...aligned(['', ...readings.map(({ name }) => name)], lines, 1),
    '',
    ...wrapped(bracket.sentence, '  ', '  '),
    ...terms,
  ];
}

function resultOf({ pnl, equity, exposure, series }: RunReport): string[] {
  const funding = Number(pnl.funding) === 0 ? '' : `, funding ${money(pnl.funding)}`;
  return [
    ...entry(
      'net profit',
      `${money(pnl.net)} = realised ${money(pnl.realised)}, open ${money(pnl.unrealised)}, fees ${money(negated(pnl.fees))}${funding}`,
    ),
    ...entry('equity', `${money(equity.start)} → ${money(equity.end)}   ${sparkline(equity.curve.map(([, e]) => Number(e)))}`),
    ...entry(
      'largest drawdown',
      `${money(equity.maxDrawdown)} (${percent(equity.maxDrawdownShare)})   ${sparkline(series.drawdown)}`.trimEnd(),
    ),
    ...entry('exposure', `${percent(exposure.timeShare)} of the time, at most ${money(exposure.largest)}`),
    ...entry('turnover', money(exposure.turnover)),
  ];
}

function tradesOf(report: RunReport): string[] {
  const { stats, orders } = report;
  const fills = stats.makerFills + stats.takerFills;
  const ends = {
    modified: orders.modified,
    filled: orders.filled,
    cancelled: orders.cancelled,
    rejected: orders.rejected,
    unsent: orders.unsent,
  };
  const told = Object.entries(ends).filter(([, n]) => n > 0);
  const lines = [
    ...entry('closed', stats.trades === 0 ? 'none' : `${whole(stats.trades)}, ${whole(stats.wins)} of them with a profit`),
    ...entry('fills', `${whole(fills)}${fills === 0 ? '' : `: ${whole(stats.makerFills)} maker, ${whole(stats.takerFills)} taker`}`),
    ...entry('orders', [`${whole(orders.placed)} placed`, ...told.map(([what, n]) => `${whole(n)} ${what}`)].join(', ')),
  ];
  const refused = Object.entries(orders.refused).map(([rule, n]) => `${rule} ${whole(n)}`);
  if (refused.length > 0) lines.push(...entry('refused by risk', refused.join(', ')));
  if (stats.trades === 0) return lines;
  const title = stats.trades > LAST_TRADES ? [`  the last ${LAST_TRADES}:`] : [];
  return [...lines, '', ...title, ...table(newestTrades(report, LAST_TRADES))];
}

/** Result by reason, if there is more than one. */
function reasonsOf({ reasons, config }: RunReport): string[] {
  if (reasons.length < 2) return [];
  const strategies = (config['strategies'] as readonly ShownStrategy[] | undefined) ?? [];
  const nameOf = ({ strategy, reason }: ReasonFigures): string => {
    const words = reason === '' ? '(no reason given)' : reason;
    return strategies.length > 1 && strategy !== '' ? `${strategy}: ${words}` : words;
  };
  const shown = reasons.slice(0, MOST_REASONS);
  const rows = shown.map((one) => [clipped(nameOf(one)), whole(one.orders), whole(one.fills), money(one.net)]);
  const more = reasons.length - shown.length;
  return [
    ...section('By reason'),
    ...aligned(['reason', 'orders', 'fills', 'net'], rows, 1),
    ...(more > 0 ? [`  and ${whole(more)} more`] : []),
  ];
}

function clipped(text: string): string {
  return text.length > LONGEST_REASON ? `${text.slice(0, LONGEST_REASON - 1)}…` : text;
}

/** The traded symbols without repeats; if the report has none, those of the tape. */
function symbolsOf(strategies: readonly ShownStrategy[], onTape: readonly string[]): readonly string[] {
  const traded = new Set(strategies.flatMap(({ symbols }) => symbols ?? []));
  return traded.size === 0 ? onTape : [...traded];
}

/** The last trades, one per line. */
function table(trades: readonly RoundTrip[]): string[] {
  const head = ['closed at', 'leg', 'size', 'entry', 'exit', 'net'];
  const rows = trades.map((t) => [
    moment(t.closedAt),
    `${t.symbol} ${t.positionSide}`,
    t.size,
    price(t.entryPrice),
    price(t.exitPrice),
    money(t.net),
  ]);
  return aligned(head, rows, 2);
}

function paramsOf(params: ShownStrategy['params']): string {
  return (
    Object.entries(params)
      .map(([name, value]) => `${name}=${String(value)}`)
      .join(' ') || 'no parameters'
  );
}

function negated(text: string): string {
  return text.startsWith('-') ? text.slice(1) : `-${text}`;
}
