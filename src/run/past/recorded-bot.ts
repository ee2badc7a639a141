/**
 * The bot of a recording, while it is replayed: makes the rows of the stream of changes that a monitor would have had from it, each with the
 * time of the recording, and marks of what a person looks for.
 */
import type { StatusAnswer } from '../../control/answers.ts';
import { NO_HEALTH, type ChangeKind } from '../../control/changes.ts';
import type { CommandOutcome, PastMark } from '../../control/past.ts';
import { CLOCK_SKEW, EVENT_NAMES, JOURNAL_AWAY, OPERATE, START, STOP } from '../../engine/event.ts';
import type { Kernel } from '../../engine/kernel.ts';
import type { ClientIds } from '../../domain/orders/client-ids.ts';
import type { Instrument } from '../../domain/instrument.ts';
import { LONG } from '../../domain/codes.ts';
import type { Position } from '../../engine/intents/market-types.ts';
import type { Log, LogFields } from '../../ports/log.ts';
import type { JournalRecord } from '../../ports/store.ts';
import { FAILED, UNKNOWN } from '../../ports/venue-event.ts';
import { fillOf, isFill, isPlaced } from '../bot/answers/fill-answers.ts';
import { kernelStatus } from '../bot/answers/kernel-status.ts';
import { NO_STATUS, orderOf } from '../bot/answers/views.ts';
import { ChangeRows, type RowSource } from '../bot/changes/change-rows.ts';
import { QuoteRows } from '../bot/changes/quote-rows.ts';
import { BusinessLog } from '../bot/store/business-log.ts';
import { OUTCOMES } from '../replay/player.ts';
import type { PlayWatch } from '../replay/timeline.ts';
import type { EventEntry, Head } from '../session/entries.ts';
import type { Lifted } from './halt-ends.ts';
import { jsonWithoutCommands, withoutCommands } from './without-commands.ts';

/** Receives what the bot of the recording does. `payload` is JSON text. */
export interface PastSink {
  change(time: number, kind: ChangeKind, payload: string): void;
  mark(mark: PastMark): void;
  /** How the venue's answer to an order was taken. */
  outcome(order: number, outcome: CommandOutcome): void;
  lifted(halt: Lifted): void;
}

/** Characters of a mark. */
const TEXT_MOST = 200;

/** Of an event whose kind is in OUTCOMES. */
export function outcomeName(kind: number): CommandOutcome {
  return EVENT_NAMES[kind] as CommandOutcome;
}

export class RecordedBot implements PlayWatch, Log {
  readonly #head: Head;
  readonly #sink: PastSink;
  readonly #rows: ChangeRows;
  /** Adds to fills what the order, the position and the venue's records say of them. */
  readonly #business: BusinessLog;
  #everyMs: number;
  #kernel: Kernel | null = null;
  #ids: ClientIds | null = null;
  #quotes: QuoteRows | null = null;
  #now: number;
  #tickAt = -Infinity;
  /** A fill came since the last status: the positions are others. */
  #hasFilled = false;
  #records = 0;
  #fills = 0;
  #placed = 0;
  #requests = 0;
  #firstEquity = '';
  #answeredAt = 0;
  /** A simulated venue answers at all times. */
  #isSimulated = false;
  #warnings = 0;
  #errors = 0;
  /** Numbers of the orders of this session. */
  readonly #orders = new Set<number>();

  /** A status is made every `everyMs` of the recording, at most. */
  constructor(head: Head, sink: PastSink, everyMs: number) {
    this.#head = head;
    this.#sink = sink;
    this.#everyMs = everyMs;
    this.#now = head.startedAt;
    const { instruments, snapshot } = head;
    const legOf = ({ index }: Instrument, side: number): Position => {
      const market = this.#kernel!.markets[index]!;
      return side === LONG ? market.long : market.short;
    };
    // Reasons and sums of orders from before the session are not in its recording.
    this.#business = new BusinessLog({ log: this, instruments, legOf }, { snapshot, reasons: new Map(), booked: new Map() });
    this.#rows = new ChangeRows(this.#source(), {
      add: (kind, payload) => this.#give(kind, payload),
      reset: () => undefined,
      onNoted: () => undefined,
    });
  }

  /** Connects it with the kernel that is replayed. */
  begin(kernel: Kernel, ids: ClientIds): void {
    this.#kernel = kernel;
    this.#ids = ids;
    this.#rows.begin();
    this.#give('reset', JSON.stringify({ boot: 'recording', now: JSON.parse(this.#rows.snapshot()) }));
  }

  event(entry: EventEntry, text: string): void {
    this.settled(this.#now);
    const { kind, at, seq = 0, command } = entry;
    this.#now = at;
    if (entry.query !== undefined) {
      this.#requests++;
      if (kind !== FAILED) this.#answeredAt = at;
    }
    if (OUTCOMES.has(kind)) {
      if (this.#orders.has(seq)) this.#sink.outcome(seq, outcomeName(kind));
      if (kind === UNKNOWN) this.#mark('fault', `no answer to command ${seq}: it may have landed`);
    } else if (kind === OPERATE) this.#mark('operator', `${command?.by ?? 'somebody'}: ${command?.name ?? ''}`);
    else if (kind === CLOCK_SKEW || kind === JOURNAL_AWAY || kind === FAILED) this.#mark('fault', `${text} ${entry.text ?? ''}`.trim());
    else if (kind === START || kind === STOP) this.#mark('bot', text);
  }

  /** From now on a simulated venue answers. */
  simulates(): void {
    this.#isSimulated = true;
  }

  /** From now on half as many statuses are made. */
  slow(): void {
    this.#everyMs *= 2;
  }

  /** Everything that was to be done up to this time has been done. */
  settled(time: number): void {
    this.#business.tell();
    this.#rows.write();
    this.#now = time;
    if (this.#kernel !== null && (this.#hasFilled || time - this.#tickAt >= this.#everyMs)) this.#tick(time);
  }

  /** What is left, at the end of the recording. */
  end(time: number): void {
    this.settled(time);
    this.#tick(time);
  }

  record(raw: JournalRecord): void {
    this.#records++;
    const record = this.#business.add(raw);
    const { kind, data, seq } = record;
    if (isPlaced(record)) this.#placed++;
    if (isFill(record)) {
      this.#fills++;
      this.#hasFilled = true;
      const { symbol, side, effect, size, price } = fillOf(record);
      this.#mark('fill', `${symbol} ${side} ${effect} ${size} at ${price || 'an unknown price'}`);
    } else if (isPlaced(record)) {
      this.#orders.add(seq);
      this.#mark('order', `order ${seq} of ${String(data['strategy'])}`);
    } else if (kind === 'halt') this.#mark('halt', `${String(data['scope'])}: ${String(data['code'])}`);
    else if (kind === 'lift') {
      const text = (key: string): string => (typeof data[key] === 'string' ? data[key] : '');
      this.#sink.lifted({ time: this.#now, scope: text('scope'), code: text('code'), why: text('why'), by: text('by') });
    }
    this.#rows.record(record, this.#records);
  }

  debug(): void {
    // Lines of every order are too many.
  }

  info(event: string, fields: LogFields = {}): void {
    this.#line('info', event, fields);
  }

  warn(event: string, fields: LogFields = {}): void {
    this.#warnings++;
    this.#line('warn', event, fields);
  }

  error(event: string, fields: LogFields = {}): void {
    this.#errors++;
    this.#line('error', event, fields);
  }

  #give(kind: ChangeKind, payload: string): void {
    this.#sink.change(this.#now, kind, jsonWithoutCommands(payload));
  }

  #line(level: 'info' | 'warn' | 'error', event: string, fields: LogFields): void {
    const said = Object.entries(withoutCommands(fields)).filter(([key, value]) => value !== '' || fields[key] === '');
    this.#rows.line(JSON.stringify({ event, level, time: new Date(this.#now).toISOString(), ...Object.fromEntries(said) }));
  }

  #mark(kind: PastMark['kind'], text: string): void {
    this.#sink.mark({ time: this.#now, kind, text: withoutCommands(text).slice(0, TEXT_MOST) });
  }

  #tick(time: number): void {
    this.#tickAt = time;
    this.#hasFilled = false;
    this.#rows.tick();
  }

  #source(): RowSource {
    const { instruments } = this.#head;
    return {
      now: () => this.#now,
      status: () => this.#status(),
      health: () => ({
        ...NO_HEALTH,
        requests: this.#requests,
        journal: { made: this.#records, durable: this.#records },
        lines: { warn: this.#warnings, error: this.#errors },
      }),
      orders: () => (this.#kernel?.liveOrders() ?? []).map((order) => this.#order(order)),
      order: (number) => {
        const order = this.#kernel?.lifecycle.orderOf(number) ?? null;
        return order === null ? null : this.#order(order);
      },
      reasons: () => this.#business.reasons(),
      quotes: (again) => {
        if (this.#kernel === null) return [];
        if (this.#quotes === null || again) this.#quotes = new QuoteRows(this.#kernel, instruments);
        return this.#quotes.changed(this.#now);
      },
    };
  }

  #order(order: Parameters<typeof orderOf>[0]): ReturnType<typeof orderOf> {
    const kernel = this.#kernel!;
    return orderOf(order, { instruments: this.#head.instruments, ids: this.#ids!, bracketOf: (one) => kernel.bracketOf(one) });
  }

  #status(): StatusAnswer {
    const { config, instruments, startedAt } = this.#head;
    const known = this.#kernel === null ? null : kernelStatus(this.#kernel, instruments);
    const equity = known?.equity ?? '';
    if (this.#firstEquity === '') this.#firstEquity = equity;
    const profit = equity === '' ? '' : (Number(equity) - Number(this.#firstEquity)).toFixed(2);
    return {
      ...NO_STATUS,
      ...known,
      bot: config.bot,
      isRunning: true,
      time: this.#now,
      startedAt,
      venueAnsweredAt: this.#isSimulated ? this.#now : this.#answeredAt,
      profit,
      // What earlier sessions of the day brought is not in this one.
      today: null,
      placed: this.#placed,
      fills: this.#fills,
      requests: this.#requests,
      errors: this.#errors,
    };
  }
}
