/**
 * Makes the rows of the stream of changes from what the bot does. Somebody else says when: noted changes are written by `write`, and what is
 * told once a second by `tick`. A running bot does that by its clock (change-feed.ts), a replay by that of the recording (run/past).
 */
import type { OrderAnswer, StatusAnswer } from '../../../control/answers.ts';
import type { ChangeKind, HealthAnswer, NoteRow, NowRow, OrderRow, PositionRow, QuoteRow, StatusRow } from '../../../control/changes.ts';
import { isEnded, ORDER_STATES, type OrderState } from '../../../domain/orders/order.ts';
import { isCancel } from '../../../domain/orders/command-traits.ts';
import type { JournalRecord } from '../../../ports/store.ts';
import { fillOf, isFill, wordIn } from '../answers/fill-answers.ts';

/** What the rows are made of. */
export interface RowSource {
  now(): number;
  status(): StatusAnswer;
  health(): HealthAnswer;
  /** Own orders that may still be live, oldest first. */
  orders(): readonly OrderAnswer[];
  /** One order, also one that has ended, while it is known; null otherwise. */
  order(number: number): OrderAnswer | null;
  /** The strategies' reasons of live orders, by number. */
  reasons(): Readonly<Record<string, string>>;
  /** Quotes that have changed since the last call; all of them after `again`. */
  quotes(again: boolean): readonly QuoteRow[];
}

/** Receives the rows. */
export interface RowSink {
  /** `payload` is the JSON text of what the change carries. */
  add(kind: ChangeKind, payload: string): void;
  /** Changes were lost: readers begin again. */
  reset(): void;
  /** Something waits to be written. */
  onNoted(): void;
}

/** Noted changes that wait to be written; more, and the readers begin again. */
const QUEUED_MAX = 10_000;

type Noted =
  | { readonly kind: 'fill'; readonly record: JournalRecord; readonly position: number }
  | { readonly kind: 'log'; readonly line: string }
  | { readonly kind: 'note'; readonly note: NoteRow }
  | { readonly kind: 'order'; readonly number: number }
  | { readonly kind: 'halts' };

const HALTS = { kind: 'halts' } as const;

export class ChangeRows {
  readonly #source: RowSource;
  readonly #sink: RowSink;
  #queue: Noted[] = [];
  #isBehind = false;
  /** Orders in the queue, and the state in which those of them ended that have; "" for the others. */
  readonly #changed = new Map<number, OrderState | ''>();
  #haltsChanged = false;
  readonly #reasons = new Map<number, string>();
  /** The newest row of each order that has not ended. */
  readonly #rows = new Map<number, OrderRow>();
  /** Positions as written, by "BTCUSDT LONG". */
  readonly #positions = new Map<string, string>();

  constructor(source: RowSource, sink: RowSink) {
    this.#source = source;
    this.#sink = sink;
  }

  /** Takes what is open now. */
  begin(): void {
    for (const [number, reason] of Object.entries(this.#source.reasons())) this.#reasons.set(Number(number), reason);
    this.#takeOrders();
  }

  clear(): void {
    for (const one of [this.#changed, this.#reasons, this.#rows, this.#positions]) one.clear();
    this.#queue = [];
    this.#isBehind = this.#haltsChanged = false;
  }

  /** Notes a record of the journal at this position. */
  record(record: JournalRecord, position: number): void {
    const { kind, seq, data } = record;
    switch (kind) {
      case 'command':
        if (isCancel(Number(data['kind']))) return this.#order(Number(data['target']));
        if (data['reason'] !== '') this.#reasons.set(seq, wordIn(data, 'reason'));
        this.#order(Number(data['target'] ?? 0));
        return this.#order(seq);
      case 'ended':
        return this.#order(seq, ORDER_STATES[Number(data['how'])]);
      case 'halt':
      case 'lift':
        if (!this.#haltsChanged) this.#note(HALTS);
        this.#haltsChanged = true;
        return;
      default:
        if (isFill(record)) this.#note({ kind: 'fill', record, position });
        return this.#order(kind === 'fee' ? Number(data['order']) : seq);
    }
  }

  /** Notes a line of the log. */
  line(line: string): void {
    if (!line.startsWith('"level":"debug"', line.indexOf('"level"'))) this.#note({ kind: 'log', line });
    const note = noteIn(line);
    if (note !== null) this.#note({ kind: 'note', note });
  }

  #order(number: number, ended: OrderState | '' = ''): void {
    if (number <= 0) return;
    const isNoted = this.#changed.has(number);
    if (!isNoted || ended !== '') this.#changed.set(number, ended);
    if (!isNoted) this.#note({ kind: 'order', number });
  }

  #note(noted: Noted): void {
    if (this.#queue.length >= QUEUED_MAX) {
      this.#queue = [];
      this.#changed.clear();
      this.#haltsChanged = false;
      this.#isBehind = true;
    }
    this.#queue.push(noted);
    this.#sink.onNoted();
  }

  /** Writes what was noted. */
  write(): void {
    const queue = this.#queue;
    this.#queue = [];
    if (this.#isBehind) {
      this.#isBehind = false;
      this.#rows.clear();
      this.#takeOrders();
      this.#sink.reset();
    }
    for (const noted of queue) {
      switch (noted.kind) {
        case 'order':
          this.#writeOrder(noted.number);
          break;
        case 'fill':
          this.#sink.add('fill', JSON.stringify({ id: noted.position, ...fillOf(noted.record) }));
          break;
        case 'log':
          this.#sink.add('log', noted.line.trimEnd());
          break;
        case 'note':
          this.#sink.add('note', JSON.stringify(noted.note));
          break;
        case 'halts':
          this.#haltsChanged = false;
          this.#sink.add('halts', JSON.stringify(this.#source.status().halts));
          break;
      }
    }
  }

  #writeOrder(number: number): void {
    const ended = this.#changed.get(number) ?? '';
    this.#changed.delete(number);
    const order = this.#source.order(number) ?? this.#rows.get(number);
    if (order === undefined) return;
    const row = this.#rowOf(ended === '' ? order : { ...order, state: ended });
    if (isEnded(ORDER_STATES.findIndex((state) => state === row.state))) {
      this.#rows.delete(number);
      this.#reasons.delete(number);
    } else this.#rows.set(number, row);
    this.#sink.add('order', JSON.stringify(row));
  }

  #rowOf(order: OrderAnswer): OrderRow {
    return { ...order, reason: this.#reasons.get(order.number) ?? '', updatedAt: this.#source.now() };
  }

  #takeOrders(): void {
    for (const order of this.#source.orders()) this.#rows.set(order.number, this.#rowOf(order));
  }

  /** Writes the status, and the positions and quotes that changed. */
  tick(): void {
    const { status, positions } = this.#status();
    this.#sink.add('status', JSON.stringify(status));
    const before = new Set(this.#positions.keys());
    for (const position of positions) {
      const key = `${position.symbol} ${position.side}`;
      before.delete(key);
      const { provenAt: _age, ...facts } = position;
      const text = JSON.stringify(facts);
      if (this.#positions.get(key) === text) continue;
      this.#positions.set(key, text);
      this.#sink.add('position', JSON.stringify(position));
    }
    for (const key of before) {
      const closed = JSON.parse(this.#positions.get(key)!) as PositionRow;
      this.#positions.delete(key);
      this.#sink.add('position', JSON.stringify({ ...closed, size: '0', provenAt: status.readAt?.positions ?? 0 }));
    }
    const quotes = this.#source.quotes(false);
    if (quotes.length > 0) this.#sink.add('quotes', JSON.stringify(quotes));
  }

  #status(): { readonly status: StatusRow; readonly positions: readonly PositionRow[] } {
    const { positions, ...status } = this.#source.status();
    const provenAt = status.readAt?.positions ?? 0;
    return {
      status: { ...status, health: this.#source.health() },
      positions: positions.map((one) => ({ ...one, provenAt })),
    };
  }

  /** JSON text of what holds now (NowRow). */
  snapshot(): string {
    const { status, positions } = this.#status();
    const now: NowRow = { status, positions, orders: [...this.#rows.values()], quotes: this.#source.quotes(true) };
    return JSON.stringify(now);
  }
}

/** What a strategy said or drew, from its line of the log; null for another line. */
function noteIn(line: string): NoteRow | null {
  const event = /^\{"event":"strategy-(note|plot)"/.exec(line)?.[1];
  if (event === undefined) return null;
  const {
    strategy,
    symbol,
    text = '',
    name,
    value,
  } = JSON.parse(line) as Readonly<Record<'strategy' | 'symbol', string>> & {
    readonly text?: string;
    readonly name?: string;
    readonly value?: number;
  };
  return event === 'note' ? { strategy, symbol, text } : { strategy, symbol, text, line: name!, value: String(value) };
}
