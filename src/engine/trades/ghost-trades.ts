/**
 * Copies of managed trades that act in a try of a bar's path (sim/bars/bar-trial.ts). They follow the arithmetic of Trade and place orders by
 * `actions` alone, so nothing of them is left.
 */
import { assert } from '../../base/failure/assert.ts';
import { CLOSE, LONG, SHORT, type SideName } from '../../domain/codes.ts';
import { priceOf, ticksOf, type Instrument } from '../../domain/instrument.ts';
import type { Market } from '../intents/market-types.ts';
import { nextPrice, type HalfSpread } from './exit-prices.ts';
import { afterEntry } from './saved-trade.ts';
import { Trade, type TradeOwner } from './trade.ts';

/** Orders of the try. They meet the market at its present price. */
export interface GhostActions {
  /** Closes lots at the market. */
  close(side: number, lots: number): void;
  /** Rests an order that closes lots; `tag` names it. */
  rest(side: number, ticks: number, lots: number, tag: number): void;
  cancel(tag: number): void;
}

/** A fill of the try: `tag` is the bot's order number, 0 for an order of the venue. */
export interface GhostFill {
  readonly tag: number;
  readonly side: number;
  readonly effect: number;
  readonly price: number;
  readonly size: number;
}

/** Above all numbers of orders. */
const OWN_TAGS = 2 ** 40;
const NOBODY: TradeOwner = {
  add: () => 0,
  reduce: () => false,
  close: () => undefined,
  changed: () => undefined,
  refuse: () => undefined,
};
/** Of an order that reduces its trade. */
const NO_TARGET = -1;

export class GhostTrades {
  readonly #trades: readonly Trade[];
  readonly #market: { bid: number; ask: number };
  readonly #instrument: Instrument;
  readonly #actions: GhostActions;
  readonly #spread: HalfSpread;
  /** By tag of a resting order: its trade and target, or NO_TARGET. */
  readonly #resting = new Map<number, { readonly trade: Trade; readonly target: number }>();
  /** Trades that have grown since their targets were placed, and those that targets closed. They act when the simulator is not amid a fill. */
  readonly #grown = new Set<Trade>();
  readonly #over = new Set<Trade>();
  #nextTag = OWN_TAGS;
  /** Lots that the close under way has filled; −1 while none is. */
  #closed = -1;

  constructor(trades: readonly Trade[], market: Market & { readonly instrument: Instrument }, actions: GhostActions, spread: HalfSpread) {
    this.#instrument = market.instrument;
    const seen = { bid: market.bid, ask: market.ask, ageMs: 0, lot: market.lot };
    this.#market = seen;
    this.#actions = actions;
    this.#spread = spread;
    this.#trades = trades.map(({ saved }) => {
      const targets = saved.targets.map((target) => ({ ...target }));
      const reduces = saved.reduces.map((reduce) => ({ ...reduce }));
      const copy = { ...saved, opens: [...saved.opens], exits: [], targets, reduces };
      return new Trade(copy, seen as unknown as Market, market.instrument, NOBODY);
    });
    for (const trade of this.#trades)
      for (const order of trade.restingExits)
        this.#resting.set(order, { trade, target: trade.saved.targets.findIndex((one) => one.order === order) });
  }

  next(from: number, to: number): number {
    return nextPrice(this.#trades, from, to, this.#spread);
  }

  reached(price: number): void {
    this.#market.bid = priceOf(price - this.#spread.below, this.#instrument);
    this.#market.ask = priceOf(price + this.#spread.above, this.#instrument);
    for (const trade of this.#over) this.#cancelOpens(trade);
    this.#over.clear();
    for (const trade of this.#trades) {
      if (trade.left <= 0) continue;
      const isReached = trade.sees(trade.outPrice);
      if (trade.state !== 'open') continue;
      if (isReached || (trade.isBeyondVenueStop && trade.hasRestingExits)) this.#end(trade);
      else {
        this.#move(trade);
        this.#place(trade);
      }
    }
  }

  filled({ tag, side, effect, price, size }: GhostFill): void {
    if (this.#closed >= 0 && tag === 0) {
      this.#closed += size;
      return;
    }
    const entered = this.#trades.find(({ saved }) => saved.opens.includes(tag));
    if (entered !== undefined) {
      const { saved } = entered;
      Object.assign(saved, afterEntry(saved, size, priceOf(price, this.#instrument)));
      if (saved.state === 'entering') saved.state = 'open';
      this.#grown.add(entered);
      return;
    }
    const own = this.#resting.get(tag);
    if (own !== undefined) {
      const { saved } = own.trade;
      saved.exitedLots += size;
      if (own.target === NO_TARGET) {
        saved.reducedLots += size;
        for (const reduce of saved.reduces) if (reduce.order === tag) reduce.filled += size;
      } else {
        saved.targets[own.target]!.filled += size;
        if (this.#isOver(own.trade)) this.#over.add(own.trade);
      }
      return;
    }
    if (effect !== CLOSE) return;
    // A bracket: the newest trades of the leg lose what it closed.
    let rest = size;
    for (const trade of this.#trades.toReversed()) {
      if (sideOf(trade.side) !== side || rest <= 0) continue;
      const taken = Math.min(rest, trade.left);
      trade.saved.exitedLots += taken;
      rest -= taken;
    }
  }

  #end(trade: Trade): void {
    const { saved } = trade;
    saved.state = 'closing';
    this.#cancelOpens(trade);
    for (const [tag, own] of this.#resting) if (own.trade === trade) this.#actions.cancel(tag);
    saved.exitedLots += this.#close(trade, trade.left);
  }

  /** True if targets for the whole have closed all of it: what still waits to open would begin another trade. */
  #isOver(trade: Trade): boolean {
    if (trade.left !== 0 || !trade.isWholeTargeted) return false;
    trade.saved.state = 'closing';
    return true;
  }

  #cancelOpens({ saved }: Trade): void {
    for (const order of saved.opens) this.#actions.cancel(order);
  }

  /** After an entry its resting targets are withdrawn, to be placed for the average and the size of now. */
  #move(trade: Trade): void {
    if (!this.#grown.delete(trade)) return;
    for (const target of trade.saved.targets) {
      if (!target.resting || target.order === 0) continue;
      this.#actions.cancel(target.order);
      this.#resting.delete(target.order);
      target.order = 0;
    }
  }

  #close(trade: Trade, lots: number): number {
    assert(lots > 0, 'a close of a try has lots above zero', lots, 'trade', trade.id);
    assert(this.#closed < 0, 'one close of a try at a time', this.#closed, 'trade', trade.id);
    this.#closed = 0;
    this.#actions.close(sideOf(trade.side), lots);
    const closed = this.#closed;
    this.#closed = -1;
    return closed;
  }

  #place(trade: Trade): void {
    const { saved } = trade;
    let free =
      trade.left - saved.targets.reduce((sum, one) => sum + (one.order > 0 && one.resting ? Math.max(0, one.lots - one.filled) : 0), 0);
    free -= trade.reducing;
    for (const [k, target] of saved.targets.entries()) {
      const lots = trade.lotsFor(k, free);
      const price = trade.targetPrice(k);
      if (lots <= 0 || target.order > 0 || !(price > 0)) continue;
      if (target.resting) {
        const tag = this.#nextTag++;
        target.order = tag;
        target.lots = target.filled + lots;
        this.#resting.set(tag, { trade, target: k });
        this.#actions.rest(sideOf(trade.side), ticksOf(price, this.#instrument, trade.side === 'LONG' ? 'up' : 'down'), lots, tag);
      } else if (trade.hasReached(price, 0)) {
        const closed = this.#close(trade, lots);
        target.filled += closed;
        saved.exitedLots += closed;
        if (this.#isOver(trade)) return this.#cancelOpens(trade);
      } else continue;
      free -= lots;
    }
  }
}

function sideOf(side: SideName): number {
  return side === 'LONG' ? LONG : SHORT;
}
