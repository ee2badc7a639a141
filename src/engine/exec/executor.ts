/**
 * Intents become commands here, and outcomes become states: number, risk, journal, venue, in this order and nowhere else.
 * One command object is used for all: whoever receives it copies what it needs. @hot
 */
import { assert } from '../../base/assert.ts';
import {
  CANCEL,
  CANCEL_SPOT,
  CANCEL_TRIGGER,
  CLOSE,
  LIMIT,
  MARKET,
  MODIFY,
  PLACE,
  PLACE_SPOT,
  PLACE_TRIGGER,
} from '../../domain/codes.ts';
import { emptyCommand, type Approved, type Command } from '../../domain/command.ts';
import {
  CANCELLED,
  CANCELLING,
  FILLED,
  MODIFYING,
  REFUSED,
  REPLACED,
  REJECTED,
  SUBMITTING,
  UNKNOWN,
  WORKING,
} from '../../domain/order.ts';
import type { Core } from '../core.ts';
import type { Risk } from '../risk.ts';
import { endOrder, fillOrder } from './ending.ts';

/** A cancel may wait for ever. */
const NEVER = Number.MAX_SAFE_INTEGER;

export class Executor {
  /** The command that is being made: `begin` clears it, the caller fills it, `submit` takes it. */
  readonly command: Command = emptyCommand();
  /** Strategy names by index, for the journal. */
  readonly names: readonly string[];
  /** Intents refused so far. */
  refusals = 0;
  readonly #core: Core;
  readonly #risk: Risk;

  constructor(core: Core, risk: Risk, names: readonly string[]) {
    this.#core = core;
    this.#risk = risk;
    this.names = names;
  }

  /** Clears the command and sets its kind, instrument and time. */
  begin(kind: number, instrument: number): Command {
    const c = this.command;
    c.kind = kind;
    c.seq = 0;
    c.target = 0;
    c.targetVenueId = '';
    c.instrument = instrument;
    c.side = 0;
    c.effect = 0;
    c.type = LIMIT;
    c.price = 0;
    c.size = 0;
    c.postOnly = 0;
    c.marginMode = 0;
    c.trigger = 0;
    c.triggerBy = 0;
    c.takeProfit = 0;
    c.takeProfitLimit = 0;
    c.stopLoss = 0;
    c.stopLossLimit = 0;
    c.amount = 0;
    c.time = this.#core.now;
    c.validUntil = NEVER;
    return c;
  }

  /** Sends the prepared PLACE, PLACE_TRIGGER or PLACE_SPOT. The new order's number, or 0 when a rule refused. */
  submit(strategy: number, reason: string): number {
    const core = this.#core;
    const c = this.command;
    const approved = this.#risk.approveOrder(c, strategy);
    if (approved === null) return this.refuse(strategy, this.#risk.rule, this.#risk.detail);
    c.seq = core.nextSeq++;
    const timings = core.timings;
    c.validUntil =
      c.time + (c.effect === CLOSE ? timings.closeValidMs : c.type === MARKET ? timings.marketValidMs : timings.limitValidMs);
    const slot = core.orders.add(c, strategy);
    core.orders.reserve(slot, c.size);
    this.#send(approved, strategy, reason, c.seq);
    return c.seq;
  }

  /** Sends the prepared MODIFY of the order in `slot`; `size` and `price` of the command are the new order's. */
  submitModify(slot: number, strategy: number, reason: string): number {
    const core = this.#core;
    const orders = core.orders;
    const c = this.command;
    c.target = orders.seq[slot]!;
    c.targetVenueId = orders.venueId[slot]!;
    const approved = this.#risk.approveOrder(c, strategy);
    if (approved === null) return this.refuse(strategy, this.#risk.rule, this.#risk.detail);
    c.seq = core.nextSeq++;
    c.validUntil = c.time + (c.effect === CLOSE ? core.timings.closeValidMs : core.timings.limitValidMs);
    orders.transition(slot, MODIFYING);
    orders.sentAt[slot] = core.now;
    const next = orders.add(c, strategy);
    orders.reserve(next, Math.max(0, c.size - orders.remaining(slot)));
    this.#send(approved, strategy, reason, c.seq);
    return c.seq;
  }

  /** Cancels the order in `slot`, at once or as soon as its present command has an outcome. False when it has ended or is on its way out. */
  cancel(slot: number, strategy: number, reason: string): boolean {
    const core = this.#core;
    const orders = core.orders;
    const state = orders.state[slot]!;
    const seq = orders.seq[slot]!;
    if (state === SUBMITTING || state === MODIFYING || state === UNKNOWN) {
      if (orders.cancelWanted[slot] === 1) return false;
      orders.cancelWanted[slot] = 1;
      return true;
    }
    if (state !== WORKING) return false;
    const kind = orders.kind[slot]!;
    const c = this.begin(kind === PLACE ? CANCEL : kind === PLACE_TRIGGER ? CANCEL_TRIGGER : CANCEL_SPOT, orders.instrument[slot]!);
    c.side = orders.side[slot]!;
    c.effect = orders.effect[slot]!;
    c.target = seq;
    c.targetVenueId = orders.venueId[slot]!;
    const approved = this.#risk.approveCancel(c, strategy);
    c.seq = core.nextSeq++;
    orders.transition(slot, CANCELLING);
    orders.sentAt[slot] = core.now;
    this.#send(approved, strategy, reason, seq);
    return true;
  }

  /** Sends the prepared SET_MARGIN_MODE or ADJUST_MARGIN. */
  submitMargin(strategy: number, reason: string): boolean {
    const c = this.command;
    const approved = this.#risk.approveMargin(c, strategy);
    if (approved === null) {
      this.refuse(strategy, this.#risk.rule, this.#risk.detail);
      return false;
    }
    c.seq = this.#core.nextSeq++;
    c.validUntil = c.time + this.#core.timings.limitValidMs;
    this.#send(approved, strategy, reason, 0);
    return true;
  }

  /** We say no: counted, logged, shown to the strategy. Always 0. */
  refuse(strategy: number, rule: string, detail: string): 0 {
    const core = this.#core;
    const c = this.command;
    this.refusals++;
    core.tally.count('intent-refused', rule, core.now, refusal(this.names[strategy] ?? '', rule, detail));
    if (c.kind !== PLACE && c.kind !== PLACE_TRIGGER && c.kind !== PLACE_SPOT && c.kind !== MODIFY) return 0;
    c.seq = 0;
    const slot = core.orders.add(c, strategy);
    core.orders.transition(slot, REFUSED);
    core.orders.settled[slot] = 1;
    core.notices.order(slot, 0, 0, rule, detail);
    core.orders.releaseIfDone(slot);
    return 0;
  }

  accepted(seq: number, venueId: string): void {
    const core = this.#core;
    const flight = core.flights.slotOf(seq);
    if (flight < 0) return;
    const kind = core.flights.kind[flight]!;
    const slot = core.orders.slotOf(core.flights.order[flight]!);
    core.flights.remove(flight);
    core.journal.outcome(seq, 'accepted', venueId, '', core.now);
    if (slot < 0) return;
    if (kind === CANCEL || kind === CANCEL_TRIGGER || kind === CANCEL_SPOT) {
      if (core.orders.state[slot] === CANCELLING) endOrder(core, slot, CANCELLED, '', '');
      return;
    }
    if (kind === MODIFY) this.#replaced(slot);
    this.#working(slot, venueId);
  }

  rejected(seq: number, why: string, detail: string): void {
    const core = this.#core;
    const flight = core.flights.slotOf(seq);
    if (flight < 0) return;
    const kind = core.flights.kind[flight]!;
    const slot = core.orders.slotOf(core.flights.order[flight]!);
    core.flights.remove(flight);
    core.journal.outcome(seq, 'rejected', '', why, core.now);
    core.tally.count('command-rejected', why, core.now, refusal(slot < 0 ? '' : this.nameOf(slot), why, detail));
    if (slot < 0) return;
    if (kind === CANCEL || kind === CANCEL_TRIGGER || kind === CANCEL_SPOT) return this.#cancelFailed(slot, kind, why, detail);
    if (kind === MODIFY) this.backToWorking(core.orders.slotOf(core.orders.replaces[slot]!), why, detail);
    endOrder(core, slot, REJECTED, why, detail);
  }

  unsent(seq: number, cause: string): void {
    const core = this.#core;
    const flight = core.flights.slotOf(seq);
    if (flight < 0) return;
    const kind = core.flights.kind[flight]!;
    const slot = core.orders.slotOf(core.flights.order[flight]!);
    core.flights.remove(flight);
    core.journal.outcome(seq, 'unsent', '', cause, core.now);
    if (slot < 0) return;
    if (kind === CANCEL || kind === CANCEL_TRIGGER || kind === CANCEL_SPOT) return this.backToWorking(slot, 'unsent', cause);
    if (kind === MODIFY) this.backToWorking(core.orders.slotOf(core.orders.replaces[slot]!), 'unsent', cause);
    endOrder(core, slot, REFUSED, 'unsent', cause);
  }

  /** Ends the order that the one in `slot` replaces. */
  #replaced(slot: number): void {
    const core = this.#core;
    const old = core.orders.slotOf(core.orders.replaces[slot]!);
    if (old < 0 || !core.orders.isLive(old)) return;
    if (core.orders.cancelWanted[old] === 1) core.orders.cancelWanted[slot] = 1;
    endOrder(core, old, REPLACED, '', '');
  }

  #working(slot: number, venueId: string): void {
    const core = this.#core;
    const orders = core.orders;
    if (venueId !== '') orders.venueId[slot] = venueId;
    if (!orders.isLive(slot)) return;
    orders.sentAt[slot] = core.now;
    orders.reserve(slot, orders.remaining(slot));
    if (orders.kind[slot] === PLACE_SPOT && orders.type[slot] === MARKET && !core.isPushed) {
      // Nothing can be read about a spot order: an accepted market order is taken as filled, at an unknown price.
      fillOrder(core, slot, orders.remaining(slot), 0);
      return endOrder(core, slot, FILLED, '', '');
    }
    if (orders.state[slot] !== WORKING) orders.transition(slot, WORKING);
    core.notices.order(slot, 0, 0, '', '');
    this.cancelIfWanted(slot);
  }

  /** Found alive: WORKING, with its venue id. For reads and for the resolver. */
  found(slot: number, venueId: string): void {
    this.#replaced(slot);
    this.#working(slot, venueId);
  }

  /** The order's cancel or modify came to nothing: it rests as before. */
  backToWorking(slot: number, why: string, detail: string): void {
    if (slot < 0) return;
    const core = this.#core;
    const state = core.orders.state[slot]!;
    if (state !== CANCELLING && state !== MODIFYING && state !== UNKNOWN) return;
    core.orders.transition(slot, WORKING);
    core.orders.sentAt[slot] = core.now;
    core.notices.order(slot, 0, 0, why, detail);
    this.cancelIfWanted(slot);
  }

  /** Sends the cancel that had to wait. */
  cancelIfWanted(slot: number): void {
    const orders = this.#core.orders;
    if (orders.cancelWanted[slot] === 0) return;
    orders.cancelWanted[slot] = 0;
    this.cancel(slot, orders.strategy[slot]!, 'wanted before the outcome was known');
  }

  nameOf(slot: number): string {
    return this.names[this.#core.orders.strategy[slot]!] ?? '';
  }

  /** "Not found" is not "not cancelled": futures are read again, a plan order may have triggered, a spot order cannot be read. */
  #cancelFailed(slot: number, kind: number, why: string, detail: string): void {
    const core = this.#core;
    if (core.orders.state[slot] !== CANCELLING) return;
    if (why !== 'order-not-found') return this.backToWorking(slot, why, detail);
    if (kind === CANCEL && !core.isPushed) {
      core.orders.missing[slot] = 1;
      return;
    }
    if (kind === CANCEL) return;
    endOrder(core, slot, CANCELLED, why, detail);
  }

  #send(command: Approved<Command>, strategy: number, reason: string, order: number): void {
    const core = this.#core;
    assert(command.seq > 0, 'a command has its number before it leaves');
    core.flights.add(command.seq, command.kind, command.instrument, order, command.time);
    core.journal.command(command, this.names[strategy] ?? '', reason);
    core.venue.execute(command);
  }
}

function refusal(strategy: string, why: string, detail: string): Record<string, unknown> {
  return { strategy, why, detail }; // hot-ok: only when something was refused
}
