/** The fields of a managed trade that a strategy sets, and what it sees of a running one. */
import type { SideName } from '../../domain/codes.ts';
import type { TradeExit, TradeState, Trailing } from './saved-trade.ts';
import type { Odds } from './sizing.ts';
import type { Amount, BracketPrice, Market, OrderNumber } from '../intents/market-types.ts';

/** A share of the position that is sold at a profit. */
export interface Target {
  /** The bot closes the share at the market once it could be closed at this price or a better one. Limit price where the target rests. */
  readonly at: Amount;
  /**
   * Share of the entered size, above 0 and at most 1. All shares together are at most 1. A share below `market.minSize` gets no order, and a
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
  /** Average price of what was entered; NaN before the first fill. */
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
