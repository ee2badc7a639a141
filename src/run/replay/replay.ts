/**
 * A recorded session again: a fresh kernel with the same strategies is given the same events, and what it gives out is compared with
 * what was recorded. The kernel reads no clock and no chance, so any difference has a cause outside the recording.
 */
import { isDeepStrictEqual } from 'node:util';
import { defaultConfig } from '../../config/defaults.ts';
import type { BotConfig, StrategyChoice } from '../../config/model.ts';
import { ClientIds } from '../../domain/client-ids.ts';
import { SessionReader, sessionsIn, type Cut } from '../../edge/file/session-file.ts';
import { EVENT_NAMES } from '../../engine/event.ts';
import { Kernel } from '../../engine/kernel.ts';
import { recordingJournal } from '../../engine/recovery/records.ts';
import { Failure } from '../../base/failure.ts';
import { SILENT_LOG } from '../../ports/log.ts';
import type { Query } from '../../ports/venue.ts';
import { VirtualClock } from '../backtest/virtual-clock.ts';
import { kernelSettings } from '../bot/preflight.ts';
import { withParamsSet } from '../bot/params-set.ts';
import { guardStrategies } from '../guard/guard.ts';
import { strategySetups } from '../setup/bot-parts.ts';
import {
  ASK,
  COMMAND,
  END,
  type Entry,
  type EventEntry,
  eventOf,
  type Head,
  HEAD,
  isOutput,
  type Output,
  queryFields,
  RecordSum,
  savedOutput,
  SNAPSHOT,
} from '../session/entries.ts';
import { textOf } from './difference.ts';
import { changesSince } from '../session/environment.ts';

export interface ReplayOptions {
  /** Stop before this event, or this time in milliseconds since the epoch. */
  readonly untilEvent?: number | undefined;
  readonly untilTime?: number | undefined;
  /** Parameters instead of the recorded ones, of the only strategy. */
  readonly params?: Readonly<Record<string, string>> | undefined;
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

export interface Replayed {
  readonly session: string;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly events: number;
  readonly commands: number;
  readonly questions: number;
  readonly records: number;
  /** How the recording ends: the bot stopped, a step threw, or it breaks off (a kill, or `until`). */
  readonly end: 'stopped' | 'failed' | 'open';
  readonly cut: Cut | null;
  readonly divergence: Divergence | null;
  /** What is another than when the session was recorded. */
  readonly changes: readonly string[];
}

/** @throws Failure when there is no such session, or its strategies cannot be loaded */
export async function replaySession(folder: string, options: ReplayOptions = {}): Promise<Replayed> {
  const reader = new SessionReader(folder);
  const entries = reader.entries() as Generator<Entry>;
  const first = entries.next();
  if (first.done === true || first.value.kind !== HEAD) {
    throw new Failure('session-unreadable', { what: 'the recording ends before the head of the session', where: folder });
  }
  const head = first.value as Head;
  if (head.version !== 1)
    throw new Failure('session-unreadable', { what: `expected a recording of version 1, found ${String(head.version)}`, where: folder });
  const config: BotConfig = { ...defaultConfig(), ...head.config };
  guardStrategies(config, { isLive: false });
  const choices = head.strategies.map((one): StrategyChoice => ({ ...one, params: { ...one.params, ...options.params } }));
  const setups = withParamsSet(await strategySetups(choices, head.instruments), head.snapshot, SILENT_LOG);
  const player = new Player(head, kernelSettings(config, { instruments: head.instruments, strategies: setups }), entries);
  player.play(options);
  const given = Object.entries(options.params ?? {}).map(([name, value]) => `parameter ${name} is ${value} by --param`);
  return { session: folder, cut: reader.cut, changes: [...given, ...changesSince(head)], ...player.result() };
}

class Player {
  readonly #head: Head;
  readonly #entries: Iterator<Entry, unknown>;
  readonly #kernel: Kernel;
  readonly #clock = new VirtualClock();
  readonly #questions = new Map<number, Query>();
  #next: Entry | null = null;
  #events = 0;
  #commands = 0;
  #asked = 0;
  #records = 0;
  #end: Replayed['end'] = 'open';
  #event: EventEntry | null = null;
  #eventText = 'start';
  readonly #journal = new RecordSum();
  #divergence: Divergence | null = null;

  constructor(head: Head, settings: ReturnType<typeof kernelSettings>, entries: Iterator<Entry, unknown>) {
    this.#head = head;
    this.#entries = entries;
    this.#kernel = new Kernel({
      ...settings,
      venue: {
        execute: (command) => this.#given({ kind: COMMAND, body: { ...command } }),
        query: (query) => {
          this.#questions.set(++this.#asked, query);
          this.#given({ kind: ASK, body: queryFields(query) });
        },
      },
      clock: this.#clock,
      log: SILENT_LOG,
      journal: recordingJournal(head.instruments, (record) => this.#journal.add(record)),
      identity: head.identity,
      ids: new ClientIds(head.config.bot, head.ids),
      journalEnd: head.journalEnd,
    });
    if (head.snapshot !== null) this.#kernel.restore(head.snapshot);
  }

  play({ untilEvent = Infinity, untilTime = Infinity }: ReplayOptions): void {
    this.#advance();
    while (this.#next !== null && this.#divergence === null) {
      const entry = this.#next;
      if (entry.kind === END) return this.#ended((entry as Extract<Entry, { kind: typeof END }>).error);
      if (isOutput(entry)) return this.#diverge(entry, null);
      if (entry.kind === SNAPSHOT) {
        this.#advance();
        this.#saved();
      } else {
        const event = entry as EventEntry;
        if (this.#events + 1 >= untilEvent || event.at >= untilTime) return;
        this.#advance();
        if (!this.#step(event)) return;
      }
    }
  }

  result(): Omit<Replayed, 'session' | 'cut' | 'changes'> {
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

  /** False when the step threw, as it may have when it was recorded. */
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
    this.#eventText = `${EVENT_NAMES[entry.kind] ?? String(entry.kind)}${query === null ? '' : ` ${query.kind}`}`;
    this.#clock.time = entry.at;
    this.#kernel.step(eventOf(entry, query));
  }

  /** The kernel gave this out: it must be what comes next. What arrived in answer to it within the step follows. */
  #given(output: Output): void {
    if (output.kind === COMMAND) this.#commands++;
    if (this.#divergence !== null) return;
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

  #saved(): void {
    const snapshot = this.#kernel.snapshot();
    this.#compareRows();
    this.#given(savedOutput(snapshot));
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
    const result = this.#entries.next();
    this.#next = result.done === true ? null : result.value;
  }
}

/** The sessions that `path` names, the oldest first. @throws Failure when there are none */
export function sessionsOf(path: string): readonly string[] {
  const sessions = sessionsIn(path);
  if (sessions.length > 0) return sessions;
  throw new Failure('session-missing', {
    what: 'expected the folder of a recorded session, or of several',
    where: path,
    hint: 'a bot keeps them in the folder "sessions" beside its store, unless record.enabled is false',
  });
}
