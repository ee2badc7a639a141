/** Collects the managed trades of a run: from what strategies write down of them, and the fees of their orders. */
import { formatLots, formatMoney, type Instrument } from '../../../domain/instrument.ts';
import { ONE } from '../../../domain/amounts/units.ts';
import { ordersOf, type SavedTrade } from '../../../engine/trades/saved-trade.ts';
import type { ManagedTrade } from '../../../report/trades/managed-trades.ts';

interface Seen {
  readonly strategy: string;
  /** Numbers of all orders that it had. */
  readonly orders: Set<number>;
  saved: SavedTrade;
  /** Time when it was closed; 0 before. */
  closedAt: number;
}

export class ManagedLog {
  /** False until a strategy enters a managed trade: then fees need not be counted. */
  isUsed = false;
  readonly #instruments: readonly Instrument[];
  readonly #trades = new Map<string, Seen>();
  /** Fees in money by number of the order. */
  readonly #fees = new Map<number, number>();

  constructor(instruments: readonly Instrument[]) {
    this.#instruments = instruments;
  }

  /** A note of the journal. */
  note(kind: string, data: Readonly<Record<string, unknown>>, time: number): void {
    if (kind !== 'trade') return;
    this.isUsed = true;
    const { strategy, trade } = data as unknown as { readonly strategy: string; readonly trade: SavedTrade };
    const key = `${strategy} ${trade.id}`;
    const seen = this.#trades.get(key) ?? { strategy, orders: new Set(), saved: trade, closedAt: 0 };
    this.#trades.set(key, seen);
    seen.saved = trade;
    for (const order of ordersOf(trade)) if (order > 0) seen.orders.add(order);
    if (trade.state === 'closed') seen.closedAt = time;
  }

  /** A fill of this order, or of its bracket, cost this fee. */
  paid(order: number, fee: number): void {
    this.#fees.set(order, (this.#fees.get(order) ?? 0) + fee);
  }

  /** The closed ones, in order of closing. */
  closed(): ManagedTrade[] {
    const closed = [...this.#trades.values()].filter(({ saved, closedAt }) => closedAt > 0 && saved.enteredLots > 0);
    return closed.sort((a, b) => a.closedAt - b.closedAt).map((one) => this.#tradeOf(one));
  }

  #tradeOf({ strategy, orders, saved, closedAt }: Seen): ManagedTrade {
    const { id, symbol, side, reason, enteredLots, entryValue, pricedLots, entryTime, exits } = saved;
    const instrument = this.#instruments.find((one) => one.product === 'futures' && one.symbol === symbol)!;
    const entryPrice = entryValue / pricedLots;
    const priced = exits.filter(({ price }) => price > 0);
    const size = priced.reduce((sum, exit) => sum + exit.size, 0);
    const value = priced.reduce((sum, exit) => sum + exit.price * exit.size, 0);
    const pnl = Math.round((value - entryPrice * size) * (side === 'LONG' ? 1 : -1) * ONE);
    const fees = [...orders].reduce((sum, order) => sum + (this.#fees.get(order) ?? 0), 0);
    return {
      strategy,
      id,
      symbol,
      positionSide: side,
      openedAt: entryTime,
      closedAt,
      size: formatLots(enteredLots, instrument),
      entryPrice,
      exitPrice: value / size,
      pnl: formatMoney(pnl),
      fees: formatMoney(fees),
      net: formatMoney(pnl - fees),
      entryReason: reason,
      reason: exits.at(-1)?.why ?? '',
    };
  }
}
