/** Lists of trades: the best and the worst, the newest, and those that a strategy entered as managed trades. */
import { tradeRows } from '../../../backtest-report.ts';
import { LISTED } from '../../../market/chart-trades.ts';
import type { RunReport } from '../../../run-report.ts';
import { managedFigures } from '../../../trades/managed-trades.ts';
import type { RoundTrip } from '../../../trades/trade.ts';
import { exitWords } from '../../../trades/trip-exits.ts';
import type { Block, Cell, Fact, Section, Table, TableColumn } from '../../document.ts';
import { duration, moment, money, percent, price, ratio, signedMoney, toneOf, whole } from '../../figures.ts';
import { numbers } from '../../text-table.ts';

/** Rows of all trades, and of managed ones, most of which are the same. */
const MOST_TRADES = 1_000;
const MOST_MANAGED = 300;

const COLUMNS: readonly TableColumn[] = [
  { title: 'opened (UTC)' },
  numbers('held'),
  { title: 'leg' },
  ...['size', 'entry', 'exit'].map(numbers),
  { title: 'entry reason', flows: true, clips: true },
  { title: 'exit reason', flows: true, clips: true },
  numbers('net'),
];

export function bestTradesSection(report: RunReport): Section[] {
  const { net, named } = tradeRows(report);
  const count = net.length;
  if (count === 0) return [];
  const ranked = [...net.keys()].sort((a, b) => net[b]! - net[a]!);
  const isFew = count <= 2 * LISTED;
  const best = isFew ? ranked : ranked.slice(0, LISTED);
  const worst = isFew ? [] : ranked.slice(-LISTED).toReversed();
  const newest = Array.from({ length: Math.min(count, MOST_TRADES) }, (_, k) => count - 1 - k);
  const trades = named(new Set([...best, ...worst, ...newest]));
  const rowsAt = (places: readonly number[]): Cell[][] =>
    places.map((place) => trades.get(place)!).map((trade) => tradeRow(trade, exitWords(trade)));
  return [
    {
      id: 'best-trades',
      title: isFew ? 'Trades, the best first' : 'The best trades',
      words: `${whole(count)} were closed, each a leg from flat to flat; backtest --trades FILE writes all as CSV`,
      blocks: [
        tradeTable(rowsAt(best)),
        ...(worst.length === 0 ? [] : [{ ...tradeTable(rowsAt(worst)), title: 'The worst trades' }]),
        allTrades(rowsAt(newest), count),
      ],
    },
  ];
}

/** Trades as the strategy entered them. */
export function managedSection({ managed = [] }: RunReport): Section[] {
  if (managed.length === 0) return [];
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
  const newest = managed.slice(-MOST_MANAGED).toReversed();
  return [
    {
      id: 'managed',
      link: 'Managed trades',
      title: 'Managed trades',
      words: 'each as the strategy entered it, with its own exits; several of them may make one trade of a leg',
      blocks: [
        { kind: 'facts', facts },
        allTrades(
          newest.map((trade) => tradeRow(trade, trade.reason)),
          managed.length,
        ),
      ],
    },
  ];
}

function tradeTable(rows: Table['rows']): Table {
  return { kind: 'table', columns: COLUMNS, rows };
}

/** The newest of all `count` trades. */
function allTrades(rows: Table['rows'], count: number): Block {
  const title = rows.length === count ? `All ${whole(count)} trades` : `The newest ${whole(rows.length)} of ${whole(count)} trades`;
  return { kind: 'folded', title: `${title}; the title of a column sorts by it`, content: { ...tradeTable(rows), isSortable: true } };
}

type ShownTrade = Pick<
  RoundTrip,
  'openedAt' | 'closedAt' | 'symbol' | 'positionSide' | 'size' | 'entryPrice' | 'exitPrice' | 'entryReason' | 'net'
>;

/** `exit`: why it was closed. */
function tradeRow(trade: ShownTrade, exit: string): Cell[] {
  const { openedAt, closedAt, symbol, positionSide, size, entryPrice, exitPrice, entryReason, net } = trade;
  return [
    { text: moment(openedAt), value: openedAt },
    { text: duration(closedAt - openedAt), value: closedAt - openedAt },
    `${symbol} ${positionSide}`,
    { text: size, value: size },
    { text: price(entryPrice), value: entryPrice },
    { text: price(exitPrice), value: exitPrice },
    entryReason,
    exit,
    { text: money(net), value: net, tone: toneOf(net) },
  ];
}
