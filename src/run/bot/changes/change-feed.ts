/**
 * Feeds the stream of changes of a running bot. A turn of the bot only notes what changed; rows are made and written in turns of their own,
 * from a bounded queue. While nobody reads, nothing is noted.
 */
import { randomBytes } from 'node:crypto';
import { ChangeStream, type ChangeLines } from '../../../control/change-stream.ts';
import type { HealthAnswer } from '../../../control/changes.ts';
import type { JournalRecord } from '../../../ports/store.ts';
import { ChangeRows, type RowSource } from './change-rows.ts';

/** What the feed reads of the bot. */
export interface FedBot extends Omit<RowSource, 'health'> {
  health(): Omit<HealthAnswer, 'lateMs'>;
  /** Passes each further line of the log on. */
  listen(take: (line: string) => boolean): () => void;
}

/** Pause before noted changes are written: several of one order become one. */
const PAUSE_MS = 10;
const STATUS_MS = 1_000;
/** Time that the feed goes on without a reader, so that one who comes back can resume. */
const ALONE_MS = 60_000;

export class ChangeFeed {
  readonly #bot: FedBot;
  readonly #stream: ChangeStream;
  readonly #rows: ChangeRows;
  #isOn = false;
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
      snapshot: () => this.#rows.snapshot(),
      onReaders: (isRead) => this.#onReaders(isRead),
    });
    const source = { ...bot, health: (): HealthAnswer => ({ ...bot.health(), lateMs: this.#lateMs }) };
    this.#rows = new ChangeRows(source, {
      add: (kind, payload) => this.#stream.add(kind, payload),
      reset: () => this.#stream.reset(),
      onNoted: () => {
        this.#pause ??= setTimeout(() => this.#write(), PAUSE_MS).unref();
      },
    });
  }

  /** Lines for a reader, after the change with the id `after`. */
  open(after: string): ChangeLines {
    return this.#stream.open(after);
  }

  /** Notes a record of the journal at this position. */
  record(record: JournalRecord, position: number): void {
    if (this.#isOn) this.#rows.record(record, position);
  }

  /** Writes what is noted, and that the bot ends cleanly. `opensAgain`: it starts again in place. Resolves once the lines have left this program. */
  async end(opensAgain = false): Promise<void> {
    if (this.#isOn) this.#write();
    this.#stream.add('end', opensAgain ? '{"again":true}' : '{}');
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
    this.#rows.begin();
    this.#tickedAt = performance.now();
    this.#ticks = setInterval(() => this.#tick(), STATUS_MS).unref();
    this.#deaf = this.#bot.listen((line) => {
      this.#rows.line(line);
      return this.#isOn;
    });
  }

  #off(): void {
    this.#isOn = false;
    if (this.#ticks !== null) clearInterval(this.#ticks);
    if (this.#pause !== null) clearTimeout(this.#pause);
    this.#pause = null;
    this.#deaf();
    this.#rows.clear();
    // A reader that comes back cannot know what happened meanwhile.
    this.#stream.forget();
  }

  #write(): void {
    this.#pause = null;
    this.#rows.write();
  }

  #tick(): void {
    const at = performance.now();
    this.#lateMs = Math.max(0, Math.round(at - this.#tickedAt - STATUS_MS));
    this.#tickedAt = at;
    this.#rows.tick();
  }
}
