/** Trades that no strategy works on, because it does not run: what their orders fill, and what the venue closes of them, is noted. */
import { assert } from '../../base/failure/assert.ts';
import { priceOf, sizeOf } from '../../domain/instrument.ts';
import type { Core } from '../state/core.ts';
import type { Order } from '../state/records/order.ts';
import { afterEntry, savedTradeOf, type SavedTrade } from './saved-trade.ts';

/** `lots`, which are `size` in base coin, filled at `price` in quote coin (NaN or 0 if not known). */
export interface LeftFill {
  /** The order that filled, or that carried the bracket. */
  readonly order: number;
  readonly lots: number;
  readonly size: number;
  readonly price: number;
  readonly time: number;
}

export class LeftTrades {
  /** By strategy. */
  readonly all: Record<string, readonly SavedTrade[]> = {};
  /** False if there is none: then the calls may be skipped. */
  isAny = false;
  readonly #core: Core;

  constructor(core: Core) {
    this.#core = core;
  }

  /** Call when the trades of an earlier process are in `all`. */
  restored(): void {
    for (const [strategy, trades] of Object.entries(this.all)) this.all[strategy] = trades.map(savedTradeOf);
    this.isAny = Object.keys(this.all).length > 0;
  }

  /** The bracket of order `seq` of this strategy closed `lots` at `ticks` (0: unknown). A strategy that runs gets an event of it. */
  exited(strategy: string, instrument: number, seq: number, why: string, lots: number, ticks: number): void {
    const trades = this.all[strategy];
    if (trades !== undefined) this.all[strategy] = afterExit(trades, this.#fillOf(instrument, seq, lots, ticks), why);
  }

  /** An own order filled `lots` at `ticks` (0: unknown). Trades that it changes are journaled. */
  filled({ instrument, repeats, seq }: Order, lots: number, ticks: number): void {
    const { journal, now } = this.#core;
    const fill = this.#fillOf(instrument, repeats || seq, lots, ticks);
    for (const [strategy, trades] of Object.entries(this.all)) {
      const after = afterFill(trades, fill);
      this.all[strategy] = after;
      for (const [k, trade] of after.entries()) if (trade !== trades[k]) journal.note('trade', { strategy, trade }, now);
    }
  }

  #fillOf(instrument: number, order: number, lots: number, ticks: number): LeftFill {
    const { instruments, now } = this.#core;
    const of = instruments[instrument]!;
    assert(order > 0, 'a fill of a trade is of an order with a number', order);
    assert(lots > 0, 'a fill of a trade has lots above zero', lots, 'order', order);
    return { order, lots, size: sizeOf(lots, of), price: priceOf(ticks, of), time: now };
  }
}

/** The trades after a bracket of the order closed lots for the reason `why`: the trade that it belongs to has lost them. */
export function afterExit(trades: readonly SavedTrade[], fill: LeftFill, why: string): readonly SavedTrade[] {
  return trades.map((trade) => (trade.opens.includes(fill.order) ? exited(trade, fill, why) : trade));
}

/** The trades after the order filled: the one that it opened, that it was a target of, or that it was to close or reduce. The others are the same. */
function afterFill(trades: readonly SavedTrade[], fill: LeftFill): readonly SavedTrade[] {
  return trades.map((trade) => {
    if (trade.opens.includes(fill.order)) return entered(trade, fill);
    const { targets } = trade;
    if (targets.some(({ order }) => order === fill.order)) {
      const filled = targets.map((one) => (one.order === fill.order ? { ...one, filled: one.filled + fill.lots } : one));
      return exited({ ...trade, targets: filled }, fill, 'target');
    }
    const reduce = trade.reduces.find(({ order }) => order === fill.order);
    if (reduce !== undefined) {
      const reduces = trade.reduces.map((one) => (one === reduce ? { ...one, filled: one.filled + fill.lots } : one));
      return exited({ ...trade, reduces, reducedLots: trade.reducedLots + fill.lots }, fill, reduce.why);
    }
    return trade.closing === fill.order ? exited(trade, fill, trade.why) : trade;
  });
}

function entered(trade: SavedTrade, { lots, price, time }: LeftFill): SavedTrade {
  return {
    ...trade,
    ...afterEntry(trade, lots, price),
    state: trade.state === 'entering' ? 'open' : trade.state,
    entryTime: trade.entryTime === 0 ? time : trade.entryTime,
  };
}

function exited(trade: SavedTrade, { lots, size, price, time }: LeftFill, why: string): SavedTrade {
  const taken = Math.min(lots, trade.enteredLots - trade.exitedLots);
  if (taken <= 0) return trade;
  assert(taken <= lots, 'a trade loses at most what was closed', taken, 'trade', trade.id);
  const exit = { time, size: (size / lots) * taken, price: price > 0 ? price : Number.NaN, why };
  return { ...trade, exitedLots: trade.exitedLots + taken, exits: [...trade.exits, exit] };
}
