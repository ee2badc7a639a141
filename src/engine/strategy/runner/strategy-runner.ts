/**
 * Runs one strategy in isolation: errors that it throws are counted and logged with handler and stack, and too many of them disable it;
 * assertion errors of the program are rethrown. @hot
 * size: one method per handler
 */
import { AssertionError } from '../../../base/failure/assert.ts';
import type { DirectionName, EffectName, SideName } from '../../../domain/codes.ts';
import type { Core } from '../../state/core.ts';
import type { Activity } from '../../state/activity/activity.ts';
import type { Owner } from '../../state/records/owner.ts';
import type { InsideBar } from '../../state/inside-bar.ts';
import type { StrategyExecutions } from '../../trades/executions/strategy-executions.ts';
import type { Execution } from '../../trades/executions/execution-types.ts';
import type { Drawing } from '../context/drawing.ts';
import { FillView } from '../context/order-views.ts';
import { endStrategy, type FaultLimit, type StopPolicy } from './stopping.ts';
import { enroll, enter, leave, numberOf } from '../definition/running.ts';
import { thrown } from '../definition/thrown.ts';
import type { ScheduleRun, Schedules } from '../durable/schedules.ts';
import type { StoredState } from '../durable/stored-state.ts';
import type { StrategyTrades } from '../../trades/strategy-trades.ts';
import type { ManagedTrade } from '../../trades/trade-types.ts';
import type {
  BarSlice,
  ExternalEvent,
  Fill,
  HaltEvent,
  SignalEvent,
  StrategyContext,
  StrategyHandlers,
  UniverseEvent,
} from '../definition/types.ts';
import type { Market, OrderNumber, Trade } from '../../intents/market-types.ts';
import type { OrderEvent, PositionEvent } from '../../intents/events.ts';
import type { Bar } from '../../market/bar.ts';

/** The shared state that this file uses. */
interface RunnerCore extends Core {
  readonly inside: InsideBar;
}

const [ON_START, ON_QUOTE, ON_TRADE, ON_BAR, ON_ORDER] = [
  numberOf('onStart'),
  numberOf('onQuote'),
  numberOf('onTrade'),
  numberOf('onBar'),
  numberOf('onOrder'),
];
const [ON_BARS, ON_EXIT, ON_FILL] = [numberOf('onBars'), numberOf('onExit'), numberOf('onFill')];
const [ON_POSITION, ON_TIMER, ON_STOP] = [numberOf('onPosition'), numberOf('onTimer'), numberOf('onStop')];
const [SAVE, RESTORE] = [numberOf('save'), numberOf('restore')];

type RareHandler = 'onExecution' | 'onExternal' | 'onHalt' | 'onSchedule' | 'onSignal' | 'onUniverse';

const NO_SCHEDULE: Readonly<Record<string, string>> = {};

export interface RunnerRules {
  readonly faults: FaultLimit;
  readonly onStop: StopPolicy;
}

interface RunnerDeps {
  readonly name: string;
  readonly handlers: StrategyHandlers;
  readonly context: StrategyContext;
  readonly trades: StrategyTrades;
  readonly executions: StrategyExecutions;
  /** Durable state. */
  readonly state: StoredState;
  readonly schedules: Schedules;
  /** The strategy as an owner of orders. */
  readonly owner: Pick<Owner, 'activity' | 'trial'>;
  readonly drawing: Drawing;
}

export class StrategyRunner {
  declare readonly name: string;
  /** Others of the same kinds after a change of the strategy. */
  declare handlers: StrategyHandlers;
  declare readonly context: StrategyContext;
  /** True after too many errors or a runaway: the stop policy is applied and no handler is called. */
  isDisabled = false;
  disabledWhy = '';
  disabledAt = -Infinity;
  /** What it last did, by instrument. */
  declare readonly activity: readonly Activity[];
  declare readonly drawing: Drawing;
  declare readonly executions: StrategyExecutions;
  /** Durable state; another object after a reload. */
  declare state: StoredState;
  declare readonly schedules: Schedules;
  declare readonly trades: StrategyTrades;
  /** True until enough bars exist: no handler is called. */
  isWarming = false;
  errors = 0;
  declare private readonly core: RunnerCore;
  declare private readonly limit: FaultLimit;
  declare private readonly owner: RunnerDeps['owner'];
  /** Its number for the watchdog of running handlers. */
  declare readonly slot: number;
  readonly #stopPolicy: StopPolicy;
  readonly #faults: number[] = [];
  readonly #exits: ManagedTrade[] = [];
  readonly #fill = new FillView();
  /** By handler: how often it threw since it last did not. */
  readonly #rows = new Map<string, number>();
  /** True while a handler threw at its last call. */
  private isSuspect = false;
  /** Stack of the last error: the same stack is logged once. */
  #frames = '';

  constructor(core: RunnerCore, deps: RunnerDeps, rules: RunnerRules) {
    const { name, handlers, context, trades, executions, state, schedules } = deps;
    this.name = name;
    this.activity = deps.owner.activity;
    this.owner = deps.owner;
    this.drawing = deps.drawing;
    this.trades = trades;
    this.executions = executions;
    this.state = state;
    this.schedules = schedules;
    this.handlers = handlers;
    this.context = context;
    this.core = core;
    this.limit = rules.faults;
    this.#stopPolicy = rules.onStop;
    this.slot = enroll(name);
  }

  quote(market: Market): void {
    if (this.isDisabled) return;
    this.trades.quote(market);
    if (this.executions.count > 0) this.executions.quote(market);
    if (this.isWarming || this.handlers.onQuote === undefined) return;
    this.activity[market.index]!.called(this.core.now);
    try {
      enter(this.slot, ON_QUOTE);
      const returned: unknown = this.handlers.onQuote(market, this.context);
      leave();
      if (returned !== undefined || this.isSuspect) this.returned('onQuote', returned);
    } catch (error) {
      this.fault('onQuote', error);
    }
  }

  /** Inside a bar: managed trades look at the quote that it came to. */
  path(market: Market): void {
    if (!this.isDisabled) this.trades.quote(market);
  }

  trade(trade: Trade, market: Market): void {
    if (this.isDisabled || this.isWarming) return;
    this.activity[market.index]!.called(this.core.now);
    try {
      enter(this.slot, ON_TRADE);
      const returned: unknown = this.handlers.onTrade!(trade, market, this.context);
      leave();
      if (returned !== undefined || this.isSuspect) this.returned('onTrade', returned);
    } catch (error) {
      this.fault('onTrade', error);
    }
  }

  bar(bar: Bar, market: Market): void {
    if (this.isDisabled || this.isWarming) return;
    this.activity[market.index]!.heardBar(this.core.now);
    try {
      enter(this.slot, ON_BAR);
      const returned: unknown = this.handlers.onBar!(bar, market, this.context);
      leave();
      if (returned !== undefined || this.isSuspect) this.returned('onBar', returned);
    } catch (error) {
      this.fault('onBar', error);
    }
  }

  bars(slice: BarSlice): void {
    if (this.isDisabled || this.isWarming || this.handlers.onBars === undefined) return;
    if (this.handlers.onBar === undefined) for (const { index } of this.context.markets) this.activity[index]!.heardBar(this.core.now);
    try {
      enter(this.slot, ON_BARS);
      const returned: unknown = this.handlers.onBars(slice, this.context);
      leave();
      if (returned !== undefined || this.isSuspect) this.returned('onBars', returned);
    } catch (error) {
      this.fault('onBars', error);
    }
  }

  /**
   * `isTraded`: false for an order in a symbol that was removed from the strategy's configuration; its handlers know nothing of it. `known`:
   * the managed trade of the order, if the trades have heard of the event; undefined if they have not.
   */
  order(event: OrderEvent, isTraded: boolean, known?: ManagedTrade | null): void {
    const isFill = event.fillSize > 0 && this.handlers.onFill !== undefined;
    const trade = known === undefined ? (isFill ? this.tradeOf(event.order.number) : null) : known;
    // Counted also while the strategy is stopped.
    if (this.executions.count > 0) this.executions.order(event);
    if (known === undefined) this.trades.order(event);
    if (this.isDisabled || this.isWarming || !isTraded) return;
    if (this.handlers.onOrder !== undefined) this.ordered(event);
    if (isFill) {
      const { number, side, effect, direction, market } = event.order;
      this.fill(market, number, side, effect, direction, event.fillSize, event.fillPrice, 'order', trade);
    }
  }

  private ordered(event: OrderEvent): void {
    try {
      enter(this.slot, ON_ORDER);
      const returned: unknown = this.handlers.onOrder!(event, this.context);
      leave();
      if (returned !== undefined || this.isSuspect) this.returned('onOrder', returned);
    } catch (error) {
      this.fault('onOrder', error);
    }
  }

  /** The managed trade that order `number` belongs to, or null. */
  tradeOf(number: number): ManagedTrade | null {
    return this.trades.ofOrder(number);
  }

  /** A bracket of an own order filled; `trade` is the one that it protected. */
  bracketFill({ market, position, change, cause, price, order }: PositionEvent, trade: ManagedTrade | null): void {
    if (this.isWarming || this.handlers.onFill === undefined || (cause !== 'stop-loss' && cause !== 'take-profit')) return;
    const direction = position.side === 'LONG' ? 'SELL' : 'BUY';
    this.fill(market, order, position.side, 'CLOSE', direction, Math.abs(change), price, cause, trade);
  }

  private fill(
    market: Market,
    order: OrderNumber,
    side: SideName,
    effect: EffectName,
    direction: DirectionName,
    size: number,
    price: number,
    cause: Fill['cause'],
    trade: ManagedTrade | null,
  ): void {
    if (this.isDisabled) return;
    const fill = this.#fill;
    fill.order = order;
    fill.side = side;
    fill.effect = effect;
    fill.direction = direction;
    fill.size = size;
    fill.price = price;
    fill.cause = cause;
    fill.trade = trade;
    try {
      enter(this.slot, ON_FILL);
      const returned: unknown = this.handlers.onFill!(fill, market, this.context);
      leave();
      if (returned !== undefined || this.isSuspect) this.returned('onFill', returned);
    } catch (error) {
      this.fault('onFill', error);
    }
  }

  /** Counts a change of a leg in executions, also while the strategy is stopped. */
  bookExecutions(event: PositionEvent): void {
    if (this.executions.count > 0) this.executions.position(event);
  }

  position(event: PositionEvent): void {
    if (this.isDisabled || this.isWarming || this.handlers.onPosition === undefined) return;
    try {
      enter(this.slot, ON_POSITION);
      const returned: unknown = this.handlers.onPosition(event, this.context);
      leave();
      if (returned !== undefined || this.isSuspect) this.returned('onPosition', returned);
    } catch (error) {
      this.fault('onPosition', error);
    }
  }

  /** An execution ended. */
  executed(execution: Execution): void {
    this.#rare('onExecution', execution);
  }

  /** A managed trade ended. Inside a bar this is told at its end. */
  exit(trade: ManagedTrade): void {
    if (this.core.inside.isOpen) this.#exits.push(trade);
    else this.#exit(trade);
  }

  /** A bar has ended: tells which trades ended in it. */
  flushExits(): void {
    while (this.#exits.length > 0) this.#exit(this.#exits.shift()!);
  }

  #exit(trade: ManagedTrade): void {
    if (this.executions.count > 0) this.executions.tradeEnded(trade);
    if (this.isDisabled || this.isWarming || this.handlers.onExit === undefined) return;
    try {
      enter(this.slot, ON_EXIT);
      const returned: unknown = this.handlers.onExit(trade, this.context);
      leave();
      if (returned !== undefined || this.isSuspect) this.returned('onExit', returned);
    } catch (error) {
      this.fault('onExit', error);
    }
  }

  external(event: ExternalEvent): void {
    this.#rare('onExternal', event);
  }

  halt(event: HaltEvent): void {
    this.#rare('onHalt', event);
  }

  /** Its symbols were chosen again. */
  universe(event: UniverseEvent): void {
    this.#rare('onUniverse', event);
  }

  /** A program outside said something. */
  signal(event: SignalEvent): void {
    this.#rare('onSignal', event);
  }

  /** Calls a handler of events that are rare. */
  #rare<H extends RareHandler>(handler: H, event: Parameters<NonNullable<StrategyHandlers[H]>>[0]): void {
    const { handlers } = this;
    const call = handlers[handler] as ((event: unknown, context: StrategyContext) => unknown) | undefined;
    if (this.isDisabled || this.isWarming || call === undefined) return;
    try {
      enter(this.slot, numberOf(handler));
      const returned = call.call(handlers, event, this.context);
      leave();
      if (returned !== undefined || this.isSuspect) this.returned(handler, returned);
    } catch (error) {
      this.fault(handler, error);
    }
  }

  timer(name: string): void {
    if (this.isDisabled || this.isWarming || this.handlers.onTimer === undefined) return;
    try {
      enter(this.slot, ON_TIMER);
      const returned: unknown = this.handlers.onTimer(name, this.context);
      leave();
      if (returned !== undefined || this.isSuspect) this.returned('onTimer', returned);
    } catch (error) {
      this.fault('onTimer', error);
    }
  }

  /** A time of the calendar came. */
  schedule(run: ScheduleRun): void {
    this.#rare('onSchedule', run);
  }

  /** Forgets the faults of the handlers before. */
  renew(): void {
    this.isDisabled = false;
    this.disabledWhy = '';
    this.#faults.length = 0;
    this.#rows.clear();
    this.isSuspect = false;
  }

  /** Lets handlers that do not run yet restore a state. @throws what they throw */
  tryRestore(handlers: StrategyHandlers, state: string): void {
    enter(this.slot, RESTORE);
    try {
      handlers.restore?.(state);
    } finally {
      leave();
    }
  }

  start(state: string | undefined): void {
    if (state !== undefined && this.handlers.restore !== undefined) {
      try {
        enter(this.slot, RESTORE);
        this.handlers.restore(state);
        leave();
      } catch (error) {
        this.fault('restore', error);
      }
    }
    if (this.handlers.onStart !== undefined) this.#begin(this.handlers.onStart.bind(this.handlers));
    this.schedules.begin(this.handlers.schedule ?? NO_SCHEDULE);
  }

  #begin(onStart: (context: StrategyContext) => unknown): void {
    try {
      enter(this.slot, ON_START);
      const returned = onStart(this.context);
      leave();
      if (returned !== undefined || this.isSuspect) this.returned('onStart', returned);
    } catch (error) {
      this.fault('onStart', error);
    }
  }

  stop(): void {
    if (this.isDisabled || this.isWarming || this.handlers.onStop === undefined) return;
    try {
      enter(this.slot, ON_STOP);
      const returned: unknown = this.handlers.onStop(this.context);
      leave();
      if (returned !== undefined || this.isSuspect) this.returned('onStop', returned);
    } catch (error) {
      this.fault('onStop', error);
    }
  }

  /** The state that the strategy wants to keep; undefined if it keeps none or `save` failed. */
  save(): string | undefined {
    if (this.handlers.save === undefined || this.isWarming) return undefined;
    try {
      enter(this.slot, SAVE);
      const state: unknown = this.handlers.save();
      leave();
      if (typeof state === 'string') return state;
      throw new TypeError('save must return a string');
    } catch (error) {
      this.fault('save', error);
      return undefined;
    }
  }

  /**
   * Checks the return value of a handler, and notes that it did not throw. A promise is a fault, because it would continue after the event
   * and nothing waits for it. True for a fault.
   */
  returned(handler: string, returned: unknown): boolean {
    if (typeof returned !== 'object' || returned === null || typeof (returned as Partial<PromiseLike<unknown>>).then !== 'function') {
      if (this.isSuspect) {
        this.#rows.delete(handler);
        this.isSuspect = this.#rows.size > 0;
      }
      return false;
    }
    const later = returned as PromiseLike<unknown>;
    later.then(undefined, () => undefined); // hot-ok: only for a faulty strategy
    this.fault(handler, new TypeError(handler + ' gave back a promise: a handler must be done when it returns')); // hot-ok: as above
    return true;
  }

  fault(handler: string, error: unknown): void {
    leave();
    if (error instanceof AssertionError) throw error;
    const { log, now } = this.core;
    this.errors++;
    const { what, frames } = thrown(error);
    const text = frames === this.#frames ? what : what + frames;
    this.#frames = frames;
    log.error('strategy-error', { strategy: this.name, handler, error: text }); // hot-ok: only when a strategy threw
    if (this.owner.trial?.isOn(now) === true) return this.disable(handler + ' threw ' + what);
    this.#faults.push(now);
    while (this.#faults.length > 0 && this.#faults[0]! < now - this.limit.windowMs) this.#faults.shift();
    const inRow = (this.#rows.get(handler) ?? 0) + 1;
    this.#rows.set(handler, inRow);
    this.isSuspect = true;
    // Bars are too far apart for the window; one handler that always throws is as broken.
    if (this.#faults.length >= this.limit.count || inRow >= this.limit.count) this.disable('too-many-errors');
  }

  /** Disables the strategy: no handler is called any more, and the stop policy decides about its orders and positions. */
  disable(why: string): void {
    if (this.isDisabled) return;
    this.isDisabled = true;
    this.disabledWhy = why;
    this.disabledAt = this.core.now;
    // The file before comes back in this moment, and goes on with its orders.
    if (this.owner.trial?.isOn(this.core.now) === true) return this.owner.trial.failed(why);
    endStrategy(this, this.core, this.#stopPolicy);
  }

  /** No handler is called any more, because an operator took the strategy out. It holds nothing. */
  setAside(why: string): void {
    this.isDisabled = true;
    this.disabledWhy = why;
    this.disabledAt = this.core.now;
  }

  /** Disables the strategy for good, whether it is on trial or not. */
  stopFor(why: string): void {
    this.owner.trial = null;
    this.isDisabled = false;
    this.disable(why);
  }

  /** Enables the strategy again, beginning with onStart. */
  allow(state: string | undefined): void {
    if (!this.isDisabled) return;
    this.renew();
    this.core.log.warn('strategy-allowed', { strategy: this.name }); // hot-ok: once
    this.start(state);
  }
}
