/**
 * The read model of a bot: what its stream of changes says. The page, paged queries, alerts and metrics see this and nothing else of the bot.
 * It is bounded: the oldest orders, fills, lines and notes are dropped.
 */
import type {
  Change,
  ConnectionRow,
  FillRow,
  LogRow,
  NoteRow,
  NowRow,
  OrderRow,
  PositionRow,
  QuoteRow,
  StatusRow,
} from '../../control/changes.ts';
import type { HaltAnswer } from '../../control/answers.ts';
import { MinuteBars, type BarRow } from './minute-bars.ts';
import { Plots } from './plots.ts';
import { RecentRows } from './recent-rows.ts';
import { BlindSpans, HaltSpans } from './spans.ts';

export type LineRow = LogRow & { readonly id: number };
export type NotedRow = NoteRow & { readonly id: number; readonly time: number };

/** Newest fills that are kept. */
export const FILLS_KEPT = 100_000;
const KEPT = { orders: 20_000, fills: FILLS_KEPT, lines: 10_000, notes: 10_000, minutes: 2_880 } as const;
/** States in which an order may still fill. */
const OPEN_STATES: ReadonlySet<string> = new Set(['submitting', 'working', 'modifying', 'cancelling', 'unknown']);

export function isOpenState(state: string): boolean {
  return OPEN_STATES.has(state);
}

export class ReadModel {
  connection: ConnectionRow;
  /** Null before the bot was heard. Without the positions: they are in `positions`. */
  status: StatusRow | null = null;
  /** By "BTCUSDT LONG"; only those that are held. */
  readonly positions = new Map<string, PositionRow>();
  readonly quotes = new Map<string, QuoteRow>();
  /** By number; those that are open, and those that have ended. */
  readonly orders = new RecentRows<OrderRow>({ most: KEPT.orders, idOf: ({ number }) => number, timeOf: ({ createdAt }) => createdAt });
  readonly fills = new RecentRows<FillRow>({ most: KEPT.fills, idOf: ({ id }) => id, timeOf: ({ time }) => time });
  readonly lines = new RecentRows<LineRow>({ most: KEPT.lines, idOf: ({ id }) => id, timeOf: ({ time }) => Date.parse(time) });
  /** Without the points of lines: they are in `plots`. */
  readonly notes = new RecentRows<NotedRow>({ most: KEPT.notes, idOf: ({ id }) => id, timeOf: ({ time }) => time });
  readonly plots = new Plots(KEPT.minutes);
  /** Halts and times without prices, also those that are over. */
  readonly haltSpans = new HaltSpans();
  readonly blindSpans = new BlindSpans();
  /** Equity by the minute, oldest first. */
  readonly equity: (readonly [time: number, equity: string])[] = [];
  readonly #open = new Map<number, OrderRow>();
  readonly #bars = new Map<string, MinuteBars>();
  #nextId = 1;

  constructor(now: number) {
    this.connection = { state: 'starting', since: now, heardAt: 0, cause: '' };
  }

  /** All halts that hold. */
  get halts(): readonly HaltAnswer[] {
    return this.status?.halts ?? [];
  }

  /** Orders that are open or may be open, oldest first. */
  get openOrders(): readonly OrderRow[] {
    return [...this.#open.values()];
  }

  /** The state as a stream begins with it. */
  get now(): NowRow {
    return {
      connection: this.connection,
      status: this.status,
      positions: [...this.positions.values()],
      orders: this.openOrders,
      quotes: [...this.quotes.values()],
    };
  }

  /** Minute bars of a symbol, oldest first; the newest is not complete. */
  bars(symbol: string): readonly BarRow[] {
    return this.#bars.get(symbol)?.rows ?? [];
  }

  take(change: Change): void {
    switch (change.kind) {
      case 'reset':
        return this.#reset(change.reset.now);
      case 'status':
        return this.#setStatus(change.status);
      case 'order':
        return this.#order(change.order);
      case 'fill':
        return this.fills.put(change.fill);
      case 'position':
        return this.#position(change.position);
      case 'halts':
        this.haltSpans.take(change.halts, change.time);
        if (this.status !== null) this.status = { ...this.status, halts: change.halts };
        return;
      case 'log':
        return this.lines.put({ ...change.log, id: this.#nextId++ });
      case 'note':
        if (change.note.line !== undefined) return this.plots.take(change.note, change.time);
        return this.notes.put({ ...change.note, id: this.#nextId++, time: change.time });
      case 'quotes':
        return change.quotes.forEach((quote) => this.#quote(quote));
      case 'connection':
        this.connection = change.connection;
        return this.blindSpans.connection(change.connection);
      case 'end':
        return;
    }
  }

  #reset({ status, positions, orders, quotes }: NowRow): void {
    this.positions.clear();
    this.quotes.clear();
    const wasOpen = [...this.#open.values()];
    this.#open.clear();
    if (status !== null) this.#setStatus(status);
    for (const one of positions) this.#position(one);
    for (const one of orders) this.#order(one);
    for (const one of quotes) this.#quote(one);
    // How an order ended while nobody heard the bot is not known here.
    for (const one of wasOpen) if (!this.#open.has(one.number)) this.orders.put({ ...one, state: 'ended' });
  }

  #setStatus(status: StatusRow): void {
    this.status = status;
    // A read proves all positions; only those of them that changed come as changes.
    const provenAt = status.readAt?.positions ?? 0;
    for (const [key, one] of this.positions) if (one.provenAt < provenAt) this.positions.set(key, { ...one, provenAt });
    this.haltSpans.take(status.halts, status.time);
    this.blindSpans.status(status);
    const minute = status.time - (status.time % 60_000);
    if (status.equity === '' || this.equity.at(-1)?.[0] === minute) return;
    this.equity.push([minute, status.equity]);
    if (this.equity.length > KEPT.minutes) this.equity.shift();
  }

  #order(order: OrderRow): void {
    this.orders.put(order);
    if (isOpenState(order.state)) this.#open.set(order.number, order);
    else this.#open.delete(order.number);
  }

  #position(position: PositionRow): void {
    const key = `${position.symbol} ${position.side}`;
    if (Number(position.size) === 0) this.positions.delete(key);
    else this.positions.set(key, position);
  }

  #quote(quote: QuoteRow): void {
    this.quotes.set(quote.symbol, quote);
    let bars = this.#bars.get(quote.symbol);
    if (bars === undefined) this.#bars.set(quote.symbol, (bars = new MinuteBars(KEPT.minutes)));
    bars.take(quote.time, quote.last === '' ? quote.bid : quote.last);
  }
}
