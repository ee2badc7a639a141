/**
 * The executions of one strategy. Each has at most one order at the venue, and the next is placed only when the fills of the last are
 * final. So all its orders together never fill more than its size. Executors say which order should be there; this book places, withdraws
 * and counts, by the intents of `ctx`, so every order passes the risk rules. Each change is written into the journal with its orders.
 * size: the life of an execution from start to end
 */
import { assert } from '../../../base/failure/assert.ts';
import type { Timer, TimerQueue } from '../../../base/time/timer-queue.ts';
import { formatLots, formatTicks, type Instrument } from '../../../domain/instrument.ts';
import type { CommandJournal } from '../../state/events/journal.ts';
import type { SideName } from '../../../domain/codes.ts';
import type { ExecutionPlan, SavedBracket, SavedExecution, SavedLine } from './saved-execution.ts';
import { WorkedExecution, type ExecutionOwner } from './execution.ts';
import { executionOf, type ExecutionRequest, type FieldsContext } from './execution-fields.ts';
import type { Execution } from './execution-types.ts';
import type { ExecutionInput, Step, Wanted } from './executors/execution-input.ts';
import { freedLevels, isOver, nextLevel, type GridLevel, type GridPlan } from './executors/grid.ts';
import { icebergStep } from './executors/iceberg.ts';
import { ocoStep } from './executors/oco.ts';
import { pegStep } from './executors/peg.ts';
import { twapStep } from './executors/twap.ts';
import type { EnterFields, ManagedTrade, TradeActions } from '../trade-types.ts';
import type { BracketPrice, Market, OrderView } from '../../intents/market-types.ts';
import type { OrderEvent, PositionEvent } from '../../intents/events.ts';
import type { OrderActions } from '../../intents/intents.ts';

/** The first pause after a refusal; each further one is twice as long. */
const RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 30_000;
/** An execution whose orders are refused so often in a row ends. */
const MOST_REFUSALS = 10;
/** Opening orders whose brackets are remembered. */
const MOST_BRACKETED = 200;

export interface StrategyExecutionsDeps {
  readonly strategy: string;
  readonly context: OrderActions & Pick<TradeActions, 'enter' | 'trades'>;
  readonly instruments: readonly Instrument[];
  readonly journal: Pick<CommandJournal, 'note'>;
  readonly timerQueue: TimerQueue;
  /** False while the strategy is stopped: orders are counted, and none is placed. */
  readonly isReady: () => boolean;
  /** False while no new order can leave, because the journal is away: an order is not withdrawn for another one meanwhile. */
  readonly canReplace: () => boolean;
  readonly lots: FieldsContext['lots'] extends (...given: infer Given) => number ? (market: Market, ...given: Given) => number : never;
  /** The number of the next execution. */
  readonly number: () => number;
  readonly watch: (market: Market) => void;
  readonly ended: (execution: Execution) => void;
  /** Refuses an intent because of this error. @throws the error if it is no mistake in the intent */
  readonly refuse: (market: Market, error: unknown) => void;
}

export class StrategyExecutions implements ExecutionOwner, Timer {
  count = 0;
  readonly #deps: StrategyExecutionsDeps;
  readonly #executions: WorkedExecution[] = [];
  readonly #timer: number;

  constructor(deps: StrategyExecutionsDeps) {
    this.#deps = deps;
    this.#timer = deps.timerQueue.add(this);
  }

  get isEmpty(): boolean {
    return this.count === 0;
  }

  /** Executions that have not ended, oldest first. */
  of(market?: Market): readonly WorkedExecution[] {
    return market === undefined ? [...this.#executions] : this.#executions.filter((one) => one.market === market);
  }

  /** Starts an execution; null if its fields are refused. */
  start<Kind extends ExecutionRequest['kind']>(
    kind: Kind,
    fields: Extract<ExecutionRequest, { readonly kind: Kind }>['fields'],
  ): Execution | null {
    const asked = { kind, fields } as ExecutionRequest;
    const { context, instruments } = this.#deps;
    const { market } = fields;
    const instrument = instruments[market.index]!;
    let saved: SavedExecution;
    try {
      const lots: FieldsContext['lots'] = (...given) => this.#deps.lots(market, ...given);
      saved = executionOf(0, asked, { now: context.now, instrument, lots });
    } catch (error) {
      this.#deps.refuse(market, error);
      return null;
    }
    this.#deps.watch(market);
    const execution = new WorkedExecution({ ...saved, id: this.#deps.number() }, market, instrument, this);
    this.#add(execution);
    this.#go(execution);
    this.#changed(execution);
    this.#schedule();
    return execution;
  }

  /** An event of an own order. */
  order({ kind, order, fillSize, fillPrice }: OrderEvent): void {
    for (const execution of this.of(order.market)) {
      const { saved } = execution;
      if (saved.child?.order !== (order.repeats || order.number)) continue;
      if (fillSize > 0) this.#filled(execution, lotsIn(fillSize, order.market), fillPrice);
      if (kind === 'accepted' || kind === 'fill') saved.refusals = 0;
      if (order.repeats === 0 && (kind === 'refused' || kind === 'rejected')) this.#refused(execution);
      this.#go(execution);
      this.#changed(execution);
    }
    this.#schedule();
  }

  /** A bracket of one of its orders closed what was opened: it opens no more. */
  position({ market, position, cause, order }: PositionEvent): void {
    if (cause !== 'stop-loss' && cause !== 'take-profit') return;
    for (const execution of this.of(market)) {
      // Brackets of one price and size cannot be told apart: one that was reached counts as fired.
      const isReached = cause === 'stop-loss' && execution.saved.lines.some((line) => isStopped(line, position.side, market));
      if (execution.saved.bracketed.includes(order) || isReached) this.cancel(execution, cause);
    }
  }

  quote(market: Market): void {
    // Backwards, because one that ends leaves the list.
    for (let k = this.#executions.length - 1; k >= 0; k--) {
      const execution = this.#executions[k]!;
      if (execution.market !== market) continue;
      const { plan, child, state } = execution.saved;
      this.#go(execution);
      const { saved } = execution;
      if (saved.plan !== plan || saved.child !== child || saved.state !== state) this.#changed(execution);
    }
    this.#schedule();
  }

  due(): void {
    for (const execution of this.of()) {
      execution.seenAt = this.#deps.context.now;
      this.#go(execution);
      this.#changed(execution);
    }
    this.#schedule();
  }

  cancel(execution: WorkedExecution, why: string): void {
    const { saved } = execution;
    if (saved.state !== 'working') return;
    saved.state = 'ending';
    saved.why = why;
    this.#go(execution);
    this.#changed(execution);
    this.#schedule();
  }

  /** A managed trade ended: a level of a grid is free. */
  tradeEnded(trade: ManagedTrade): void {
    for (const execution of this.of(trade.market)) {
      const { plan } = execution.saved;
      if (plan.kind !== 'grid' || !plan.levels.some((level) => level.trade === trade.id)) continue;
      const isStop = trade.exits.some(({ why }) => why === 'stop-loss');
      if (isStop) this.cancel(execution, 'stop-loss');
      else this.#go(execution);
      this.#changed(execution);
    }
    this.#schedule();
  }

  tradesOf({ saved: { plan }, market }: WorkedExecution): readonly ManagedTrade[] {
    if (plan.kind !== 'grid') return [];
    const ids = plan.levels.map(({ trade }) => trade);
    return this.#deps.context.trades(market).filter(({ id }) => ids.includes(id));
  }

  saved(): readonly SavedExecution[] {
    return this.#executions.map(({ saved }) => structured(saved));
  }

  /** Continues the executions of an earlier process, all of markets that the strategy trades. */
  restore(saved: readonly SavedExecution[]): void {
    const { context, instruments } = this.#deps;
    for (const one of saved) {
      if (one.state === 'done') continue;
      const market = context.markets.find(({ symbol, product }) => symbol === one.symbol && product === 'futures')!;
      this.#add(new WorkedExecution(structured(one), market, instruments[market.index]!, this));
      this.#deps.watch(market);
    }
  }

  /** The bot is armed: positions and orders are known. */
  begin(): void {
    this.due();
  }

  #add(execution: WorkedExecution): void {
    assert(
      this.#executions.every(({ id }) => id !== execution.id),
      'an execution has a number of its own',
      execution.id,
    );
    this.#executions.push(execution);
    this.count = this.#executions.length;
  }

  /** Brings the order at the venue to what the plan wants. Safe to call again. */
  #go(execution: WorkedExecution): void {
    const { saved } = execution;
    const { context } = this.#deps;
    if (saved.state === 'done') return;
    if (saved.state === 'working' && saved.expiresAt > 0 && context.now >= saved.expiresAt) {
      saved.state = 'ending';
      saved.why = 'time';
    }
    if (saved.plan.kind === 'grid') return this.#goGrid(execution);
    const order = saved.child === null ? null : context.order(saved.child.order);
    if (order !== null && (order.isAlive || !order.filledIsFinal)) return this.#goWithOrder(execution, order);
    saved.child = null;
    execution.lookAt = 0;
    if (execution.leftLots <= 0) return this.#end(execution, 'filled');
    if (saved.state === 'ending') return this.#end(execution, saved.why);
    if (saved.refusals >= MOST_REFUSALS) return this.#end(execution, 'refused');
    if (!this.#deps.isReady() || context.now < saved.retryAt) return;
    this.#place(execution);
  }

  /** The order may still fill: it stays, or is withdrawn. */
  #goWithOrder(execution: WorkedExecution, order: OrderView): void {
    const { saved } = execution;
    const child = saved.child!;
    if (!order.isAlive) {
      execution.lookAt = this.#deps.context.now + RETRY_MS;
      return;
    }
    let want: Wanted | null = null;
    if (saved.state === 'working') {
      const step = this.#step(execution);
      saved.plan = step.plan;
      want = step.want;
    }
    const isKept = want !== null && want.part === child.part && want.price === child.price;
    if (want !== null && !isKept && !this.#deps.canReplace()) execution.lookAt = this.#deps.context.now + RETRY_MS;
    else if (!isKept && order.state === 'working') this.#deps.context.cancel(order.number, saved.why || 'the plan moved on');
  }

  #place(execution: WorkedExecution): void {
    const { saved, market, instrument } = execution;
    const { plan, want } = this.#step(execution);
    if (want === null || want.lots <= 0) {
      saved.plan = plan;
      return;
    }
    const line = saved.lines[want.part] ?? saved.lines[0]!;
    let lots = Math.min(want.lots, execution.leftLots);
    if (line.effect === 'CLOSE') {
      const held = line.side === 'LONG' ? market.long : market.short;
      if (held.lots === 0) return this.#end(execution, 'nothing to close');
      lots = Math.min(lots, lotsIn(held.free, market));
      if (lots <= 0) return this.#refused(execution);
    }
    assert(lots > 0, 'an execution places lots above zero', lots, 'execution', saved.id);
    assert(lots <= execution.leftLots, 'an execution places what it has left', lots, 'execution', saved.id);
    const order = this.#deps.context.place({
      market,
      side: line.side,
      effect: line.effect,
      size: formatLots(lots, instrument),
      limit: want.price > 0 ? formatTicks(want.price, instrument) : undefined,
      postOnly: line.postOnly && want.price > 0 ? true : undefined,
      stopLoss: bracketPrice(line.stopLoss),
      takeProfit: bracketPrice(line.takeProfit),
      reason: saved.reason || plan.kind,
    });
    if (order === 0) return this.#refused(execution);
    assert(saved.child === null, 'an execution has one order at a time', saved.child?.order, 'execution', saved.id);
    saved.plan = plan;
    saved.child = { order, part: want.part, price: want.price, lots, filled: 0 };
    if (line.stopLoss !== null || line.takeProfit !== null) saved.bracketed = [...saved.bracketed, order].slice(-MOST_BRACKETED);
  }

  #step(execution: WorkedExecution): Step<ExecutionPlan> {
    const { saved, market } = execution;
    const { child, filled } = saved;
    const input: ExecutionInput = {
      now: this.#deps.context.now,
      bid: market.bidTicks,
      ask: market.askTicks,
      left: execution.leftLots,
      filled,
      child,
    };
    const step = stepOf(saved.plan, input);
    execution.wakeAt = step.wakeAt;
    return step;
  }

  #goGrid(execution: WorkedExecution): void {
    const { saved, market } = execution;
    const { context } = this.#deps;
    const live = context.trades(market);
    const isOpen = (id: number): boolean => live.some((trade) => trade.id === id);
    let plan = freedLevels(saved.plan as Extract<ExecutionPlan, { kind: 'grid' }>, isOpen);
    saved.plan = plan;
    if (saved.state === 'ending') {
      for (const trade of this.tradesOf(execution)) trade.close(saved.why);
      if (this.tradesOf(execution).length === 0) this.#end(execution, saved.why);
      return;
    }
    if (isOver(plan)) return this.#end(execution, 'filled');
    if (saved.refusals >= MOST_REFUSALS) return this.cancel(execution, 'refused');
    if (!this.#deps.isReady() || context.now < saved.retryAt) return;
    const [line] = saved.lines;
    for (;;) {
      const k = nextLevel(plan, line!.side === 'LONG', market.bidTicks, market.askTicks);
      if (k < 0) return;
      const trade = context.enter(this.#levelFields(execution, plan, plan.levels[k]!));
      if (trade === null) return this.#refused(execution);
      saved.refusals = 0;
      plan = { ...plan, levels: plan.levels.map((level, at) => (at === k ? { ...level, trade: trade.id } : level)) };
      saved.plan = plan;
    }
  }

  #levelFields({ saved, market, instrument }: WorkedExecution, { lots, resting }: GridPlan, { at, target }: GridLevel): EnterFields {
    const line = saved.lines[0]!;
    return {
      market,
      side: line.side,
      size: formatLots(lots, instrument),
      limit: formatTicks(at, instrument),
      stopLoss: bracketPrice(line.stopLoss),
      takeProfit: [{ at: formatTicks(target, instrument), share: 1, resting }],
      reason: saved.reason || 'grid',
    };
  }

  #filled({ saved }: WorkedExecution, lots: number, price: number): void {
    const { child } = saved;
    assert(child !== null, 'a fill of an execution is of its order', saved.filled, 'execution', saved.id);
    child.filled += lots;
    saved.filled += lots;
    if (!(price > 0)) return;
    saved.value += lots * price;
    saved.priced += lots;
  }

  #refused({ saved }: WorkedExecution): void {
    saved.retryAt = this.#deps.context.now + Math.min(LONGEST_RETRY_MS, RETRY_MS * 2 ** saved.refusals);
    saved.refusals++;
  }

  #end(execution: WorkedExecution, why: string): void {
    const { saved } = execution;
    const at = this.#executions.indexOf(execution);
    assert(at >= 0, 'an execution ends once', saved.state, 'execution', saved.id);
    assert(saved.child === null, 'an execution that is over has no order', saved.child?.order, 'execution', saved.id);
    saved.state = 'done';
    saved.why = why;
    this.#executions.splice(at, 1);
    this.count = this.#executions.length;
    this.#changed(execution);
    this.#deps.ended(execution);
  }

  /** Writes the execution down, unless it is as it was written last. */
  #changed(execution: WorkedExecution): void {
    const text = JSON.stringify(execution.saved);
    if (text === execution.noted) return;
    execution.noted = text;
    const { journal, strategy, context } = this.#deps;
    journal.note('execution', { strategy, execution: structured(execution.saved) }, context.now);
  }

  /** Sets the timer to the next time that a plan, an expiry or another try is due. */
  #schedule(): void {
    const { now } = this.#deps.context;
    let next = Infinity;
    for (const { saved, wakeAt, lookAt, seenAt } of this.#executions) {
      if (saved.expiresAt > 0 && saved.state === 'working') next = Math.min(next, saved.expiresAt);
      // Not "after now": an event of the same or a later moment may come before the timer.
      for (const at of [wakeAt, lookAt, saved.retryAt]) if (at > seenAt) next = Math.min(next, at);
    }
    this.#deps.timerQueue.set(this.#timer, next === Infinity ? Infinity : Math.max(next, now + 1));
  }
}

function stepOf(plan: ExecutionPlan, input: ExecutionInput): Step<ExecutionPlan> {
  switch (plan.kind) {
    case 'twap':
      return twapStep(plan, input);
    case 'iceberg':
      return icebergStep(plan, input);
    case 'peg':
      return pegStep(plan, input);
    case 'oco':
      return ocoStep(plan, input);
    case 'grid':
      return { plan, want: null, wakeAt: Infinity };
  }
}

/** True if the market is at or beyond the stop-loss of what this line opens. */
function isStopped({ side, effect, stopLoss }: SavedLine, of: SideName, { bid, ask }: Market): boolean {
  if (side !== of || effect !== 'OPEN' || stopLoss === null) return false;
  const trigger = Number(stopLoss.trigger);
  return side === 'LONG' ? bid <= trigger : ask >= trigger;
}

function lotsIn(size: number, market: Market): number {
  return Math.round(size / market.lot);
}

function bracketPrice(saved: SavedBracket | null): BracketPrice | undefined {
  if (saved === null) return undefined;
  return saved.limit === '' ? saved.trigger : { trigger: saved.trigger, limit: saved.limit };
}

function structured(saved: SavedExecution): SavedExecution {
  return { ...saved, child: saved.child === null ? null : { ...saved.child } };
}
