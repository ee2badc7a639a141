/**
 * Writes log lines to a file descriptor without ever failing or waiting. A line that cannot be written (full disk, no reader, a reader that
 * does not read) is dropped and counted.
 */
import { writeSync } from 'node:fs';
import type { LostLines } from '../../control/answers.ts';

/** Receives finished lines: a file descriptor, or a test's buffer. */
export interface LineSink {
  write(line: string): unknown;
  /** Lines that could not be written since the start. Absent: it loses none. */
  readonly lost?: LostLines | undefined;
}

export interface SinkEvents {
  /** The first line after a good one could not be written. */
  onLoss?(lost: LostLines): void;
  /** A line was written again. */
  onBack?(lost: LostLines): void;
}

/** Bytes that wait for a reader that is slow. */
const WAITING_MAX = 262_144;
const AGAIN_MS = 20;
/** At the end of the process, how long to wait for such a reader. */
const END_MS = 500;

export class DescriptorSink implements LineSink {
  events: SinkEvents = {};
  readonly name: 'stdout' | 'stderr';
  readonly #descriptor: number;
  /** Bytes for a reader that does not read now, in order. */
  #waiting: Buffer = Buffer.alloc(0);
  #isTryingAgain = false;
  #waitsAtExit = false;
  /** True if the last line was cut off in the middle. */
  #isTorn = false;
  #lost: LostLines = { lines: 0, cause: '', since: 0, last: 0, isLosing: false };

  constructor(descriptor: 1 | 2) {
    this.#descriptor = descriptor;
    this.name = descriptor === 1 ? 'stdout' : 'stderr';
  }

  get lost(): LostLines | undefined {
    return this.#lost.lines === 0 ? undefined : this.#lost;
  }

  write(line: string): void {
    const bytes = Buffer.from(this.#isTorn ? `\n${line}` : line, 'utf8');
    if (this.#waiting.length > 0) return this.#wait(bytes);
    const cause = this.#send(bytes);
    if (cause !== null) return this.#drop(cause);
    this.#isTorn = false;
    // The rest of a line waits, and is not lost yet.
    if (this.#lost.isLosing && this.#waiting.length === 0) this.#recovered();
  }

  /** Writes what can be written now; the rest waits for the reader. Returns the error code if the rest is lost. */
  #send(bytes: Buffer): string | null {
    let at = 0;
    while (at < bytes.length) {
      try {
        at += writeSync(this.#descriptor, bytes, at);
      } catch (error) {
        const cause = error instanceof Error && 'code' in error ? String(error.code) : String(error);
        if (cause === 'EINTR') continue;
        if (cause !== 'EAGAIN') {
          if (at > 0) this.#isTorn = true;
          return cause;
        }
        this.#waiting = bytes.subarray(at);
        if (!this.#waitsAtExit) process.on('exit', () => this.#end());
        this.#waitsAtExit = true;
        if (!this.#isTryingAgain) setTimeout(() => this.#tryAgain(), AGAIN_MS).unref();
        this.#isTryingAgain = true;
        return null;
      }
    }
    return null;
  }

  #wait(bytes: Buffer): void {
    if (this.#waiting.length + bytes.length > WAITING_MAX) this.#drop('EAGAIN');
    else this.#waiting = Buffer.concat([this.#waiting, bytes]);
  }

  #tryAgain(): void {
    this.#isTryingAgain = false;
    const waiting = this.#waiting;
    this.#waiting = Buffer.alloc(0);
    const cause = this.#send(waiting);
    if (cause !== null) this.#drop(cause, waiting.toString('utf8').split('\n').length - 1);
    else if (this.#lost.isLosing && this.#waiting.length === 0) this.#recovered();
  }

  #drop(cause: string, lines = 1): void {
    const now = Date.now();
    const { lines: before, since, isLosing } = this.#lost;
    this.#lost = { lines: before + lines, cause, since: isLosing ? since : now, last: now, isLosing: true };
    if (!isLosing) this.events.onLoss?.(this.#lost);
  }

  #recovered(): void {
    this.#lost = { ...this.#lost, isLosing: false };
    this.events.onBack?.(this.#lost);
  }

  #end(): void {
    const until = performance.now() + END_MS;
    const cell = new Int32Array(new SharedArrayBuffer(4));
    while (this.#waiting.length > 0 && performance.now() < until) {
      this.#tryAgain();
      if (this.#waiting.length > 0) Atomics.wait(cell, 0, 0, 5);
    }
  }
}
