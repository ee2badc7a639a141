/**
 * Why nothing was traded at the end of each minute, kept beside the recording of a session. What is asked for most is read here, and not
 * replayed from the start of the session, which may be days ago. Each hour has a folder, and each minute is a block in it.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { MINUTE_MS } from '../../base/time/time-spans.ts';
import type { Ladder } from '../../domain/messages/why.ts';
import { Packer } from '../../edge/file/pack.ts';
import { SessionReader, SessionWriter } from '../../edge/file/session-file.ts';
import type { Kernel } from '../../engine/kernel.ts';
import type { Log } from '../../ports/log.ts';
import { type LogLine, LogLines } from './log-lines.ts';

/** More would hold up the bot for milliseconds: they are replayed. */
const LADDERS_MOST = 50;

/** Of the state after all events before its end. */
export interface KeptMinute {
  readonly ladders: readonly Ladder[];
  /** The log of the minute. */
  readonly lines: readonly LogLine[];
  /** True if a strategy chooses its symbols: those that it may choose have no ladder here. */
  readonly isChosen: boolean;
}

/** A block. `version` is that of the program: another one words its answers otherwise. */
interface Kept {
  readonly at: number;
  readonly version: string;
  readonly minute: string;
}

type Asked = Pick<Kernel, 'why' | 'setups'>;

/** Writes the minutes of a session while it is recorded. */
export class MinuteWriter {
  /** The end of the current minute. */
  next: number;
  /** Time of the event that is taken. */
  now = -Infinity;
  /** null before there is one, and where it has too many markets. */
  kernel: Asked | null = null;
  readonly #session: string;
  readonly #version: string;
  readonly #lines = new LogLines(0, Infinity);
  #noted: Kept[] = [];
  readonly #packer = new Packer();
  #folder = '';
  #writer: SessionWriter | null = null;
  #earlier = 0;

  constructor(session: string, { startedAt, version }: { readonly startedAt: number; readonly version: string }) {
    this.#session = session;
    this.#version = version;
    this.next = endOf(startedAt);
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
   * Call before the first event after the end of a minute. Of a time without events the first minute alone is kept. `bare` takes credentials out
   * of a text.
   */
  end(at: number, bare: (text: string) => string): void {
    const end = this.next;
    this.next = endOf(at);
    const lines = this.#lines.take();
    if (this.kernel === null) return;
    const { why, setups } = this.kernel;
    const ladders = why.at({ now: end, endedAt: 0, outside: null });
    if (ladders.length > LADDERS_MOST) {
      this.kernel = null;
      return;
    }
    const minute = { ladders, lines, isChosen: setups.some(({ universe }) => universe !== undefined) } satisfies KeptMinute;
    this.#noted.push({ at: end, version: this.#version, minute: bare(JSON.stringify(minute)) });
  }

  /** Call between two turns. @throws Error of node:fs */
  write(): void {
    const noted = this.#noted;
    this.#noted = [];
    for (const one of noted) {
      const writer = this.#writerOf(one.at);
      this.#packer.put(one);
      writer.write(this.#packer.take());
    }
  }

  close(): void {
    this.#earlier = this.bytes;
    this.#writer?.close();
    this.#writer = null;
    this.#noted = [];
  }

  #writerOf(at: number): SessionWriter {
    const folder = folderOf(this.#session, at);
    if (this.#writer !== null && folder === this.#folder) return this.#writer;
    this.#earlier = this.bytes;
    this.#writer?.close();
    this.#folder = folder;
    this.#packer.reset();
    this.#writer = new SessionWriter(folder);
    return this.#writer;
  }
}

/** The minute of a session that ended at `at`; null where it was not kept, or by another version of the program. */
export function keptMinute(session: string, at: number, version: string): KeptMinute | null {
  const folder = folderOf(session, at);
  if (!existsSync(folder)) return null;
  for (const one of new SessionReader(folder).entries() as Generator<Kept>) {
    if (one.at === at) return one.version === version ? (JSON.parse(one.minute) as KeptMinute) : null;
  }
  return null;
}

function endOf(time: number): number {
  return Math.floor(time / MINUTE_MS) * MINUTE_MS + MINUTE_MS;
}

function folderOf(session: string, at: number): string {
  return join(session, 'minutes', new Date(at).toISOString().slice(0, 13));
}
