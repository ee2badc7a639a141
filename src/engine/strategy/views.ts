/** What strategies look at: objects made once that read the belief's columns when they are asked. @hot */
import { BUY, CLOSE, directionOf, DIRECTIONS, EFFECTS, ORDER_TYPES, PLACE_SPOT, PLACE_TRIGGER, SIDES } from '../../domain/codes.ts';
import { formatClientId } from '../../domain/command.ts';
import type { EffectName, OrderTypeName, SideName } from '../../domain/codes.ts';
import { priceOf, sizeOf, type Instrument } from '../../domain/instrument.ts';
import { ORDER_STATES, type OrderState } from '../../domain/order.ts';
import type { Order } from '../belief/orders.ts';
import type { Core } from '../core.ts';
import type { Account, Market, OrderEvent, OrderView, Position, PositionEvent, Trade } from '../types.ts';

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
  readonly #core: Core;
  readonly #instrument: Instrument;
  readonly #i: number;

  constructor(core: Core, instrument: Instrument) {
    this.#core = core;
    this.#instrument = instrument;
    this.#i = instrument.index;
  }

  get price(): number {
    return priceOf(this.#core.market.last[this.#i]!, this.#instrument);
  }
  get size(): number {
    return sizeOf(this.#core.market.lastSize[this.#i]!, this.#instrument);
  }
  get ticks(): number {
    return this.#core.market.last[this.#i]!;
  }
  get lots(): number {
    return this.#core.market.lastSize[this.#i]!;
  }
  get aggressor(): 'BUY' | 'SELL' {
    return DIRECTIONS[this.#core.market.lastAggressor[this.#i]!]!;
  }
  get time(): number {
    return this.#core.market.lastTime[this.#i]!;
  }
}

/** The order in one record of the tracker. */
class RecordView implements OrderView {
  readonly #core: Core;
  readonly #markets: readonly MarketView[];
  readonly #order: Order;

  constructor(core: Core, markets: readonly MarketView[], order: Order) {
    this.#core = core;
    this.#markets = markets;
    this.#order = order;
  }

  get number(): number {
    return this.#order.seq;
  }
  get kind(): 'order' | 'plan' | 'spot' {
    const kind = this.#order.kind;
    return kind === PLACE_TRIGGER ? 'plan' : kind === PLACE_SPOT ? 'spot' : 'order';
  }
  get market(): MarketView {
    return this.#markets[this.#order.instrument]!;
  }
  get side(): SideName {
    return SIDES[this.kind === 'spot' ? 0 : this.#order.side]!;
  }
  get effect(): EffectName {
    if (this.kind === 'spot') return EFFECTS[this.#order.side === BUY ? 0 : CLOSE]!;
    return EFFECTS[this.#order.effect]!;
  }
  get direction(): 'BUY' | 'SELL' {
    const side = this.#order.side;
    return DIRECTIONS[this.kind === 'spot' ? side : directionOf(side, this.#order.effect)]!;
  }
  get type(): OrderTypeName {
    return ORDER_TYPES[this.#order.type]!;
  }
  get price(): number {
    return this.type === 'LIMIT' ? priceOf(this.ticks, this.market.instrument) : Number.NaN;
  }
  get ticks(): number {
    return this.#order.price;
  }
  get size(): number {
    return sizeOf(this.lots, this.market.instrument);
  }
  get lots(): number {
    return this.#order.size;
  }
  get filled(): number {
    return sizeOf(this.#order.filled, this.market.instrument);
  }
  get filledIsFinal(): boolean {
    return this.#order.isSettled;
  }
  get remaining(): number {
    return sizeOf(this.#order.remaining, this.market.instrument);
  }
  get state(): OrderState {
    return ORDER_STATES[this.#order.state]!;
  }
  get isLive(): boolean {
    return this.#order.isLive;
  }
  get isPostOnly(): boolean {
    return this.#order.postOnly === 1;
  }
  get createdAt(): number {
    return this.#order.createdAt;
  }
  get clientId(): string {
    if (this.number === 0 || this.kind === 'spot') return '';
    return formatClientId({ bot: this.#core.bot, epoch: this.#core.epoch }, this.number); // hot-ok: asked seldom
  }
  get venueId(): string {
    return this.#order.venueId;
  }
}

/** One view per record, made when it is first asked for. */
export class OrderViews {
  /** Filled by the kernel once the markets exist. */
  markets: readonly MarketView[] = [];
  readonly #core: Core;
  readonly #views: (RecordView | undefined)[] = [];

  constructor(core: Core) {
    this.#core = core;
  }

  at(order: Order): OrderView {
    const views = this.#views;
    let view = views[order.place];
    if (view === undefined) {
      view = new RecordView(this.#core, this.markets, order); // hot-ok: once per record
      views[order.place] = view;
    }
    return view;
  }

  /** The live orders of an instrument, oldest first, in an array of their own. */
  live(i: number): OrderView[] {
    const orders = this.#core.orders;
    const found: OrderView[] = []; // hot-ok: only after the set of live orders changed
    for (let order = orders.head[i] ?? null; order !== null; order = order.next) if (order.isLive) found.push(this.at(order));
    return found;
  }
}

export class OrderEventView implements OrderEvent {
  order: OrderView = null as unknown as OrderView;
  state: OrderState = 'submitting';
  fillSize = 0;
  fillPrice = Number.NaN;
  why = '';
  detail = '';
}

export class PositionEventView implements PositionEvent {
  market: Market = null as unknown as Market;
  position: Position = null as unknown as Position;
  change = 0;
  external = false;
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

