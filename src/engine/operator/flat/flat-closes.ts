/**
 * The close of a leg that is sent next: how many lots, or why none is sent now. It waits while an own close may still take effect, and longer
 * each time that one had no effect.
 */
import { assert } from '../../../base/failure/assert.ts';
import { CLOSE, PLACE_SPOT } from '../../../domain/codes.ts';
import type { Core } from '../../state/core.ts';
import type { InstrumentContext } from '../../state/records/instrument-context.ts';
import type { Leg } from '../../state/records/leg.ts';
import type { Order } from '../../state/orders/orders.ts';

/** A leg that a close did not change is closed again after this time, which doubles up to the maximum. */
const AGAIN_MS = 150;
const AGAIN_MOST_MS = 2_000;

/** Closes of one leg that had no effect. */
interface Tries {
  readonly total: number;
  readonly changedAt: number;
  count: number;
  nextAt: number;
  triedAt: number;
  isReported: boolean;
}

/** The next close. */
export interface NextClose {
  /** Lots of the order; 0 if none is sent now. */
  readonly size: number;
  /** Own closes that may still take effect. */
  readonly moving: readonly Order[];
  /** True if the venue refused to close everything, because orders of others hold a part: the free part is closed. */
  readonly isHeld: boolean;
  /** True if it waits for a time or a read. */
  readonly isLater: boolean;
}

export class FlatCloses {
  readonly #core: Core;
  /** By leg. */
  readonly #tries = new Map<number, Tries>();

  constructor(core: Core) {
    this.#core = core;
  }

  /**
   * What is to be sent now. Changes nothing. Opening orders do not delay a close, because their end may be known only after a minute.
   * `lots`: what is to be closed of the leg.
   */
  next(context: InstrumentContext, leg: Leg, lots: number): NextClose {
    const closes = context.orders.known().filter((order) => order.leg === leg && order.kind !== PLACE_SPOT && order.effect === CLOSE);
    const moving = closes.filter((order) => order.isAlive || order.isInFlight);
    const { now } = this.#core;
    const { count, nextAt, triedAt } = this.#triesOf(leg);
    const isHeld = count > 0 && leg.available < leg.total;
    // After a close that did not change the leg, a read of the symbol alone says what is left.
    const isUnread = count > 0 && leg.aloneAt < triedAt && now < triedAt + AGAIN_MOST_MS;
    const isLater = now < Math.max(nextAt, context.closeCircuit.probeAt) || isUnread;
    assert(lots > 0, 'a leg that is to be closed has lots', lots, 'leg', leg.index);
    return { size: moving.length > 0 || isLater ? 0 : sizeOfClose(context, leg, lots, isHeld), moving, isHeld, isLater };
  }

  /** A close is sent now. True if it is the first of the leg that leaves to others what their orders hold. */
  sent(leg: Leg, isHeld: boolean): boolean {
    const tries = this.#triesOf(leg);
    this.#tries.set(leg.index, tries);
    const isNews = isHeld && !tries.isReported;
    tries.isReported ||= isHeld;
    tries.triedAt = this.#core.now;
    tries.nextAt = this.#core.now + Math.min(AGAIN_MS * 2 ** tries.count, AGAIN_MOST_MS);
    tries.count++;
    return isNews;
  }

  /** The tries since the leg last changed. */
  #triesOf(leg: Leg): Tries {
    const known = this.#tries.get(leg.index);
    if (known !== undefined && known.total === leg.total && known.changedAt === leg.changedAt) return known;
    return { total: leg.total, changedAt: leg.changedAt, count: 0, nextAt: -Infinity, triedAt: -Infinity, isReported: false };
  }
}

/** Lots of one closing order of a leg of which `lots` are to be closed. */
export function sizeOfClose({ instrument }: InstrumentContext, leg: Leg, lots: number, isHeld: boolean): number {
  return Math.min(isHeld ? Math.min(lots, leg.available) : lots, instrument.maxSize);
}
