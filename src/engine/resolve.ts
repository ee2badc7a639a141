/**
 * What became of a command whose outcome is unknown. Reads decide, silence never: E18 of the symbol and then E17 by client id make
 * one complete look; each row of the table below says what a look proves. Opens of the symbol stay halted until the end.
 */
import {
  ADJUST_MARGIN,
  CANCEL,
  CANCEL_SPOT,
  CANCEL_TRIGGER,
  COMMANDS,
  MODIFY,
  PLACE_SPOT,
  PLACE_TRIGGER,
  SET_MARGIN_MODE,
} from '../domain/codes.ts';
import { formatClientId } from '../domain/command.ts';
import { UNKNOWN } from '../domain/order.ts';
import type { OrderReport } from '../domain/report.ts';
import type { Answer, Query } from '../ports/venue.ts';
import type { Due } from './agenda.ts';
import { presumedEnd } from './belief/order-reads.ts';
import type { Order } from './belief/orders.ts';
import type { Core } from './core.ts';
import { endOrder } from './exec/ending.ts';
import type { Executor } from './exec/executor.ts';
import type { Asker, Asks } from './reads/asks.ts';

/** Waits between looks, the last one for ever. */
const DELAYS_MS = [1000, 2000, 4000, 8000] as const;
/** Complete absences before an order may be presumed not to have landed. */
const ABSENCES = 3;

/** What is done about an unknown outcome, by kind of command. */
export interface ResolveRow {
  /** `look`: E18 and E17 tell. `again`: the command states a target, so it may be said again. `operator`: nothing can be read. */
  readonly by: 'look' | 'again' | 'operator';
  /** Whether opens of the symbol are halted meanwhile. */
  readonly halts: boolean;
  /** Whether absence beyond the horizon may end it. */
  readonly mayPresume: boolean;
}

const LOOK: ResolveRow = { by: 'look', halts: true, mayPresume: true };
/** The id was taken before the command left: an order of that id exists or existed, so absence never ends the doubt. */
const LANDED: ResolveRow = { by: 'look', halts: true, mayPresume: false };

const RESOLVE_ROWS: Readonly<Record<number, ResolveRow>> = {
  [MODIFY]: LOOK,
  [CANCEL]: { by: 'again', halts: false, mayPresume: false },
  [CANCEL_TRIGGER]: { by: 'again', halts: false, mayPresume: false },
  [CANCEL_SPOT]: { by: 'again', halts: false, mayPresume: false },
  [SET_MARGIN_MODE]: { by: 'again', halts: false, mayPresume: false },
  [PLACE_TRIGGER]: { by: 'look', halts: true, mayPresume: false },
  [PLACE_SPOT]: { by: 'operator', halts: true, mayPresume: false },
  [ADJUST_MARGIN]: { by: 'operator', halts: true, mayPresume: false },
};

/** What is done about an unknown command of this kind. */
export function rowOf(kind: number): ResolveRow {
  return RESOLVE_ROWS[kind] ?? LOOK;
}

/** One order that is looked for. */
interface Case {
  readonly seq: number;
  readonly row: ResolveRow;
  readonly since: number;
  absences: number;
  looks: number;
  nextAt: number;
  step: 'waiting' | 'pending' | 'history';
}

export class Resolver implements Due, Asker {
  readonly #core: Core;
  readonly #executor: Executor;
  readonly #asks: Asks;
  readonly #alarm: number;
  readonly #cases = new Map<number, Case>();
  readonly #queries = new Map<Query, Case>();
  /** Orders presumed not to have landed, and until when they are watched for. */
  readonly #tombstones = new Map<number, number>();

  constructor(core: Core, executor: Executor, asks: Asks) {
    this.#core = core;
    this.#executor = executor;
    this.#asks = asks;
    this.#alarm = core.agenda.add(this);
  }

  /** How many outcomes are being looked for. */
  get count(): number {
    return this.#cases.size;
  }

  /** The outcome of command `seq` is not known. Called with its flight still there. */
  unknown(seq: number, cause: string): void {
    const core = this.#core;
    const flight = core.flights.take(seq);
    if (flight === null) return;
    const { kind, instrument, order } = flight;
    core.journal.outcome(seq, 'unknown', '', cause, core.now);
    const row = cause === 'duplicate-client-id' ? LANDED : rowOf(kind);
    const fields = { seq, command: COMMANDS[kind], symbol: core.instruments[instrument]!.symbol, cause };
    if (row.halts) core.log.error('outcome-unknown', fields);
    else core.log.warn('outcome-unknown', fields);
    if (row.by === 'operator') this.#halt(instrument, seq, 'outcome-unreadable', cause);
    if (order === null) return;
    if (row.by === 'again') return this.#executor.cancelLost(order, 'unknown', cause);
    const old = order.replaced;
    if (old !== null && old.may(UNKNOWN)) this.open(old, row, cause);
    this.open(order, row, cause);
  }

  /** The order becomes UNKNOWN and is looked for. */
  open(order: Order, row: ResolveRow, cause: string): void {
    const core = this.#core;
    const seq = order.seq;
    if (order.state !== UNKNOWN) core.orders.transition(order, UNKNOWN);
    if (row.halts) this.#halt(order.instrument, seq, row.by === 'operator' ? 'outcome-unreadable' : 'outcome-unknown', cause);
    core.notices.order(order, 0, 0, 'unknown', cause);
    if (row.by !== 'look' || core.isPushed) return;
    const one: Case = { seq, row, since: core.now, absences: 0, looks: 0, nextAt: core.now, step: 'waiting' };
    this.#cases.set(seq, one);
    this.#arm();
  }

  /** A working order that nobody has seen for long. */
  lost(order: Order): void {
    if (!this.#cases.has(order.seq)) this.open(order, LOOK, 'neither pending nor in the history');
  }

  /** Closes the cases whose orders have been found or have ended. Called after every event that may have done so. */
  sweep(): void {
    for (const one of this.#cases.values()) {
      const order = this.#core.orders.find(one.seq);
      if (order === null || order.state !== UNKNOWN) this.#close(one);
    }
  }

  /** An operator says what became of command `seq`, or that it does not matter: the halt is lifted. False when there is none. */
  lift(seq: number, why: string): boolean {
    const core = this.#core;
    return core.halts.liftCommand(seq, why, 'bot') !== null;
  }

  /** An order with our name that the tracker does not hold. True when it was presumed dead: it is cancelled and told. */
  sighted(seq: number, report: OrderReport): boolean {
    const core = this.#core;
    const until = this.#tombstones.get(seq);
    if (until === undefined || core.now > until) return false;
    core.log.error('late-landing', { seq, symbol: core.instruments[report.instrument]?.symbol, status: report.status });
    this.#tombstones.delete(seq);
    return true;
  }

  due(now: number): void {
    for (const one of this.#cases.values()) {
      if (one.step === 'waiting' && one.nextAt <= now) this.#look(one, 'pending');
    }
    this.#arm();
  }

  answered(query: Query, _answer: Answer, sentAt: number): void {
    const one = this.#taken(query);
    if (one === null) return;
    const order = this.#core.orders.find(one.seq);
    if (order === null || order.state !== UNKNOWN) return this.#close(one);
    if (sentAt < one.since) return this.#wait(one);
    if (one.step === 'pending') return this.#look(one, 'history');
    one.absences++;
    const isOld = this.#core.now - one.since >= this.#core.timings.horizonMs;
    if (one.row.mayPresume && one.absences >= ABSENCES && isOld) return this.#presume(one, order);
    this.#wait(one);
  }

  failed(query: Query): void {
    const one = this.#taken(query);
    if (one !== null) this.#wait(one);
  }

  #taken(query: Query): Case | null {
    const one = this.#queries.get(query);
    this.#queries.delete(query);
    return one !== undefined && this.#cases.get(one.seq) === one ? one : null;
  }

  #look(one: Case, step: 'pending' | 'history'): void {
    const core = this.#core;
    const order = core.orders.find(one.seq);
    if (order === null) return this.#close(one);
    const instrument = order.instrument;
    const clientId = formatClientId({ bot: core.bot, epoch: core.epoch }, one.seq);
    const query: Query =
      step === 'pending' ? { kind: 'pending', instrument, isProof: true } : { kind: 'history', instrument, clientId, since: 0 };
    one.step = step;
    this.#queries.set(query, one);
    this.#asks.ask(query, this);
  }

  #wait(one: Case): void {
    one.step = 'waiting';
    one.nextAt = this.#core.now + DELAYS_MS[Math.min(one.looks++, DELAYS_MS.length - 1)]!;
    this.#arm();
  }

  #presume(one: Case, order: Order): void {
    const core = this.#core;
    this.#tombstones.set(one.seq, core.now + core.timings.watchMs);
    core.log.error('presumed-not-landed', { seq: one.seq, symbol: core.instruments[order.instrument]!.symbol });
    endOrder(core, order, presumedEnd(order), 'presumed-not-landed', one.absences + ' complete reads did not show it');
    this.#close(one);
  }

  #close(one: Case): void {
    this.#cases.delete(one.seq);
    this.lift(one.seq, 'resolved');
    this.#arm();
  }

  #halt(instrument: number, seq: number, code: 'outcome-unknown' | 'outcome-unreadable', cause: string): void {
    this.#core.halts.raise({ scope: { kind: 'symbol', instrument }, code, detail: cause, by: 'bot', seq });
  }

  #arm(): void {
    let next = Infinity;
    for (const one of this.#cases.values()) if (one.step === 'waiting') next = Math.min(next, one.nextAt);
    this.#core.agenda.set(this.#alarm, next);
  }
}
