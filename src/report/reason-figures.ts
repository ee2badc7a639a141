/** Orders, fills and profit by reason. */
import { formatMoney } from '../domain/instrument.ts';
import type { FillLabel } from './fill-labels.ts';
import type { FillLog } from './fill-log.ts';

/** `strategy` and `reason` are those of the fills. */
export interface ReasonFigures extends FillLabel {
  /** Orders placed; a modify is not a new order. */
  readonly orders: number;
  readonly fills: number;
  /** Realised profit of its fills minus their fees. */
  readonly net: string;
}

/** Sorted by number of fills, most first. `nets` is money by label. */
export function reasonFigures({ labels, label, length }: FillLog, nets: ReadonlyMap<number, number>): ReasonFigures[] {
  const fills = labels.all.map(() => 0);
  for (let k = 0; k < length; k++) fills[label[k]!]!++;
  const orders = labels.orders();
  const figures = labels.all.map(({ strategy, reason }, n) => {
    return { strategy, reason, orders: orders[n]!, fills: fills[n]!, net: formatMoney(nets.get(n) ?? 0) };
  });
  return figures.filter((one) => one.orders > 0 || one.fills > 0).sort((a, b) => b.fills - a.fills || b.orders - a.orders);
}
