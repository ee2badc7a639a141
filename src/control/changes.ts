/**
 * The stream of changes of a bot: `GET /v1/events` of its socket, and `GET /api/stream` of the monitor, which gives the same lines on. A line is a
 * JSON object. Prices, sizes and money are decimal strings, "" for unknown; times are milliseconds since 1970.
 */
import type { FillAnswer, HaltAnswer, OrderAnswer, PositionAnswer, StatusAnswer } from './answers.ts';

/** How the bot works, as figures. Counters count from the start of the process. */
export interface HealthAnswer {
  /** Turns of the event loop: they stand still when the bot does. */
  readonly turns: number;
  /** Longest time that the event loop was late since the last status, in milliseconds. */
  readonly lateMs: number;
  /** The venue's clock minus ours; null before enough answers. */
  readonly clockOffsetMs: number | null;
  readonly requests: number;
  /** Requests that the venue refused with 429. */
  readonly rateLimited: number;
  /** By the number of the endpoint, such as "E12". */
  readonly endpoints: Readonly<Record<string, EndpointHealth>>;
  /** Polls that were left out because the rate did not allow them. */
  readonly pollsSkipped: number;
  readonly commandsInFlight: number;
  /** Records of the journal that were made, and those of them that are durable. */
  readonly journal: { readonly made: number; readonly durable: number };
  /** Lines of the log by level. */
  readonly lines: { readonly warn: number; readonly error: number };
}

/** Before anything is known of it. */
export const NO_HEALTH: HealthAnswer = {
  turns: 0,
  lateMs: 0,
  clockOffsetMs: null,
  requests: 0,
  rateLimited: 0,
  endpoints: {},
  pollsSkipped: 0,
  commandsInFlight: 0,
  journal: { made: 0, durable: 0 },
  lines: { warn: 0, error: 0 },
};

export interface EndpointHealth {
  readonly requests: number;
  readonly failures: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** The status of the bot without its positions, which are changes of their own. */
export interface StatusRow extends Omit<StatusAnswer, 'positions'> {
  readonly health: HealthAnswer;
}

/** An order in any state. `state` says whether it has ended: filled, cancelled, rejected, replaced, refused. */
export interface OrderRow extends OrderAnswer {
  readonly reason: string;
  readonly updatedAt: number;
}

/** `id` is the position of its record in the journal: unique, and in the order of time. */
export interface FillRow extends FillAnswer {
  readonly id: number;
}

/** A position side. `size` "0" once it is closed. */
export interface PositionRow extends PositionAnswer {
  /** Time when the newest read of positions that shows it was taken; 0 before the first. */
  readonly provenAt: number;
}

export interface QuoteRow {
  readonly symbol: string;
  readonly bid: string;
  readonly ask: string;
  readonly last: string;
  readonly time: number;
}

/** What a strategy said with `ctx.note`, or drew with `ctx.plot`. `value` is set for a point of a line. */
export interface NoteRow {
  readonly strategy: string;
  readonly symbol: string;
  readonly text: string;
  readonly value?: string;
  /** Name of the line to which a point belongs. */
  readonly line?: string;
}

/** A line of the log. `time` is a date in UTC; further fields are those of the event. */
export interface LogRow {
  readonly event: string;
  readonly level: 'info' | 'warn' | 'error';
  readonly time: string;
  readonly [field: string]: unknown;
}

/** Whether the monitor hears the bot. */
export interface ConnectionRow {
  /** `starting`: not heard yet. `stopped`: the bot has ended cleanly. `lost`: it gives no changes, though it has not said that it ends. */
  readonly state: 'starting' | 'connected' | 'stopped' | 'lost';
  readonly since: number;
  /** Time when the last change came; 0 for never. */
  readonly heardAt: number;
  /** The cause in words; "" while connected. */
  readonly cause: string;
  /** Present if a stopped bot is about to start again in place. */
  readonly again?: true;
}

/** The whole state, with which a stream begins where it cannot be resumed. */
export interface NowRow {
  /** Only in the stream of the monitor. */
  readonly connection?: ConnectionRow;
  /** Null while the monitor has not heard the bot. */
  readonly status: StatusRow | null;
  readonly positions: readonly PositionRow[];
  /** Orders that are open or may be open. */
  readonly orders: readonly OrderRow[];
  readonly quotes: readonly QuoteRow[];
}

/** What each kind of change carries, in the field that is named like the kind. */
export interface Changed {
  /** Drop what was known: the stream begins again with `now`. */
  readonly reset: { readonly boot: string; readonly now: NowRow };
  /** At most one a second. */
  readonly status: StatusRow;
  readonly order: OrderRow;
  readonly fill: FillRow;
  readonly position: PositionRow;
  /** All halts that hold now, at once when one begins or ends. */
  readonly halts: readonly HaltAnswer[];
  readonly log: LogRow;
  readonly note: NoteRow;
  /** The quotes that changed, at most once a second. */
  readonly quotes: readonly QuoteRow[];
  /** Only in the stream of the monitor. */
  readonly connection: ConnectionRow;
  /** The last line of a clean stop. `again`: the bot starts again in place. */
  readonly end: { readonly again?: true };
}

export type ChangeKind = keyof Changed;

/** `id` is BOOT-N; `after=ID` resumes after it. */
export type Change = {
  readonly [K in ChangeKind]: { readonly id: string; readonly kind: K; readonly time: number } & { readonly [P in K]: Changed[K] };
}[ChangeKind];

/** Newest changes that are kept to resume a stream. */
export const CHANGES_KEPT = 10_000;
