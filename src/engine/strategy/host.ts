/**
 * One running strategy behind its wall: what it throws is counted, logged with its name and handler, and after too many errors it
 * is disabled; our own bugs are not swallowed. @hot
 */
import { AssertionError } from '../../base/assert.ts';
import type { Core } from '../core.ts';
import type { FaultLimit } from '../options.ts';
import { thrown } from './thrown.ts';
import type { Bar, ExternalEvent, Market, OrderEvent, PositionEvent, StrategyContext, StrategyHandlers, Trade } from '../types.ts';

export class Host {
  declare readonly name: string;
  declare handlers: StrategyHandlers;
  declare readonly context: StrategyContext;
  /** True after too many errors or for a runaway: its live orders are cancelled and no handler is called any more. */
  isDisabled = false;
  errors = 0;
  declare private readonly core: Core;
  declare private readonly limit: FaultLimit;
  readonly #faults: number[] = [];
  /** Where the last error was thrown: the same place is told once. */
  #frames = '';

  constructor(name: string, handlers: StrategyHandlers, context: StrategyContext, core: Core, limit: FaultLimit) {
    this.name = name;
    this.handlers = handlers;
    this.context = context;
    this.core = core;
    this.limit = limit;
  }

  quote(market: Market): void {
    if (this.isDisabled) return;
    try {
      const gave: unknown = this.handlers.onQuote!(market, this.context);
      if (gave !== undefined) this.gave('onQuote', gave);
    } catch (error) {
      this.fault('onQuote', error);
    }
  }

  trade(trade: Trade, market: Market): void {
    if (this.isDisabled) return;
    try {
      const gave: unknown = this.handlers.onTrade!(trade, market, this.context);
      if (gave !== undefined) this.gave('onTrade', gave);
    } catch (error) {
      this.fault('onTrade', error);
    }
  }

  bar(bar: Bar, market: Market): void {
    if (this.isDisabled) return;
    try {
      const gave: unknown = this.handlers.onBar!(bar, market, this.context);
      if (gave !== undefined) this.gave('onBar', gave);
    } catch (error) {
      this.fault('onBar', error);
    }
  }

  order(event: OrderEvent): void {
    if (this.isDisabled) return;
    try {
      const gave: unknown = this.handlers.onOrder!(event, this.context);
      if (gave !== undefined) this.gave('onOrder', gave);
    } catch (error) {
      this.fault('onOrder', error);
    }
  }

  position(event: PositionEvent): void {
    if (this.isDisabled || this.handlers.onPosition === undefined) return;
    try {
      const gave: unknown = this.handlers.onPosition(event, this.context);
      if (gave !== undefined) this.gave('onPosition', gave);
    } catch (error) {
      this.fault('onPosition', error);
    }
  }

  external(event: ExternalEvent): void {
    if (this.isDisabled || this.handlers.onExternal === undefined) return;
    try {
      const gave: unknown = this.handlers.onExternal(event, this.context);
      if (gave !== undefined) this.gave('onExternal', gave);
    } catch (error) {
      this.fault('onExternal', error);
    }
  }

  timer(name: string): void {
    if (this.isDisabled || this.handlers.onTimer === undefined) return;
    try {
      const gave: unknown = this.handlers.onTimer(name, this.context);
      if (gave !== undefined) this.gave('onTimer', gave);
    } catch (error) {
      this.fault('onTimer', error);
    }
  }

  /** Other handlers of the same kinds take the place of these. */
  replace(handlers: StrategyHandlers): void {
    this.handlers = handlers;
  }

  start(state: string | undefined): void {
    if (state !== undefined && this.handlers.restore !== undefined) {
      try {
        this.handlers.restore(state);
      } catch (error) {
        this.fault('restore', error);
      }
    }
    if (this.handlers.onStart === undefined) return;
    try {
      const gave: unknown = this.handlers.onStart(this.context);
      if (gave !== undefined) this.gave('onStart', gave);
    } catch (error) {
      this.fault('onStart', error);
    }
  }

  stop(): void {
    if (this.isDisabled || this.handlers.onStop === undefined) return;
    try {
      const gave: unknown = this.handlers.onStop(this.context);
      if (gave !== undefined) this.gave('onStop', gave);
    } catch (error) {
      this.fault('onStop', error);
    }
  }

  /** What the strategy wants kept, or undefined when it keeps nothing or failed to say. */
  save(): string | undefined {
    if (this.handlers.save === undefined) return undefined;
    try {
      const state: unknown = this.handlers.save();
      if (typeof state === 'string') return state;
      throw new TypeError('save must return a string');
    } catch (error) {
      this.fault('save', error);
      return undefined;
    }
  }

  /**
   * A handler gave something back. A promise means that it goes on after the event, which nothing here waits for: a fault. True when
   * it is one.
   */
  gave(handler: string, gave: unknown): boolean {
    if (typeof gave !== 'object' || gave === null || typeof (gave as Partial<PromiseLike<unknown>>).then !== 'function') return false;
    const later = gave as PromiseLike<unknown>;
    later.then(undefined, () => undefined); // hot-ok: only for a faulty strategy
    this.fault(handler, new TypeError(handler + ' gave back a promise: a handler must be done when it returns')); // hot-ok: as above
    return true;
  }

  fault(handler: string, error: unknown): void {
    if (error instanceof AssertionError) throw error;
    const { log, now } = this.core;
    this.errors++;
    const { what, frames } = thrown(error);
    const text = frames === this.#frames ? what : what + frames;
    this.#frames = frames;
    log.error('strategy-error', { strategy: this.name, handler, error: text }); // hot-ok: only when a strategy threw
    this.#faults.push(now);
    while (this.#faults.length > 0 && this.#faults[0]! < now - this.limit.windowMs) this.#faults.shift();
    if (this.#faults.length >= this.limit.count) this.disable('too-many-errors');
  }

  /** No handler is called any more; what it has at the venue is cancelled. */
  disable(why: string): void {
    if (this.isDisabled) return;
    this.isDisabled = true;
    this.core.log.error('strategy-disabled', { strategy: this.name, why, errors: this.errors }); // hot-ok: once
    this.context.cancelAll(undefined, 'strategy disabled');
  }
}
