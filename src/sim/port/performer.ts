/**
 * @hot Executes a bot's commands at the simulated venue, and says what became of them. An order command allocates nothing except its venue
 * id if orders are named.
 */
import { assert } from '../../base/failure/assert.ts';
import * as codes from '../../domain/codes.ts';
import { COMMANDS } from '../../domain/codes.ts';
import type { Command } from '../../domain/orders/command.ts';
import type { Reason, Rejection } from '../../domain/orders/outcome.ts';
import type { VenueSim } from '../core/venue-core.ts';
import type { Order } from '../state/order.ts';
import * as kinds from '../state/kinds.ts';
import { orderIdOf, orderNoOf } from '../state/ids/wire-ids.ts';
import { OwnOrders } from './own-orders.ts';

const { ADJUST_MARGIN, CANCEL, CANCEL_SPOT, CANCEL_TRIGGER, MODIFY, PLACE, PLACE_SPOT, PLACE_TRIGGER, SET_MARGIN_MODE } = codes;
const { FUTURES, TRIGGER, SPOT } = kinds;

export interface PerformerSpec {
  readonly sim: VenueSim;
  readonly account: number;
  /** True: fills and ends are pushed at once, which no real venue of this interface does. */
  readonly push: boolean;
  /** True (default): acceptances carry the order's venue id. False: they carry "sim", which saves a string per order. */
  readonly nameOrders?: boolean | undefined;
  /** Code and message of a refusal by command kind. Default: no code, and the reason as the message. */
  readonly rejection?: ((commandKind: number, reason: Reason) => Rejection) | undefined;
}

export class Performer {
  declare private readonly sim: VenueSim;
  declare private readonly account: number;
  declare private readonly push: boolean;
  declare private readonly nameOrders: boolean;
  declare private readonly orders: OwnOrders;
  readonly #word: (commandKind: number, reason: Reason) => Rejection;
  readonly #words = COMMANDS.map(() => new Map<Reason, Rejection>());

  constructor({ sim, account, push, nameOrders = true, rejection }: PerformerSpec) {
    this.sim = sim;
    this.account = account;
    this.push = push;
    this.nameOrders = nameOrders;
    this.orders = new OwnOrders(sim.accountOf(account));
    this.#word = rejection ?? ((_kind, reason) => ({ reason, code: '', message: reason }));
  }

  /** Executes a command. Returns the order number, 0 for success without an order, −1 for a refusal. */
  perform(c: Command, time: number): number {
    switch (c.kind) {
      case PLACE:
        return this.#noted(c.seq, this.sim.place(this.account, c, c.seq, time));
      case MODIFY:
        return this.#modify(c, time);
      case CANCEL:
        return this.#cancel(c, time);
      default:
        return this.#performRarer(c, time);
    }
  }

  #performRarer(c: Command, time: number): number {
    const { account, sim } = this;
    switch (c.kind) {
      case CANCEL_TRIGGER:
        return this.#cancelTrigger(c, time);
      case PLACE_TRIGGER:
        return this.#noted(c.seq, sim.placeTrigger(account, c, c.seq, time));
      case PLACE_SPOT:
        return this.#noted(c.seq, sim.placeSpot(account, c, c.seq, time));
      case CANCEL_SPOT:
        return sim.cancelSpot(account, this.#orderOf(c)?.no ?? this.#namedBy(c), time) ? 0 : -1;
      case SET_MARGIN_MODE:
        return sim.setMarginMode(account, c.instrument, c.marginMode, time) ? 0 : -1;
      case ADJUST_MARGIN:
        return sim.adjustMargin(account, c.instrument, c.side, c.amount, time) ? 0 : -1;
      default:
        assert(false, 'a command is of a known kind');
    }
  }

  #noted(seq: number, orderNo: number): number {
    if (orderNo === 0) return -1;
    this.orders.set(seq, this.sim.made);
    return orderNo;
  }

  #modify(c: Command, time: number): number {
    const order = this.orders.find(c.target);
    return order === null ? this.#modifyOlder(c, time) : this.#modifyOrder(order, c, time);
  }

  #modifyOrder(order: Order, c: Command, time: number): number {
    // The record becomes that of the new order. If the modify is refused, its tag differs, so this slot does not match.
    this.orders.set(c.seq, order);
    return this.sim.modifyOrder(order, c, c.seq, time) || -1;
  }

  #modifyOlder(c: Command, time: number): number {
    const order = this.#olderOf(c);
    if (order !== null) return this.#modifyOrder(order, c, time);
    return this.#noted(c.seq, this.sim.modify(this.account, this.#namedBy(c), c, c.seq, time));
  }

  #cancel(c: Command, time: number): number {
    return this.#cancelOrder(c, this.#orderOf(c), time);
  }

  /** Cancels a trigger order. If it has fired and fills are pushed, so that the bot knows, cancels the order it created. */
  #cancelTrigger(c: Command, time: number): number {
    const order = this.#orderOf(c);
    const isMeant = order === null || order.kind === TRIGGER || this.push;
    return this.#cancelOrder(c, isMeant ? order : null, time);
  }

  #cancelOrder(c: Command, order: Order | null, time: number): number {
    const { account, sim } = this;
    const isDone = order === null ? sim.cancel(account, this.#namedBy(c), time) : sim.cancelOrder(order, time);
    return isDone ? 0 : -1;
  }

  /** The working order that a command refers to by the bot's number; null if there is none. */
  #orderOf(c: Command): Order | null {
    return this.orders.find(c.target) ?? this.#olderOf(c);
  }

  /** The same for an older order, or one that a trigger order created. */
  #olderOf(c: Command): Order | null {
    return c.target === 0 ? null : this.sim.workingOf(this.account, c.instrument, c.target);
  }

  /** The number of an order known only by its venue id. */
  #namedBy({ kind, targetVenueId }: Command): number {
    if (kind === CANCEL_SPOT) return orderNoOf(SPOT, targetVenueId);
    return orderNoOf(kind === CANCEL_TRIGGER ? TRIGGER : FUTURES, targetVenueId);
  }

  /** The rejection of a command kind and reason; one cached object each. */
  rejectionOf(commandKind: number): Rejection {
    const reason = this.sim.refusal;
    const known = this.#words[commandKind]!.get(reason);
    if (known !== undefined) return known;
    const made = this.#word(commandKind, reason);
    this.#words[commandKind]!.set(reason, made);
    return made;
  }

  /** The venue id of the created order. */
  idOf(kind: number, orderNo: number): string {
    if (!this.nameOrders) return 'sim';
    return orderIdOf(kind === PLACE_TRIGGER ? TRIGGER : kind === PLACE_SPOT ? SPOT : FUTURES, orderNo);
  }
}
