/**
 * What feeds the stream of changes of a running bot. A turn of the bot only notes what changed; rows are made and written in turns of their own,
 * from a bounded queue. While nobody reads, nothing is noted.
 */
import { randomBytes } from 'node:crypto';
import type { OrderAnswer, StatusAnswer } from '../../../control/answers.ts';
import { ChangeStream, type ChangeLines } from '../../../control/change-stream.ts';
import type { HealthAnswer, NoteRow, NowRow, OrderRow, PositionRow, QuoteRow, StatusRow } from '../../../control/changes.ts';
import { isEnded, ORDER_STATES, type OrderState } from '../../../domain/orders/order.ts';
import { isCancel } from '../../../domain/orders/command-traits.ts';
import type { JournalRecord } from '../../../ports/store.ts';
import { fillOf, isFill, wordIn } from '../answers/fills.ts';

/** What the feed reads of the bot. */
export interface FedBot {
  now(): number;
  status(): StatusAnswer;
  health(): Omit<HealthAnswer, 'lateMs'>;
  /** Own orders that may still be live, oldest first. */
  orders(): readonly OrderAnswer[];
  /** One order, also one that has ended, while it is known; null otherwise. */
  order(number: number): OrderAnswer | null;
  /** The strategies' reasons of live orders, by number. */
  reasons(): Readonly<Record<string, string>>;
  /** Quotes that have changed since the last call; all of them after `again`. */
  quotes(again: boolean): readonly QuoteRow[];
  /** Passes each further line of the log on. */
  listen(take: (line: string) => boolean): () => void;
}

/** Noted changes that wait to be written; more, and the readers begin again. */
const QUEUED_MAX = 10_000;
/** Pause before noted changes are written: several of one order become one. */
const PAUSE_MS = 10;
const STATUS_MS = 1_000;
/** How long the feed goes on without a reader, so that one who comes back can resume. */
const ALONE_MS = 60_000;

type Noted =
  | { readonly kind: 'fill'; readonly record: JournalRecord; readonly position: number }
  | { readonly kind: 'log'; readonly line: string }
  | { readonly kind: 'note'; readonly note: NoteRow }
  | { readonly kind: 'order'; readonly number: number }
  | { readonly kind: 'halts' };

const HALTS = { kind: 'halts' } as const;

export class ChangeFeed {
  readonly #bot: FedBot;
  readonly #stream: ChangeStream;
  #isOn = false;
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
  #tickedAt = 0;
  #lateMs = 0;
  #pause: NodeJS.Timeout | null = null;
  #ticks: NodeJS.Timeout | null = null;
  #alone: NodeJS.Timeout | null = null;
  #deaf: () => void = () => undefined;

  constructor(bot: FedBot) {
    this.#bot = bot;
    this.#stream = new ChangeStream(randomBytes(6).toString('hex'), {
      now: () => bot.now(),
      snapshot: () => this.#snapshot(),
      onReaders: (isRead) => this.#onReaders(isRead),
    });
  }

  /** Lines for a reader, after the change with the id `after`. */
  open(after: string): ChangeLines {
    return this.#stream.open(after);
  }

  /** Notes a record of the journal at this position. */
  record(record: JournalRecord, position: number): void {
    if (!this.#isOn) return;
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

  /** Writes what is noted, and that the bot ends cleanly. Resolves once the lines have left this program. */
  async end(): Promise<void> {
    if (this.#isOn) this.#write();
    this.#stream.add('end', '{}');
    this.#off();
    await new Promise((resolve) => setImmediate(resolve));
  }

  #onReaders(isRead: boolean): void {
    if (this.#alone !== null) clearTimeout(this.#alone);
    this.#alone = isRead ? null : setTimeout(() => this.#off(), ALONE_MS).unref();
    if (isRead && !this.#isOn) this.#on();
  }

  #on(): void {
    this.#isOn = true;
    for (const [number, reason] of Object.entries(this.#bot.reasons())) this.#reasons.set(Number(number), reason);
    for (const order of this.#bot.orders()) this.#rows.set(order.number, this.#rowOf(order));
    this.#tickedAt = performance.now();
    this.#ticks = setInterval(() => this.#tick(), STATUS_MS).unref();
    this.#deaf = this.#bot.listen((line) => {
      if (!line.startsWith('"level":"debug"', line.indexOf('"level"'))) this.#note({ kind: 'log', line });
      const note = noteIn(line);
      if (note !== null) this.#note({ kind: 'note', note });
      return this.#isOn;
    });
  }

  #off(): void {
    this.#isOn = false;
    if (this.#ticks !== null) clearInterval(this.#ticks);
    if (this.#pause !== null) clearTimeout(this.#pause);
    this.#pause = null;
    this.#deaf();
    for (const one of [this.#changed, this.#reasons, this.#rows, this.#positions]) one.clear();
    this.#queue = [];
    this.#isBehind = this.#haltsChanged = false;
    // A reader that comes back cannot know what happened meanwhile.
    this.#stream.forget();
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
    this.#pause ??= setTimeout(() => this.#write(), PAUSE_MS).unref();
  }

  #write(): void {
    this.#pause = null;
    const queue = this.#queue;
    this.#queue = [];
    if (this.#isBehind) {
      this.#isBehind = false;
      this.#rows.clear();
      for (const order of this.#bot.orders()) this.#rows.set(order.number, this.#rowOf(order));
      this.#stream.reset();
    }
    for (const noted of queue) {
      switch (noted.kind) {
        case 'order':
          this.#writeOrder(noted.number);
          break;
        case 'fill':
          this.#stream.add('fill', JSON.stringify({ id: noted.position, ...fillOf(noted.record) }));
          break;
        case 'log':
          this.#stream.add('log', noted.line.trimEnd());
          break;
        case 'note':
          this.#stream.add('note', JSON.stringify(noted.note));
          break;
        case 'halts':
          this.#haltsChanged = false;
          this.#stream.add('halts', JSON.stringify(this.#bot.status().halts));
          break;
      }
    }
  }

  #writeOrder(number: number): void {
    const ended = this.#changed.get(number) ?? '';
    this.#changed.delete(number);
    const order = this.#bot.order(number) ?? this.#rows.get(number);
    if (order === undefined) return;
    const row = this.#rowOf(ended === '' ? order : { ...order, state: ended });
    if (isEnded(ORDER_STATES.findIndex((state) => state === row.state))) {
      this.#rows.delete(number);
      this.#reasons.delete(number);
    } else this.#rows.set(number, row);
    this.#stream.add('order', JSON.stringify(row));
  }

  #rowOf(order: OrderAnswer): OrderRow {
    return { ...order, reason: this.#reasons.get(order.number) ?? '', updatedAt: this.#bot.now() };
  }

  #tick(): void {
    const at = performance.now();
    this.#lateMs = Math.max(0, Math.round(at - this.#tickedAt - STATUS_MS));
    this.#tickedAt = at;
    const { status, positions } = this.#status();
    this.#stream.add('status', JSON.stringify(status));
    const before = new Set(this.#positions.keys());
    for (const position of positions) {
      const key = `${position.symbol} ${position.side}`;
      before.delete(key);
      const { provenAt: _age, ...facts } = position;
      const text = JSON.stringify(facts);
      if (this.#positions.get(key) === text) continue;
      this.#positions.set(key, text);
      this.#stream.add('position', JSON.stringify(position));
    }
    for (const key of before) {
      const closed = JSON.parse(this.#positions.get(key)!) as PositionRow;
      this.#positions.delete(key);
      this.#stream.add('position', JSON.stringify({ ...closed, size: '0', provenAt: status.readAt?.positions ?? 0 }));
    }
    const quotes = this.#bot.quotes(false);
    if (quotes.length > 0) this.#stream.add('quotes', JSON.stringify(quotes));
  }

  #status(): { readonly status: StatusRow; readonly positions: readonly PositionRow[] } {
    const { positions, ...status } = this.#bot.status();
    const provenAt = status.readAt?.positions ?? 0;
    return {
      status: { ...status, health: { ...this.#bot.health(), lateMs: this.#lateMs } },
      positions: positions.map((one) => ({ ...one, provenAt })),
    };
  }

  #snapshot(): string {
    const { status, positions } = this.#status();
    const now: NowRow = { status, positions, orders: [...this.#rows.values()], quotes: this.#bot.quotes(true) };
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
