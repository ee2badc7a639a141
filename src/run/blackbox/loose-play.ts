/**
 * Plays some of the events of a session. An answer goes to the oldest open question like the one that it answered, an outcome to its command; one
 * without its question or command is passed over. So a part of a session can be played although the kernel then asks for less.
 */
import { messageOf } from '../../base/failure/message-of.ts';
import { ClientIds } from '../../domain/orders/client-ids.ts';
import { Kernel } from '../../engine/kernel.ts';
import { recordingJournal } from '../../engine/recovery/records.ts';
import type { Log, LogFields } from '../../ports/log.ts';
import { ANSWERED, FAILED } from '../../ports/venue-event.ts';
import type { Query } from '../../ports/venue.ts';
import { VirtualClock } from '../backtest/venue/virtual-clock.ts';
import type { kernelSettings } from '../bot/preflight.ts';
import { OUTCOMES } from '../replay/player.ts';
import {
  ASK,
  BODY,
  eventOf,
  isOutput,
  queryFields,
  SNAPSHOT,
  END,
  type Entry,
  type EventEntry,
  type Head,
  type RecordedQuery,
} from '../session/entries.ts';

export interface LooseEvent {
  readonly entry: EventEntry;
  /** The question that it answers. */
  readonly asked?: RecordedQuery | undefined;
}

/** Something that a play shows: a line of the log, a command, or an error that ended it. */
export interface Shown {
  readonly level: 'info' | 'warn' | 'error';
  /** The name of the line; "command" or "error". */
  readonly event: string;
  readonly fields: LogFields;
}

/** The events of a session, each with its question. */
export function looseEvents(entries: Iterable<Entry>): readonly LooseEvent[] {
  const asked: RecordedQuery[] = [];
  const events: LooseEvent[] = [];
  for (const entry of entries) {
    if (entry.kind === ASK) asked.push((entry as { readonly body: RecordedQuery }).body);
    if (entry.kind === BODY || entry.kind === SNAPSHOT || entry.kind === END || isOutput(entry)) continue;
    const event = entry as EventEntry;
    events.push({ entry: event, asked: event.query === undefined || event.query === 0 ? undefined : asked[event.query - 1] });
  }
  return events;
}

/** Calls `show` with what each event causes, until it returns true or the events end. Returns how many events were looked at. */
export function playLoosely(
  head: Head,
  settings: ReturnType<typeof kernelSettings>,
  events: readonly LooseEvent[],
  show: (shown: Shown) => boolean,
): number {
  const clock = new VirtualClock();
  const open: Query[] = [];
  const sent = new Set<number>();
  let isOver = false;
  const tell = (level: Shown['level'], event: string, fields: LogFields = {}): void => {
    if (!isOver && show({ level, event, fields })) isOver = true;
  };
  const log: Log = {
    debug: () => undefined,
    info: (event, fields) => tell('info', event, fields),
    warn: (event, fields) => tell('warn', event, fields),
    error: (event, fields) => tell('error', event, fields),
  };
  const kernel = new Kernel({
    ...settings,
    orders: {
      execute(command) {
        sent.add(command.seq);
        tell('info', 'command', { ...command });
      },
    },
    reads: { query: (query) => void open.push(query) },
    clock,
    log,
    journal: recordingJournal(head.instruments, () => undefined),
    identity: head.identity,
    ids: new ClientIds(head.config.bot, head.ids),
    journalEnd: head.journalEnd,
    ...(head.isNewJournal === undefined ? {} : { isNewJournal: head.isNewJournal }),
  });
  if (head.snapshot !== null) kernel.restore(head.snapshot);
  let count = 0;
  for (const { entry, asked } of events) {
    count++;
    const query = asked === undefined ? null : takeFrom(open, asked);
    if ((entry.kind === ANSWERED || entry.kind === FAILED) && query === null) continue;
    if (OUTCOMES.has(entry.kind) && !sent.delete(entry.seq ?? 0)) continue;
    clock.time = entry.at;
    try {
      kernel.step(eventOf(entry, query));
    } catch (error) {
      tell('error', 'error', { message: messageOf(error) });
      return count;
    }
    if (isOver) return count;
  }
  return count;
}

/** The oldest question of the same kind about the same thing. */
function takeFrom(open: Query[], asked: RecordedQuery): Query | null {
  const k = open.findIndex((one) => {
    const fields = queryFields(one);
    return ['kind', 'instrument', 'clientId'].every((name) => fields[name] === asked[name]);
  });
  return k < 0 ? null : open.splice(k, 1)[0]!;
}
