/**
 * Records a session: every event that a kernel is given, and all that the kernel gives out. Events are packed while a step is taken; they
 * are compressed and written between steps. When the files cannot be written the recording ends, and the bot trades on.
 */
import { join } from 'node:path';
import type { RecordConfig } from '../../config/model.ts';
import { Packer } from '../../edge/file/pack.ts';
import { pruneSessions, SessionWriter } from '../../edge/file/session-file.ts';
import { ANSWERED, FAILED, type EngineEvent } from '../../engine/event.ts';
import type { EventTaker } from '../../engine/inbox.ts';
import type { KernelSnapshot } from '../../engine/recovery/kernel-snapshot.ts';
import type { Log } from '../../ports/log.ts';
import type { JournalRecord } from '../../ports/store.ts';
import type { Query, Venue } from '../../ports/venue.ts';
import { ASK, COMMAND, END, eventEntry, queryFields, RecordSum, savedOutput, SNAPSHOT, type Entry, type Head } from './entries.ts';

/** A kill loses at most so much of a recording. */
const WRITE_EVERY_MS = 1_000;
/** More than this is written right after the step. */
const WRITE_BYTES = 262_144;
const SEGMENT_BYTES = 64 * 1_048_576;
const MEGABYTE = 1_048_576;
const DAY_MS = 86_400_000;
/** Sizes and ages are looked at so often. */
const PRUNE_EVERY_MS = 600_000;

export interface RecorderOptions {
  readonly config: RecordConfig;
  /** Folder of the bot's sessions. */
  readonly folder: string;
  readonly head: Head;
  readonly log: Log;
  /** A file of a session is about so large. Default: 64 MB. */
  readonly segmentBytes?: number | undefined;
}

export class Recorder {
  /** Folder of this session. */
  readonly folder: string;
  readonly #options: RecorderOptions;
  readonly #packer = new Packer();
  readonly #questions = new Map<Query, number>();
  #writer: SessionWriter | null = null;
  #asked = 0;
  #isInStep = false;
  readonly #records = new RecordSum();
  /** Bytes of other sessions when it was last looked. */
  #others = 0;
  #prunedAt = -Infinity;
  readonly #timer: NodeJS.Timeout;

  constructor(options: RecorderOptions) {
    this.#options = options;
    this.folder = join(options.folder, nameOf(options.head.startedAt));
    this.#guarded(() => {
      this.#writer = new SessionWriter(this.folder);
      this.#packer.put(options.head);
      this.#write(this.#writer);
    });
    this.#timer = setInterval(() => this.#flush(), WRITE_EVERY_MS);
    this.#timer.unref();
  }

  /** Records each event and hands it on. */
  taker(kernel: EventTaker): EventTaker {
    return {
      step: (event) => {
        if (this.#writer === null) return kernel.step(event);
        const isInside = this.#isInStep;
        this.#put(eventEntry(event, this.#questionOf(event), isInside));
        if (isInside) return kernel.step(event);
        this.#isInStep = true;
        try {
          kernel.step(event);
        } catch (error) {
          this.close(error instanceof Error ? error.message : String(error));
          throw error;
        } finally {
          this.#isInStep = false;
        }
        this.#putRows();
      },
    };
  }

  /** Records what the kernel gives out and hands it on. */
  venue(venue: Venue): Venue {
    return {
      execute: (command) => {
        this.#put({ kind: COMMAND, body: { ...command } });
        venue.execute(command);
      },
      query: (query) => {
        if (this.#writer !== null) {
          this.#questions.set(query, ++this.#asked);
          this.#put({ kind: ASK, body: queryFields(query) });
        }
        venue.query(query);
      },
    };
  }

  /** A record that the kernel wrote. */
  journal(record: JournalRecord): void {
    if (this.#writer !== null) this.#records.add(record);
  }

  /** Asks for a snapshot and records that it was asked for: strategies have a part in it. */
  snapshot(take: () => KernelSnapshot): KernelSnapshot {
    if (this.#writer === null) return take();
    this.#put({ kind: SNAPSHOT });
    this.#isInStep = true;
    const snapshot = take();
    this.#isInStep = false;
    this.#putRows();
    this.#put(savedOutput(snapshot));
    return snapshot;
  }

  /** Between two steps. */
  afterTurn(): void {
    if (this.#packer.length > WRITE_BYTES) this.#flush();
  }

  /** Nothing is recorded any more. */
  close(error = ''): void {
    clearInterval(this.#timer);
    if (this.#writer === null) return;
    this.#putRows();
    this.#put({ kind: END, error });
    this.#flush();
    this.#end();
  }

  /** Its number, 0 where the event answers none. The fields of other kinds are left from events before. */
  #questionOf({ kind, query }: EngineEvent): number {
    if ((kind !== ANSWERED && kind !== FAILED) || query === null) return 0;
    const number = this.#questions.get(query) ?? 0;
    this.#questions.delete(query);
    return number;
  }

  #put(entry: Entry): void {
    if (this.#writer !== null) this.#packer.put(entry);
  }

  #putRows(): void {
    const rows = this.#records.take();
    if (rows !== null) this.#put(rows);
  }

  #flush(): void {
    const writer = this.#writer;
    if (writer === null) return;
    this.#guarded(() => {
      if (this.#packer.length > 0) this.#write(writer);
      this.#keepBounds(writer);
    });
  }

  #write(writer: SessionWriter): void {
    writer.write(this.#packer.take());
    if (writer.segmentBytes < (this.#options.segmentBytes ?? SEGMENT_BYTES)) return;
    writer.nextSegment();
    this.#packer.reset();
  }

  #keepBounds(writer: SessionWriter): void {
    const { maxMegabytes, maxDays } = this.#options.config;
    const maxBytes = maxMegabytes * MEGABYTE;
    const now = Date.now();
    if (now - this.#prunedAt >= PRUNE_EVERY_MS || this.#others + writer.bytes > maxBytes) {
      this.#prunedAt = now;
      const total = pruneSessions(this.#options.folder, { maxBytes, notBefore: now - maxDays * DAY_MS, running: this.folder });
      this.#others = Math.max(0, total - writer.bytes);
    }
    if (writer.bytes > maxBytes) throw new RangeError(`the session reached the ${maxMegabytes} MB of record.maxMegabytes`);
  }

  /** A recording that fails ends; what is on disk stays and can be replayed. */
  #guarded(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#options.log.warn('recording-stopped', { session: this.folder, error });
      this.#end();
    }
  }

  #end(): void {
    clearInterval(this.#timer);
    this.#writer?.close();
    this.#writer = null;
    this.#questions.clear();
    this.#packer.take();
  }
}

/** Sorted by name is sorted by time. */
function nameOf(startedAt: number): string {
  return new Date(startedAt).toISOString().replaceAll(/[:.]/g, '-');
}
