/**
 * Isolated margin by target. A step is worked out from a position read that left after it was asked for, one step per instrument at
 * a time: the venue only takes signed amounts, and an amount said twice would be added twice.
 */
import { ADJUST_MARGIN, ISOLATED } from '../../domain/codes.ts';
import type { Answer, Query } from '../../ports/venue.ts';
import type { Core } from '../core.ts';
import type { Asker, Asks } from '../reads/asks.ts';
import type { Executor } from './executor.ts';
import type { Owner } from './owner.ts';

interface Wish {
  readonly owner: Owner;
  readonly leg: number;
  readonly target: number;
  readonly reason: string;
}

export class Margins implements Asker {
  readonly #core: Core;
  readonly #executor: Executor;
  readonly #asks: Asks;
  readonly #wishes = new Map<Query, Wish>();
  /** Instruments with a wish that is not done. */
  readonly #busy = new Set<number>();

  constructor(core: Core, executor: Executor, asks: Asks) {
    this.#core = core;
    this.#executor = executor;
    this.#asks = asks;
  }

  /** False when another step of the instrument is under way, or its fate is unknown. */
  ensure(owner: Owner, leg: number, target: number, reason: string): boolean {
    const instrument = leg >> 1;
    if (this.#busy.has(instrument) || this.#core.desks[instrument]!.halts > 0 || this.#isMoving(instrument)) return false;
    const query: Query = { kind: 'positions', instrument };
    this.#busy.add(instrument);
    this.#wishes.set(query, { owner, leg, target, reason });
    this.#asks.ask(query, this);
    return true;
  }

  answered(query: Query, answer: Answer): void {
    const wish = this.#take(query);
    if (wish === null || answer.kind !== 'positions') return;
    const report = answer.positions.find((p) => 2 * p.instrument + p.side === wish.leg);
    if (report === undefined || report.marginMode !== ISOLATED) {
      const detail = report === undefined ? 'there is no position' : 'the margin mode is CROSS';
      this.#executor.begin(ADJUST_MARGIN, wish.leg >> 1);
      this.#executor.refuse(wish.owner, 'margin', detail);
      return;
    }
    const step = wish.target - report.margin;
    if (step === 0) return;
    const command = this.#executor.begin(ADJUST_MARGIN, wish.leg >> 1);
    command.side = wish.leg & 1;
    command.amount = step;
    this.#executor.submitMargin(wish.owner, wish.reason);
  }

  failed(query: Query, cause: string): void {
    const wish = this.#take(query);
    if (wish !== null) this.#core.log.warn('margin-read-failed', { symbol: this.#core.instruments[wish.leg >> 1]!.symbol, cause });
  }

  #take(query: Query): Wish | null {
    const wish = this.#wishes.get(query);
    if (wish === undefined) return null;
    this.#wishes.delete(query);
    this.#busy.delete(wish.leg >> 1);
    return wish;
  }

  /** True while a step of the instrument is at the venue. */
  #isMoving(instrument: number): boolean {
    return this.#core.flights.isAdjusting(instrument);
  }
}
