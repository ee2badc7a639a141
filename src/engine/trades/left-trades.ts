/** Trades that no strategy works on, because it does not run: what a stop-loss or take-profit at the venue closes of them is noted. */
import type { SavedTrade } from './saved-trade.ts';

/** A bracket of order `order` closed `lots`, which are `size` in base coin, at `price` in quote coin (NaN if not known). */
export interface BracketExit {
  readonly order: number;
  readonly lots: number;
  readonly size: number;
  readonly price: number;
  readonly why: string;
  readonly time: number;
}

/** The trades after the exit, of which the one that it belongs to has lost its lots. */
export function afterExit(trades: readonly SavedTrade[], { order, lots, size, price, why, time }: BracketExit): readonly SavedTrade[] {
  return trades.map((trade) => {
    const taken = Math.min(lots, trade.enteredLots - trade.exitedLots);
    if (taken <= 0 || !trade.opens.includes(order)) return trade;
    const exit = { time, size: (size / lots) * taken, price: price > 0 ? price : Number.NaN, why };
    return { ...trade, exitedLots: trade.exitedLots + taken, exits: [...trade.exits, exit] };
  });
}
