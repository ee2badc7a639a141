/**
 * Gives a fresh kernel the recorded events and compares what it gives out with the recording. The player stops at the first difference, or at
 * a saved state that was asked for. A simulated venue can go on from there.
 */
import { isDeepStrictEqual } from 'node:util';
import { ClientIds } from '../../domain/client-ids.ts';
import type { Approved, Command } from '../../domain/command.ts';
import { ACCEPTED, REJECTED, UNKNOWN, UNSENT } from '../../engine/event.ts';
import { Kernel } from '../../engine/kernel.ts';
import type { KernelSnapshot } from '../../engine/recovery/kernel-snapshot.ts';
import { recordingJournal } from '../../engine/recovery/records.ts';
import { SILENT_LOG } from '../../ports/log.ts';
import type { Query, Venue } from '../../ports/venue.ts';
import { VirtualClock } from '../backtest/virtual-clock.ts';
import type { kernelSettings } from '../bot/preflight.ts';
import {
  ASK,
  BODY,
  COMMAND,
  END,
  type Entry,
  type EventEntry,
  eventOf,
  type Head,
  isOutput,
  type Output,
  queryFields,
  RecordSum,
  ROWS,
  SAVED,
  savedOutput,
  SNAPSHOT,
} from '../session/entries.ts';
import { textOf } from './difference.ts';
import { KnownVenue } from './known-venue.ts';
import { isReached, type Place } from './place.ts';
import { eventText, type PlayWatch } from './timeline.ts';

export interface PlayOptions {
  /** Stop before this. */
  readonly until?: Place | undefined;
  /** Stop at the first saved state from here on. */
  readonly savedFrom?: Place | undefined;
}

export interface PlayerOptions {
  /** Compare commands and questions alone: a changed strategy gives other reasons and saves another state. */
  readonly isWhatIf?: boolean | undefined;
  readonly watch?: PlayWatch | undefined;
}

/** The first place where the kernel did something else. */
export interface Divergence {
  /** Number of the event, from 1; 0 before the first. */
  readonly event: number;
  readonly at: number;
  /** Kind of the event, and of its question. */
  readonly kind: string;
  readonly expected: string;
  readonly found: string;
}

/** Outcomes of commands. */
const OUTCOMES: ReadonlySet<number> = new Set([ACCEPTED, REJECTED, UNSENT, UNKNOWN]);

/** The result of the events that were played. */
export interface Played {
  readonly startedAt: number;
  readonly endedAt: number;
  readonly events: number;
  readonly commands: number;
  readonly questions: number;
  readonly records: number;
  /** How the recording ends: the bot stopped, a step threw, or it breaks off (a kill, or `until`). */
  readonly end: 'stopped' | 'failed' | 'open';
  readonly divergence: Divergence | null;
}

export interface HandedOver {
  readonly kernel: Kernel;
  readonly clock: VirtualClock;
  /** The first commands that differ, which are among those without an outcome. */
  readonly others: readonly Command[];
  /** Commands without an outcome, and questions without an answer. */
  readonly open: readonly Approved<Command>[];
  readonly questions: readonly Query[];
}

export class Player {
  readonly #head: Head;
  readonly ids: ClientIds;
  readonly #entries: Iterator<Entry, unknown>;
  readonly kernel: Kernel;
  readonly clock = new VirtualClock();
  readonly #questions = new Map<number, Query>();
  /** By number: commands that were given out and have no outcome yet. */
  readonly #open = new Map<number, Approved<Command>>();
  /** Commands of the step that differs, from the difference on. */
  readonly #others: Command[] = [];
  readonly #isWhatIf: boolean;
  readonly #watch: PlayWatch | null;
  /** What the answers so far have shown of the market and the account. */
  readonly known = new KnownVenue();
  /** The state at which it stopped, where that was asked for. */
  saved: KernelSnapshot | null = null;
  /** Receives commands and questions after the handover. */
  #successor: Venue | null = null;
  #next: Entry | null = null;
  #events = 0;
  #commands = 0;
  #asked = 0;
  #records = 0;
  #end: Played['end'] = 'open';
  #event: EventEntry | null = null;
  #eventText = 'start';
  readonly #journal = new RecordSum();
  #divergence: Divergence | null = null;

  constructor(head: Head, settings: ReturnType<typeof kernelSettings>, entries: Iterator<Entry, unknown>, more: PlayerOptions = {}) {
    this.#head = head;
    this.#isWhatIf = more.isWhatIf ?? false;
    this.#watch = more.watch ?? null;
    this.#entries = entries;
    this.ids = new ClientIds(head.config.bot, head.ids);
    this.kernel = new Kernel({
      ...settings,
      venue: {
        execute: (command) => {
          if (this.#successor !== null) return this.#successor.execute(command);
          const body = { ...command };
          this.#open.set(command.seq, body);
          this.#given({ kind: COMMAND, body });
          if (this.#divergence !== null) this.#others.push(body);
        },
        query: (query) => {
          if (this.#successor !== null) return this.#successor.query(query);
          this.#questions.set(++this.#asked, query);
          this.#given({ kind: ASK, body: queryFields(query) });
        },
      },
      clock: this.clock,
      log: SILENT_LOG,
      journal: recordingJournal(head.instruments, (record) => {
        this.#journal.add(record);
        this.#watch?.record(record);
      }),
      identity: head.identity,
      ids: this.ids,
      journalEnd: head.journalEnd,
    });
    if (head.snapshot !== null) this.kernel.restore(head.snapshot);
  }

  play({ until = {}, savedFrom = {} }: PlayOptions): void {
    this.#advance();
    while (this.#next !== null && this.#divergence === null) {
      const entry = this.#next;
      if (entry.kind === END) return this.#ended((entry as Extract<Entry, { kind: typeof END }>).error);
      if (isOutput(entry)) return this.#diverge(entry, null);
      if (entry.kind === SNAPSHOT) {
        this.#advance();
        const snapshot = this.#saved();
        if (!isReached(savedFrom, this.#events, this.#event?.at ?? this.#head.startedAt)) continue;
        this.saved = snapshot;
        return;
      } else {
        const event = entry as EventEntry;
        if (isReached(until, this.#events + 1, event.at)) return;
        this.#advance();
        if (!this.#step(event)) return;
      }
    }
  }

  result(): Played {
    return {
      startedAt: this.#head.startedAt,
      endedAt: this.#event?.at ?? this.#head.startedAt,
      events: this.#events,
      commands: this.#commands,
      questions: this.#asked,
      records: this.#records,
      end: this.#end,
      divergence: this.#divergence,
    };
  }

  /** False if the step threw. If it also threw when it was recorded, that is no difference. */
  #step(entry: EventEntry): boolean {
    try {
      this.#take(entry);
      this.#compareRows();
      return true;
    } catch (error) {
      this.#compareRows();
      const message = error instanceof Error ? error.message : String(error);
      const end = this.#next;
      if (end?.kind === END && (end as { error: string }).error === message) this.#end = 'failed';
      else this.#divergeText('no error', `an error: ${message}`);
      return false;
    }
  }

  #take(entry: EventEntry): void {
    const number = entry.query ?? 0;
    const query = this.#questions.get(number) ?? null;
    if (number > 0) this.#questions.delete(number);
    this.#events++;
    this.#event = entry;
    this.#eventText = eventText(entry.kind, query?.kind);
    this.#watch?.event(entry, this.#eventText);
    this.clock.time = entry.at;
    if (OUTCOMES.has(entry.kind)) this.#open.delete(entry.seq ?? 0);
    this.kernel.step(eventOf(entry, query));
  }

  /** The kernel gave `output` out: it must be the next recorded entry. Events that arrived within the same step come after it. */
  #given(output: Output): void {
    if (output.kind === COMMAND) this.#commands++;
    if (this.#divergence !== null || this.#isIgnored(output)) return;
    const expected = this.#next !== null && isOutput(this.#next) ? this.#next : null;
    if (expected === null || !isDeepStrictEqual(expected, output)) return this.#diverge(expected, output);
    this.#advance();
    while (this.#divergence === null && this.#next !== null && (this.#next as EventEntry).isInside === true) {
      const inside = this.#next as EventEntry;
      this.#advance();
      this.#take(inside);
    }
  }

  #compareRows(): void {
    const rows = this.#journal.take();
    if (rows === null) return;
    this.#records += rows.count;
    this.#given(rows);
  }

  #saved(): KernelSnapshot {
    const snapshot = this.kernel.snapshot();
    this.#compareRows();
    this.#given(savedOutput(snapshot));
    return snapshot;
  }

  #ended(error: string): void {
    this.#end = error === '' ? 'stopped' : 'failed';
    if (error !== '') this.#divergeText(`an error: ${error}`, 'no error');
  }

  #diverge(expected: Output | null, found: Output | null): void {
    const { instruments } = this.#head;
    const nothing = 'nothing more';
    this.#divergeText(
      expected === null ? nothing : textOf(expected, instruments, found),
      found === null ? nothing : textOf(found, instruments, expected),
    );
  }

  #divergeText(expected: string, found: string): void {
    this.#divergence ??= { event: this.#events, at: this.#event?.at ?? this.#head.startedAt, kind: this.#eventText, expected, found };
  }

  #advance(): void {
    if (this.#next !== null) this.known.follow(this.#next);
    this.#read();
  }

  #read(): void {
    do {
      const result = this.#entries.next();
      this.#next = result.done === true ? null : result.value;
    } while (this.#next !== null && this.#isIgnored(this.#next));
  }

  #isIgnored({ kind }: Entry): boolean {
    return kind === BODY || (this.#isWhatIf && (kind === ROWS || kind === SAVED));
  }

  /** The state from which a simulated venue continues. From now on commands and questions are for `successor`. */
  handOver(successor: Venue): HandedOver {
    this.#successor = successor;
    const { kernel } = this;
    return { kernel, clock: this.clock, others: this.#others, open: [...this.#open.values()], questions: [...this.#questions.values()] };
  }

  /** The entries that were not played, the one at which it stopped among them. */
  *rest(): Generator<Entry> {
    for (; this.#next !== null; this.#read()) {
      this.known.follow(this.#next);
      yield this.#next;
    }
  }
}
