/**
 * Cancels whose outcome is unknown are sent again: they name a target state, so a second one does no harm. After the tries of the
 * policy comes an alarm and a halt that names what the operator can do; from then on one cancel a minute until there is an outcome.
 */
import { COMMANDS } from '../../domain/codes.ts';
import { WORKING } from '../../domain/order.ts';
import type { Timer } from '../../base/timer-queue.ts';
import type { Order } from '../state/orders.ts';
import type { Core } from '../state/core.ts';
import { policyOf } from './policy.ts';

const DELAYS_MS = [250, 1000, 2000, 4000] as const;
const AFTER_ALARM_MS = 60_000;

interface Retry {
  readonly order: Order;
  readonly seq: number;
  tries: number;
  nextAt: number;
}

/** What the retries need of the order path and of the halts. */
export interface CancelRetriesPort {
  /** Sends the cancel that the order still wants. */
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

  /** Cancels that are still to be sent again within their tries. */
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

  /** An operator says that the order is still at the venue: it is cancelled again at once, with all its tries. */
  restart(seq: number): void {
    const one = this.#retries.get(seq);
    if (one === undefined) return;
    one.tries = 0;
    one.nextAt = this.#core.now;
    this.#port.lift(seq, 'settled by an operator');
    this.#arm();
  }

  /** The cancel of `order`, a command of `kind`, came to nothing for `cause`. The order still wants it. */
  add(order: Order, kind: number, cause: string): void {
    const core = this.#core;
    const known = this.#retries.get(order.seq);
    const one = known ?? { order, seq: order.seq, tries: 0, nextAt: 0 };
    this.#retries.set(one.seq, one);
    const { endpoint, tries } = policyOf(kind);
    if (one.tries === tries) this.#giveAlarm(one, kind, endpoint, cause);
    one.nextAt = core.now + (DELAYS_MS[one.tries] ?? AFTER_ALARM_MS);
    one.tries++;
    this.#arm();
  }

  /** Forgets the cancels that have an outcome or are not wanted any more. */
  sweep(): void {
    for (const one of this.#retries.values()) if (this.#isOver(one)) this.#forget(one);
  }

  due(now: number): void {
    for (const one of this.#retries.values()) {
      if (this.#isOver(one)) this.#forget(one);
      else if (one.nextAt <= now) this.#again(one);
    }
    this.#arm();
  }

  #again(one: Retry): void {
    one.nextAt = Infinity;
    if (one.order.state === WORKING) this.#port.cancelIfWanted(one.order);
    else one.nextAt = this.#core.now + DELAYS_MS[0];
  }

  /** The order ended, or its strategy thought better of it. A cancel that is on its way again is not over. */
  #isOver({ order, seq }: Retry): boolean {
    if (order.seq !== seq || !order.isAlive) return true;
    return order.state === WORKING && !order.isCancelWanted;
  }

  #giveAlarm(one: Retry, kind: number, endpoint: string, cause: string): void {
    const { instruments, log } = this.#core;
    const { order, seq } = one;
    const symbol = instruments[order.instrument]!.symbol;
    const command = COMMANDS[kind]!;
    log.error('cancel-unresolved', { seq, symbol, command, endpoint, tries: one.tries, cause, venueId: order.venueId });
    const detail = `${command} (${endpoint}) has no outcome after ${one.tries} tries (${cause}): look at the venue, and cancel it there`;
    this.#port.halt(order.instrument, seq, detail);
  }

  #forget(one: Retry): void {
    this.#retries.delete(one.seq);
    this.#port.lift(one.seq, 'resolved');
    this.#arm();
  }

  #arm(): void {
    let next = Infinity;
    for (const one of this.#retries.values()) next = Math.min(next, one.nextAt);
    this.#core.timerQueue.set(this.#alarm, next);
  }
}
