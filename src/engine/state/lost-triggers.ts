/**
 * Trigger orders that have ended, and of which nobody knows what they became: no record was found to be theirs, and the venue neither
 * refused nor cancelled them. A record without our client id may still be of one of them, so it is not another's.
 */
import { MARKET, PLACE_TRIGGER } from '../../domain/codes.ts';
import type { OrderReport } from '../../domain/report.ts';
import type { JournalRecord } from '../../ports/store.ts';
import type { Core } from './core.ts';
import type { SavedOrder } from './saved.ts';

/** An order that rests and that may be what a trigger order has become. */
export interface Resting {
  readonly venueId: string;
  /** Every trigger order that it may be has fired, and none of them is to be there any more: whichever it is, it is to be cancelled. */
  readonly isToGo: boolean;
}

/** How far the venue's clock may be from ours. */
const SKEW_MS = 5_000;
/** From so many on, those that no record can be mistaken for are forgotten. */
const MANY = 1_000;

/** What is compared with a record. */
interface Looks {
  readonly seq: number;
  readonly side: number;
  readonly size: number;
  /** Ticks, 0 for one that becomes a market order. */
  readonly price: number;
  readonly createdAt: number;
  readonly endedAt: number;
}

/** A lost trigger order as a snapshot keeps it. */
export interface SavedTrigger extends Looks {
  readonly symbol: string;
}

/** Whether the record looks like what the trigger order becomes, and is of a time at which it was there. */
export function mayHaveBecome(trigger: Looks & { readonly isAlive?: boolean }, report: OrderReport): boolean {
  const isSame = trigger.side === report.side && trigger.size === report.size;
  const isPrice = trigger.price === 0 ? report.type === MARKET : report.price === trigger.price;
  if (!isSame || !isPrice || report.createdAt < trigger.createdAt - SKEW_MS) return false;
  return trigger.isAlive === true || report.createdAt <= trigger.endedAt + SKEW_MS;
}

/** Whether an order that has ended leaves open what it became. `isAtOnce`: its fills were known when it ended. */
export function isLost(kind: number, filled: number, isAtOnce: boolean): boolean {
  return kind === PLACE_TRIGGER && (filled > 0 || !isAtOnce);
}

/** A trigger order whose fills became final by this record of the journal is lost, unless what it became is among the ids that were told of. */
export function foldLost(
  { data, kind, time }: JournalRecord,
  order: SavedOrder | undefined,
  toldIds: readonly string[],
  lost: SavedTrigger[],
): void {
  if (order === undefined || (kind !== 'settled' && (kind !== 'ended' || data['isSettled'] === false))) return;
  if (!isLost(order.kind, order.filled, kind === 'ended') || toldIds.includes(order.venueId)) return;
  const { seq, symbol, side, size, price, createdAt, endedAt = time } = order;
  lost.push({ seq, symbol, side, size, price, createdAt, endedAt });
}

export class LostTriggers {
  readonly #core: Core;
  #all: SavedTrigger[] = [];

  constructor(core: Core) {
    this.#core = core;
  }

  add({ createdAt, endedAt, instrument, price, seq, side, size }: Looks & { readonly instrument: number }): void {
    if (this.#all.length >= MANY) this.#all = this.#all.filter((one) => this.#isNeeded(one));
    this.#all.push({ seq, symbol: this.#core.instruments[instrument]!.symbol, side, size, price, createdAt, endedAt });
  }

  /** Numbers of those that the record may be of. */
  fitting(report: OrderReport): number[] {
    if (this.#all.length === 0) return [];
    const { symbol } = this.#core.instruments[report.instrument]!;
    return this.#all.filter((one) => one.symbol === symbol && mayHaveBecome(one, report)).map(({ seq }) => seq);
  }

  get saved(): readonly SavedTrigger[] {
    return this.#all;
  }

  restore(saved: readonly SavedTrigger[]): void {
    this.#all = [...saved];
  }

  /** A record of its time can be mistaken for that of a trigger order which was made before it ended, or soon after. */
  #isNeeded({ endedAt, symbol }: SavedTrigger): boolean {
    const { instruments, now, orders } = this.#core;
    if (now <= endedAt + 2 * SKEW_MS) return true;
    return orders.of.some((list, i) => {
      const isHere = instruments[i]!.symbol === symbol && instruments[i]!.product === 'futures';
      return isHere && list.known().some((order) => order.kind === PLACE_TRIGGER && order.createdAt <= endedAt + 2 * SKEW_MS);
    });
  }
}
