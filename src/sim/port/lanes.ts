/**
 * @hot The two directions between bot and venue as rings of typed columns: what is on its way and when it arrives. Within a
 * direction nothing overtakes: a message arrives no sooner than the one before it.
 */
import type { Random } from '../../base/random.ts';
import type { Command } from '../../domain/command.ts';
import type { Query } from '../../ports/venue.ts';

/** What a delivery may carry beside its numbers: the answer to a question, or words. */
export type Payload = object | string | null;

export interface LatencySpec {
  /** Milliseconds from the bot to the venue and back; whole, at least 0. */
  readonly upMs: number;
  readonly downMs: number;
  /** On top of either, uniform from 0 to this, drawn from `random`. Default 0. */
  readonly jitterMs?: number | undefined;
  readonly random?: Random | undefined;
}

/** Arrival times of one direction. */
export class Delay {
  readonly #ms: number;
  readonly #jitterMs: number;
  readonly #random: Random | null;
  #latest = -Infinity;

  constructor(ms: number, spec: LatencySpec) {
    this.#ms = ms;
    this.#jitterMs = spec.jitterMs ?? 0;
    this.#random = this.#jitterMs > 0 ? (spec.random?.fork() ?? null) : null;
  }

  /** When what leaves at `now` arrives. */
  arrival(now: number): number {
    let at = now + this.#ms;
    if (this.#random !== null) at += this.#random.below(this.#jitterMs + 1);
    if (at < this.#latest) at = this.#latest;
    this.#latest = at;
    return at;
  }
}

/** Kind of an upward message that is a question; commands bear their own kinds, which are above 0. */
export const QUESTION = 0;

const UP_COLUMNS = 20;

/** Commands and questions on their way to the venue. */
export class UpLane {
  /** When the head arrives; Infinity when empty. */
  nextDue = Infinity;
  #cells = new Float64Array(64 * UP_COLUMNS);
  /** Venue id of a command's target, or the question. */
  #extras: (string | Query)[] = Array.from({ length: 64 }, () => '');
  #mask = 63;
  #head = 0;
  #tail = 0;

  command(due: number, c: Command): void {
    const at = this.#claim(due, c.targetVenueId) * UP_COLUMNS;
    const cells = this.#cells;
    cells[at + 1] = c.kind;
    cells[at + 2] = c.seq;
    cells[at + 3] = c.target;
    cells[at + 4] = c.instrument;
    cells[at + 5] = c.side;
    cells[at + 6] = c.effect;
    cells[at + 7] = c.type;
    cells[at + 8] = c.price;
    cells[at + 9] = c.size;
    cells[at + 10] = c.postOnly;
    cells[at + 11] = c.marginMode;
    cells[at + 12] = c.trigger;
    cells[at + 13] = c.triggerBy;
    cells[at + 14] = c.takeProfit;
    cells[at + 15] = c.takeProfitLimit;
    cells[at + 16] = c.stopLoss;
    cells[at + 17] = c.stopLossLimit;
    cells[at + 18] = c.amount;
    cells[at + 19] = c.time;
  }

  question(due: number, query: Query, sentAt: number): void {
    const at = this.#claim(due, query) * UP_COLUMNS;
    this.#cells[at + 1] = QUESTION;
    this.#cells[at + 19] = sentAt;
  }

  /** Takes the head off into `c`; a question only sets kind and time, and is returned. */
  take(c: Command): Query | null {
    const row = this.#head++ & this.#mask;
    const at = row * UP_COLUMNS;
    const cells = this.#cells;
    const extra = this.#extras[row]!;
    this.#extras[row] = '';
    this.nextDue = this.#head === this.#tail ? Infinity : cells[(this.#head & this.#mask) * UP_COLUMNS]!;
    c.kind = cells[at + 1]!;
    c.time = cells[at + 19]!;
    if (typeof extra !== 'string') return extra;
    c.targetVenueId = extra;
    c.seq = cells[at + 2]!;
    c.target = cells[at + 3]!;
    c.instrument = cells[at + 4]!;
    c.side = cells[at + 5]!;
    c.effect = cells[at + 6]!;
    c.type = cells[at + 7]!;
    c.price = cells[at + 8]!;
    c.size = cells[at + 9]!;
    c.postOnly = cells[at + 10]!;
    c.marginMode = cells[at + 11]!;
    c.trigger = cells[at + 12]!;
    c.triggerBy = cells[at + 13]!;
    c.takeProfit = cells[at + 14]!;
    c.takeProfitLimit = cells[at + 15]!;
    c.stopLoss = cells[at + 16]!;
    c.stopLossLimit = cells[at + 17]!;
    c.amount = cells[at + 18]!;
    return null;
  }

  #claim(due: number, extra: string | Query): number {
    if (this.#tail - this.#head > this.#mask) this.#grow();
    const row = this.#tail++ & this.#mask;
    this.#cells[row * UP_COLUMNS] = due;
    this.#extras[row] = extra;
    if (this.#tail - this.#head === 1) this.nextDue = due;
    return row;
  }

  #grow(): void {
    const size = this.#mask + 1;
    const cells = new Float64Array(size * 2 * UP_COLUMNS); // hot-ok: growth only
    const extras = Array.from({ length: size * 2 }, () => '' as string | Query); // hot-ok: growth only
    for (let k = 0; k < size; k++) {
      const from = ((this.#head + k) & this.#mask) * UP_COLUMNS;
      cells.set(this.#cells.subarray(from, from + UP_COLUMNS), k * UP_COLUMNS);
      extras[k] = this.#extras[(this.#head + k) & this.#mask]!;
    }
    this.#cells = cells;
    this.#extras = extras;
    this.#mask = size * 2 - 1;
    this.#head = 0;
    this.#tail = size;
  }
}

export const ACCEPTED = 1;
export const REJECTED = 2;
export const ANSWERED = 3;
export const FAILED = 4;

const DOWN_COLUMNS = 5;

/** Outcomes and answers on their way to the bot. After `take`, the fields hold what was taken. */
export class DownLane {
  nextDue = Infinity;
  kind = 0;
  /** The command's seq; for answers, when the question left. */
  seq = 0;
  /** ACCEPTED: the order's number, 0 for none. Answers: the venue's time. */
  value = 0;
  /** ACCEPTED: the order's kind. */
  orderKind = 0;
  payload: Payload = null;
  query: Query | null = null;
  #cells = new Float64Array(64 * DOWN_COLUMNS);
  #payloads: Payload[] = Array.from({ length: 64 }, () => null);
  #queries: (Query | null)[] = Array.from({ length: 64 }, () => null);
  #mask = 63;
  #head = 0;
  #tail = 0;

  put(due: number, kind: number, seq: number, value: number, orderKind: number, payload: Payload, query: Query | null): void {
    if (this.#tail - this.#head > this.#mask) this.#grow();
    const row = this.#tail++ & this.#mask;
    const at = row * DOWN_COLUMNS;
    this.#cells[at] = due;
    this.#cells[at + 1] = kind;
    this.#cells[at + 2] = seq;
    this.#cells[at + 3] = value;
    this.#cells[at + 4] = orderKind;
    this.#payloads[row] = payload;
    this.#queries[row] = query;
    if (this.#tail - this.#head === 1) this.nextDue = due;
  }

  take(): void {
    const row = this.#head++ & this.#mask;
    const at = row * DOWN_COLUMNS;
    const cells = this.#cells;
    this.kind = cells[at + 1]!;
    this.seq = cells[at + 2]!;
    this.value = cells[at + 3]!;
    this.orderKind = cells[at + 4]!;
    this.payload = this.#payloads[row]!;
    this.query = this.#queries[row]!;
    this.#payloads[row] = null;
    this.#queries[row] = null;
    this.nextDue = this.#head === this.#tail ? Infinity : cells[(this.#head & this.#mask) * DOWN_COLUMNS]!;
  }

  #grow(): void {
    const size = this.#mask + 1;
    const cells = new Float64Array(size * 2 * DOWN_COLUMNS); // hot-ok: growth only
    const payloads = Array.from({ length: size * 2 }, () => null as Payload); // hot-ok: growth only
    const queries = Array.from({ length: size * 2 }, () => null as Query | null); // hot-ok: growth only
    for (let k = 0; k < size; k++) {
      const row = (this.#head + k) & this.#mask;
      cells.set(this.#cells.subarray(row * DOWN_COLUMNS, (row + 1) * DOWN_COLUMNS), k * DOWN_COLUMNS);
      payloads[k] = this.#payloads[row]!;
      queries[k] = this.#queries[row]!;
    }
    this.#cells = cells;
    this.#payloads = payloads;
    this.#queries = queries;
    this.#mask = size * 2 - 1;
    this.#head = 0;
    this.#tail = size;
  }
}
