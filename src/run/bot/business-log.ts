/**
 * The log's lines of business: orders placed, moved and cancelled, and fills with what they brought. They are made of the journal's
 * records and written after the turn that learned of them, so that nothing is held up by a log line.
 */
import {
  CANCEL,
  CANCEL_SPOT,
  CANCEL_TRIGGER,
  CLOSE,
  EFFECTS,
  LONG,
  MARKET,
  MODIFY,
  PLACE,
  PLACE_SPOT,
  PLACE_TRIGGER,
  SIDES,
} from '../../domain/codes.ts';
import { Decimal } from '../../domain/decimal.ts';
import { formatLots, formatMoneyShort, formatTicks, tradedName, type Instrument } from '../../domain/instrument.ts';
import { CANCELLED } from '../../domain/order.ts';
import type { Log, LogFields } from '../../ports/log.ts';
import type { JournalRecord } from '../../ports/store.ts';
import type { Memory } from './recall.ts';

/** Commands whose number is that of an order. */
const MAKES_ORDER: ReadonlySet<unknown> = new Set([PLACE, PLACE_TRIGGER, PLACE_SPOT, MODIFY]);
const CANCELS: ReadonlySet<unknown> = new Set([CANCEL, CANCEL_TRIGGER, CANCEL_SPOT]);

/** What a line says of its order. */
interface Known {
  readonly instrument: Instrument;
  readonly kind: number;
  readonly side: number;
  readonly effect: number;
  readonly type: number;
  readonly price: number;
  readonly size: number;
  /** Number of the order whose place it takes, 0 for none. */
  readonly replaces: number;
  /** Who ordered. */
  readonly strategy: string;
  /** Why; "" when it did not say. */
  readonly reason: string;
  /** Why it was cancelled. */
  cancelledFor: string;
  /** Money that its record shows as fees, and of that what was told with a fill. */
  fee: number;
  feeTold: number;
}

/** A leg before the fill that is being written down. */
export interface LegView {
  readonly lots: number;
  /** Average entry price in quote coin; NaN when flat or unknown. */
  readonly entryPrice: number;
}

export interface BusinessParts {
  readonly log: Log;
  readonly instruments: readonly Instrument[];
  readonly legOf: (instrument: Instrument, side: number) => LegView;
}

export class BusinessLog {
  readonly #parts: BusinessParts;
  readonly #byName: ReadonlyMap<string, Instrument>;
  readonly #orders = new Map<number, Known>();
  #untold: [event: string, fields: LogFields][] = [];

  /** The memory is of the orders that live from before. */
  constructor(parts: BusinessParts, { snapshot, reasons }: Pick<Memory, 'snapshot' | 'reasons'>) {
    this.#parts = parts;
    this.#byName = new Map(parts.instruments.map((instrument) => [tradedName(instrument), instrument]));
    for (const order of snapshot?.orders ?? []) this.#remember(order.seq, { ...order, reason: reasons.get(order.seq) ?? '' });
  }

  /** By number: why each live order was placed, where that was said. What a process after this one cannot know otherwise. */
  reasons(): Record<string, string> {
    const told = [...this.#orders].filter(([, { reason }]) => reason !== '');
    return Object.fromEntries(told.map(([seq, { reason }]) => [seq, reason]));
  }

  /** Takes note of a record of the journal. The record as it is to be written: one of a fill says what the fill was of. */
  add(record: JournalRecord): JournalRecord {
    const { kind, seq, data } = record;
    switch (kind) {
      case 'command':
        if (MAKES_ORDER.has(data['kind'])) this.#remember(seq, data);
        else if (CANCELS.has(data['kind'])) this.#cancelled(Number(data['target']), text(data['reason']));
        return record;
      case 'outcome':
        if (data['status'] === 'accepted') this.#accepted(seq, text(data['venueId']));
        return record;
      case 'fee':
        return this.#fee(record);
      case 'fill':
        return this.#fill(record);
      case 'ended':
        this.#ended(seq, Number(data['how']), Number(data['filled']));
        // Fills may still be found out of one that is not settled.
        if (data['isSettled'] !== false) this.#orders.delete(seq);
        return record;
      case 'settled':
        this.#orders.delete(seq);
        return record;
      default:
        return record;
    }
  }

  /** Writes what has not been told yet. */
  tell(): void {
    if (this.#untold.length === 0) return;
    const untold = this.#untold;
    this.#untold = [];
    for (const [event, fields] of untold) this.#parts.log.info(event, fields);
  }

  #remember(seq: number, data: Readonly<Record<string, unknown>>): void {
    const kind = Number(data['kind']);
    const name = `${kind === PLACE_SPOT ? 'spot:' : ''}${text(data['symbol'])}`;
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
    const more = kind === PLACE_TRIGGER ? { kind: 'trigger' } : {};
    this.#untold.push([
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
    this.#untold.push(['order-cancelled', { ...this.#of(seq, order), ...sizes, ...why }]);
  }

  /** The record of an order shows the fees of all its fills so far. */
  #fee(record: JournalRecord): JournalRecord {
    const order = this.#orders.get(Number(record.data['order']));
    if (order === undefined) return record;
    const before = order.fee;
    order.fee = Number(record.data['fee']);
    const { strategy, reason } = order;
    const fee = money(order.fee - before);
    return { ...record, data: { ...record.data, fee, strategy, symbol: tradedName(order.instrument), reason } };
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
    this.#untold.push(['fill', { seq, ...facts }]);
    const value = ticks > 0 ? { value: valueOf(ticks, lots, instrument).toFixed(8) } : {};
    return { ...record, data: { ...data, ...facts, ...value } };
  }

  /** Profit of a close, before fees, and the leg's size afterwards. */
  #brought({ instrument, side, effect }: Known, lots: number, ticks: number): { readonly profit?: string; readonly after: string } {
    const leg = this.#parts.legOf(instrument, side);
    const after = formatLots(effect === CLOSE ? Math.max(0, leg.lots - lots) : leg.lots + lots, instrument);
    if (effect !== CLOSE || ticks <= 0 || !Number.isFinite(leg.entryPrice)) return { after };
    const entered = new Decimal(leg.entryPrice).times(formatLots(lots, instrument));
    const gain = valueOf(ticks, lots, instrument).minus(entered);
    return { profit: (side === LONG ? gain : gain.negated()).toFixed(8), after };
  }

  #of(seq: number, order: Known): LogFields {
    return { seq, ...this.#who(order) };
  }

  #who({ instrument, kind, side, effect, strategy, reason }: Known): LogFields {
    const isSpot = kind === PLACE_SPOT;
    const what = isSpot ? { side: side === LONG ? 'BUY' : 'SELL' } : { side: SIDES[side], effect: EFFECTS[effect] };
    return { strategy, symbol: tradedName(instrument), ...what, ...(reason === '' ? {} : { reason }) };
  }
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
