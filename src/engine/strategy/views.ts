/** Markets, legs, trades and the account as strategies see them: objects made once that read the belief's columns when they are asked. @hot */
import { DIRECTIONS, SIDES, type SideName } from '../../domain/codes.ts';
import { priceOf, sizeOf, type Instrument } from '../../domain/instrument.ts';
import type { MarketState } from '../belief/market-state.ts';
import type { Core } from '../core.ts';
import type { Account, Market, OrderView, Position, Trade } from '../types.ts';
import type { OrderViews } from './order-views.ts';

const MONEY = 100_000_000;

export class PositionView implements Position {
  readonly side: SideName;
  readonly #core: Core;
  readonly #instrument: Instrument;
  readonly #leg: number;

  constructor(core: Core, instrument: Instrument, side: number) {
    this.side = SIDES[side]!;
    this.#core = core;
    this.#instrument = instrument;
    this.#leg = 2 * instrument.index + side;
  }

  get lots(): number {
    return this.#core.portfolio.total[this.#leg]!;
  }
  get size(): number {
    return sizeOf(this.#core.portfolio.total[this.#leg]!, this.#instrument);
  }
  get entryPrice(): number {
    return priceOf(this.#core.portfolio.entry[this.#leg]!, this.#instrument);
  }
  get unrealised(): number {
    const size = this.size;
    if (size === 0) return 0;
    return (this.#price() - this.entryPrice) * size * ((this.#leg & 1) === 0 ? 1 : -1);
  }
  get value(): number {
    const size = this.size;
    return size === 0 ? 0 : size * this.#price();
  }
  get opening(): number {
    return sizeOf(this.#core.orders.opening[this.#leg]!, this.#instrument);
  }
  get closing(): number {
    return sizeOf(this.#core.orders.closing[this.#leg]!, this.#instrument);
  }
  get free(): number {
    const lots = this.#core.portfolio.total[this.#leg]! - this.#core.orders.closing[this.#leg]!;
    return lots > 0 ? sizeOf(lots, this.#instrument) : 0;
  }
  get margin(): number {
    return this.#core.portfolio.margin[this.#leg]! / MONEY;
  }
  get liquidationPrice(): number {
    return this.#core.portfolio.liquidation[this.#leg]!;
  }

  #price(): number {
    const reference = this.#core.market.reference(this.#leg >> 1);
    return reference > 0 ? priceOf(reference, this.#instrument) : this.#core.portfolio.mark[this.#leg]!;
  }
}

export class MarketView implements Market {
  readonly symbol: string;
  readonly product: 'futures' | 'spot';
  readonly index: number;
  readonly tick: number;
  readonly lot: number;
  readonly minSize: number;
  readonly long: Position;
  readonly short: Position;
  readonly instrument: Instrument;
  readonly #core: Core;
  readonly #views: OrderViews;
  #orders: readonly OrderView[] = [];
  #ordersVersion = -1;

  constructor(core: Core, instrument: Instrument, views: OrderViews) {
    this.symbol = instrument.symbol;
    this.product = instrument.product;
    this.index = instrument.index;
    this.tick = priceOf(1, instrument);
    this.lot = sizeOf(1, instrument);
    this.minSize = sizeOf(instrument.minSize, instrument);
    this.instrument = instrument;
    this.#core = core;
    this.#views = views;
    this.long = new PositionView(core, instrument, 0); // hot-ok: construction
    this.short = new PositionView(core, instrument, 1); // hot-ok: construction
  }

  get bid(): number {
    return this.#price(this.#core.market.bid[this.index]!);
  }
  get ask(): number {
    return this.#price(this.#core.market.ask[this.index]!);
  }
  get bidSize(): number {
    return this.#size(this.#core.market.bidSize[this.index]!);
  }
  get askSize(): number {
    return this.#size(this.#core.market.askSize[this.index]!);
  }
  get mid(): number {
    return this.hasQuote ? (this.bid + this.ask) / 2 : Number.NaN;
  }
  get last(): number {
    return this.#price(this.#core.market.last[this.index]!);
  }
  get open24h(): number {
    return this.#price(this.#core.market.open[this.index]!);
  }
  get high24h(): number {
    return this.#price(this.#core.market.high[this.index]!);
  }
  get low24h(): number {
    return this.#price(this.#core.market.low[this.index]!);
  }
  get volume24h(): number {
    return this.#core.market.volume[this.index]!;
  }
  get time(): number {
    return this.#core.market.quoteTime[this.index]!;
  }
  get ageMs(): number {
    return this.#core.now - this.#core.market.quoteSeenAt[this.index]!;
  }
  get hasQuote(): boolean {
    return this.#core.market.bid[this.index]! > 0 && this.#core.market.ask[this.index]! > 0;
  }
  get bidTicks(): number {
    return this.#core.market.bid[this.index]!;
  }
  get bidLots(): number {
    return this.#core.market.bidSize[this.index]!;
  }
  get askTicks(): number {
    return this.#core.market.ask[this.index]!;
  }
  get askLots(): number {
    return this.#core.market.askSize[this.index]!;
  }
  get lastTicks(): number {
    return this.#core.market.last[this.index]!;
  }
  get isHalted(): boolean {
    return this.#core.standing.halted[this.index]! > 0 || this.#core.standing.haltedAll !== '';
  }
  get orders(): readonly OrderView[] {
    const version = this.#core.orders.version[this.index]!;
    if (version !== this.#ordersVersion) {
      this.#orders = this.#views.live(this.index);
      this.#ordersVersion = version;
    }
    return this.#orders;
  }

  #price(ticks: number): number {
    return ticks > 0 ? priceOf(ticks, this.instrument) : Number.NaN;
  }

  #size(lots: number): number {
    return this.hasQuote ? sizeOf(lots, this.instrument) : Number.NaN;
  }
}

/** The newest trade of an instrument. */
export class TradeView implements Trade {
  readonly #market: MarketState;
  readonly #i: number;
  // The columns and the grid by themselves: this is read once a row of a backtest.
  readonly #last: Float64Array;
  readonly #lastSize: Float64Array;
  readonly #tickStep: number;
  readonly #priceScale: number;
  readonly #lotStep: number;
  readonly #sizeScale: number;

  constructor(core: Core, instrument: Instrument) {
    this.#market = core.market;
    this.#i = instrument.index;
    this.#last = core.market.last;
    this.#lastSize = core.market.lastSize;
    this.#tickStep = instrument.tickStep;
    this.#priceScale = instrument.priceScale;
    this.#lotStep = instrument.lotStep;
    this.#sizeScale = instrument.sizeScale;
  }

  /** As priceOf. */
  get price(): number {
    return (this.#last[this.#i]! * this.#tickStep) / this.#priceScale;
  }
  /** As sizeOf. */
  get size(): number {
    return (this.#lastSize[this.#i]! * this.#lotStep) / this.#sizeScale;
  }
  get ticks(): number {
    return this.#last[this.#i]!;
  }
  get lots(): number {
    return this.#lastSize[this.#i]!;
  }
  get aggressor(): 'BUY' | 'SELL' {
    return DIRECTIONS[this.#market.lastAggressor[this.#i]!]!;
  }
  get time(): number {
    return this.#market.lastTime[this.#i]!;
  }
}

export class AccountView implements Account {
  readonly #core: Core;

  constructor(core: Core) {
    this.#core = core;
  }

  get equity(): number {
    return this.#core.portfolio.equity / MONEY;
  }
  get available(): number {
    return this.#core.portfolio.available / MONEY;
  }
  get locked(): number {
    return this.#core.portfolio.locked / MONEY;
  }
  get unrealised(): number {
    return this.#core.portfolio.unrealised / MONEY;
  }
}
