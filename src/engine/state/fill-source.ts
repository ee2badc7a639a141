/**
 * The ways in which the engine learns what filled. A venue that is polled shows it in reads, which may be late or lack something. A venue
 * that pushes reports every fill, every end and every price at once and in order: a simulated one, with `--every-tick` or on bars. The
 * assembly chooses one of the two; the other parts know only its answers. @hot
 */
import * as traits from '../../domain/orders/command-traits.ts';
import * as codes from '../../domain/codes.ts';
import * as states from '../../domain/orders/order.ts';
import * as triggers from './orders/lost-triggers.ts';
import type { Order } from './records/order.ts';

const { waitsForTrigger } = traits;
const { PLACE_SPOT } = codes;
const { CANCELLED, REFUSED, REJECTED, REPLACED } = states;
const { isLost } = triggers;

export interface FillSource {
  /**
   * Orders are read. An unknown outcome is searched for, with cancels as probes. Records settle what an ended order filled, and show its
   * profit and fees.
   */
  readonly readsOrders: boolean;
  /** Positions are read: they prove that a leg is flat, and what fills prove of a leg is journaled to be compared with them. */
  readonly readsPositions: boolean;
  /** No fill of a bracket is shown: it is recognised by the prices that the market reached. */
  readonly infersBrackets: boolean;
  /** No fill of a spot order is shown: a market order counts as filled once it is accepted. */
  readonly assumesSpotFills: boolean;
  /** Every price arrives at its own time. Then silence means that there was none, and a jump is measured from the last price. */
  readonly isRealTime: boolean;
  /** True if an order that ended this way cannot report further fills. */
  isFinal(order: Order, how: number, why: string): boolean;
  /** True if what an order became is not known, although its fills are final (state/orders/lost-triggers.ts). */
  isLost(order: Order, foreignFills: { has(venueId: string): boolean }): boolean;
}

export const POLLED: FillSource = {
  readsOrders: true,
  readsPositions: true,
  infersBrackets: true,
  assumesSpotFills: true,
  isRealTime: false,
  isFinal({ kind, filled, size }, how, why) {
    // Only an order that has not traded can be replaced (interface §3.1).
    if (waitsForTrigger(kind) && how === CANCELLED && why === '') return true;
    // No record with our client id shows the result of a trigger order, so it may have landed unless it was never sent.
    if (waitsForTrigger(kind) && how === REFUSED && why !== 'unsent') return false;
    return how === REJECTED || how === REFUSED || how === REPLACED || kind === PLACE_SPOT || filled === size;
  },
  isLost: (order, foreignFills) => isLost(order, true, foreignFills),
};

export const PUSHED: FillSource = {
  readsOrders: false,
  readsPositions: false,
  infersBrackets: false,
  assumesSpotFills: false,
  isRealTime: true,
  isFinal: () => true,
  isLost: () => false,
};
