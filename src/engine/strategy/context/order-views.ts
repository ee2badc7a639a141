/** Orders and events as strategies see them: objects created once that read the tracker's records on access. @hot */
import {
  BUY,
  CLOSE,
  directionOf,
  DIRECTIONS,
  type EffectName,
  EFFECTS,
  ORDER_TYPES,
  type OrderTypeName,
  type SideName,
  SIDES,
} from '../../../domain/codes.ts';
import { priceOf, sizeOf } from '../../../domain/instrument.ts';
import { orderKindName, type OrderKindName } from '../../../domain/orders/command-traits.ts';
import { ORDER_STATES, type OrderState } from '../../../domain/orders/order.ts';
import type { Order } from '../../state/orders/orders.ts';
import type { Core } from '../../state/core.ts';
import type { Orders } from '../../state/orders/orders.ts';
import type { ClientIds } from '../../../domain/orders/client-ids.ts';
import type { PositionCause } from '../../state/events/strategy-events.ts';
import type { ManagedTrade } from '../../trades/trade-types.ts';
import type { Fill } from '../definition/types.ts';
import type { Market, OrderView, Position } from '../../intents/market-types.ts';
import type { OrderEventKind, PositionEvent } from '../../intents/events.ts';
import type { MarketView } from './views.ts';
import { onlyMakes } from '../../../domain/orders/time-in-force.ts';

/** The shared state that this file uses. */
interface OrderViewsCore extends Core {
  readonly orders: Orders;
  readonly ids: ClientIds;
}

/** The order in one record of the tracker. */
class RecordView implements OrderView {
  readonly #core: OrderViewsCore;
  readonly #markets: readonly MarketView[];
  readonly #order: Order;

  constructor(core: OrderViewsCore, markets: readonly MarketView[], order: Order) {
    this.#core = core;
    this.#markets = markets;
    this.#order = order;
  }

  get number(): number {
    return this.#order.seq;
  }
  get repeats(): number {
    return this.#order.repeats;
  }
  get kind(): OrderKindName {
    return orderKindName(this.#order.kind);
  }
  get market(): MarketView {
    return this.#markets[this.#order.instrument]!;
  }
  get side(): SideName {
    return SIDES[this.kind === 'spot' ? 0 : this.#order.side]!;
  }
  get effect(): EffectName {
    if (this.kind === 'spot') return EFFECTS[this.#order.side === BUY ? 0 : CLOSE];
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
    const { isSettled, delivered, filled } = this.#order;
    return isSettled && delivered === filled;
  }
  get remaining(): number {
    return sizeOf(this.#order.remaining, this.market.instrument);
  }
  get state(): OrderState {
    return ORDER_STATES[this.#order.state]!;
  }
  get isAlive(): boolean {
    return this.#order.isAlive;
  }
  get isPostOnly(): boolean {
    return onlyMakes(this.#order.force);
  }
  get createdAt(): number {
    return this.#order.createdAt;
  }
  get clientId(): string {
    if (this.number === 0 || this.kind === 'spot') return '';
    return this.#core.ids.idOf(this.number);
  }
  get venueId(): string {
    return this.#order.venueId;
  }
}

/** One view per record, created on first use. */
export class OrderViews {
  /** By instrument. */
  readonly #markets: readonly MarketView[];
  readonly #core: OrderViewsCore;
  readonly #views: (RecordView | undefined)[] = [];

  constructor(core: OrderViewsCore, markets: readonly MarketView[]) {
    this.#core = core;
    this.#markets = markets;
  }

  at(order: Order): OrderView {
    const views = this.#views;
    let view = views[order.place];
    if (view === undefined) {
      view = new RecordView(this.#core, this.#markets, order); // hot-ok: once per record
      views[order.place] = view;
    }
    return view;
  }

  /** The live orders of an instrument, oldest first, in a new array. */
  live(i: number): OrderView[] {
    const orders = this.#core.orders;
    const found: OrderView[] = []; // hot-ok: only after the set of live orders changed
    for (const order of orders.of[i]!.alive()) found.push(this.at(order));
    return found;
  }
}

/** An order event of any kind, before its fields say which. */
export class OrderEventView {
  kind: OrderEventKind = 'accepted';
  order: OrderView = null as unknown as OrderView;
  state: OrderState = 'submitting';
  fillSize = 0;
  fillPrice = Number.NaN;
  reason = '';
  message = '';
}

/** The kind of an order event: a fill, or what the state says. `why` distinguishes two ways to rest at the venue. */
export function kindOf(state: OrderState, lots: number, why: string): OrderEventKind {
  if (lots > 0) return 'fill';
  switch (state) {
    case 'submitting':
    case 'working':
    case 'modifying':
    case 'cancelling':
      return why === '' ? 'accepted' : 'kept';
    default:
      return state;
  }
}

export class FillView implements Fill {
  order = 0;
  side: SideName = 'LONG';
  effect: EffectName = 'OPEN';
  direction: 'BUY' | 'SELL' = 'BUY';
  size = 0;
  price = Number.NaN;
  cause: 'order' | 'stop-loss' | 'take-profit' = 'order';
  trade: ManagedTrade | null = null;

  get value(): number {
    return this.size * this.price;
  }
}

export class PositionEventView implements PositionEvent {
  market: Market = null as unknown as Market;
  position: Position = null as unknown as Position;
  change = 0;
  cause: PositionCause = 'order';
  external = false;
  price = Number.NaN;
  profit = Number.NaN;
  order = 0;
}
