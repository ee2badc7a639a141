/** Own orders that are live, or whose fills are not final. */
import { MODIFY, PLACE } from '../../../../domain/codes.ts';
import { makesOrder, orderKindOf, waitsForTrigger } from '../../../../domain/orders/command-traits.ts';
import { CANCELLING, isEnded, MODIFYING, SUBMITTING, UNKNOWN, WORKING } from '../../../../domain/orders/order.ts';
import type { JournalRecord } from '../../../../ports/store.ts';
import { PROBE } from '../../../orders/executor.ts';
import type { SavedOrder } from '../../../state/records/saved.ts';
import { restoreOrders, savedOrders } from './saved-orders.ts';
import { number, text, type Mutable } from '../fields.ts';
import type { DurablePart, Fold } from '../part.ts';

export interface OrdersFold extends Fold<readonly SavedOrder[]> {
  readonly bySeq: ReadonlyMap<number, SavedOrder>;
}

export const ORDERS = {
  key: 'orders',
  fold(saved = []): OrdersFold {
    const orders = new Orders(saved);
    const changes: Readonly<Record<string, ((record: JournalRecord) => void) | undefined>> = {
      command: (record) => orders.command(record),
      outcome: (record) => orders.outcome(record),
      fill: (record) => orders.fill(record),
      ended: (record) => orders.ended(record),
      settled: ({ seq }) => orders.bySeq.delete(seq),
      absent: (record) => orders.absent(record),
      imported: ({ data }) => orders.imported(number(data['order']), text(data['clientId'])),
      'trigger-fired': ({ data }) => orders.becomes(number(data['order']), text(data['venueId'])),
    };
    return {
      bySeq: orders.bySeq,
      apply: (record) => changes[record.kind]?.(record),
      save: () => [...orders.bySeq.values()],
    };
  },
  live(kernel) {
    /** Orders whose symbol is not configured: kept as they are. */
    let unplaced: readonly SavedOrder[] = [];
    return {
      save: () => [...savedOrders(kernel.core), ...unplaced],
      restore(saved) {
        unplaced = restoreOrders(kernel, saved);
      },
    };
  },
} as const satisfies DurablePart<'orders', readonly SavedOrder[]>;

class Orders {
  readonly bySeq: Map<number, Mutable<SavedOrder>>;
  /** Commands about an order that place no order themselves: command number → order number. */
  readonly #about = new Map<number, number>();

  constructor(saved: readonly SavedOrder[]) {
    this.bySeq = new Map(saved.map((order) => [order.seq, { ...order }]));
  }

  command({ seq, time, data }: JournalRecord): void {
    const kind = number(data['kind']);
    const acted = number(data['target']);
    const target = kind === PLACE ? undefined : this.bySeq.get(acted);
    // A probe does not change the state of its order.
    if (target !== undefined && text(data['reason']) !== PROBE) {
      target.state = kind === MODIFY ? MODIFYING : CANCELLING;
      target.sentAt = time;
      target.absent = undefined;
      this.#about.set(seq, target.seq);
    }
    if (!makesOrder(kind)) return;
    this.bySeq.set(seq, {
      seq,
      strategy: text(data['strategy']),
      kind: orderKindOf(kind),
      symbol: text(data['symbol']),
      side: number(data['side']),
      effect: number(data['effect']),
      type: number(data['type']),
      price: number(data['price']),
      ...(Number(data['trigger'] ?? 0) > 0 ? { trigger: number(data['trigger']), triggerBy: number(data['triggerBy'] ?? 0) } : {}),
      size: number(data['size']),
      filled: 0,
      // A journal of an earlier version says `postOnly`, with the same numbers.
      force: number(data['force'] ?? data['postOnly']),
      marginMode: number(data['marginMode']),
      state: SUBMITTING,
      venueId: '',
      replaces: kind === MODIFY ? acted : 0,
      ...(kind === PLACE && acted > 0 ? { repeats: acted } : {}),
      createdAt: time,
      sentAt: time,
    });
  }

  outcome({ seq, time, data }: JournalRecord): void {
    const status = text(data['status']);
    const order = this.bySeq.get(seq);
    if (order !== undefined && !isEnded(order.state)) {
      if (status === 'accepted') {
        order.state = WORKING;
        order.venueId = text(data['venueId']);
      } else if (status === 'unknown') {
        order.state = UNKNOWN;
      }
      order.sentAt = time;
    }
    const target = this.bySeq.get(this.#about.get(seq) ?? 0);
    if (target === undefined || isEnded(target.state)) return;
    // An accepted cancel or modify is followed by the order's own end; any other outcome leaves it resting or unknown.
    const isCancel = order === undefined;
    if (isCancel && (status === 'unknown' || status === 'unsent')) target.state = CANCELLING;
    else if (isCancel && status === 'rejected' && waitsForTrigger(target.kind) && text(data['why']) === 'order-not-found')
      target.state = UNKNOWN;
    else if (status === 'unknown') target.state = UNKNOWN;
    else if (status !== 'accepted') target.state = WORKING;
    target.sentAt = time;
  }

  fill({ seq, data }: JournalRecord): void {
    const order = this.bySeq.get(seq);
    if (order !== undefined) order.filled += number(data['lots']);
    if (order !== undefined && data['worth'] !== undefined) order.worth = number(data['worth']);
  }

  /** An ended order is kept until its fills are final. */
  ended({ seq, time, data }: JournalRecord): void {
    const order = this.bySeq.get(seq);
    if (order === undefined || data['isSettled'] !== false) {
      this.bySeq.delete(seq);
      return;
    }
    order.state = number(data['how']);
    order.endedAt = time;
  }

  /** A complete read did not show an order of unknown outcome. */
  absent({ time: at, data }: JournalRecord): void {
    const order = this.bySeq.get(number(data['order']));
    if (order !== undefined) order.absent = { at, venueTime: number(data['venueTime']) };
  }

  /** An order that a watchdog sent has an id of its own. */
  imported(seq: number, clientId: string): void {
    const order = this.bySeq.get(seq);
    if (order !== undefined) order.clientId = clientId;
  }

  /** A trigger order became another order, which may have no client id of ours. */
  becomes(seq: number, venueId: string): void {
    const order = this.bySeq.get(seq);
    if (order !== undefined) order.venueId = venueId;
  }
}
