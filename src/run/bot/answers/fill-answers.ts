/** Fills and exports from the records of a journal, of a running or a stopped bot. */
import type { FillRow } from '../../../control/changes.ts';
import type { FillAnswer, OrderAnswer } from '../../../control/answers.ts';
import { Decimal } from '../../../domain/amounts/decimal.ts';
import { makesOrder } from '../../../domain/orders/command-traits.ts';
import type { Instrument } from '../../../domain/instrument.ts';
import { isEnded, ORDER_STATES } from '../../../domain/orders/order.ts';
import { foldRecords } from '../../../engine/recovery/registry.ts';
import type { JournalRecord, StoredRecord } from '../../../ports/store.ts';
import { isInScope, orderOf, type OrderFacts } from './views.ts';

type Records = AsyncIterable<JournalRecord> | Iterable<JournalRecord>;

export interface Window {
  readonly scope?: string | undefined;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  /** Only records before this position of the journal. */
  readonly before?: number | undefined;
  /** Only this many of the newest. */
  readonly last?: number | undefined;
}

/** True for a fill of an own order, of a bracket, or of another party on a position: what `fills` and `export` list and `status` counts. */
export function isFill({ kind }: Pick<JournalRecord, 'kind'>): boolean {
  return kind === 'fill' || kind === 'exit' || kind === 'external';
}

/** True for a command that places an order. */
export function isPlaced({ kind, data }: Pick<JournalRecord, 'kind' | 'data'>): boolean {
  return kind === 'command' && makesOrder(Number(data['kind']));
}

/** The fill of a record. Fields that older records lack are empty. */
export function fillOf({ seq, time, data }: JournalRecord): FillAnswer {
  const word = (key: string): string => wordIn(data, key);
  return {
    time,
    number: seq,
    symbol: word('symbol'),
    strategy: word('strategy'),
    side: word('side'),
    effect: word('effect') || (word('what') === '' ? '' : 'CLOSE'),
    size: word('size'),
    price: word('price'),
    value: word('value') || valueOf(word('price'), word('size')),
    fee: word('fee'),
    profit: word('profit'),
    positionAfter: word('after') || word('position'),
    // Without an own order: "stop-loss" or "take-profit" of a bracket, "liquidation" or "external".
    reason: word('what') || word('reason'),
  };
}

export function wordIn(data: JournalRecord['data'], key: string): string {
  const value = data[key];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** Value of a fill without an own order, whose record has only price and size. */
function valueOf(price: string, size: string): string {
  return price === '' || size === '' ? '' : new Decimal(price).times(size).toFixed(8);
}

export function isWithin(time: number, { from, to }: Window): boolean {
  return time >= (from ?? -Infinity) && time < (to ?? Infinity);
}

/** Fills with the positions of their records; 0 for a record without one. */
export async function fillsIn(records: Records, window: Window): Promise<FillRow[]> {
  const fills: FillRow[] = [];
  for await (const record of records) {
    if (!isFill(record) || !isWithin(record.time, window)) continue;
    const fill = { ...fillOf(record), id: 'position' in record ? (record as StoredRecord).position : 0 };
    if (!isInScope(window.scope ?? '', fill)) continue;
    fills.push(fill);
    if (window.last !== undefined && fills.length > 2 * window.last) fills.splice(0, fills.length - window.last);
  }
  return window.last === undefined ? fills : fills.slice(-window.last);
}

/** A journal that can be read from any position. */
export interface Journal {
  records(from?: number): AsyncIterable<StoredRecord> | Iterable<StoredRecord>;
  lastRecord(): Promise<number> | number;
}

/** Records of the first block that is read from the end; each further one is twice as long, up to the longest. */
const FIRST_BLOCK = 1_000;
const LONGEST_BLOCK = 64_000;

/** The newest fills of the window, oldest first. Reads the journal backwards in blocks, and no further than needed. */
export async function newestFills(journal: Journal, window: Window & { readonly last: number }): Promise<FillRow[]> {
  const { last, before = Infinity } = window;
  let found: FillRow[] = [];
  let length = FIRST_BLOCK;
  for (let end = Math.min(await journal.lastRecord(), before - 1); end > 0 && found.length < last;) {
    const begin = Math.max(1, end - length + 1);
    found = [...(await fillsIn(recordsUpTo(journal.records(begin), end), window)), ...found];
    end = begin - 1;
    length = Math.min(2 * length, LONGEST_BLOCK);
  }
  return last === 0 ? [] : found.slice(-last);
}

/** The records up to position `end`. */
export async function* recordsUpTo(records: ReturnType<Journal['records']>, end: number): AsyncGenerator<StoredRecord> {
  for await (const record of records) {
    if (record.position > end) return;
    yield record;
    if (record.position === end) return;
  }
}

/**
 * The fee and the profit that a record adds to the sums; "" for none. Orders have separate records for them, which may come after their fills.
 * The record of a bracket contains both.
 */
export function bookedIn({ kind, data }: JournalRecord): { readonly fee: string; readonly profit: string } {
  if (kind !== 'fee' && !isFill({ kind })) return { fee: '', profit: '' };
  return { fee: kind === 'fill' ? '' : wordIn(data, 'fee'), profit: data['isBooked'] === true ? '' : wordIn(data, 'profit') };
}

/** All orders of the journal with their final state. */
export async function ordersIn(
  records: Records,
  instruments: readonly Instrument[],
  ids: OrderFacts['ids'],
  window: Window,
): Promise<(OrderAnswer & { readonly reason: string })[]> {
  const orders = new Map<number, OrderAnswer & { readonly reason: string }>();
  for await (const record of records) {
    const { kind, seq, data } = record;
    if (isPlaced(record) && isWithin(record.time, window)) {
      const { orders: made, brackets } = foldRecords(null, [record]);
      const facts = { instruments, ids, bracketOf: () => brackets?.[0] };
      for (const saved of made) orders.set(seq, { ...orderOf(saved, facts), reason: String(data['reason']) });
    }
    const order = orders.get(seq);
    if (order === undefined) continue;
    if (kind === 'outcome') {
      const venueId = String(data['venueId']);
      // The outcome of an order may be written after its end.
      const hasEnded = isEnded(ORDER_STATES.findIndex((state) => state === order.state));
      const state = hasEnded ? order.state : data['status'] === 'accepted' ? 'working' : String(data['status']);
      orders.set(seq, { ...order, venueId: venueId === '' ? order.venueId : venueId, state });
    } else if (kind === 'ended') orders.set(seq, { ...order, state: ORDER_STATES[Number(data['how'])]! });
    else if (kind === 'fill') orders.set(seq, { ...order, filled: added(order.filled, wordIn(data, 'size') || '0') });
  }
  return [...orders.values()];
}

function added(a: string, b: string): string {
  return new Decimal(a).plus(b).toFixed();
}
