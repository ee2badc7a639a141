/**
 * @hot What an account's fills and ends are to its port: the numbers of orders that ended are forgotten, and to a bot whose venue
 * pushes both are told at once. What the venue ordered itself has no number there, only a leg.
 */
import * as states from '../../domain/order.ts';
import type { PushInbox } from '../../ports/venue.ts';
import type { SimFill, SimTap } from '../types.ts';
import type { OrderNumbers } from './order-numbers.ts';

const { FILLED, REPLACED } = states;

export class PortTap implements SimTap {
  declare private readonly numbers: OrderNumbers;
  /** null where nothing is pushed. */
  declare private readonly inbox: PushInbox | null;

  constructor(numbers: OrderNumbers, inbox: PushInbox | null) {
    this.numbers = numbers;
    this.inbox = inbox;
  }

  filled(fill: SimFill): void {
    const inbox = this.inbox;
    if (inbox === null) return;
    const tag = fill.tag;
    if (tag > 0) inbox.pushedFill(tag, fill.size, fill.price, fill.fee, fill.liquidity);
    else inbox.pushedOwnFill(fill.instrument, fill.side, fill.effect, fill.size, fill.price);
  }

  ended(_orderNo: number, tag: number, how: number): void {
    if (tag === 0) return;
    this.numbers.forget(tag);
    // Whose fills are told knows by itself when it is full; what a modify replaced is told by the acceptance or by the first fill.
    if (this.inbox !== null && how !== FILLED && how !== REPLACED) this.inbox.pushedEnd(tag, how);
  }
}
