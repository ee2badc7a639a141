/** Orders, fills and profit by reason. */
import { formatMoney } from '../../domain/instrument.ts';
import type { FillLabel, FillLabels } from '../fills/fill-labels.ts';

/** `strategy` and `reason` are those of the fills. */
export interface ReasonFigures extends FillLabel {
  /** Orders placed; a modify is not a new order. */
  readonly orders: number;
  readonly fills: number;
  /** Realised profit of its fills minus their fees. */
  readonly net: string;
}

/** Sorted by number of fills, most first. By label: the fills, and money. */
export function reasonFigures(labels: FillLabels, fills: readonly number[], nets: readonly number[]): ReasonFigures[] {
  const orders = labels.orders();
  const figures = labels.all.map(({ strategy, reason }, n) => {
    return { strategy, reason, orders: orders[n]!, fills: fills[n]!, net: formatMoney(nets[n]!) };
  });
  return figures.filter((one) => one.orders > 0 || one.fills > 0).sort((a, b) => b.fills - a.fills || b.orders - a.orders);
}
