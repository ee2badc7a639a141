/**
 * Reads what the bot's journal says of its orders: what was sent, what the venue answered, what filled, for which fee and profit, and how
 * it ended. Money is in 10⁻⁸, prices are ticks, sizes lots. A recording gives the records of its replay, a store those of its journal.
 */
import { makesOrder, orderKindOf, productOf } from '../../../domain/orders/command-traits.ts';
import { PLACE, SIDES } from '../../../domain/codes.ts';
import { isEnded, REFUSED, REJECTED } from '../../../domain/orders/order.ts';
import type { Instrument } from '../../../domain/instrument.ts';
import { parseScaled } from '../../../domain/amounts/scale.ts';
import { MONEY_DECIMALS } from '../../../domain/amounts/units.ts';
import type { KernelSnapshot } from '../../../engine/recovery/registry.ts';
import type { JournalRecord } from '../../../ports/store.ts';

/** Fills of an order: lots, and their value in ticks × lots; null if that was not recorded. */
export interface Filled {
  readonly lots: number;
  readonly worth: number | null;
}

export interface OwnOrder extends Filled {
  readonly seq: number;
  /** Time when its command left; of an order that an earlier process placed, when that placed it. */
  readonly at: number;
  /** PLACE, PLACE_TRIGGER or PLACE_SPOT. */
  readonly kind: number;
  readonly instrument: number;
  readonly side: number;
  readonly effect: number;
  readonly type: number;
  readonly price: number;
  readonly size: number;
  /** Trigger price, take-profit and stop-loss; 0 for none. Null if an earlier process placed it. */
  readonly trigger: number;
  readonly bracket: readonly [takeProfit: number, stopLoss: number] | null;
  /** "accepted", "rejected", "unsent" or "unknown"; "" before an answer. */
  readonly outcome: string;
  /** Of its last record; null before one was read. */
  readonly money: { readonly fee: number; readonly profit: number } | null;
  /** State in which it ended (a code of domain/order.ts); null while it is live. */
  readonly ended: number | null;
  /** True if a recording breaks off while it is live, and no later one has it: what became of it is not recorded. */
  readonly isLost: boolean;
}

/** Lots that the venue closed for a bracket, by the id of the venue's order. */
export interface OwnExit extends Filled {
  readonly at: number;
  readonly instrument: number;
  readonly side: number;
  readonly what: string;
  readonly money: OwnOrder['money'];
}

type Changing<T> = { -readonly [K in keyof T]: T[K] };

export class OwnOrders {
  /** By number of the command. */
  readonly orders = new Map<number, OwnOrder>();
  readonly exits = new Map<string, OwnExit>();
  /** Lots of each leg, by 2 · instrument + side. */
  readonly legs = new Map<number, number>();
  readonly #orders: Map<number, Changing<OwnOrder>>;
  readonly #instruments: readonly Instrument[];

  constructor(instruments: readonly Instrument[]) {
    this.#instruments = instruments;
    this.#orders = this.orders;
  }

  /** The recording of a process breaks off. */
  breaksOff(): void {
    for (const order of this.#orders.values()) if (order.ended === null) order.isLost = true;
  }

  /** A process starts with this state; null for a new journal. An order of a broken recording that is in it has not ended in between. */
  starts(snapshot: KernelSnapshot | null): void {
    const saved = new Map((snapshot?.orders ?? []).map((order) => [order.seq, order]));
    for (const { symbol, side, total } of snapshot?.legs ?? []) this.#leg(symbol, side, total);
    for (const order of saved.values()) {
      const known = this.#orders.get(order.seq);
      if (known !== undefined) {
        known.isLost = false;
        if (isEnded(order.state)) known.ended = order.state;
        if (order.filled === known.lots) continue;
        known.worth = order.worth ?? null;
        known.lots = order.filled;
        continue;
      }
      const { seq, symbol, side, effect, type, price, size, filled, trigger = 0, state, createdAt } = order;
      this.#orders.set(seq, {
        seq,
        side,
        effect,
        type,
        price,
        size,
        trigger,
        lots: filled,
        at: createdAt,
        kind: order.kind,
        instrument: this.#indexOf(symbol, order.kind),
        bracket: null,
        outcome: order.venueId === '' ? '' : 'accepted',
        worth: filled === 0 ? 0 : (order.worth ?? null),
        money: order.booked === undefined ? null : { fee: order.booked.fee, profit: order.booked.profit },
        ended: isEnded(state) ? state : null,
        isLost: false,
      });
    }
  }

  record({ kind, seq, time, data }: JournalRecord): void {
    const order = this.#orders.get(kind === 'fee' ? Number(data['order']) : seq);
    if (kind === 'command') return this.#command(seq, time, data);
    if (kind === 'exit') return this.#exit(time, data);
    if (kind === 'leg') return this.#leg(String(data['symbol']), Number(data['side']), Number(data['total']));
    if (order === undefined) return;
    if (kind === 'outcome') order.outcome = String(data['status']);
    else if (kind === 'fill') {
      const lots = Number(data['lots']);
      const ticks = Number(data['ticks']);
      order.lots += lots;
      // Where the average of the order gave the price, the value of all its fills so far is written down.
      const whole = Number(data['worth'] ?? 0);
      if (whole > 0) order.worth = whole;
      else order.worth = order.worth === null || ticks === 0 ? null : order.worth + lots * ticks;
    } else if (kind === 'fee') order.money = moneyIn(data);
    else if (kind === 'ended') order.ended = Number(data['how']);
  }

  #command(seq: number, at: number, data: JournalRecord['data']): void {
    const kind = Number(data['kind']);
    if (!makesOrder(kind)) return;
    const number = (key: string): number => Number(data[key] ?? 0);
    this.#orders.set(seq, {
      seq,
      at,
      kind: orderKindOf(kind),
      instrument: number('instrument'),
      side: number('side'),
      effect: number('effect'),
      type: number('type'),
      price: number('price'),
      size: number('size'),
      trigger: number('trigger'),
      bracket: [number('takeProfit'), number('stopLoss')],
      outcome: '',
      lots: 0,
      worth: 0,
      money: null,
      ended: null,
      isLost: false,
    });
  }

  #exit(at: number, data: JournalRecord['data']): void {
    const lots = Number(data['lots']);
    const ticks = Number(data['ticks']);
    const money = moneyIn(data);
    const instrument = this.#indexOf(String(data['symbol']));
    const side = SIDES.indexOf(data['side'] as (typeof SIDES)[number]);
    const worth = ticks === 0 ? null : ticks * lots;
    const id = String(data['venueId']);
    const known = this.exits.get(id);
    this.exits.set(id, {
      at,
      instrument,
      side,
      what: String(data['what']),
      lots: lots + (known?.lots ?? 0),
      worth: worth === null || known?.worth === null ? null : worth + (known?.worth ?? 0),
      money:
        money === null || known?.money === null
          ? null
          : { fee: money.fee + (known?.money.fee ?? 0), profit: money.profit + (known?.money.profit ?? 0) },
    });
  }

  #leg(symbol: string, side: number, lots: number): void {
    this.legs.set(2 * this.#indexOf(symbol) + side, lots);
  }

  /** `kind` is that of an order. */
  #indexOf(symbol: string, kind = PLACE): number {
    const product = productOf(kind);
    return this.#instruments.findIndex((one) => one.product === product && one.symbol === symbol);
  }
}

/** Fee and profit of a record; a store has them as text. Null if they are unknown. */
function moneyIn({ fee, profit }: JournalRecord['data']): OwnOrder['money'] {
  const amount = (value: unknown): number => (typeof value === 'string' ? parseScaled(value, MONEY_DECIMALS) : Number(value));
  return fee === undefined || profit === undefined ? null : { fee: amount(fee), profit: amount(profit) };
}

/** True if the venue has no such order: it was refused there, or never arrived. */
export function isNowhere({ outcome, ended }: OwnOrder): boolean {
  return outcome === 'rejected' || outcome === 'unsent' || ended === REJECTED || ended === REFUSED;
}
