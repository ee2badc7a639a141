/** Markets, legs and trades as strategies see them: objects created once that read local state on access. @hot */
import { DIRECTIONS, SIDES, type SideName } from '../../../domain/codes.ts';
import { parseTimeframe } from '../../../domain/time/timeframe.ts';
import { priceOf, sizeOf, type Instrument } from '../../../domain/instrument.ts';
import type { Leg } from '../../state/records/leg.ts';
import type { MarketState } from '../../market/market-state.ts';
import type { BarSeries } from '../../market/series.ts';
import type { AccountFigures, PushedPosition } from '../../state/account/account-figures.ts';
import type { Core } from '../../state/core.ts';
import type { Orders } from '../../state/orders/orders.ts';
import type { InstrumentContext } from '../../state/records/instrument-context.ts';
import type { Portfolio } from '../../state/account/portfolio.ts';
import type { TradingState } from '../../state/trading-state.ts';
import type { TradeRows } from './row-columns.ts';
import type { Market, OrderView, Position, Trade } from '../../intents/market-types.ts';
import * as units from '../../../domain/amounts/units.ts';

/** The shared state that this file uses. */
interface ViewsCore extends Core {
  readonly orders: Orders;
  readonly contexts: readonly InstrumentContext[];
  readonly portfolio: Portfolio;
  readonly tradingState: TradingState;
}

const { ONE } = units;

class PositionView implements Position {
  readonly side: SideName;
  readonly #figures: AccountFigures;
  readonly #instrument: Instrument;
  readonly #marketState: MarketState;
  readonly #leg: Leg;

  constructor(core: ViewsCore, figures: AccountFigures, instrument: Instrument, side: number) {
    this.side = SIDES[side]!;
    this.#figures = figures;
    this.#instrument = instrument;
    this.#marketState = core.contexts[instrument.index]!.market;
    this.#leg = core.portfolio.legs[2 * instrument.index + side]!;
  }

  get lots(): number {
    return this.#leg.total;
  }
  get size(): number {
    return sizeOf(this.#leg.total, this.#instrument);
  }
  get entryPrice(): number {
    return priceOf(this.#leg.entry, this.#instrument);
  }
  get unrealised(): number {
    const size = this.size;
    if (size === 0) return 0;
    return (this.#price() - this.entryPrice) * size * (this.side === 'LONG' ? 1 : -1);
  }
  get value(): number {
    const size = this.size;
    return size === 0 ? 0 : size * this.#price();
  }
  get opening(): number {
    return sizeOf(this.#leg.opening, this.#instrument);
  }
  get closing(): number {
    return sizeOf(this.#leg.closing, this.#instrument);
  }
  get free(): number {
    const lots = this.#leg.minLots - this.#leg.closing;
    return lots > 0 ? sizeOf(lots, this.#instrument) : 0;
  }
  get margin(): number {
    return (this.#figures.pushed === null ? this.#leg.margin : (this.#pushed()?.margin ?? 0)) / ONE;
  }
  get liquidationPrice(): number {
    if (this.#figures.pushed === null) return this.#leg.liquidation;
    const price = this.#pushed()?.liquidationPrice ?? 0;
    return price > 0 ? price : Number.NaN;
  }

  /** Its figures where they are not read. */
  #pushed(): PushedPosition | null {
    const { pushed } = this.#figures;
    if (pushed === null) return null;
    for (const one of pushed.positions(this.#instrument.index)) if (one.side === (this.#leg.index & 1)) return one;
    return null;
  }

  #price(): number {
    const reference = this.#marketState.reference;
    return reference > 0 ? priceOf(reference, this.#instrument) : this.#leg.mark;
  }
}

/** Views of the live orders of an instrument. */
interface LiveOrders {
  live(instrument: number): readonly OrderView[];
}

export class MarketView implements Market {
  readonly symbol: string;
  readonly product: 'futures' | 'spot';
  declare readonly index: number;
  readonly tick: number;
  readonly lot: number;
  readonly minSize: number;
  readonly long: Position;
  readonly short: Position;
  readonly instrument: Instrument;
  readonly #core: ViewsCore;
  readonly #marketState: MarketState;
  readonly #views: LiveOrders;
  // Copies of the grid, as in TradeView: initialised as doubles, so that V8 keeps them as doubles.
  readonly #tickStep: number = Number.NaN;
  readonly #priceScale: number = Number.NaN;
  /** By timeframe: the bars that strategies declared. */
  readonly series = new Map<string, BarSeries>();
  #orders: readonly OrderView[] = [];
  #ordersVersion = -1;

  constructor(core: ViewsCore, figures: AccountFigures, instrument: Instrument, views: LiveOrders) {
    this.symbol = instrument.symbol;
    this.product = instrument.product;
    this.index = instrument.index;
    this.tick = priceOf(1, instrument);
    this.lot = sizeOf(1, instrument);
    this.minSize = sizeOf(instrument.minSize, instrument);
    this.instrument = instrument;
    this.#tickStep = instrument.tickStep;
    this.#priceScale = instrument.priceScale;
    this.#core = core;
    this.#marketState = core.contexts[instrument.index]!.market;
    this.#views = views;
    this.long = new PositionView(core, figures, instrument, 0);
    this.short = new PositionView(core, figures, instrument, 1);
  }

  get bid(): number {
    return this.#price(this.#marketState.bid);
  }
  get ask(): number {
    return this.#price(this.#marketState.ask);
  }
  get bidSize(): number {
    return this.#size(this.#marketState.bidSize);
  }
  get askSize(): number {
    return this.#size(this.#marketState.askSize);
  }
  get mid(): number {
    return this.hasQuote ? (this.bid + this.ask) / 2 : Number.NaN;
  }
  get last(): number {
    return this.#price(this.#marketState.last);
  }
  get open24h(): number {
    return this.#price(this.#marketState.open);
  }
  get high24h(): number {
    return this.#price(this.#marketState.high);
  }
  get low24h(): number {
    return this.#price(this.#marketState.low);
  }
  get volume24h(): number {
    return this.#marketState.volume;
  }
  get time(): number {
    return this.#marketState.quoteTime;
  }
  get ageMs(): number {
    return this.#core.now - this.#marketState.quoteSeenAt;
  }
  get hasQuote(): boolean {
    return this.#marketState.bid > 0 && this.#marketState.ask > 0;
  }
  get bidTicks(): number {
    return this.#marketState.bid;
  }
  get bidLots(): number {
    return this.#marketState.bidSize;
  }
  get askTicks(): number {
    return this.#marketState.ask;
  }
  get askLots(): number {
    return this.#marketState.askSize;
  }
  get lastTicks(): number {
    return this.#marketState.last;
  }
  get isHalted(): boolean {
    return this.#core.contexts[this.index]!.halts > 0 || this.#core.tradingState.isBotHalted;
  }
  get orders(): readonly OrderView[] {
    const version = this.#core.orders.of[this.index]!.version;
    if (version !== this.#ordersVersion) {
      this.#orders = this.#views.live(this.index);
      this.#ordersVersion = version;
    }
    return this.#orders;
  }

  bars(timeframe: string): BarSeries {
    const series = this.series.get(timeframe) ?? this.series.get(parseTimeframe(timeframe).name);
    if (series !== undefined) return series;
    throw new RangeError(
      `${this.symbol} has no bars of ${timeframe}: name them in needs.bars; there are ${[...this.series.keys()].join(', ') || 'none'}`,
    );
  }

  /** As priceOf. */
  #price(ticks: number): number {
    return ticks > 0 ? (ticks * this.#tickStep) / this.#priceScale : Number.NaN;
  }

  #size(lots: number): number {
    return this.hasQuote ? sizeOf(lots, this.instrument) : Number.NaN;
  }
}

/**
 * The newest trade of an instrument. Size and side are read lazily from a row of columns: those of a backtest while it runs through them,
 * else its own.
 */
export class TradeView implements Trade {
  /** Current row of the columns. */
  row = 0;
  readonly #marketState: MarketState;
  readonly #ownSize = new Float64Array(1);
  readonly #ownSide = new Uint8Array(1);
  #sizes: Int32Array | Float64Array = this.#ownSize;
  #sides: Uint8Array = this.#ownSide;
  // Copies of the grid, because they are read once per backtest row. Initialised as doubles, so that V8 keeps them as doubles.
  readonly #tickStep: number = Number.NaN;
  readonly #priceScale: number = Number.NaN;
  readonly #lotStep: number = Number.NaN;
  readonly #sizeScale: number = Number.NaN;

  constructor(core: ViewsCore, instrument: Instrument) {
    this.#marketState = core.contexts[instrument.index]!.market;
    this.#tickStep = instrument.tickStep;
    this.#priceScale = instrument.priceScale;
    this.#lotStep = instrument.lotStep;
    this.#sizeScale = instrument.sizeScale;
  }

  /** Reads from these columns from now on; `row` is the newest trade. */
  from(rows: TradeRows): void {
    this.#sizes = rows.size;
    this.#sides = rows.side;
  }

  /** Copies the current row before the columns are overwritten. Not earlier, because reading a row that no strategy needs is expensive. */
  keep(): void {
    this.set(this.lots, this.#sides[this.row]!);
  }

  set(size: number, aggressor: number): void {
    this.#ownSize[0] = size;
    this.#ownSide[0] = aggressor;
    this.#sizes = this.#ownSize;
    this.#sides = this.#ownSide;
    this.row = 0;
  }

  /** As priceOf. */
  get price(): number {
    return (this.#marketState.last * this.#tickStep) / this.#priceScale;
  }
  /** As sizeOf. */
  get size(): number {
    return (this.lots * this.#lotStep) / this.#sizeScale;
  }
  get ticks(): number {
    return this.#marketState.last;
  }
  get lots(): number {
    return this.#sizes[this.row]!;
  }
  get aggressor(): 'BUY' | 'SELL' {
    return DIRECTIONS[this.#sides[this.row]!]!;
  }
  get time(): number {
    return this.#marketState.lastTime;
  }
}
