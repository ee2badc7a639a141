/** The truth of a run: what the exchange did, what the bot sent, and what is wrong between the two. */
import { CLOSE, MODIFY, OPEN, PLACE, PLACE_TRIGGER } from '../../src/domain/codes.ts';
import type { Command } from '../../src/domain/command.ts';
import type { VenueSim } from '../../src/sim/core/venue-core.ts';
import { FUTURES } from '../../src/sim/state/kinds.ts';
import type { CashReason, LedgerSink, SimFill } from '../../src/sim/state/types.ts';

/** What must be 0 after every run. */
export const COUNTS = ['duplicates', 'lost', 'unknown', 'unexplained', 'limits', 'naked'] as const;
export type Count = (typeof COUNTS)[number];

export interface Problem {
  readonly of: Count;
  readonly text: string;
}

/** Largest leg in lots, with all that rests on it. */
export const MOST_LOTS = 30;

export class Ledger implements LedgerSink {
  readonly problems: Problem[] = [];
  /** Lots by client id. */
  readonly filled = new Map<string, number>();
  /** Orders that the bot placed, by client id. */
  readonly landed = new Set<string>();
  /** Lots that another party holds of each leg. */
  readonly foreign: number[];
  readonly #sim: () => VenueSim;
  readonly #nameOf: (tag: number) => string;
  readonly #note: (text: string) => void;
  placed = 0;
  result = 0;
  liquidations = 0;
  isDirty = false;

  constructor(sim: () => VenueSim, legs: number, nameOf: (tag: number) => string, note: (text: string) => void) {
    this.#sim = sim;
    this.#nameOf = nameOf;
    this.#note = note;
    this.foreign = Array.from({ length: legs }, () => 0);
  }

  /** The first problem of each kind is kept. */
  wrong(of: Count, text: string): void {
    if (this.problems.some((one) => one.of === of)) return;
    this.problems.push({ of, text });
    this.#note(`!!! ${of}: ${text}`);
  }

  order(orderNo: number): void {
    this.isDirty = true;
    const order = this.#sim().order(orderNo);
    if (order === null || order.tag <= 0) return;
    this.placed++;
    const id = this.#nameOf(order.tag);
    // What a trigger order becomes has its id.
    if (this.landed.has(id) && !order.byVenue) this.wrong('duplicates', `${id} is at the venue twice`);
    this.landed.add(id);
    if (!(order.size > 0) || (order.effect === OPEN && order.size > MOST_LOTS)) this.wrong('limits', `${id} has ${order.size} lots`);
    this.#note(
      `venue: ${id} ${order.effect === OPEN ? 'opens' : 'closes'} ${order.side === 0 ? 'LONG' : 'SHORT'} ${order.size} at ${order.price || 'market'}`,
    );
  }

  fill({ tag, instrument, side, effect, size, price }: SimFill): void {
    this.isDirty = true;
    const leg = 2 * instrument + side;
    if (tag > 0) {
      const id = this.#nameOf(tag);
      this.filled.set(id, (this.filled.get(id) ?? 0) + size);
      this.#note(`venue: ${id} fills ${size} at ${price}`);
    } else {
      this.foreign[leg]! += effect === CLOSE ? -size : size;
      this.#note(`venue: an order that is not the bot's fills ${size} at ${price}`);
    }
  }

  ended(): void {
    this.isDirty = true;
  }

  cash(_account: number, _coin: string, amount: number, why: CashReason): void {
    if (why === 'realised' || why === 'fee') this.result += amount;
    if (why === 'liquidation') this.liquidations++;
  }

  /** Lots of all legs as the venue has them. */
  legs(): number[] {
    const legs = this.foreign.map(() => 0);
    for (const position of this.#sim().positions(0, -1)) legs[2 * position.instrument + position.side] = position.total;
    return legs;
  }

  /** No leg with all that rests on it is above its limit, what another party opened left out. */
  checkLimits(): void {
    if (!this.isDirty) return;
    this.isDirty = false;
    const most = this.legs();
    for (const order of this.#sim().pending(0, -1)) {
      if (order.effect === OPEN && order.kind === FUTURES && order.tag > 0)
        most[2 * order.instrument + order.side]! += order.size - order.filled;
    }
    most.forEach((lots, leg) => {
      if (lots - Math.max(0, this.foreign[leg]!) > MOST_LOTS) this.wrong('limits', `leg ${leg} has ${lots} lots with all that rests on it`);
    });
  }
}

/** Whether a command makes an order that adds to a position. */
export function opens({ kind, effect }: Command): boolean {
  return (kind === PLACE || kind === MODIFY || kind === PLACE_TRIGGER) && effect === OPEN;
}
