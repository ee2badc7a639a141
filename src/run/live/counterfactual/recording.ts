/**
 * Collects what a session's recording shows of the messages between bot and venue: how long they took, what the polls returned and when,
 * which commands were refused or lost, and what operators did.
 */
import { ClientIds } from '../../../domain/orders/client-ids.ts';
import { CANCEL, MODIFY, PLACE } from '../../../domain/codes.ts';
import { parseClientId, type Command } from '../../../domain/orders/command.ts';
import type { Rejection } from '../../../domain/orders/outcome.ts';
import * as events from '../../../engine/event.ts';
import type { Answer, Query } from '../../../ports/venue.ts';
import { ACCEPTED, ANSWERED, FAILED, REJECTED, UNKNOWN, UNSENT } from '../../../ports/venue-event.ts';
import type { BarHistory } from '../../market/bar-history.ts';
import { keyOf } from '../../replay/known-venue.ts';
import { openSession } from '../../replay/replay.ts';
import { ASK, COMMAND, type Entry, type EventEntry, type Head } from '../../session/entries.ts';

const { CANCEL_AGAIN, CLOCK_SKEW, JOURNAL_AWAY, OPERATE, RECORDED, STOP } = events;

/** One message and its answer. Times in milliseconds; those of the two directions are separate only if the venue's time is known. */
export interface Trip {
  readonly sentAt: number;
  readonly up: number;
  readonly down: number;
}

/** A recorded answer, or the cause why there was none. */
export interface RecordedAnswer {
  readonly at: number;
  readonly sentAt: number;
  readonly venueTime: number;
  readonly answer: Answer | null;
  readonly cause: string;
}

export interface RecordedCommand {
  readonly command: Command;
  readonly outcome: 'accepted' | 'rejected' | 'unsent' | 'unknown' | 'none';
  /** Time when the outcome came; 0 for none. */
  readonly at: number;
  readonly rejection: Rejection | null;
  readonly cause: string;
  /** Time when the venue made its order, by a later record; 0 if no record shows it. */
  landedAt: number;
}

/** Longer than a stop of the bot takes. */
const NEVER_MS = 60_000;

export class Recording {
  readonly head: Head;
  /** In the order of sending. */
  readonly commands: RecordedCommand[] = [];
  readonly orderTrips: Trip[] = [];
  /** The same by number of the command. */
  readonly tripOf = new Map<number, Trip>();
  readonly readTrips: Trip[] = [];
  /** By question. */
  readonly answers = new Map<string, RecordedAnswer[]>();
  /** Commands of operators. */
  readonly operations: EventEntry[] = [];
  /** Events of the process: clocks, journal. */
  readonly process: EventEntry[] = [];
  /** Bars of recordings that the bot had before its start. */
  readonly recorded: BarHistory[] = [];
  startedAt = 0;
  stoppedAt = 0;
  readonly #asked = new Map<number, Query>();
  readonly #bySeq = new Map<number, RecordedCommand>();
  readonly #landed = new Map<number, number>();
  /** By number of an order: when it was cancelled. */
  readonly #cancelled = new Map<number, number>();
  readonly #ids: ClientIds;
  #questions = 0;

  constructor(head: Head) {
    this.head = head;
    this.#ids = new ClientIds(head.config.bot, head.ids);
  }

  take(entry: Entry): void {
    if (entry.kind === ASK) this.#asked.set(++this.#questions, (entry as { readonly body: unknown }).body as Query);
    else if (entry.kind === COMMAND) {
      const { body: command } = entry as { readonly body: Command };
      const none: RecordedCommand = { command, outcome: 'none', at: 0, rejection: null, cause: '', landedAt: 0 };
      this.#bySeq.set(command.seq, none);
    } else if ('at' in entry) this.#event(entry);
  }

  /** Call after the last entry. */
  end(): void {
    const timed: RecordedCommand[] = [];
    for (const one of this.#bySeq.values()) {
      one.landedAt = this.#landed.get(one.command.seq) ?? 0;
      this.commands.push(one);
      const { command, landedAt, outcome } = one;
      // The bot ended before its outcome came, but a read had shown the order.
      if (outcome === 'none' && landedAt > 0) {
        this.tripOf.set(command.seq, { sentAt: command.time, up: Math.max(0, landedAt - command.time), down: NEVER_MS });
      }
      if (outcome === 'accepted' || outcome === 'rejected') timed.push(one);
    }
    const share = upShare(timed.map((one) => ({ ...one, landedAt: this.#arrivalOf(one) })));
    for (const one of timed) {
      const { at, command } = one;
      const took = at - command.time;
      const landedAt = this.#arrivalOf(one);
      const up = landedAt > 0 ? Math.min(took, Math.max(0, landedAt - command.time)) : Math.floor(took * share);
      const trip = { sentAt: command.time, up, down: took - up };
      this.orderTrips.push(trip);
      this.tripOf.set(command.seq, trip);
    }
  }

  /** When a command reached the venue; 0 if no record shows it. */
  #arrivalOf({ at, command, landedAt }: RecordedCommand): number {
    if (command.kind !== CANCEL) return landedAt;
    const cancelled = this.#cancelled.get(command.target) ?? 0;
    return cancelled >= command.time && cancelled <= at ? cancelled : 0;
  }

  #event(entry: EventEntry): void {
    const { at, kind, seq = 0, text = '' } = entry;
    switch (kind) {
      case events.START:
        this.startedAt = at;
        return;
      case STOP:
        this.stoppedAt = at;
        return;
      case ANSWERED:
      case FAILED:
        return this.#answered(entry);
      case ACCEPTED:
        return this.#outcome(seq, { outcome: 'accepted', at });
      case REJECTED:
        return this.#outcome(seq, { outcome: 'rejected', at, rejection: entry.rejection ?? null });
      case UNSENT:
        return this.#outcome(seq, { outcome: 'unsent', at, cause: text });
      case UNKNOWN:
        return this.#outcome(seq, { outcome: 'unknown', at, cause: text });
      case OPERATE:
        return void this.operations.push(entry);
      case CLOCK_SKEW:
      case JOURNAL_AWAY:
      case events.NEW_EPOCH:
      case events.JOURNAL_UNSAFE:
      case events.JOURNAL_BEHIND:
      case CANCEL_AGAIN:
        return void this.process.push(entry);
      case RECORDED: {
        const { bars, instrument = 0, text: timeframe = '', venueTime: until = 0 } = entry;
        if (bars) this.recorded.push({ instrument, timeframe, rows: bars, until });
        return;
      }
    }
  }

  /** The first outcome counts: what became of an unknown one is read later. */
  #outcome(seq: number, facts: Partial<RecordedCommand>): void {
    const found = this.#bySeq.get(seq);
    if (found?.outcome === 'none') this.#bySeq.set(seq, { ...found, ...facts });
  }

  #answered({ at, answer, query: number = 0, sentAt = at, text = '', venueTime = 0 }: EventEntry): void {
    const query = this.#asked.get(number);
    this.#asked.delete(number);
    if (query === undefined) return;
    if (answer) {
      const took = at - sentAt;
      const up = venueTime > 0 ? Math.min(took, Math.max(0, venueTime - sentAt)) : Math.floor(took / 2);
      this.readTrips.push({ sentAt, up, down: took - up });
      if (answer.kind === 'history' || answer.kind === 'pending') {
        for (const { clientId, createdAt, status, updatedAt } of answer.orders) {
          const seq = this.#ids.seqOf(clientId, Number.MAX_SAFE_INTEGER);
          if (seq > 0 && status === 'cancelled') this.#cancelled.set(seq, updatedAt);
          if (seq > 0 && !this.#landed.has(seq)) this.#landed.set(seq, createdAt);
        }
      }
    }
    const key = questionKey(query, this.head.config.bot);
    const list = this.answers.get(key) ?? [];
    this.answers.set(key, list);
    list.push({ at, sentAt, venueTime, answer: answer ?? null, cause: text });
  }
}

/** Questions with the same key are the same poll, or ask for the order of the same number, which has another id in each run. */
export function questionKey(query: Query, bot: string): string {
  return query.kind === 'history' ? `${keyOf(query)}${parseClientId(bot, query.clientId).seq} ${query.since > 0}` : keyOf(query);
}

/** @throws Failure when there is no such session */
export function readRecording(folder: string): Recording {
  const { head, entries } = openSession(folder);
  const recording = new Recording(head);
  for (const entry of entries) recording.take(entry);
  recording.end();
  return recording;
}

/** The part of the time of a command and its outcome that was the way up, by those whose arrival is known; a half if none is. */
function upShare(timed: readonly RecordedCommand[]): number {
  let [up, all] = [0, 0];
  for (const { at, command, landedAt } of timed) {
    if (landedAt === 0) continue;
    up += Math.max(0, Math.min(landedAt, at) - command.time);
    all += at - command.time;
  }
  return all === 0 ? 0.5 : up / all;
}

/** A refusal or a lost answer that did not follow from the run's own state, so that another run can be given the same one. */
export function isDisturbance({ command: { kind }, outcome, rejection }: RecordedCommand): boolean {
  if (outcome === 'unsent' || outcome === 'unknown') return true;
  // A cancel or modify is refused because its order has filled: that follows from the fill.
  return outcome === 'rejected' && (kind === PLACE || (kind === MODIFY && rejection?.reason !== 'order-not-found'));
}
