/**
 * Records a session: every input and every output of a kernel. During a step they are only noted. They are packed after the turn, while the
 * journal commits its orders, and compressed and written between turns. If the files cannot be written, the recording ends and the bot
 * trades on.
 */
import { join } from 'node:path';
import { messageOf } from '../../base/failure/message-of.ts';
import { DAY_MS } from '../../base/time/time-spans.ts';
import type { RecordConfig } from '../../config/model.ts';
import { Packer } from '../../edge/file/pack.ts';
import { pruneSessions, SessionWriter } from '../../edge/file/session-file.ts';
import type { RawAnswer } from '../../edge/http/call.ts';
import { type EngineEvent, OPERATE } from '../../engine/event.ts';
import type { EventTaker } from '../../engine/inbox.ts';
import type { Kernel } from '../../engine/kernel.ts';
import type { KernelSnapshot } from '../../engine/recovery/registry.ts';
import type { Log } from '../../ports/log.ts';
import type { JournalRecord } from '../../ports/store.ts';
import type { OrderPort, Query, ReadPort } from '../../ports/venue.ts';
import { ANSWERED, FAILED } from '../../ports/venue-event.ts';
import { type ReloadedTexts, type SessionTexts, writeTexts } from './strategy-texts.ts';
import { SecondWriter } from './kept-seconds.ts';
import { ASK, BODY, COMMAND, END, eventEntry, queryFields, RecordSum, savedOutput, SNAPSHOT, type Entry, type Head } from './entries.ts';

/** Interval of writes in milliseconds. A kill loses at most this much of a recording. */
const WRITE_EVERY_MS = 1_000;
/** Packed bytes above which a block is written right after the step. */
const WRITE_BYTES = 262_144;
const SEGMENT_BYTES = 64 * 1_048_576;
const MEGABYTE = 1_048_576;
/** Interval of checks of size and age. */
const PRUNE_EVERY_MS = 600_000;

export interface RecorderOptions {
  readonly config: RecordConfig;
  /** Folder of the bot's sessions. */
  readonly folder: string;
  readonly head: Head;
  readonly log: Log;
  /** Texts of the strategies, as they were loaded. */
  readonly texts?: SessionTexts['begun'] | undefined;
  /** What must not be in a recording. */
  readonly secrets?: readonly string[] | undefined;
  /** Approximate size of a file. Default: 64 MB. */
  readonly segmentBytes?: number | undefined;
}

export class Recorder {
  /** Folder of this session. */
  readonly folder: string;
  readonly #options: RecorderOptions;
  readonly #packer = new Packer();
  /** Entries of this turn, and the journal records of a step, in order. Nothing in them changes any more. */
  readonly #noted: (Entry | readonly JournalRecord[])[] = [];
  /** Of this step. */
  #records: JournalRecord[] = [];
  readonly #sum = new RecordSum();
  readonly #secrets: readonly string[];
  readonly #questions = new Map<Query, number>();
  #writer: SessionWriter | null = null;
  readonly #seconds: SecondWriter;
  readonly #reloads: ReloadedTexts[] = [];
  #asked = 0;
  #isInStep = false;
  /** Bytes of other sessions at the last check. */
  #others = 0;
  #prunedAt = -Infinity;
  readonly #timer: NodeJS.Timeout;

  constructor(options: RecorderOptions) {
    this.#options = options;
    this.#secrets = (options.secrets ?? []).filter((secret) => secret !== '');
    const { startedAt, tickwright } = options.head;
    this.folder = join(options.folder, nameOf(startedAt));
    this.#seconds = new SecondWriter(this.folder, { startedAt, version: tickwright });
    this.#guarded(() => {
      this.#writer = new SessionWriter(this.folder);
      this.#packer.put(options.head);
      this.#write(this.#writer);
    });
    this.#writeTexts();
    this.#timer = setInterval(() => this.#flush(), WRITE_EVERY_MS);
    this.#timer.unref();
  }

  /** Records each event and passes it on. */
  taker(kernel: EventTaker): EventTaker {
    return {
      step: (event) => {
        if (this.#writer === null) return kernel.step(event);
        this.#seconds.now = event.at;
        if (event.kind === OPERATE && event.command?.name === 'reload') this.#keepTexts(event.command);
        const isInside = this.#isInStep;
        if (event.at >= this.#seconds.next && !isInside) this.#ofSeconds((seconds) => seconds.end(event.at, this.#bare));
        this.#put(eventEntry(event, this.#questionOf(event), isInside));
        if (isInside) return kernel.step(event);
        this.#isInStep = true;
        try {
          kernel.step(event);
        } catch (error) {
          this.close(messageOf(error));
          throw error;
        } finally {
          this.#isInStep = false;
        }
        this.#putRows();
      },
    };
  }

  /** Passes on the lines of the kernel's log. */
  log(log: Log): Log {
    return this.#seconds.log(log);
  }

  /** From now on it is kept, for each second, why this kernel traded nothing. */
  keepWhy(kernel: Pick<Kernel, 'why' | 'setups'>): void {
    this.#seconds.kernel = kernel;
  }

  /** What is kept beside the recording never ends it: a second that is not kept is replayed. */
  #ofSeconds(work: (seconds: SecondWriter) => void): void {
    try {
      work(this.#seconds);
    } catch (error) {
      this.#seconds.kernel = null;
      this.#options.log.warn('why-not-kept', { session: this.folder, error });
    }
  }

  /** Without credentials, which a venue may repeat. */
  readonly #bare = (body: string): string => this.#secrets.reduce((text, secret) => text.replaceAll(secret, '[credential]'), body);

  /** A replay loads texts before it begins: they have a file of their own. */
  #keepTexts({ strategy, source, before }: ReloadedTexts): void {
    this.#reloads.push({ strategy, source, before });
    this.#writeTexts();
  }

  #writeTexts(): void {
    if (this.#writer === null) return;
    this.#guarded(() => writeTexts(this.folder, { begun: this.#options.texts ?? [], reloads: this.#reloads }));
  }

  /** Records each command and passes it on. */
  orders(orders: OrderPort): OrderPort {
    return {
      execute: (command) => {
        this.#put({ kind: COMMAND, body: { ...command } });
        orders.execute(command);
      },
    };
  }

  /** Records each query and passes it on. */
  reads(reads: ReadPort): ReadPort {
    return {
      query: (query) => {
        if (this.#writer !== null) {
          this.#questions.set(query, ++this.#asked);
          this.#put({ kind: ASK, body: queryFields(query) });
        }
        reads.query(query);
      },
    };
  }

  /** What the venue said, as it came. A credential that the venue repeats is cut out. */
  answer({ endpoint, status, body, receivedAt }: RawAnswer): void {
    const bare = this.#bare(body);
    this.#put({ kind: BODY, at: receivedAt, endpoint, status, body: bare });
  }

  /** Records the check sum of a journal record. */
  journal(record: JournalRecord): void {
    if (this.#writer !== null) this.#records.push(record);
  }

  /** Takes a snapshot and records that it was taken, because it calls `save` of strategies. */
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

  /** Call between two steps. */
  afterTurn(): void {
    this.#pack();
    if (this.#packer.length > WRITE_BYTES) this.#flush();
  }

  /** Stops recording. */
  close(error = ''): void {
    clearInterval(this.#timer);
    if (this.#writer === null) return;
    this.#putRows();
    this.#put({ kind: END, error });
    this.#flush();
    this.#ofSeconds((seconds) => seconds.write(1));
    this.#end();
  }

  /** Number of the query that the event answers, 0 for none. Other fields of the pooled event may be from earlier events. */
  #questionOf({ kind, query }: EngineEvent): number {
    if ((kind !== ANSWERED && kind !== FAILED) || query === null) return 0;
    const number = this.#questions.get(query) ?? 0;
    this.#questions.delete(query);
    return number;
  }

  #put(entry: Entry): void {
    if (this.#writer !== null) this.#noted.push(entry);
  }

  #pack(): void {
    for (const one of this.#noted) this.#packer.put('kind' in one ? one : this.#sum.of(one));
    this.#noted.length = 0;
  }

  #putRows(): void {
    if (this.#records.length === 0) return;
    this.#noted.push(this.#records);
    this.#records = [];
  }

  #flush(): void {
    const writer = this.#writer;
    if (writer === null) return;
    this.#guarded(() => {
      this.#pack();
      if (this.#packer.length > 0) this.#write(writer);
      this.#keepBounds(writer);
    });
    this.#ofSeconds((seconds) => seconds.write());
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
    const bytes = writer.bytes + this.#seconds.bytes;
    const now = Date.now();
    if (now - this.#prunedAt >= PRUNE_EVERY_MS || this.#others + bytes > maxBytes) {
      this.#prunedAt = now;
      const total = pruneSessions(this.#options.folder, { maxBytes, notBefore: now - maxDays * DAY_MS, running: this.folder });
      this.#others = Math.max(0, total - bytes);
    }
    if (bytes > maxBytes) throw new RangeError(`the session reached the ${maxMegabytes} MB of record.maxMegabytes`);
  }

  /** Ends a recording that failed. The part on disk can be replayed. */
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
    this.#seconds.close();
    this.#questions.clear();
    this.#noted.length = 0;
    this.#records.length = 0;
    this.#packer.take();
  }
}

/** Folder name of a session: its start time. Sorting by name sorts by time. */
function nameOf(startedAt: number): string {
  return new Date(startedAt).toISOString().replaceAll(/[:.]/g, '-');
}
