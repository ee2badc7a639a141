/** Closed trades by symbol, strategy, reason, side, hour and weekday, and how many orders passed each step from intent to fill. */
import { formatMoney } from '../domain/instrument.ts';
import type { TradeParts } from './trades/trade.ts';
import type { Breakdowns, FunnelStep, OrderCounts, PathRow, ReportedParameter } from './run-report.ts';

const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
const HOURS = Array.from({ length: 24 }, (_, hour) => String(hour).padStart(2, '0'));

interface Sums {
  trades: number;
  wins: number;
  net: number;
  fees: number;
  readonly names: Pick<PathRow, 'entry' | 'exit'>;
}

/** Hours and weekdays are in order of time, everything else has the most trades first. */
export function breakdownsOf(trades: Iterable<TradeParts>): Breakdowns {
  const [symbol, strategy, entry, path] = [new Groups(), new Groups(), new Groups(), new Groups()];
  const [reason, side, hour, weekday] = [new Groups(), new Groups(), new Groups(), new Groups()];
  for (const { openedAt, entryReason, exits, ...trade } of trades) {
    const { net, fees } = trade;
    symbol.add(trade.symbol, net, fees);
    strategy.add(trade.strategy, net, fees);
    entry.add(entryReason, net, fees);
    side.add(trade.positionSide, net, fees);
    hour.add(HOURS[new Date(openedAt).getUTCHours()]!, net, fees);
    weekday.add(WEEKDAYS[(new Date(openedAt).getUTCDay() + 6) % 7]!, net, fees);
    for (const [why, part] of exits) {
      const made = part.pnl - part.fees;
      const names = { entry: wordOf(entryReason), exit: wordOf(why) };
      path.add(`${names.entry} → ${names.exit}`, made, part.fees, names);
      reason.add(why, made, part.fees);
    }
  }
  return {
    symbol: symbol.rows(),
    strategy: strategy.rows(),
    entry: entry.rows(),
    path: path.rows(),
    reason: reason.rows(),
    side: side.rows(),
    hour: hour.rows(HOURS),
    weekday: weekday.rows(WEEKDAYS),
  };
}

function wordOf(reason: string): string {
  return reason === '' ? '(no reason given)' : reason;
}

/** Sums of trades, or of parts of trades, by key. Amounts in 10⁻⁸ of the quote coin. */
class Groups {
  readonly #sums = new Map<string, Sums>();

  /** `names`: the two reasons that the key joins. */
  add(key: string, net: number, fees: number, names: Sums['names'] = {}): void {
    let sums = this.#sums.get(key);
    if (sums === undefined) this.#sums.set(key, (sums = { trades: 0, wins: 0, net: 0, fees: 0, names }));
    sums.trades++;
    if (net > 0) sums.wins++;
    sums.net += net;
    sums.fees += fees;
  }

  /** In this order of keys, or those with the most trades first. */
  rows(order?: readonly string[]): PathRow[] {
    const rows = [...this.#sums].map(([key, { trades, wins, net, fees, names }]) => {
      return { key, ...names, trades, wins, net: formatMoney(net), fees: formatMoney(fees) };
    });
    if (order !== undefined) return rows.sort((a, b) => order.indexOf(a.key) - order.indexOf(b.key));
    return rows.sort((a, b) => b.trades - a.trades || (a.key < b.key ? -1 : 1));
  }
}

/** `accepted` are the orders that the venue took; `left` are those of them that neither filled nor were cancelled by the end. */
export function funnelOf({ placed, cancelled, filled, rejected, unsent, refused }: OrderCounts): FunnelStep[] {
  const refusals = Object.values(refused).reduce((sum, n) => sum + n, 0);
  const accepted = placed - rejected - unsent;
  return [
    { key: 'intents', title: 'orders the strategies asked for', count: placed + refusals, of: '' },
    { key: 'refused', title: 'refused by a risk rule', count: refusals, of: 'intents' },
    { key: 'placed', title: 'given to the order throttle', count: placed, of: 'intents' },
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
