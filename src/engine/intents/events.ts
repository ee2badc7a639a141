/** The events of the order and position handlers of a strategy: changes of its orders and legs. */
import type { OrderState } from '../../domain/orders/order.ts';
import type { Reason } from '../../domain/orders/outcome.ts';
import type { RefusalReason } from '../../domain/orders/refusals.ts';
import type { Market, OrderNumber, OrderView, Position } from './market-types.ts';

interface OrderEventOf<Kind extends string, State extends OrderState, Why extends string> {
  readonly kind: Kind;
  readonly order: OrderView;
  readonly state: State;
  /** Size and average price of the fill in this event; 0 and NaN if there is none or the price is unknown. */
  readonly fillSize: number;
  readonly fillPrice: number;
  /** Why: depends on `kind`. */
  readonly reason: Why;
  /** The same in words, with figures; "" if there is nothing to add. */
  readonly message: string;
}

/** An event of an own order, by `kind`. The object is reused: valid inside the handler. */
export type OrderEvent =
  /** The venue has the order. */
  | OrderEventOf<'accepted', 'working', ''>
  /** A part of the order, or the whole order, filled. */
  | OrderEventOf<'fill', OrderState, ''>
  /** A cancel or modify had no effect: the order rests as before. `reason` is that of the venue, or "unsent". */
  | OrderEventOf<'kept', 'working', string>
  /** The whole order has filled. Its fills came before as "fill". */
  | OrderEventOf<'filled', 'filled', string>
  /** It ended without filling completely: by a cancel (""), or as a read shows ("cancelled", "ended"). */
  | OrderEventOf<'cancelled', 'cancelled', string>
  /** The venue refused it. */
  | OrderEventOf<'rejected', 'rejected', Reason | ''>
  /** A modify replaced it by another order. */
  | OrderEventOf<'replaced', 'replaced', string>
  /** It never reached the venue: a risk rule refused it, the intent is faulty, or it was not sent. */
  | OrderEventOf<'refused', 'refused', RefusalReason>
  /** Whether the venue has it is not known yet; `reason` is the cause. */
  | OrderEventOf<'unknown', 'unknown', string>;

/** What happened to an order. */
export type OrderEventKind = OrderEvent['kind'];

/** A leg changed. Valid inside the handler. */
export interface PositionEvent {
  /** The market of the leg. */
  readonly market: Market;
  /** The leg after the change. */
  readonly position: Position;
  /** Signed change in base coin. */
  readonly change: number;
  /** Why: own orders; a bracket of an own order that the venue fired; a liquidation; or another party, a human or another program. */
  readonly cause: 'order' | 'stop-loss' | 'take-profit' | 'liquidation' | 'external';
  /** True if no order of this bot explains the change: `cause` is "liquidation" or "external". */
  readonly external: boolean;
  /** Average price of a bracket, or of the order of another party or a liquidation where a record shows it; NaN otherwise. */
  readonly price: number;
  /** For a bracket: its profit before fees in quote coin, and the number of its order. NaN and 0 otherwise. */
  readonly profit: number;
  /** Number of the order whose bracket fired; 0 otherwise. */
  readonly order: OrderNumber;
}
