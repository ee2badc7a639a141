/**
 * The entries that a recorded session is made of: its head, the events that the kernel was given, and what the kernel gave out, in one
 * order.
 */
import { crc32 } from 'node:zlib';
import type { BotConfig, StrategyChoice } from '../../config/model.ts';
import type { SavedIds } from '../../domain/orders/client-ids.ts';
import type { Command, IdentitySpec } from '../../domain/orders/command.ts';
import type { Instrument } from '../../domain/instrument.ts';
import type { Rejection } from '../../domain/orders/outcome.ts';
import * as events from '../../engine/event.ts';
import { newEvent, type EngineEvent } from '../../engine/event.ts';
import type { OperatorCommand } from '../../engine/operator/command.ts';
import type { KernelSnapshot } from '../../engine/recovery/registry.ts';
import type { JournalRecord } from '../../ports/store.ts';
import type { Answer, Query } from '../../ports/venue.ts';
import { ACCEPTED, ANSWERED, FAILED, REJECTED, UNKNOWN, UNSENT } from '../../ports/venue-event.ts';

const { CLOCK_SKEW, JOURNAL_AWAY, OPERATE } = events;

/** Kinds beside those of events. The first entry of a session. */
export const HEAD = 100;
/** The kernel gave out a command, or a question. */
export const COMMAND = 101;
export const ASK = 102;
/** Number of journal records that the previous event wrote; `sum` covers all records of the session so far. */
export const ROWS = 103;
/** The kernel is asked for its snapshot; SAVED has its check sum. */
export const SNAPSHOT = 104;
export const SAVED = 105;
/** The session ended here: cleanly, or because a step threw `error`. */
export const END = 106;
/** The body of an answer of the venue, where the configuration wants them. It takes no part in a replay. */
export const BODY = 107;

/** Keys of the configuration that reach the kernel. No address and no credentials are among them. */
const RECORDED_KEYS = [
  'bot',
  'seed',
  'limits',
  'poll',
  'risk',
  'external',
  'orderValidityMs',
  'orderHorizonMs',
  'listLagMs',
  'historyPages',
  'barSpeed',
  'onStrategyStop',
  'strategyGuard',
  'handlerLimitMs',
  'recovery',
] as const satisfies readonly (keyof BotConfig)[];

export type RecordedConfig = Pick<BotConfig, (typeof RECORDED_KEYS)[number]>;

export function recordedConfig(config: BotConfig): RecordedConfig {
  return Object.fromEntries(RECORDED_KEYS.map((key) => [key, config[key]])) as unknown as RecordedConfig;
}

export interface FileHash {
  readonly file: string;
  readonly sha256: string;
}

export interface Head {
  readonly kind: typeof HEAD;
  readonly version: 1;
  readonly startedAt: number;
  /** Versions of the program and of Node.js. */
  readonly tickwright: string;
  readonly node: string;
  readonly config: RecordedConfig;
  readonly instruments: readonly Instrument[];
  readonly strategies: readonly StrategyChoice[];
  /** The strategies' files and what they import. */
  readonly modules: readonly FileHash[];
  readonly identity: IdentitySpec;
  readonly ids: SavedIds;
  readonly journalEnd: number;
  /** True if the kernel asked a person about positions and orders of a lost journal. Absent for no. */
  readonly isNewJournal?: boolean;
  /** What the kernel knew of processes before it; null for a new journal. */
  readonly snapshot: KernelSnapshot | null;
}

/** An event; which fields are there depends on its kind. */
export interface EventEntry extends Partial<Omit<EngineEvent, 'kind' | 'at' | 'query' | 'result'>> {
  readonly kind: number;
  readonly at: number;
  /** Number of the question, counted from 1 in the order in which they were asked. */
  readonly query?: number;
  /** It came while the step before was taken, in answer to what was given out last. */
  readonly isInside?: true;
}

/** The fields of a question that can be written down. */
export type RecordedQuery = Readonly<Record<string, unknown>>;

export type Output =
  | { readonly kind: typeof COMMAND; readonly body: Command }
  | { readonly kind: typeof ASK; readonly body: RecordedQuery }
  | { readonly kind: typeof ROWS; readonly count: number; readonly sum: number }
  | { readonly kind: typeof SAVED; readonly sum: number };

/** What the venue said, as it came, without credentials. */
export interface BodyEntry {
  readonly kind: typeof BODY;
  readonly at: number;
  readonly endpoint: string;
  readonly status: number;
  readonly body: string;
}

export type Entry =
  | Head
  | BodyEntry
  | EventEntry
  | Output
  | { readonly kind: typeof SNAPSHOT }
  | { readonly kind: typeof END; readonly error: string };

export function isOutput(entry: Entry): entry is Output {
  return entry.kind === COMMAND || entry.kind === ASK || entry.kind === ROWS || entry.kind === SAVED;
}

/** Of an event: what its kind makes count. `query` is the number of its question. */
export function eventEntry(event: EngineEvent, query: number, isInside: boolean): EventEntry {
  const entry = entryOf(event, query);
  return isInside ? { ...entry, isInside } : entry;
}

function entryOf(event: EngineEvent, query: number): EventEntry {
  const { kind, at, seq, text } = event;
  switch (kind) {
    case ANSWERED:
      return { kind, at, query, sentAt: event.sentAt, venueTime: event.venueTime, answer: event.answer };
    case FAILED:
      return { kind, at, query, text };
    case ACCEPTED:
    case UNSENT:
    case UNKNOWN:
      return { kind, at, seq, text };
    case REJECTED:
      return { kind, at, seq, rejection: event.rejection };
    case OPERATE:
      return { kind, at, command: event.command };
    case CLOCK_SKEW:
    case events.JOURNAL_UNSAFE:
    case events.JOURNAL_BEHIND:
      return { kind, at, text };
    case events.HISTORY:
    case events.RECORDED:
      return { kind, at, instrument: event.instrument, text, bars: event.bars, venueTime: event.venueTime };
    case JOURNAL_AWAY:
      return { kind, at, size: event.size };
    case events.START:
    case events.STOP:
    case events.TIMERS:
    case events.CANCEL_AGAIN:
    case events.ROTATE_EPOCH:
    case events.NEW_EPOCH:
      return { kind, at };
    default: {
      const { instrument, side, effect, price, size, askPrice, askSize } = event;
      return { kind, at, seq, instrument, side, effect, price, size, askPrice, askSize };
    }
  }
}

/** The event again. `query` is the question of this kernel that has the entry's number. */
export function eventOf(entry: EventEntry, query: Query | null): EngineEvent {
  const event = newEvent();
  event.kind = entry.kind;
  event.at = entry.at;
  // Nearly all events are of these two kinds.
  if (entry.kind === events.TIMERS) return event;
  if (entry.kind === ANSWERED) {
    event.sentAt = entry.sentAt ?? event.sentAt;
    event.venueTime = entry.venueTime ?? event.venueTime;
    event.answer = entry.answer ?? null;
    event.query = query;
    return event;
  }
  const { isInside: _inside, query: _number, ...fields } = entry;
  return Object.assign(event, fields satisfies EventFields, { query });
}

interface EventFields {
  readonly rejection?: Rejection | null;
  readonly answer?: Answer | null;
  readonly command?: OperatorCommand | null;
}

/** A copy of a question, with all but what is a function. */
export function queryFields(query: Query): RecordedQuery {
  const fields: RecordedQuery = { ...query };
  for (const key in fields) if (typeof fields[key] === 'function') return withoutFunctions(fields);
  return fields;
}

function withoutFunctions(fields: RecordedQuery): RecordedQuery {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => typeof value !== 'function'));
}

/** The check sum of the journal records of a session. Recorder and replay both use it, so that they agree by construction. */
export class RecordSum {
  #rows = 0;
  #sum = 0;

  add(record: JournalRecord): void {
    this.#rows++;
    this.#sum = crc32(JSON.stringify(record), this.#sum);
  }

  /** Adds the records of a step: at least one. */
  of(records: readonly JournalRecord[]): Output {
    for (const record of records) this.add(record);
    return this.take()!;
  }

  /** What was added since the last call; null when nothing was. */
  take(): (Output & { readonly kind: typeof ROWS }) | null {
    const count = this.#rows;
    this.#rows = 0;
    return count === 0 ? null : { kind: ROWS, count, sum: this.#sum };
  }
}

/** A saved state as its check sum. */
export function savedOutput(snapshot: KernelSnapshot): Output {
  return { kind: SAVED, sum: crc32(JSON.stringify(snapshot)) };
}
