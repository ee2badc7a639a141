/**
 * Repeats cancels whose outcome is unknown. A cancel names a target state, so a repeated one does no harm. After the tries of the policy it
 * logs an error and raises a halt that tells the operator what to do. From then on it sends one cancel a minute until there is an outcome, or
 * one every two seconds while the cancel is wanted again and again, as by a kill. Asking more often makes it no faster.
 */
import { assert } from '../../../base/failure/assert.ts';
import { COMMANDS } from '../../../domain/codes.ts';
import { WORKING } from '../../../domain/orders/order.ts';
import { AGAIN_MS, type Timer } from '../../../base/time/timer-queue.ts';
import type { Order } from '../../state/orders/orders.ts';
import type { KeyGate } from '../../state/key-gate.ts';
import type { Core } from '../../state/core.ts';
import { policyOf } from './policy.ts';

const DELAYS_MS = [250, 1000, 2000, 4000] as const;
const AFTER_ALARM_MS = 60_000;
/** Longest time between two cancels that are still asked for. */
const WANTED_MS = 2_000;

interface Retry {
  readonly order: Order;
  readonly seq: number;
  tries: number;
  nextAt: number;
}

/** What the retries use of the order path and of the halts. */
export interface CancelRetriesPort {
  /** Shut while the venue refuses the key. */
  readonly keyGate: KeyGate;
  /** Sends the cancel if the order must still be cancelled. */
  cancelIfWanted(order: Order): void;
  halt(instrument: number, seq: number, detail: string): void;
  lift(seq: number, why: string): void;
}

export class CancelRetries implements Timer {
  readonly #core: Core;
  readonly #port: CancelRetriesPort;
  readonly #alarm: number;
  readonly #retries = new Map<number, Retry>();

  constructor(core: Core, port: CancelRetriesPort) {
    this.#core = core;
    this.#port = port;
    this.#alarm = core.timerQueue.add(this);
  }

  /** Number of cancels still to be repeated within their tries. */
  get pending(): number {
    let count = 0;
    for (const one of this.#retries.values()) if (one.tries <= DELAYS_MS.length) count++;
    return count;
  }

  get count(): number {
    return this.#retries.size;
  }

  has(seq: number): boolean {
    return this.#retries.has(seq);
  }

  /** An operator says that the order is still at the venue: the cancel is repeated at once, with all its tries. */
  restart(seq: number): void {
    const one = this.#retries.get(seq);
    if (one === undefined) return;
    one.tries = 0;
    one.nextAt = this.#core.now;
    this.#port.lift(seq, 'settled by an operator');
    this.#arm();
  }

  /** The cancel is wanted once more. False if it may leave at once: it was repeated at most once so far. */
  hurry(order: Order): boolean {
    const one = this.#retries.get(order.seq);
    if (one === undefined || one.tries <= 1) return false;
    const soon = Math.max(this.#core.now, order.sentAt + WANTED_MS);
    if (one.nextAt <= soon) return true;
    one.nextAt = soon;
    this.#arm();
    return true;
  }

  /** The cancel of `order`, a command of `kind`, had no effect because of `cause`. The order must still be cancelled. */
  add(order: Order, kind: number, cause: string): void {
    const core = this.#core;
    assert(order.isAlive, 'a cancel is repeated while its order has not ended', order.state, 'order', order.seq);
    const known = this.#retries.get(order.seq);
    assert(known === undefined || known.order === order, 'cancels of one number are those of one order', order.seq);
    const one = known ?? { order, seq: order.seq, tries: 0, nextAt: 0 };
    this.#retries.set(one.seq, one);
    const { endpoint, tries } = policyOf(kind);
    // The venue refuses the key: the gate says when the next cancel leaves.
    if (this.#port.keyGate.commands.isShut) {
      one.nextAt = core.now + DELAYS_MS[0];
      return this.#arm();
    }
    if (one.tries === tries) this.#raiseAlarm(one, kind, endpoint, cause);
    one.nextAt = core.now + (DELAYS_MS[one.tries] ?? AFTER_ALARM_MS);
    one.tries++;
    this.#arm();
  }

  /** Drops the cancels that have an outcome or are no longer wanted. */
  sweep(): void {
    for (const one of this.#retries.values()) if (this.#isOver(one)) this.#forget(one);
  }

  due(now: number): void {
    this.#core.timerQueue.each(
      this.#retries.values(),
      (one) => {
        if (this.#isOver(one)) this.#forget(one);
        else if (one.nextAt <= now) this.#again(one);
      },
      (one) => (one.nextAt = now + AGAIN_MS),
    );
    this.#arm();
  }

  #again(one: Retry): void {
    one.nextAt = Infinity;
    if (one.order.state === WORKING) this.#port.cancelIfWanted(one.order);
    else one.nextAt = this.#core.now + DELAYS_MS[0];
  }

  /** The order has ended, or its cancel is no longer wanted. A repeated cancel in flight is not over. */
  #isOver({ order, seq }: Retry): boolean {
    if (order.seq !== seq || !order.isAlive) return true;
    return order.state === WORKING && !order.isCancelWanted;
  }

  #raiseAlarm(one: Retry, kind: number, endpoint: string, cause: string): void {
    const { instruments, log } = this.#core;
    const { order, seq } = one;
    const symbol = instruments[order.instrument]!.symbol;
    const command = COMMANDS[kind]!;
    log.error('cancel-unresolved', { seq, symbol, command, endpoint, tries: one.tries, cause, venueId: order.venueId });
    const detail = `${command} (${endpoint}) has no outcome after ${one.tries} tries (${cause}): check the order at the venue and cancel it there`;
    this.#port.halt(order.instrument, seq, detail);
  }

  #forget(one: Retry): void {
    assert(this.#retries.delete(one.seq), 'a cancel that is repeated no more was repeated', one.seq);
    this.#port.lift(one.seq, 'resolved');
    this.#arm();
  }

  #arm(): void {
    let next = Infinity;
    for (const one of this.#retries.values()) next = Math.min(next, one.nextAt);
    this.#core.timerQueue.set(this.#alarm, next);
  }
}
