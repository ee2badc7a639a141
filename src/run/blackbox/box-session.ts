/**
 * Records a session again from what a black box may hold of it: a kernel gets the scrubbed events, and what it gives out is recorded. So commands,
 * journal and saved states of the new recording come from the scrubbed data alone.
 */
import { isDeepStrictEqual } from 'node:util';
import { messageOf } from '../../base/failure/message-of.ts';
import { ClientIds } from '../../domain/orders/client-ids.ts';
import type { Command } from '../../domain/orders/command.ts';
import { OPERATE } from '../../engine/event.ts';
import type { EventTaker } from '../../engine/inbox.ts';
import { Kernel } from '../../engine/kernel.ts';
import { recordingJournal } from '../../engine/recovery/records.ts';
import { SILENT_LOG } from '../../ports/log.ts';
import type { Query } from '../../ports/venue.ts';
import { ACCEPTED } from '../../ports/venue-event.ts';
import { VirtualClock } from '../backtest/venue/virtual-clock.ts';
import type { kernelSettings } from '../bot/preflight.ts';
import {
  BODY,
  COMMAND,
  ASK,
  END,
  eventOf,
  HEAD,
  isOutput,
  queryFields,
  SNAPSHOT,
  type Output,
  type Entry,
  type EventEntry,
  type Head,
} from '../session/entries.ts';
import { Recorder } from '../session/session-recorder.ts';
import type { SessionTexts } from '../session/strategy-texts.ts';
import type { Scrubber } from './scrubber.ts';

const ENTRIES_A_BLOCK = 2_000;

export interface BoxSessionOptions {
  readonly folder: string;
  /** Scrubbed. */
  readonly head: Head;
  readonly settings: ReturnType<typeof kernelSettings>;
  readonly texts: SessionTexts['begun'];
  readonly scrubber: Scrubber;
  /** Recorded, without the head. */
  readonly entries: Iterator<Entry, unknown>;
}

export interface BoxSession {
  readonly folder: string;
  readonly events: number;
  readonly commands: number;
  /** Where the box ends before the session, or gives out something else, in words; "" for nowhere. */
  readonly differs: string;
}

/** @throws Error of node:fs */
export function recordBox(options: BoxSessionOptions): BoxSession {
  return new BoxRecording(options).play();
}

class BoxRecording {
  readonly #scrubber: Scrubber;
  readonly #entries: Iterator<Entry, unknown>;
  readonly #recorder: Recorder;
  readonly #kernel: Kernel;
  readonly #taker: EventTaker;
  readonly #clock = new VirtualClock();
  readonly #questions = new Map<number, Query>();
  #next: Entry | null = null;
  #asked = 0;
  #events = 0;
  #commands = 0;
  #differs = '';

  constructor({ folder, head, settings, texts, scrubber, entries }: BoxSessionOptions) {
    [this.#scrubber, this.#entries] = [scrubber, entries];
    const config = { enabled: true, maxMegabytes: 100_000, maxDays: 100_000, answers: false, tape: '' };
    const recorder = new Recorder({ config, folder, head, log: SILENT_LOG, texts });
    this.#recorder = recorder;
    const execute = (command: Command): void => {
      this.#commands++;
      this.#given(COMMAND, command);
    };
    const query = (one: Query): void => {
      this.#questions.set(++this.#asked, one);
      this.#given(ASK, queryFields(one));
    };
    this.#kernel = new Kernel({
      ...settings,
      orders: recorder.orders({ execute }),
      reads: recorder.reads({ query }),
      clock: this.#clock,
      log: SILENT_LOG,
      journal: recordingJournal(head.instruments, (record) => recorder.journal(record)),
      identity: head.identity,
      ids: new ClientIds(head.config.bot, head.ids),
      journalEnd: head.journalEnd,
      ...(head.isNewJournal === undefined ? {} : { isNewJournal: head.isNewJournal }),
    });
    if (head.snapshot !== null) this.#kernel.restore(head.snapshot);
    this.#taker = recorder.taker(this.#kernel);
  }

  play(): BoxSession {
    const recorder = this.#recorder;
    this.#advance();
    try {
      while (this.#next !== null && this.#next.kind !== END && this.#differs === '') this.#goOn(this.#next);
    } catch (error) {
      // A session may end with an error, and then so does this one.
      if (!isFailed(this.#next)) this.#differ(messageOf(error));
    }
    recorder.afterTurn();
    recorder.close();
    return { folder: recorder.folder, events: this.#events, commands: this.#commands, differs: this.#differs };
  }

  #goOn(entry: Entry): void {
    if (entry.kind === SNAPSHOT) {
      this.#advance();
      this.#recorder.snapshot(() => this.#kernel.snapshot());
    } else if (isOutput(entry)) {
      if (isAsked(entry)) this.#differ('the box gives out less than the session');
      this.#advance();
    } else this.#take();
    if (this.#events % ENTRIES_A_BLOCK === 0) this.#recorder.afterTurn();
  }

  #take(): void {
    const { command = null, kind } = this.#next as EventEntry;
    if (kind === OPERATE && command?.name === 'reload') {
      this.#advance();
      // What was refused changed nothing. One that is carried out writes to the journal, and may ask and order.
      if (this.#next === null || !(isOutput(this.#next) || isInside(this.#next))) return;
      // Its texts, and what it asked for by them, are not sent along.
      const what = `the session loads another text of ${command.strategy} (reload), which a black box does not hold`;
      return this.#differ(`${what}: the box ends before it`);
    }
    const entry = this.#scrubber.scrub(this.#next) as EventEntry;
    this.#advance();
    this.#events++;
    this.#clock.time = entry.at;
    const number = entry.query ?? 0;
    const query = this.#questions.get(number) ?? null;
    this.#questions.delete(number);
    this.#taker.step(eventOf(entry, query));
  }

  /** The kernel gave it out: it must be what the session has there. Events that came within the same step follow. */
  #given(kind: typeof COMMAND | typeof ASK, found: object): void {
    if (this.#differs !== '') return;
    while (this.#next !== null && isOutput(this.#next) && !isAsked(this.#next)) this.#advance();
    const expected = this.#next !== null && isAsked(this.#next) ? this.#next : null;
    const meant = expected === null ? null : this.#scrubber.scrub(expected.body);
    if (expected?.kind !== kind || !isDeepStrictEqual(meant, { ...found }))
      return this.#differ(
        `the session has ${expected === null ? 'nothing more' : JSON.stringify(meant)}, the box ${JSON.stringify(found)}`,
      );
    this.#advance();
    while (this.#differs === '' && isInside(this.#next)) this.#take();
  }

  #differ(what: string): void {
    if (this.#differs === '') this.#differs = `after event ${this.#events}: ${what}`;
  }

  #advance(): void {
    do {
      const read = this.#entries.next();
      this.#next = read.done === true ? null : read.value;
    } while (this.#next?.kind === BODY);
  }
}

type Asked = Extract<Output, { readonly kind: typeof COMMAND | typeof ASK }>;

function isAsked(entry: Entry): entry is Asked {
  return entry.kind === COMMAND || entry.kind === ASK;
}

function isInside(entry: Entry | null): boolean {
  return (entry as EventEntry | null)?.isInside === true;
}

function isFailed(entry: Entry | null): boolean {
  return entry?.kind === END && (entry as { readonly error: string }).error !== '';
}

/** Numbers ids: call with all entries first. The id that the venue gave an order is the text of its acceptance. */
export function noteEntry(scrubber: Scrubber, entry: Entry): void {
  if (entry.kind === HEAD || entry.kind === BODY) return;
  scrubber.note(entry);
  if (entry.kind === ACCEPTED) scrubber.note(entry.text, 'id');
}
