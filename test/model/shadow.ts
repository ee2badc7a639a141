/** A simulator shadowed by the model: every call also reaches the model, and then both must have reported the same. */
import type { Command } from '../../src/domain/orders/command.ts';
import type { Kernel } from '../../src/engine/kernel.ts';
import { VenueSim } from '../../src/sim/core/venue-core.ts';
import type { Order } from '../../src/sim/state/order.ts';
import type { LedgerSink, SimSpec } from '../../src/sim/state/types.ts';
import type { TapeStream } from '../../src/tape/file/stream.ts';
import { compareLedgerLines, compareVenues, same, LedgerText } from './compare.ts';
import { ModelVenue } from './venue/venue.ts';

/** One in this many answers is compared in full. */
const FULL_EVERY = 499;

export class ShadowedVenue extends VenueSim {
  readonly model: ModelVenue;
  rows = 0;
  /** Rows that the simulator skipped because they affect nobody; the model got them. */
  spared = 0;
  commands = 0;
  readonly #teller: LedgerText;
  #told = 0;

  constructor(spec: SimSpec, sink: LedgerSink | null) {
    const teller = new LedgerText();
    super(spec, sink === null ? teller : tee(sink, teller));
    this.#teller = teller;
    this.model = new ModelVenue(spec);
  }

  override quote(i: number, bid: number, bidSize: number, ask: number, askSize: number, time: number): void {
    super.quote(i, bid, bidSize, ask, askSize, time);
    this.model.quote(i, bid, bidSize, ask, askSize, time);
    this.#row();
  }

  override trade(i: number, price: number, size: number, aggressor: number, time: number, id: number): void {
    super.trade(i, price, size, aggressor, time, id);
    this.model.trade(i, price, size, aggressor, time, id);
    this.#row();
  }

  override advance(time: number): void {
    super.advance(time);
    this.model.advance(time);
    this.#check();
  }

  override place(account: number, c: Command, tag: number, time: number): number {
    return this.#answer(super.place(account, c, tag, time), this.model.place(account, c, tag, time));
  }

  override placeTrigger(account: number, c: Command, tag: number, time: number): number {
    return this.#answer(super.placeTrigger(account, c, tag, time), this.model.placeTrigger(account, c, tag, time));
  }

  override modify(account: number, no: number, c: Command, tag: number, time: number): number {
    return this.#answer(super.modify(account, no, c, tag, time), this.model.modify(account, no, c, tag, time));
  }

  override modifyOrder(order: Order, c: Command, tag: number, time: number): number {
    const { no } = order;
    const account = order.account.index;
    return this.#answer(super.modifyOrder(order, c, tag, time), this.model.modify(account, no, c, tag, time));
  }

  override placeSpot(account: number, c: Command, tag: number, time: number): number {
    return this.#answer(super.placeSpot(account, c, tag, time), this.model.placeSpot(account, c, tag, time));
  }

  override cancel(account: number, no: number, time: number): boolean {
    return this.#answer(super.cancel(account, no, time), this.model.cancel(account, no, time));
  }

  override cancelOrder(order: Order, time: number): boolean {
    const { no } = order;
    const account = order.account.index;
    return this.#answer(super.cancelOrder(order, time), this.model.cancel(account, no, time));
  }

  override cancelSpot(account: number, no: number, time: number): boolean {
    return this.#answer(super.cancelSpot(account, no, time), this.model.cancelSpot(account, no, time));
  }

  override setMarginMode(account: number, i: number, mode: number, time: number): boolean {
    return this.#answer(super.setMarginMode(account, i, mode, time), this.model.setMarginMode(account, i, mode, time));
  }

  override adjustMargin(account: number, i: number, side: number, amount: number, time: number): boolean {
    return this.#answer(super.adjustMargin(account, i, side, amount, time), this.model.adjustMargin(account, i, side, amount, time));
  }

  /** Compares everything visible. @throws Divergence */
  compareAll(): void {
    this.#check();
    compareVenues(this, this.model);
  }

  #answer<T extends number | boolean>(ours: T, theirs: T): T {
    const isRefused = theirs === 0 || theirs === false;
    same('answer', isRefused ? `${ours} ${this.refusal}` : ours, isRefused ? `${theirs} ${this.model.refusal}` : theirs);
    this.#check();
    if (++this.commands % FULL_EVERY === 0) compareVenues(this, this.model);
    return ours;
  }

  #row(): void {
    this.rows++;
    this.#check();
  }

  #spare(rows: number): void {
    if (rows <= 0) return;
    this.rows += rows;
    this.spared += rows;
    this.#check();
  }

  /** Passes to the model the rows that the kernel takes in bulk. */
  follow(kernel: Kernel): void {
    const { takeTrades, takeQuotes } = kernel;
    kernel.takeTrades = (taker, subscribers, rows, from, to, calm) => {
      const i = subscribers.market.instrument.index;
      const next = takeTrades.call(kernel, taker, subscribers, rows, from, to, calm);
      const { time, price, size, side, id } = rows as TapeStream;
      for (let r = from; r < next; r++) this.model.trade(i, price[r]!, size[r]!, side[r]!, time[r]!, id[r]!);
      this.#spare(next - from);
      return next;
    };
    kernel.takeQuotes = (taker, subscribers, rows, from, to, calm) => {
      const i = subscribers.market.instrument.index;
      const next = takeQuotes.call(kernel, taker, subscribers, rows, from, to, calm);
      const { time, bid, bidSize, ask, askSize } = rows;
      for (let r = from; r < next - 1; r++) this.model.quote(i, bid[r]!, bidSize[r]!, ask[r]!, askSize[r]!, time[r]!);
      this.#spare(next - 1 - from);
      return next;
    };
  }

  #check(): void {
    this.#told = compareLedgerLines(this.#teller.told, this.model, this.#told);
  }
}

function tee(first: LedgerSink, second: LedgerSink): LedgerSink {
  return {
    order: (...told) => (first.order(...told), second.order(...told)),
    ended: (...told) => (first.ended(...told), second.ended(...told)),
    fill: (...told) => (first.fill(...told), second.fill(...told)),
    cash: (...told) => (first.cash(...told), second.cash(...told)),
    step: (...told) => (first.step?.(...told), second.step?.(...told)),
  };
}
