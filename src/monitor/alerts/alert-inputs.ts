/** Reads what alerts look at: levels that hold now, and events that happened, read from the model of the bot. */
import { ALERT_RULES } from '../../base/tables/alert-rules.ts';
import { escapeHidden } from '../../base/hidden.ts';
import type { LogFields } from '../../ports/log.ts';
import type { LogRow } from '../../control/changes.ts';
import type { ReadModel } from '../model/read-model.ts';

/** Something that holds now. `name` and `cause` tell it from others: a halt by its code and scope. */
export interface Level {
  readonly kind: 'halt' | 'trouble' | 'state';
  readonly name: string;
  readonly cause: string;
  readonly text: string;
  /** In place of the title of its rule. */
  readonly title?: string;
}

/** Something that happened. `name` is the event of the log. */
export interface Happening {
  readonly name: string;
  readonly cause: string;
  readonly text: string;
  readonly isError: boolean;
}

const TEXT_MOST = 600;
/** A bot sends something each second: one that has sent nothing for so long stands still. */
export const SILENT_MS = 3_500;
/** A venue that answers no request for so long is in trouble, before the requests time out. */
const UNANSWERED_MS = 1_000;
/** Fewer failures in a row are no trouble. */
const FAILURES = 3;

/** Halts that an operator asks for, and others in the same words; who else it was. */
const OF_OPERATORS: ReadonlySet<string> = new Set(ALERT_RULES.operator.halts);
const HALTED_BY: ReadonlyMap<string, string> = new Map([
  ['watchdog', 'halted by the watchdog'],
  ['bot', 'halted by the bot'],
]);

/** Halts of which the title of their rule would say more than is known. */
const TITLES_OF_HALTS: ReadonlyMap<string, string> = new Map([
  ['journal-away', 'the store does not answer'],
  ['journal-unsafe', 'the store is not safe'],
]);

/** Requests that the venue answers, but refuses. */
const TITLES_OF_TROUBLES: ReadonlyMap<string, string> = new Map([
  ['unauthorized', 'the venue refuses the key'],
  ['forbidden', 'the venue forbids requests'],
  ['rate-limited', 'the venue refuses requests as too many'],
]);

/** The levels of the bot. Empty while the bot is not heard: what it said last may no longer hold. */
export function botLevels(model: ReadModel): Level[] {
  const { status } = model;
  if (status === null) return [];
  const halts = model.halts.map(({ scope, code, detail, ends, by }): Level => {
    const title = OF_OPERATORS.has(code) ? HALTED_BY.get(by) : TITLES_OF_HALTS.get(code);
    const text = clean(`${scope}: ${code}: ${detail}. It ends: ${ends}`);
    return { kind: 'halt', name: code, cause: scope, text, ...(title === undefined ? {} : { title }) };
  });
  const troubles = (status.troubles ?? []).filter(({ failures }) => failures >= FAILURES);
  const { time, venueSilentSince: since = 0 } = status;
  const isSilent = since > 0 && time - since >= UNANSWERED_MS;
  const silence = `no request is answered since ${new Date(since).toISOString().slice(11, 19)} UTC`;
  return [
    ...halts,
    ...(isSilent ? [{ kind: 'trouble', name: 'silent', cause: 'silent', text: silence } as const] : []),
    ...troubles.map(({ of, cause, status: code, says, failures }): Level => {
      const seen = code === 0 ? '' : `, status ${code}`;
      const title = TITLES_OF_TROUBLES.get(cause);
      const text = clean(`${of} requests: ${cause}${seen}, ${failures} in a row. ${says}`);
      return { kind: 'trouble', name: of, cause: of, text, ...(title === undefined ? {} : { title }) };
    }),
  ];
}

/** Whether the bot is heard, as the connection says and by when its last change came. */
export function lostLevel({ connection }: ReadModel, heardAt: number, now: number): Level | null {
  if (connection.state === 'lost') return { kind: 'state', name: 'lost', cause: '', text: clean(connection.cause) };
  if (connection.state !== 'connected' || now - heardAt < SILENT_MS) return null;
  return { kind: 'state', name: 'lost', cause: '', text: 'the bot sends nothing: it stands still, or is overloaded' };
}

/** Lines that say that a halt began. The halt itself is a level, which is told. */
const OF_HALTS: ReadonlySet<string> = new Set(['opens-halted', 'symbol-halted', 'leg-halted', 'strategy-halted']);

/** Fields that tell one cause of an event from another, in this order. */
const CAUSES = ['symbol', 'strategy', 'scope', 'path'] as const;

/** What lines of these events say, in words. */
const IN_WORDS: ReadonlyMap<string, (fields: LogFields) => string> = new Map([
  ['watchdog-done', ({ says }) => String(says)],
  [
    'stopping',
    ({ liveOrders }) => {
      if (liveOrders === 0) return 'The bot was asked to stop; it has no order at the venue.';
      return `The bot was asked to stop while ${String(liveOrders)} of its orders ${liveOrders === 1 ? 'was' : 'were'} open at the venue.`;
    },
  ],
]);

/** A line of the log as something that happened. */
export function happeningOf({ event, level, time: _time, id: _id, ...fields }: LogRow): Happening {
  const cause = CAUSES.map((name) => fields[name]).find((value) => typeof value === 'string');
  const shown = Object.entries(fields).map(([name, value]) => `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`);
  const text = IN_WORDS.get(event)?.(fields) ?? [event, ...shown].join(', ');
  return { name: event, cause: cause ?? '', text: clean(text), isError: level === 'error' && !OF_HALTS.has(event) };
}

/** Text of a venue, a strategy or a person: without hidden characters, and cut. */
function clean(text: string): string {
  const shown = escapeHidden(text);
  return shown.length <= TEXT_MOST ? shown : `${shown.slice(0, TEXT_MOST - 1)}…`;
}
