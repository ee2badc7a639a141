/** Closed trades by symbol, strategy, reason, side, hour and weekday, and how many orders passed each step from intent to fill. */
import { formatMoney } from '../domain/instrument.ts';
import { parseScaled } from '../domain/amounts/scale.ts';
import { MONEY_DECIMALS } from '../domain/amounts/units.ts';
import type { RoundTrip } from './trades/round-trips.ts';
import type { BreakdownRow, Breakdowns, FunnelStep, OrderCounts, ReportedParameter } from './run-report.ts';

const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
const HOURS = Array.from({ length: 24 }, (_, hour) => String(hour).padStart(2, '0'));

interface Sums {
  trades: number;
  wins: number;
  net: number;
  fees: number;
}

/** Hours and weekdays are in order of time, everything else has the most trades first. */
export function breakdownsOf(trades: readonly RoundTrip[]): Breakdowns {
  const hourOf = ({ openedAt }: RoundTrip): string => HOURS[new Date(openedAt).getUTCHours()]!;
  const weekdayOf = ({ openedAt }: RoundTrip): string => WEEKDAYS[(new Date(openedAt).getUTCDay() + 6) % 7]!;
  return {
    symbol: grouped(trades, ({ symbol }) => symbol),
    strategy: grouped(trades, ({ strategy }) => strategy),
    entry: grouped(trades, ({ entryReason }) => entryReason),
    path: rowsOf(
      trades.flatMap(({ entryReason, exits = [] }) =>
        exits.map((exit) => ({ ...exit, key: `${wordOf(entryReason)} → ${wordOf(exit.reason)}` })),
      ),
    ),
    reason: rowsOf(trades.flatMap(({ exits = [] }) => exits.map((exit) => ({ ...exit, key: exit.reason })))),
    side: grouped(trades, ({ positionSide }) => positionSide),
    hour: grouped(trades, hourOf, HOURS),
    weekday: grouped(trades, weekdayOf, WEEKDAYS),
  };
}

function wordOf(reason: string): string {
  return reason === '' ? '(no reason given)' : reason;
}

function grouped(trades: readonly RoundTrip[], keyOf: (trade: RoundTrip) => string, order?: readonly string[]): BreakdownRow[] {
  return rowsOf(
    trades.map((trade) => ({ key: keyOf(trade), net: trade.net, fees: trade.fees })),
    order,
  );
}

/** Trades or parts of trades by key. */
function rowsOf(parts: readonly Pick<BreakdownRow, 'key' | 'net' | 'fees'>[], order?: readonly string[]): BreakdownRow[] {
  const groups = new Map<string, Sums>();
  for (const part of parts) {
    const { key } = part;
    let sums = groups.get(key);
    if (sums === undefined) groups.set(key, (sums = { trades: 0, wins: 0, net: 0, fees: 0 }));
    const net = parseScaled(part.net, MONEY_DECIMALS);
    sums.trades++;
    if (net > 0) sums.wins++;
    sums.net += net;
    sums.fees += parseScaled(part.fees, MONEY_DECIMALS);
  }
  const rows = [...groups].map(([key, { trades: count, wins, net, fees }]) => {
    return { key, trades: count, wins, net: formatMoney(net), fees: formatMoney(fees) };
  });
  if (order !== undefined) return rows.sort((a, b) => order.indexOf(a.key) - order.indexOf(b.key));
  return rows.sort((a, b) => b.trades - a.trades || (a.key < b.key ? -1 : 1));
}

/** `accepted` are the orders that the venue took; `left` are those of them that neither filled nor were cancelled by the end. */
export function funnelOf({ placed, cancelled, filled, rejected, unsent, refused }: OrderCounts): FunnelStep[] {
  const refusals = Object.values(refused).reduce((sum, n) => sum + n, 0);
  const accepted = placed - rejected - unsent;
  return [
    { key: 'intents', title: 'orders the strategies asked for', count: placed + refusals, of: '' },
    { key: 'refused', title: 'refused by a risk rule', count: refusals, of: 'intents' },
    { key: 'placed', title: 'given to the order lane', count: placed, of: 'intents' },
    { key: 'unsent', title: 'never sent', count: unsent, of: 'placed' },
    { key: 'rejected', title: 'rejected by the venue', count: rejected, of: 'placed' },
    { key: 'accepted', title: 'accepted by the venue', count: accepted, of: 'placed' },
    { key: 'cancelled', title: 'cancelled', count: cancelled, of: 'accepted' },
    { key: 'filled', title: 'filled', count: filled, of: 'accepted' },
    { key: 'left', title: 'open at the end', count: Math.max(0, accepted - cancelled - filled), of: 'accepted' },
  ];
}

interface NamedParams {
  readonly name?: unknown;
  readonly params?: Readonly<Record<string, unknown>>;
}

export function parametersOf(config: Readonly<Record<string, unknown>>): ReportedParameter[] {
  const strategies = (config['strategies'] as readonly NamedParams[] | undefined) ?? [];
  return strategies.flatMap(({ name, params = {} }) => {
    return Object.entries(params).map(([key, value]) => ({ strategy: String(name), name: key, value: String(value) }));
  });
}
