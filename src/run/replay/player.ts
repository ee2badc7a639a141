/**
 * Gives a fresh kernel the recorded events and compares what it gives out with the recording. The player stops at the first difference, or at
 * a saved state that was asked for. A simulated venue can go on from there.
 */
import { messageOf } from '../../base/failure/message-of.ts';
import { ClientIds } from '../../domain/orders/client-ids.ts';
import type { Approved, Command } from '../../domain/orders/command.ts';
import { Kernel } from '../../engine/kernel.ts';
import type { KernelSnapshot } from '../../engine/recovery/registry.ts';
import { recordingJournal } from '../../engine/recovery/records.ts';
import { type Log, SILENT_LOG } from '../../ports/log.ts';
import { ACCEPTED, REJECTED, UNKNOWN, UNSENT } from '../../ports/venue-event.ts';
import type { OrderPort, Query, ReadPort } from '../../ports/venue.ts';
import { VirtualClock } from '../backtest/venue/virtual-clock.ts';
import type { kernelSettings } from '../bot/preflight.ts';
import {
  ASK,
  COMMAND,
  END,
  eventOf,
  isOutput,
  queryFields,
  RecordSum,
  savedOutput,
  SNAPSHOT,
  type Entry,
  type EventEntry,
  type Head,
  type Output,
} from '../session/entries.ts';
import { isReached, type Place } from './session-place.ts';
import { RecordedEntries, type Divergence } from './recorded-entries.ts';
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
  /** Receives the lines of the kernel's log. Default: they are dropped. */
  readonly log?: Log | undefined;
}

/** Kinds of the events that are outcomes of commands. */
export const OUTCOMES: ReadonlySet<number> = new Set([ACCEPTED, REJECTED, UNSENT, UNKNOWN]);

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
  readonly kernel: Kernel;
  readonly ids: ClientIds;
  readonly clock = new VirtualClock();
  readonly recorded: RecordedEntries;
  /** The state at which it stopped, where that was asked for. */
  saved: KernelSnapshot | null = null;
  readonly #head: Head;
  readonly #watch: PlayWatch | null;
  readonly #journal = new RecordSum();
  readonly #questions = new Map<number, Query>();
  /** By number: commands that were given out and have no outcome yet. */
  readonly #open = new Map<number, Approved<Command>>();
  /** Commands of the step that differs, from the difference on. */
  readonly #others: Command[] = [];
  /** Receives commands and questions after the handover. */
  #successor: (OrderPort & ReadPort) | null = null;
  #events = 0;
  #commands = 0;
  #asked = 0;
  #records = 0;
  #at: number;
  #end: Played['end'] = 'open';

  constructor(head: Head, settings: ReturnType<typeof kernelSettings>, entries: Iterator<Entry, unknown>, more: PlayerOptions = {}) {
    this.#head = head;
    this.#at = head.startedAt;
    this.#watch = more.watch ?? null;
    this.recorded = new RecordedEntries(head, entries, more.isWhatIf ?? false);
    this.ids = new ClientIds(head.config.bot, head.ids);
    this.kernel = new Kernel({
      ...settings,
      orders: { execute: (command) => this.#execute(command) },
      reads: { query: (query) => this.#query(query) },
      clock: this.clock,
      log: more.log ?? SILENT_LOG,
      journal: recordingJournal(head.instruments, (record) => {
        this.#journal.add(record);
        this.#watch?.record(record);
      }),
      identity: head.identity,
      ids: this.ids,
      journalEnd: head.journalEnd,
      isNewJournal: head.isNewJournal,
    });
    if (head.snapshot !== null) this.kernel.restore(head.snapshot);
  }

  play({ until = {}, savedFrom = {} }: PlayOptions): void {
    const { recorded } = this;
    recorded.advance();
    for (let entry = recorded.next; entry !== null && recorded.divergence === null; entry = recorded.next) {
      if (entry.kind === END) return this.#ended((entry as Extract<Entry, { kind: typeof END }>).error);
      if (isOutput(entry)) return recorded.differs(entry, null);
      if (entry.kind !== SNAPSHOT && isReached(until, this.#events + 1, (entry as EventEntry).at)) return;
      recorded.advance();
      if (entry.kind !== SNAPSHOT) {
        if (!this.#step(entry as EventEntry)) return;
      } else {
        const snapshot = this.#save();
        if (isReached(savedFrom, this.#events, this.#at)) {
          this.saved = snapshot;
          return;
        }
      }
    }
  }

  result(): Played {
    return {
      startedAt: this.#head.startedAt,
      endedAt: this.#at,
      events: this.#events,
      commands: this.#commands,
      questions: this.#asked,
      records: this.#records,
      end: this.#end,
      divergence: this.recorded.divergence,
    };
  }

  /** The state from which a simulated venue continues. From now on commands and questions are for `successor`. */
  handOver(successor: OrderPort & ReadPort): HandedOver {
    this.#successor = successor;
    const { kernel } = this;
    return { kernel, clock: this.clock, others: this.#others, open: [...this.#open.values()], questions: [...this.#questions.values()] };
  }

  /** False if the step threw. If it also threw when it was recorded, that is no difference. */
  #step(entry: EventEntry): boolean {
    try {
      this.#take(entry);
      this.#compareRows();
      return true;
    } catch (error) {
      this.#compareRows();
      const message = messageOf(error);
      const end = this.recorded.next;
      if (end?.kind === END && (end as { error: string }).error === message) this.#end = 'failed';
      else this.recorded.differsBy('no error', `an error: ${message}`);
      return false;
    }
  }

  #take(entry: EventEntry): void {
    const number = entry.query ?? 0;
    const query = this.#questions.get(number) ?? null;
    if (number > 0) this.#questions.delete(number);
    const kind = eventText(entry.kind, query?.kind);
    this.#at = entry.at;
    this.recorded.plays({ event: ++this.#events, at: entry.at, kind });
    this.#watch?.event(entry, kind);
    this.clock.time = entry.at;
    if (OUTCOMES.has(entry.kind)) this.#open.delete(entry.seq ?? 0);
    this.kernel.step(eventOf(entry, query));
  }

  #execute(command: Approved<Command>): void {
    if (this.#successor !== null) return this.#successor.execute(command);
    const body = { ...command };
    this.#open.set(command.seq, body);
    this.#commands++;
    this.#given({ kind: COMMAND, body });
    if (this.recorded.divergence !== null) this.#others.push(body);
  }

  #query(query: Query): void {
    if (this.#successor !== null) return this.#successor.query(query);
    this.#questions.set(++this.#asked, query);
    this.#given({ kind: ASK, body: queryFields(query) });
  }

  /** The kernel gave `output` out. Events that arrived within the same step come after it. */
  #given(output: Output): void {
    const { recorded } = this;
    if (!recorded.matches(output)) return;
    for (let entry = recorded.inside(); entry !== null; entry = recorded.inside()) this.#take(entry);
  }

  #compareRows(): void {
    const rows = this.#journal.take();
    if (rows === null) return;
    this.#records += rows.count;
    this.#given(rows);
  }

  #save(): KernelSnapshot {
    const snapshot = this.kernel.snapshot();
    this.#compareRows();
    this.#given(savedOutput(snapshot));
    return snapshot;
  }

  #ended(error: string): void {
    this.#end = error === '' ? 'stopped' : 'failed';
    if (error !== '') this.recorded.differsBy(`an error: ${error}`, 'no error');
  }
}
