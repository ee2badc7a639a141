/**
 * Trigger orders that ended without a known result: no record was matched to them, and the venue neither refused nor cancelled them. A
 * record without our client id may still belong to one of them, so it is not treated as foreign.
 */
import { assert } from '../../../base/failure/assert.ts';
import { MARKET } from '../../../domain/codes.ts';
import { waitsForTrigger } from '../../../domain/orders/command-traits.ts';
import type { Instrument } from '../../../domain/instrument.ts';
import type { OrderReport } from '../../../domain/report.ts';
import type { ForeignFillLedger } from './foreign-fill-ledger.ts';
import type { Orders } from './orders.ts';

/** A resting order that may be the result of an own trigger order. */
export interface Resting {
  readonly venueId: string;
  /** True if it must be cancelled, because every trigger order that it may come from was to be cancelled. */
  readonly mustCancel: boolean;
}

/** Largest error of the difference between the venue's clock and ours (market/venue-offset.ts), in milliseconds. */
const SKEW_MS = 1_000;
/** Above this count, trigger orders that no new record can match are dropped. */
const MANY = 1_000;

/** The fields that are compared with an order record. */
interface TriggerShape {
  readonly seq: number;
  readonly side: number;
  readonly size: number;
  /** Limit price in ticks; 0 if it becomes a market order. */
  readonly price: number;
  readonly createdAt: number;
  readonly endedAt: number;
}

/** A lost trigger order in a snapshot. */
export interface SavedTrigger extends TriggerShape {
  readonly symbol: string;
  /** Price in ticks that fires it, and BY_LAST or BY_MARK; absent in a snapshot of an earlier version. */
  readonly trigger?: number;
  readonly triggerBy?: number;
}

/**
 * True if the record matches side, size, price and lifetime of the trigger order, so it may be its result. `offsets`: what the venue's clock
 * minus ours may have been when it wrote the record, in milliseconds.
 */
export function matchesTrigger(
  trigger: TriggerShape & { readonly isAlive?: boolean },
  report: OrderReport,
  offsets: readonly number[],
): boolean {
  const isSame = trigger.side === report.side && trigger.size === report.size;
  const isPrice = trigger.price === 0 ? report.type === MARKET : report.price === trigger.price;
  const diedAt = trigger.isAlive === true ? Infinity : trigger.endedAt + SKEW_MS;
  const isOfItsLife = (offset: number): boolean => {
    const madeAt = report.createdAt - offset;
    return madeAt >= trigger.createdAt - SKEW_MS && madeAt <= diedAt;
  };
  return isSame && isPrice && offsets.some(isOfItsLife);
}

/**
 * True if an ended order leaves its result unknown: no record was matched to it. `isAtOnce`: its fills were known when it ended.
 * `explained`: the venue orders that are known to be in the leg.
 */
export function isLost(
  { kind, filled, venueId }: { readonly kind: number; readonly filled: number; readonly venueId: string },
  isAtOnce: boolean,
  foreignFills: Pick<ForeignFillLedger, 'has'>,
): boolean {
  return waitsForTrigger(kind) && (filled > 0 || !isAtOnce) && !foreignFills.has(venueId);
}

/** A trigger order that has ended. */
interface Ended extends TriggerShape {
  readonly instrument: number;
  readonly trigger: number;
  readonly triggerBy: number;
}

/** What it needs of the shared state. */
interface TriggerCore {
  readonly now: number;
  readonly venueOffset: { readonly ofRecords: readonly number[] };
  readonly instruments: readonly Instrument[];
  readonly orders: Pick<Orders, 'of'>;
}

export class LostTriggers {
  readonly #core: TriggerCore;
  #all: SavedTrigger[] = [];

  constructor(core: TriggerCore) {
    this.#core = core;
  }

  add({ createdAt, endedAt, instrument, price, seq, side, size, trigger, triggerBy }: Ended): void {
    assert(!this.#all.some((one) => one.seq === seq), 'a trigger order is lost once', seq);
    if (this.#all.length >= MANY) this.#all = this.#all.filter((one) => this.#isNeeded(one));
    const { symbol } = this.#core.instruments[instrument]!;
    this.#all.push({ seq, symbol, side, size, price, trigger, triggerBy, createdAt, endedAt });
  }

  /** The lost trigger orders that the record may belong to. */
  fitting(report: OrderReport): readonly SavedTrigger[] {
    if (this.#all.length === 0) return this.#all;
    const { symbol } = this.#core.instruments[report.instrument]!;
    const { ofRecords } = this.#core.venueOffset;
    return this.#all.filter((one) => one.symbol === symbol && matchesTrigger(one, report, ofRecords));
  }

  get saved(): readonly SavedTrigger[] {
    return this.#all;
  }

  restore(saved: readonly SavedTrigger[]): void {
    this.#all = [...saved];
  }

  /** True while a new record may still match it: soon after its end, or while a trigger order of that time is alive. */
  #isNeeded({ endedAt, symbol }: SavedTrigger): boolean {
    const { instruments, now, orders } = this.#core;
    if (now <= endedAt + 2 * SKEW_MS) return true;
    return orders.of.some((list, i) => {
      const isHere = instruments[i]!.symbol === symbol && instruments[i]!.product === 'futures';
      return isHere && list.known().some((order) => waitsForTrigger(order.kind) && order.createdAt <= endedAt + 2 * SKEW_MS);
    });
  }
}
