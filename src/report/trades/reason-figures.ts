/** Orders, fills and profit by reason. */
import { formatMoney } from '../../domain/instrument.ts';
import type { FillLabel, FillLabels } from '../fills/fill-labels.ts';
import type { RoundTrips } from './round-trips.ts';

/** `strategy` and `reason` are those of the fills. */
export interface ReasonFigures extends FillLabel {
  /** Orders placed; a modify is not a new order. */
  readonly orders: number;
  readonly fills: number;
  /** Realised profit of its fills minus their fees: an entry realises nothing, so it has its fees alone. */
  readonly net: string;
  /** Closed trades that its orders opened, those of them with a profit, and their profit. Absent in reports of older versions. */
  readonly opened?: { readonly trades: number; readonly wins: number; readonly net: string } | undefined;
}

/** Sorted by number of fills, most first. By label: the fills, and money. */
export function reasonFigures(
  labels: FillLabels,
  fills: readonly number[],
  { nets, opened }: Pick<RoundTrips, 'nets' | 'opened'>,
): ReasonFigures[] {
  const orders = labels.orders();
  const figures = labels.all.map(({ strategy, reason }, n) => {
    const trades = { trades: opened.trades[n]!, wins: opened.wins[n]!, net: formatMoney(opened.nets[n]!) };
    return { strategy, reason, orders: orders[n]!, fills: fills[n]!, net: formatMoney(nets[n]!), opened: trades };
  });
  return figures.filter((one) => one.orders > 0 || one.fills > 0).sort((a, b) => b.fills - a.fills || b.orders - a.orders);
}
