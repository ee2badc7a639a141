/**
 * Lists what would close a leg: the stop-loss and take-profit orders that the venue holds, closing orders that rest there, and the stops
 * and targets that the bot watches itself. For a person who looks at the bot, not on the hot path.
 */
import { CLOSE, LONG, PLACE_SPOT, SIDES } from '../../domain/codes.ts';
import { priceOf } from '../../domain/instrument.ts';
import { CANCELLING, MODIFYING, WORKING } from '../../domain/orders/order.ts';
import type { Bracket } from '../state/records/brackets.ts';
import type { Core } from '../state/core.ts';
import type { InstrumentContext } from '../state/records/instrument-context.ts';
import type { Brackets } from '../state/records/brackets.ts';
import type { Leg } from '../state/records/leg.ts';
import type { Order } from '../state/records/order.ts';
import type { Trade } from './trade.ts';
import type { StrategyTrades } from './strategy-trades.ts';

/** The shared state that this file uses. */
interface HeldExitsCore extends Core {
  readonly contexts: readonly InstrumentContext[];
  readonly brackets: Brackets;
}

/** One price at which lots of a leg would be closed. */
export interface HeldExit {
  /** `venue`: it works while the bot is off. `bot`: the bot closes when it sees the price. */
  readonly by: 'venue' | 'bot';
  /** `limit`: a closing limit order that rests. `stop`, `trailing-stop` and `target` are watched by the bot. */
  readonly what: 'stop-loss' | 'take-profit' | 'limit' | 'stop' | 'trailing-stop' | 'target';
  readonly lots: number;
  /** Trigger price, or the price of a resting order, in quote coin. NaN for a trailing stop that has not begun. */
  readonly price: number;
  /** Limit price of the order that the trigger makes, in quote coin; NaN for a market order. */
  readonly limit: number;
  /** Number of the own order, or of the one that the bracket is attached to; 0 for what the bot watches. */
  readonly order: number;
}

export interface LegExits {
  readonly exits: readonly HeldExit[];
  /** Lots for which the venue holds no stop-loss. Lots that a resting closing order locks are among them: the venue’s stop leaves them. */
  readonly unprotected: number;
  /** The part of `unprotected` that a stop-loss of the venue is for, and leaves, because a closing order that rests locks the lots. */
  readonly locked: number;
  /**
   * The part of `unprotected` that no order of this bot is known to have opened, and no stop-loss of this bot would close: whether the venue
   * holds one is not known, because no endpoint lists it. A stop that only a lost journal knew is among them.
   */
  readonly stopUnknown: number;
}

/**
 * Exits of the venue first, stops before profits, each nearest first. Closing orders whose outcome is not known do not count. Trigger orders
 * of the venue only open, so they are no exits.
 */
export function heldExits(core: HeldExitsCore, runners: readonly { readonly trades: Pick<StrategyTrades, 'of'> }[], leg: Leg): LegExits {
  const index = leg.index >> 1;
  const side = leg.index & 1;
  const brackets = core.brackets.of(leg.index).flatMap((bracket) => ofBracket(bracket, leg, core));
  const orders = core.contexts[index]!.orders.known().flatMap((order) => ofOrder(order, leg));
  const trades = runners.flatMap(({ trades: book }) => book.of());
  const own = trades.filter((trade) => trade.market.index === index && trade.side === SIDES[side] && trade.left > 0);
  const atVenue = [...brackets, ...orders];
  const lotsOf = (what: HeldExit['what']): number => atVenue.reduce((sum, one) => (one.what === what ? sum + one.lots : sum), 0);
  const resting = Math.min(leg.total, lotsOf('limit'));
  const stopped = Math.min(leg.total, lotsOf('stop-loss'));
  const isStop = ({ what }: HeldExit): boolean => what === 'stop-loss';
  const away = ({ price }: HeldExit): number => (side === LONG ? -price : price);
  return {
    exits: [
      ...atVenue.filter(isStop).sort((a, b) => away(a) - away(b)),
      ...atVenue.filter((one) => !isStop(one)).sort((a, b) => away(b) - away(a)),
      ...own.flatMap(ofTrade),
    ],
    unprotected: leg.total - Math.min(leg.total - resting, stopped),
    locked: Math.max(0, stopped + resting - leg.total),
    stopUnknown: Math.min(leg.total - stopped, leg.total - leg.own),
  };
}

function ofBracket({ instrument, lots, seq, ...bracket }: Bracket, leg: Leg, core: HeldExitsCore): HeldExit[] {
  const grid = core.instruments[instrument]!;
  const exit = (what: 'stop-loss' | 'take-profit', trigger: number, limit: number): HeldExit[] =>
    trigger <= 0
      ? []
      : [
          {
            by: 'venue',
            what,
            lots: Math.min(lots, leg.total),
            price: priceOf(trigger, grid),
            limit: limit > 0 ? priceOf(limit, grid) : Number.NaN,
            order: seq,
          },
        ];
  return [
    ...exit('stop-loss', bracket.stopLoss, bracket.stopLossLimit),
    ...exit('take-profit', bracket.takeProfit, bracket.takeProfitLimit),
  ];
}

function ofOrder(order: Order, leg: Leg): HeldExit[] {
  const { effect, filled, kind, price, seq, size, state } = order;
  const isThere = state === WORKING || state === MODIFYING || state === CANCELLING;
  if (!isThere || kind === PLACE_SPOT || effect !== CLOSE || order.leg !== leg || price <= 0) return [];
  const lots = Math.min(size - filled, leg.total);
  return [{ by: 'venue', what: 'limit', lots, price: priceOf(price, order.context.instrument), limit: Number.NaN, order: seq }];
}

function ofTrade(trade: Trade): HeldExit[] {
  const { saved, left, stop } = trade;
  const watched = { by: 'bot', limit: Number.NaN, order: 0 } as const;
  const stops: HeldExit[] =
    saved.trailing === null && Number.isNaN(stop)
      ? []
      : [{ ...watched, what: saved.trailing === null ? 'stop' : 'trailing-stop', lots: left, price: stop }];
  const targets = saved.targets.flatMap((_target, k): HeldExit[] =>
    trade.awaits(k) ? [{ ...watched, what: 'target', lots: trade.lackOf(k), price: trade.targetPrice(k) }] : [],
  );
  return [...stops, ...targets];
}
