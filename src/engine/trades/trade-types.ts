/** The fields of a managed trade that a strategy sets, and what it sees of a running one. */
import type { SideName } from '../../domain/codes.ts';
import type { FromAverage, TradeExit, TradeState, Trailing } from './saved-trade.ts';
import type { Odds } from './sizing.ts';
import type { Amount, BracketPrice, Market, OrderNumber } from '../intents/market-types.ts';

/** A share of the position that is sold at a profit: at a price, or so far from the average price. */
export interface Target extends FromAverage {
  /**
   * The bot closes the share at the market once it could be closed at this price or a better one. Limit price where the target rests.
   * Instead of it `percent` or `distance` give a price that follows the average: of each entry, rung and addition that fills.
   */
  readonly at?: Amount | undefined;
  /**
   * Share of the entered size that `reduce` has not closed, above 0 and at most 1. All shares together are at most 1. A share below `market.minSize` gets no order, and a
   * rest below it is closed together with the share.
   */
  readonly share: number;
  /**
   * True: a closing limit order rests at the venue. It costs the maker fee and works while the bot is away, but it locks its size, which the
   * venue's stop-loss then does not close. Default: true for a trade without stop-loss, false with one.
   */
  readonly resting?: boolean | undefined;
}

/** A further opening order, below the entry for LONG and above it for SHORT. */
export interface Rung {
  /** Limit price. */
  readonly at: Amount;
  /** As the size of the trade. */
  readonly size: Amount;
}

/** What a size depends on. One of `value`, `percent`, `risk`, `kelly` and `volatility` is given. */
export type SizeFields = Pick<
  EnterFields,
  'market' | 'side' | 'limit' | 'stopLoss' | 'value' | 'percent' | 'risk' | 'kelly' | 'volatility' | 'maxValue'
>;

/** `ctx.enter`: how large, at which price, and how the trade ends. One field that states the size is required. */
export interface EnterFields {
  /** The market, one of `ctx.markets`. */
  readonly market: Market;
  /** The leg (position side): LONG or SHORT. */
  readonly side: SideName;
  /** As in `ctx.open`: "0.01", "100 USDT" or "2%". Or use `risk`. */
  readonly size?: Amount | undefined;
  /** Worth so much in quote coin. */
  readonly value?: number | undefined;
  /** Worth this percent of the equity. */
  readonly percent?: number | undefined;
  /**
   * Size such that the way from the entry to `stop` (default: `stopLoss`) loses this percent of the equity, before fees; worth at most
   * `maxValue` in quote coin.
   */
  readonly risk?: { readonly percent: number; readonly stop?: Amount | undefined; readonly maxValue?: number | undefined } | undefined;
  /**
   * As `risk`, with the percent by the Kelly criterion, times `fraction` (default 0.5). `winRate` is from 0 to 1, `payoff` the average win
   * divided by the average loss.
   */
  readonly kelly?: (Odds & { readonly fraction?: number | undefined; readonly stop?: Amount | undefined }) | undefined;
  /** Worth equity × target / realised: both are volatilities in percent over the same time. */
  readonly volatility?: { readonly target: number; readonly realised: number } | undefined;
  /** Worth at most this in quote coin, however the size is computed. */
  readonly maxValue?: number | undefined;
  /** Limit price of the entry; without it the entry is a market order. */
  readonly limit?: Amount | undefined;
  /** The venue refuses the order instead of letting it take liquidity. Default false. Needs `limit`. */
  readonly postOnly?: boolean | undefined;
  /** What has not filled of the entry after this time is cancelled; what has filled stays. Not the `ladder`. Milliseconds. */
  readonly expiresInMs?: number | undefined;
  /** Held by the venue from the entry on, also when the bot is away. */
  readonly stopLoss?: BracketPrice | undefined;
  /** One price: held by the venue. A list: shares of the size, each closed at its price. */
  readonly takeProfit?: BracketPrice | readonly Target[] | undefined;
  /**
   * A stop so far from the average price, on its losing side. It follows the average as the trade grows, and the bot closes the trade there.
   * The venue's `stopLoss` cannot follow: no command changes it once its order has filled.
   */
  readonly stop?: FromAverage | undefined;
  /** A stop that follows the best price. */
  readonly trailing?: Trailing | undefined;
  /** Moves the stop to the entry price plus `plus` percent once the profit has reached `after` percent. */
  readonly breakEven?: { readonly after: number; readonly plus?: number | undefined } | undefined;
  /** The trade is closed after this time from its first fill. Milliseconds. */
  readonly maxHoldMs?: number | undefined;
  /** Further opening limit orders that lie in wait: averaging in. They are cancelled when the trade is closed. */
  readonly ladder?: readonly Rung[] | undefined;
  /** Reason for the journal and the reports. */
  readonly reason?: string | undefined;
}

/** `trade.add`: by how much, and at which price. Give `size` or `share`. */
export interface AddFields {
  /** As in `ctx.open`: "0.01", "100 USDT" or "2%". */
  readonly size?: Amount | undefined;
  /** Of what the trade holds now, above 0: 1 doubles it. Rounded down to whole lots. */
  readonly share?: number | undefined;
  /** Limit price of the order, which then rests until it fills or the trade ends; without it it is a market order. */
  readonly limit?: Amount | undefined;
  /** The venue refuses the order instead of letting it take liquidity. Default false. Needs `limit`. */
  readonly postOnly?: boolean | undefined;
  /** Reason for the journal and the reports. Default "add". */
  readonly reason?: string | undefined;
}

/** `trade.reduce`: how much to close, and at which price. Give `size` or `share`. */
export interface ReduceFields {
  /** In base coin, at most what the trade holds and is not reducing already. Rounded down to whole lots. */
  readonly size?: Amount | undefined;
  /** Of what the trade holds now, above 0 and at most 1. Rounded down to whole lots. */
  readonly share?: number | undefined;
  /** Limit price of the order, which then rests and locks its size; without it it is a market order. */
  readonly limit?: Amount | undefined;
  /** `why` of the exit, and the reason for the journal. Default "reduce". */
  readonly reason?: string | undefined;
}

/** A managed trade: from the entry to the last exit. It outlives a restart of the bot. */
export interface ManagedTrade {
  /** Number of the entry order; names the trade. */
  readonly id: OrderNumber;
  /** The market of the trade. */
  readonly market: Market;
  /** The leg (position side): LONG or SHORT. */
  readonly side: SideName;
  /** Where it stands. */
  readonly state: TradeState;
  /** As given to `ctx.enter`; "" for none. */
  readonly reason: string;
  /** Time of the first fill in milliseconds; NaN before it. */
  readonly entryTime: number;
  /**
   * Average price of what is held, as the venue counts it: each fill that adds changes it, one that closes does not. NaN before the first
   * fill.
   */
  readonly entryPrice: number;
  /** Size entered so far, in base coin. */
  readonly entered: number;
  /** Size that is still held, in base coin. */
  readonly size: number;
  /** Best and worst price since the first fill, as the position could have been closed; NaN before it. */
  readonly best: number;
  /** Worst price since the first fill; NaN before it. */
  readonly worst: number;
  /** Price at which the bot closes the trade; NaN if there is none. Not the `stopLoss` that you gave: that one is `venueStop`. */
  readonly stop: number;
  /** Trigger price of the stop-loss that the venue holds; NaN if there is none. */
  readonly venueStop: number;
  /** Profit of the parts already closed, in quote coin, before fees and funding. */
  readonly realised: number;
  /** Profit of what is held, at the current quote, in quote coin. */
  readonly unrealised: number;
  /** Parts that were closed, oldest first. */
  readonly exits: readonly TradeExit[];
  /** Targets as they were given, with their prices in quote coin now; NaN for one relative to the average before the first fill. */
  readonly targets: readonly { readonly price: number; readonly share: number; readonly resting: boolean }[];
  /**
   * Adds to the trade: an opening order with the `stopLoss` and `takeProfit` of the entry, whose fills belong to this trade. Targets and stops
   * relative to the average follow. Number of the order; 0 if it was refused (`onOrder` says why): by a rule, because the trade is closing or
   * closed, or because the size rounds to 0. What has not filled when the trade ends is cancelled.
   */
  add(fields: AddFields): OrderNumber;
  /**
   * Closes a part: `reduce(0.5)` half of what is held, at the market. Targets that rest give up the lots that it needs. If they are not free
   * yet, the order follows when they are, or is given up after ten seconds. It closes only what is known to be held. False if it was refused
   * (`onOrder` says why): by a rule, because the trade holds nothing, less than that, or is closing, or because the size rounds to 0.
   */
  reduce(fields: number | ReduceFields): boolean;
  /** Sets the price at which the bot closes the trade; NaN for none. It may move either way. */
  setStop(price: number): void;
  /** Changes the trailing stop. */
  trail(trailing: Trailing): void;
  /** Cancels what waits and closes what is held. */
  close(reason?: string): void;
}

/** Managed trades as `ctx` enters and finds them. */
export interface TradeActions {
  /**
   * Enters a managed trade: an opening order with everything that ends it (stop, targets, trailing, time). null if it was refused. It
   * outlives a restart, and is the same in a backtest and live.
   */
  enter(fields: EnterFields): ManagedTrade | null;
  /** Managed trades that are not closed, oldest first; of one market or of all. */
  trades(market?: Market): readonly ManagedTrade[];
  /** Size in base coin by `value`, `percent`, `risk`, `kelly` or `volatility`; 0 if it cannot be computed. As in `ctx.enter`. */
  sizeFor(fields: SizeFields): number;
}
