/** The phases of a kernel from new to stopped: restore, reconcile, arm, stop. */
import { savedOrder } from './recovery/durable/orders/saved-orders.ts';
import { assert } from '../base/failure/assert.ts';
import { SIDES } from '../domain/codes.ts';
import { CANCELLING, isEnded, MODIFYING, SUBMITTING, UNKNOWN } from '../domain/orders/order.ts';
import type { Parts } from './assembly.ts';
import { haltRow } from './state/events/halt-codes.ts';
import { UNRULED_HINT } from './operator/flat/unruled-text.ts';
import { ByStrategy } from './recovery/by-strategy/by-strategy.ts';
import { DurableState, type KernelSnapshot } from './recovery/registry.ts';
import type { SavedOrder } from './state/records/saved.ts';
import type { Order } from './state/records/order.ts';
import { haltIfLost } from './recovery/lost-journal.ts';
import { Startup } from './recovery/startup.ts';

export class Lifecycle {
  readonly #deps: Parts;
  readonly #durable: DurableState;
  readonly #byStrategy: ByStrategy;
  #isUp = false;

  constructor(deps: Parts) {
    this.#deps = deps;
    this.#byStrategy = new ByStrategy(deps.dispatch.runners, deps.leftTrades);
    this.#durable = new DurableState({ ...deps, byStrategy: this.#byStrategy });
  }

  /** True once the start was gone through to its end. */
  get isUp(): boolean {
    return this.#isUp;
  }

  restore(snapshot: KernelSnapshot): void {
    this.#durable.restore(snapshot);
    this.#deps.leftTrades.restored();
  }

  snapshot(): KernelSnapshot {
    return this.#durable.snapshot();
  }

  liveOrders(): readonly SavedOrder[] {
    return (this.#durable.saved('orders') ?? []).filter(({ state }) => !isEnded(state));
  }

  /** One own order, also one that has ended, while it is known. */
  orderOf(seq: number): SavedOrder | null {
    const { core } = this.#deps;
    const order = core.orders.find(seq);
    return order === null ? null : savedOrder(core, order);
  }

  start(): void {
    const { core, queries, poller, account, endedReads, positionReads, foreignChanges } = this.#deps;
    assert(core.tradingState.phase === 'new', 'a kernel starts once');
    core.tradingState.enter('reconciling', core.now);
    if (poller !== null) core.log.info('poll-plan', { plan: poller.plan.text });
    this.#deps.watch?.offline.begin();
    this.#reopen();
    if (poller === null) return this.#arm();
    positionReads.begin();
    endedReads.begin();
    poller.start(core.now);
    for (const leg of core.portfolio.legs) foreignChanges.restored(leg);
    new Startup(core, queries, account, positionReads, () => this.#arm()).begin();
  }

  stop(): void {
    const { core, dispatch } = this.#deps;
    if (core.tradingState.phase === 'stopped' || core.tradingState.phase === 'stopping') return;
    core.log.info('stopping', { liveOrders: core.orders.liveTotal });
    for (const runner of dispatch.runners) if (dispatch.isActive) runner.stop();
    dispatch.isActive = false;
    core.tradingState.enter('stopping', core.now);
  }

  close(): void {
    this.#deps.poller?.stop();
    this.#deps.dispatch.isActive = false;
    const { core } = this.#deps;
    core.tradingState.enter('stopped', core.now);
    this.#deps.core.timerQueue.clearAll();
  }

  settle(seq: number, venueId: string | null): boolean {
    const { core, resolver } = this.#deps;
    const order = core.orders.find(seq);
    const isSettled = order === null ? this.#deps.margins.settle(seq) : resolver.settle(order, venueId);
    resolver.sweep();
    return resolver.lift(seq, 'settled by an operator') || isSettled;
  }

  journalAway(isAway: boolean): void {
    const { core, queries, account } = this.#deps;
    core.isJournalAway = isAway;
    if (isAway) {
      core.halts.raise({ scope: { kind: 'bot' }, code: 'journal-away', detail: 'the journal cannot be written', by: 'bot' });
      return;
    }
    const back = (): void => {
      core.halts.lift({ kind: 'bot' }, 'journal-away', 'the journal is written again, and the venue was read', 'bot');
    };
    new Startup(core, queries, account, this.#deps.positionReads, back).begin();
  }

  /** As at a start: ids that a lost part of the journal may have issued are not used again. */
  newEpoch(): void {
    const { core } = this.#deps;
    core.ids.start(core.now, core.nextSeq);
    core.log.warn('epoch-rotated', { epoch: core.ids.epoch, nextSeq: core.nextSeq });
  }

  journalUnsafe(why: string): void {
    const { halts } = this.#deps.core;
    halts.lift({ kind: 'bot' }, 'journal-unsafe', 'the journal is safe again, or for another reason unsafe', 'bot');
    if (why !== '') halts.raise({ scope: { kind: 'bot' }, code: 'journal-unsafe', detail: why, by: 'bot' });
  }

  /** Starts a new epoch of client ids, above all observed ones, and ends the halts that wait for it. */
  rotateEpoch(): void {
    const { core, unmatched } = this.#deps;
    const before = core.ids.epoch;
    core.ids.rotate(core.now, core.nextSeq);
    assert(core.ids.epoch > before, 'a new epoch is above the one before', core.ids.epoch - before);
    for (const halt of core.halts.all()) if (haltRow(halt.code).end === 'rotate') core.halts.end(halt, 'the epoch was rotated', 'operator');
    core.log.warn('epoch-rotated', { epoch: core.ids.epoch, nextSeq: core.nextSeq });
    if (core.tradingState.phase === 'armed') unmatched.acknowledged();
  }

  /** Commands in flight when the last process ended may have landed: their outcomes are resolved first. */
  #reopen(): void {
    const { core, margins, resolver } = this.#deps;
    margins.begin();
    const { orders, portfolio } = core;
    for (const leg of portfolio.legs) leg.endedAt = Math.min(leg.endedAt, core.now);
    for (const list of orders.of) {
      for (const order of list.known()) {
        const state = order.state;
        // The clock may have been ahead when the journal was written, or be behind now: what the journal holds is in the past.
        order.createdAt = Math.min(order.createdAt, core.now);
        order.sentAt = Math.min(order.sentAt, core.now);
        order.endedAt = Math.min(order.endedAt, core.now);
        if (state === SUBMITTING || state === MODIFYING || state === CANCELLING || state === UNKNOWN) resolver.reopen(order);
      }
    }
  }

  /**
   * Ends halts of an earlier process about commands whose outcome is known. A crash may keep the end of an order and lose that of its halt,
   * which nothing looks for then. The halt of a symbol that is not configured stays: its orders are kept too.
   */
  #endCommandHalts(): void {
    const { core, margins, resolver } = this.#deps;
    for (const { scope, seq } of core.halts.all()) {
      if (seq === 0 || core.halts.scopeOf(scope) === null) continue;
      const isOpen = core.orders.find(seq)?.isAlive === true || margins.isOpen(seq);
      if (!isOpen) resolver.lift(seq, 'the outcome of the command is known');
    }
  }

  /** True if the strategy of the order runs and trades its symbol. */
  #isWorkedOn({ instrument, owner }: Order): boolean {
    const runner = this.#deps.dispatch.runners.find(({ name }) => name === owner.name);
    return runner !== undefined && runner.context.markets.some(({ index }) => index === instrument);
  }

  /** Positions, trades and executions that nobody works on: their strategy does not run, or no longer trades their symbol. */
  #reportLeft(): void {
    const { contexts, log, portfolio } = this.#deps.core;
    for (const { symbol, side, size } of portfolio.unruled) {
      log.warn('position-without-strategy', { symbol, side: SIDES[side], size, hint: `its rules are unknown: ${UNRULED_HINT}` });
    }
    for (const { index, instrument, long, short } of contexts) {
      if (instrument.product !== 'futures' || this.#deps.flattener.scope.isTraded(index)) continue;
      for (const leg of [long, short]) this.#deps.leftPositions.begin(leg);
    }
    const { executions, trades } = this.#byStrategy.left;
    for (const [strategy, left] of Object.entries(trades)) {
      for (const { symbol, side, entryTime: since, venueStop } of left) {
        log.warn('trade-without-strategy', { strategy, symbol, side, since, venueStop });
      }
    }
    for (const [strategy, left] of Object.entries(executions)) {
      for (const { id, plan, symbol, startedAt: since } of left) {
        log.warn('execution-without-strategy', { strategy, id, kind: plan.kind, symbol, since });
      }
    }
  }

  #arm(): void {
    const { core, executor, dispatch, foreignChanges } = this.#deps;
    // It was stopped before the first reads were in.
    if (core.tradingState.phase !== 'reconciling') return;
    foreignChanges.begin();
    this.#deps.watch?.armed(this.#deps.account.first >= 0);
    this.#deps.leverage.armed();
    assert(!dispatch.isActive, 'strategies are called after the bot is armed');
    core.tradingState.enter('armed', core.now);
    // A halt of an earlier process that could not write its journal; this process can.
    core.halts.lift({ kind: 'bot' }, 'journal-away', 'the journal is written again', 'bot');
    core.halts.lift({ kind: 'bot' }, 'journal-unsafe', 'the store was checked at the start', 'bot');
    if (core.isNewJournal) haltIfLost(core);
    this.#endCommandHalts();
    this.#deps.losses.begin();
    this.#deps.allocation?.begin();
    this.#deps.conditions.begin();
    core.log.info('armed', { liveOrders: core.orders.liveTotal, halts: core.halts.count, nextSeq: core.nextSeq });
    const { orders } = core;
    for (const list of orders.of) {
      for (const order of list.known()) {
        if (order.isAlive && !this.#isWorkedOn(order) && core.ids.aliasOf(order.seq) === undefined) {
          executor.cancel(order, core.nobody, 'no strategy works on it');
        }
      }
    }
    this.#deps.flattener.wake();
    this.#deps.unmatched.armed();
    this.#deps.idWatch?.start();
    dispatch.isActive = true;
    for (const runner of dispatch.runners) runner.trades.begin();
    for (const runner of dispatch.runners) runner.executions.begin();
    this.#reportLeft();
    dispatch.warmUp.begin(dispatch.runners, (runner) => {
      const hung = core.halts.find({ kind: 'strategy', name: runner.name }, 'strategy-hung');
      if (hung === null) runner.start(this.#deps.texts.of(runner.name));
      else runner.disable(`${hung.detail}; \`${core.halts.endsBy(hung)}\` allows it again`);
    });
    this.#deps.universes.begin();
    core.halts.onEnd.push(({ scope, code }) => {
      if (code !== 'strategy-hung') return;
      const runner = dispatch.runners.find(({ name }) => scope === `strategy:${name}`);
      if (runner?.isWarming === false) runner.allow(this.#deps.texts.of(runner.name));
    });
    this.#isUp = true;
  }
}
