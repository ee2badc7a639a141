/**
 * Keeps, beside the recording of a session, why nothing was traded at the end of each second. It is read here, and not replayed from the
 * start of the session, which may be days ago. Each hour has a folder. The first answer of a minute is whole, each later one its difference
 * from the one before.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Difference, differenceOf, withDifference } from '../../base/difference.ts';
import { MINUTE_MS, SECOND_MS } from '../../base/time/time-spans.ts';
import type { Ladder } from '../../domain/messages/why.ts';
import { Packer } from '../../edge/file/pack.ts';
import { SessionReader, SessionWriter } from '../../edge/file/session-file.ts';
import type { Kernel } from '../../engine/kernel.ts';
import type { Log } from '../../ports/log.ts';
import { LINES_MOST, type LogLine, LogLines } from './log-lines.ts';

/** Ladders that are made before one event. More would hold up the bot for milliseconds: they are replayed. */
const LADDERS_MOST = 50;
/** Seconds that are written together: a kill loses no more. Alone they would take five times the space. */
const SECONDS_TOGETHER = 20;

/** Of the state after all events before its end. */
export interface KeptAnswer {
  readonly ladders: readonly Ladder[];
  readonly lines: readonly LogLine[];
  /** True if a strategy chooses its symbols: those that it may choose have no ladder here. */
  readonly isChosen: boolean;
}

/** The ladders of a second by strategy and symbol, in the order of these keys, and the keys in the order of the answer. */
interface State {
  readonly isChosen: boolean;
  readonly order: readonly string[];
  readonly ladders: Readonly<Record<string, Ladder>>;
}

/** A second that ended at `at`. `lines`: of the log since the last row. */
interface Row {
  readonly at: number;
  readonly lines: readonly LogLine[];
  readonly differs: Difference | null;
}

/** A block: rows, as JSON, of a minute that ended at `minute`. `version` is that of the program: another one words its answers otherwise. */
interface Block {
  readonly minute: number;
  readonly version: string;
  readonly rows: string;
}

type Asked = Pick<Kernel, 'why' | 'setups'>;

/** Writes the seconds of a session while it is recorded. */
export class SecondWriter {
  /** The end of the current second. */
  next: number;
  /** Time of the event that is taken. */
  now = -Infinity;
  /** null before there is one, and where it has too many markets. */
  kernel: Asked | null = null;
  readonly #session: string;
  readonly #version: string;
  readonly #lines = new LogLines(0, Infinity);
  /** The last row of this minute. */
  #before: State | null = null;
  #minute = 0;
  /** By the end of their minute. */
  readonly #noted = new Map<number, string[]>();
  readonly #packer = new Packer();
  #folder = '';
  #writer: SessionWriter | null = null;
  #earlier = 0;

  constructor(session: string, { startedAt, version }: { readonly startedAt: number; readonly version: string }) {
    this.#session = session;
    this.#version = version;
    this.next = secondAfter(startedAt);
    this.#lines.clock = { now: () => this.now };
  }

  /** Bytes on disk. */
  get bytes(): number {
    return this.#earlier + (this.#writer?.bytes ?? 0);
  }

  /** Collects the lines of a log, and passes them on. */
  log(log: Log): Log {
    const lines = this.#lines;
    return {
      debug: (event, fields) => log.debug(event, fields),
      info: (event, fields) => {
        lines.info(event, fields);
        log.info(event, fields);
      },
      warn: (event, fields) => {
        lines.warn(event, fields);
        log.warn(event, fields);
      },
      error: (event, fields) => {
        lines.error(event, fields);
        log.error(event, fields);
      },
    };
  }

  /**
   * Call before the first event after the end of a second. Of a time without events the seconds up to the end of the minute are kept, the last
   * ones if they are too many. `bare` takes credentials out of a text.
   */
  end(at: number, bare: (text: string) => string): void {
    const first = this.next;
    this.next = secondAfter(at);
    if (this.kernel === null) return;
    const { why } = this.kernel;
    const last = Math.min(this.next - SECOND_MS, minuteOf(first));
    const newest = why.at({ now: last, endedAt: 0, outside: null });
    if (newest.length > LADDERS_MOST) {
      this.kernel = null;
      return;
    }
    const seconds = Math.floor(LADDERS_MOST / Math.max(1, newest.length));
    for (let end = Math.max(first, last - (seconds - 1) * SECOND_MS); end < last; end += SECOND_MS) {
      this.#note(end, why.at({ now: end, endedAt: 0, outside: null }), bare);
    }
    this.#note(last, newest, bare);
  }

  #note(at: number, ladders: readonly Ladder[], bare: (text: string) => string): void {
    const minute = minuteOf(at);
    if (minute !== this.#minute) this.#before = null;
    this.#minute = minute;
    const order = ladders.map(({ strategy, symbol }) => `${strategy} ${symbol}`);
    const byKey = Object.fromEntries(order.map((key, k) => [key, ladders[k]!] as const).toSorted(([a], [b]) => (a < b ? -1 : 1)));
    const isChosen = this.kernel!.setups.some(({ universe }) => universe !== undefined);
    const state: State = { isChosen, order, ladders: byKey };
    const row: Row = { at, lines: this.#lines.take(), differs: differenceOf(this.#before, state) };
    this.#before = state;
    const rows = this.#noted.get(minute) ?? [];
    rows.push(bare(JSON.stringify(row)));
    this.#noted.set(minute, rows);
  }

  /** Writes minutes that have ended, and the current one if it has `least` rows. Call between two turns. @throws Error of node:fs */
  write(least = SECONDS_TOGETHER): void {
    for (const [minute, rows] of this.#noted) {
      if (minute >= this.next && rows.length < least) continue;
      this.#noted.delete(minute);
      const writer = this.#writerOf(minute);
      this.#packer.put({ minute, version: this.#version, rows: `[${rows.join()}]` } satisfies Block);
      writer.write(this.#packer.take());
    }
  }

  close(): void {
    this.#earlier = this.bytes;
    this.#writer?.close();
    this.#writer = null;
    this.#noted.clear();
  }

  #writerOf(minute: number): SessionWriter {
    const folder = folderOf(this.#session, minute);
    if (this.#writer !== null && folder === this.#folder) return this.#writer;
    this.#earlier = this.bytes;
    this.#writer?.close();
    this.#folder = folder;
    this.#packer.reset();
    this.#writer = new SessionWriter(folder);
    return this.#writer;
  }
}

/**
 * The answer for a second or a minute of a session, which began at `from` and ended at `at`; null where it was not kept, or by another version of
 * the program.
 */
export function keptAnswer(session: string, from: number, at: number, version: string): KeptAnswer | null {
  const minute = minuteOf(at);
  if (from < minute - MINUTE_MS) return null;
  const folder = folderOf(session, minute);
  if (!existsSync(folder)) return null;
  const lines: LogLine[] = [];
  let state: State | null = null;
  for (const block of new SessionReader(folder).entries() as Generator<Block>) {
    if (block.minute !== minute || block.version !== version) continue;
    for (const row of JSON.parse(block.rows) as Row[]) {
      if (row.at > at) return null;
      state = withDifference(state, row.differs) as State;
      lines.push(...row.lines);
      if (row.at < at) continue;
      const { isChosen, order, ladders } = state;
      const shown = lines.filter(({ time }) => time >= from && time < at).slice(0, LINES_MOST);
      return { ladders: order.map((key) => ladders[key]!), lines: shown, isChosen };
    }
  }
  return null;
}

function secondAfter(time: number): number {
  return Math.floor(time / SECOND_MS) * SECOND_MS + SECOND_MS;
}

/** The end of the minute that a second belongs to, by the end of the second. */
function minuteOf(end: number): number {
  return Math.ceil(end / MINUTE_MS) * MINUTE_MS;
}

function folderOf(session: string, minute: number): string {
  return join(session, 'seconds', new Date(minute).toISOString().slice(0, 13));
}
