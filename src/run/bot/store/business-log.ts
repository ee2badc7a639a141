/**
 * Writes the business lines of the log: orders placed, modified and cancelled, and fills with their profit. They are built from journal
 * records and written after the step, so that no command waits for a log line.
 */
import { CLOSE, EFFECTS, LONG, MARKET, MODIFY, PLACE_SPOT, SIDES } from '../../../domain/codes.ts';
import { isCancel, isSpot, makesOrder, waitsForTrigger } from '../../../domain/orders/command-traits.ts';
import { Decimal } from '../../../domain/amounts/decimal.ts';
import { formatLots, formatMoney, formatMoneyShort, formatTicks, tradedName, type Instrument } from '../../../domain/instrument.ts';
import { ONE } from '../../../domain/amounts/units.ts';
import { CANCELLED } from '../../../domain/orders/order.ts';
import type { Log, LogFields } from '../../../ports/log.ts';
import type { JournalRecord } from '../../../ports/store.ts';
import type { Booked, Recovered } from './recovered.ts';

/** Facts of an order for its log lines. */
interface Known {
  readonly instrument: Instrument;
  readonly kind: number;
  readonly side: number;
  readonly effect: number;
  readonly type: number;
  readonly price: number;
  readonly size: number;
  /** Number of the order that it replaces, 0 for none. */
  readonly replaces: number;
  /** Name of the strategy. */
  readonly strategy: string;
  /** The strategy's reason; "" for none. */
  readonly reason: string;
  /** Reason of the cancel. */
  cancelledFor: string;
  /** Fees in money according to its order record, and the part of them that fill lines have shown. */
  fee: number;
  feeTold: number;
  /** The same for profit; NaN until a record has shown one. */
  profit: number;
  profitTold: number;
}

/** A leg before the fill. */
export interface LegView {
  readonly lots: number;
  /** Average entry price in quote coin; NaN if flat or unknown. */
  readonly entryPrice: number;
}

export interface BusinessDeps {
  readonly log: Log;
  readonly instruments: readonly Instrument[];
  readonly legOf: (instrument: Instrument, side: number) => LegView;
}

export class BusinessLog {
  readonly #deps: BusinessDeps;
  readonly #byName: ReadonlyMap<string, Instrument>;
  readonly #orders = new Map<number, Known>();
  #pending: [event: string, fields: LogFields][] = [];

  /** `recovered` has the orders that were live at the last stop. */
  constructor(deps: BusinessDeps, { snapshot, reasons, booked }: Pick<Recovered, 'snapshot' | 'reasons' | 'booked'>) {
    this.#deps = deps;
    this.#byName = new Map(deps.instruments.map((instrument) => [tradedName(instrument), instrument]));
    for (const order of snapshot?.orders ?? []) {
      this.#remember(order.seq, { ...order, reason: reasons.get(order.seq) ?? '' });
      const [known, sums] = [this.#orders.get(order.seq), booked.get(order.seq)];
      if (known === undefined || sums === undefined) continue;
      known.fee = known.feeTold = sums[0];
      known.profit = known.profitTold = sums[1];
    }
  }

  /** Reasons of live orders by number. Saved, because a later process cannot know them otherwise. */
  reasons(): Record<string, string> {
    const told = [...this.#orders].filter(([, { reason }]) => reason !== '');
    return Object.fromEntries(told.map(([seq, { reason }]) => [seq, reason]));
  }

  /** Fees and profit of live orders by number, as in the journal. Order records after a restart show them again. */
  booked(): Record<string, Booked> {
    const some = [...this.#orders].filter(([, { fee, profit }]) => fee !== 0 || !Number.isNaN(profit));
    return Object.fromEntries(some.map(([seq, order]) => [seq, sumsOf(order)]));
  }

  /** Processes a journal record. Returns the record to write; a fill record gets the facts of its order. */
  add(record: JournalRecord): JournalRecord {
    const { kind, seq, data } = record;
    switch (kind) {
      case 'command':
        if (makesOrder(Number(data['kind']))) this.#remember(seq, data);
        else if (isCancel(Number(data['kind']))) this.#cancelled(Number(data['target']), text(data['reason']));
        return record;
      case 'outcome':
        if (data['status'] === 'accepted') this.#accepted(seq, text(data['venueId']));
        return record;
      case 'fee':
        return this.#fee(record);
      case 'fill':
        return this.#fill(record);
      case 'leg':
        return this.#leg(record);
      case 'ended':
        this.#ended(seq, Number(data['how']), Number(data['filled']));
        // An order that is not settled may still get fills.
        if (data['isSettled'] !== false) this.#orders.delete(seq);
        return record;
      case 'settled':
        this.#orders.delete(seq);
        return record;
      default:
        return record;
    }
  }

  /** Writes the pending log lines. */
  tell(): void {
    if (this.#pending.length === 0) return;
    const pending = this.#pending;
    this.#pending = [];
    for (const [event, fields] of pending) this.#deps.log.info(event, fields);
  }

  #remember(seq: number, data: Readonly<Record<string, unknown>>): void {
    const kind = Number(data['kind']);
    const name = `${isSpot(kind) ? 'spot:' : ''}${text(data['symbol'])}`;
    const instrument = this.#byName.get(name);
    if (instrument === undefined) return;
    const number = (key: string): number => Number(data[key] ?? 0);
    this.#orders.set(seq, {
      instrument,
      kind,
      side: number('side'),
      effect: number('effect'),
      type: number('type'),
      price: number('price'),
      size: number('size'),
      replaces: kind === MODIFY ? number('target') : number('replaces'),
      strategy: text(data['strategy']),
      reason: text(data['reason']),
      cancelledFor: '',
      fee: 0,
      feeTold: 0,
      profit: Number.NaN,
      profitTold: 0,
    });
  }

  #cancelled(target: number, reason: string): void {
    const order = this.#orders.get(target);
    if (order !== undefined) order.cancelledFor = reason;
  }

  #accepted(seq: number, venueId: string): void {
    const order = this.#orders.get(seq);
    if (order === undefined) return;
    const { instrument, kind, type, price, size, replaces } = order;
    const isMove = kind === MODIFY || replaces !== 0;
    const terms = {
      type: type === MARKET ? 'MARKET' : 'LIMIT',
      price: type === MARKET || price <= 0 ? null : formatTicks(price, instrument),
      size: formatLots(size, instrument),
      venueId,
    };
    const more = waitsForTrigger(kind) ? { kind: 'trigger' } : {};
    this.#pending.push([
      isMove ? 'order-moved' : 'order-placed',
      { ...this.#of(seq, order), ...more, ...terms, ...(isMove ? { replaces } : {}) },
    ]);
  }

  #ended(seq: number, how: number, filled: number): void {
    const order = this.#orders.get(seq);
    if (order === undefined || how !== CANCELLED) return;
    const { instrument, size, cancelledFor } = order;
    const sizes = { size: formatLots(size, instrument), filled: formatLots(filled, instrument) };
    const why = cancelledFor === '' ? {} : { why: cancelledFor };
    this.#pending.push(['order-cancelled', { ...this.#of(seq, order), ...sizes, ...why }]);
  }

  /** Processes the total fees and profit that an order record shows. */
  #fee(record: JournalRecord): JournalRecord {
    const order = this.#orders.get(Number(record.data['order']));
    if (order === undefined) return record;
    const [feeBefore, profitBefore] = sumsOf(order);
    order.fee = Number(record.data['fee']);
    order.profit = Number(record.data['profit'] ?? order.profit);
    const { instrument, kind, side, strategy, reason } = order;
    const booked = sumsOf(order);
    const fee = money(booked[0] - feeBefore);
    const leg = isSpot(kind) ? {} : { side: SIDES[side] };
    const profit = order.effect === CLOSE && booked[1] !== profitBefore ? { profit: money(booked[1] - profitBefore) } : {};
    return {
      ...record,
      data: { order: record.data['order'], fee, ...profit, booked, strategy, symbol: tradedName(instrument), ...leg, reason },
    };
  }

  /** Adds the size that no order of this bot opened, and the average entry price. */
  #leg(record: JournalRecord): JournalRecord {
    const { symbol, side, total, own } = record.data;
    const instrument = this.#byName.get(text(symbol));
    if (instrument === undefined) return record;
    const others = formatLots(Math.max(0, Number(total)) - Number(own ?? 0), instrument);
    const { entryPrice } = this.#deps.legOf(instrument, Number(side));
    return { ...record, data: { ...record.data, others, entry: Number.isFinite(entryPrice) ? entryPrice.toFixed(8) : null } };
  }

  #fill(record: JournalRecord): JournalRecord {
    const { seq, data } = record;
    const order = this.#orders.get(seq);
    if (order === undefined) return record;
    const { instrument } = order;
    const [lots, ticks] = [Number(data['lots']), Number(data['ticks'])];
    const brought = order.kind === PLACE_SPOT ? {} : this.#brought(order, lots, ticks);
    const fee = order.fee - order.feeTold;
    order.feeTold = order.fee;
    const facts = {
      ...this.#who(order),
      size: formatLots(lots, instrument),
      price: ticks > 0 ? formatTicks(ticks, instrument) : null,
      ...(fee === 0 ? {} : { fee: money(fee) }),
      ...brought,
    };
    this.#pending.push(['fill', { seq, ...facts }]);
    // The profit of a close comes from fee records, which have the venue's figure.
    const booked = order.kind === PLACE_SPOT ? {} : { isBooked: true };
    const value = ticks > 0 ? { value: valueOf(ticks, lots, instrument).toFixed(8) } : {};
    return { ...record, data: { ...data, ...facts, ...value, ...booked } };
  }

  /**
   * Profit of a close before fees, and the leg's size after it. Uses the venue's figure if the order record has it, because the leg may have
   * been read before other fills; otherwise the average entry price.
   */
  #brought(order: Known, lots: number, ticks: number): { readonly profit?: string; readonly after: string } {
    const { instrument, side, effect } = order;
    const leg = this.#deps.legOf(instrument, side);
    const after = formatLots(effect === CLOSE ? Math.max(0, leg.lots - lots) : leg.lots + lots, instrument);
    if (effect === CLOSE && !Number.isNaN(order.profit) && (order.profit !== order.profitTold || order.feeTold !== order.fee)) {
      const profit = order.profit - order.profitTold;
      order.profitTold = order.profit;
      return { profit: formatMoney(profit), after };
    }
    if (effect !== CLOSE || ticks <= 0 || !Number.isFinite(leg.entryPrice)) return { after };
    const entered = new Decimal(leg.entryPrice).times(formatLots(lots, instrument));
    const gain = valueOf(ticks, lots, instrument).minus(entered);
    const profit = (side === LONG ? gain : gain.negated()).toFixed(8);
    order.profitTold += Number(new Decimal(profit).times(ONE));
    return { profit, after };
  }

  #of(seq: number, order: Known): LogFields {
    return { seq, ...this.#who(order) };
  }

  #who({ instrument, kind, side, effect, strategy, reason }: Known): LogFields {
    const what = isSpot(kind) ? { side: side === LONG ? 'BUY' : 'SELL' } : { side: SIDES[side], effect: EFFECTS[effect] };
    return { strategy, symbol: tradedName(instrument), ...what, ...(reason === '' ? {} : { reason }) };
  }
}

function sumsOf({ fee, profit }: Known): Booked {
  return [fee, Number.isNaN(profit) ? 0 : profit];
}

function valueOf(ticks: number, lots: number, instrument: Instrument): Decimal {
  return new Decimal(formatTicks(ticks, instrument)).times(formatLots(lots, instrument));
}

function money(amount: number): string {
  return formatMoneyShort(amount);
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
