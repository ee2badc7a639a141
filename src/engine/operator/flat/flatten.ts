/**
 * Closes the positions in a scope: cancels own orders first, then closes each leg by market orders until nothing is left. A kill closes
 * every leg with own lots, and every leg that a strategy trades, whole; otherwise own lots are closed, and what others opened stays. It works
 * while opens are halted. Flattening lasts as long as the halt with code "flatten", so a restart continues it. If the venue does not know the
 * symbol, the close is repeated after pauses that double.
 */
import { assert } from '../../../base/failure/assert.ts';
import { CLOSE, MARKET, PLACE, SIDES } from '../../../domain/codes.ts';
import { formatLots, tradedName } from '../../../domain/instrument.ts';
import { UNKNOWN } from '../../../domain/orders/order.ts';
import type { Timer } from '../../../base/time/timer-queue.ts';
import type { InstrumentContext } from '../../state/records/instrument-context.ts';
import type { Leg } from '../../state/records/leg.ts';
import type { Order } from '../../state/orders/orders.ts';
import type { Halts } from '../../state/halts.ts';
import type { Portfolio } from '../../state/account/portfolio.ts';
import type { TradingState } from '../../state/trading-state.ts';
import type { Owner } from '../../state/records/owner.ts';
import { NO_REASON } from '../../state/events/halt-codes.ts';
import type { Forecast } from '../../../domain/messages/forecast.ts';
import type { SavedHalt } from '../../../domain/messages/saved-halt.ts';
import type { Executor } from '../../orders/executor.ts';
import type { PendingQueries } from '../../polling/queries.ts';
import type { HaltScope } from '../../state/halts.ts';
import { FlatCloses } from './flat-closes.ts';
import { FlatReads, type FlatReadsCore } from './flat-reads.ts';
import type { FlatRuns } from './flat-runs.ts';
import { forecastOf } from './forecast.ts';
import { endText } from './end-text.ts';
import { partsText } from './parts-text.ts';
import { unruledText } from './unruled-text.ts';
import { FlatScope, type Target } from './flat-scope.ts';

/** The shared state that this file uses. */
interface FlattenCore extends FlatReadsCore {
  readonly contexts: readonly InstrumentContext[];
  readonly halts: Halts;
  readonly portfolio: Portfolio;
  readonly tradingState: TradingState;
  readonly nobody: Owner;
}

/** Check interval while there is something to close, in milliseconds. */
const EVERY_MS = 100;
/** What is left to do for one scope. */
export interface Remains {
  /** Own orders of the scope that may be live. */
  readonly orders: readonly Order[];
  /** Legs of the scope with lots that are to be closed. */
  readonly legs: readonly Target[];
  /** Legs that no read has shown to be flat yet, and the time from which such reads must begin. */
  readonly unproven: readonly (Target & { readonly from: number })[];
}

export interface FlattenerDeps {
  readonly core: FlattenCore;
  readonly executor: Executor;
  readonly queries: PendingQueries;
  readonly runs: FlatRuns;
  /** Instruments of each strategy by name. */
  readonly traded: ReadonlyMap<string, ReadonlySet<number>>;
  /** Mode of the closing orders. */
  readonly marginMode: number;
  /** The outcome of a closing order is unknown while its leg is being flattened. */
  readonly resolver: { closeUnknown(order: Order): void };
}

export class Flattener implements Timer {
  readonly #core: FlattenCore;
  readonly #executor: Executor;
  readonly #reads: FlatReads;
  readonly scope: FlatScope;
  readonly #marginMode: number;
  readonly #resolver: FlattenerDeps['resolver'];
  readonly #closes: FlatCloses;
  readonly runs: FlatRuns;
  #alarm = -1;

  constructor({ core, executor, queries, runs, traded, marginMode, resolver }: FlattenerDeps) {
    this.#core = core;
    this.#executor = executor;
    this.#marginMode = marginMode;
    this.#resolver = resolver;
    this.#reads = new FlatReads(core, queries, () => this.wake());
    this.scope = new FlatScope(core, this.#reads, traded);
    this.#closes = new FlatCloses(core);
    this.runs = runs;
    core.halts.onEnd.push((halt, by) => {
      if (halt.code === 'flatten') this.#hasEnded(halt, by);
    });
    core.halts.onBegin.push((halt) => {
      if (halt.code === 'flatten') runs.begin(halt, this.#commandOf(halt));
      if (halt.code !== 'late-landing') return;
      const leg = core.halts.scopeOf(halt.scope);
      if (leg !== null) this.#opened(leg, halt.detail);
    });
  }

  /** No order in the journal explains a change of the leg: while a kill is in force, what an order that it forgot may have opened is closed. */
  changedByOthers(leg: Leg, detail: string): void {
    if (this.scope.mayBeForgotten(leg)) this.#opened({ kind: 'leg', instrument: leg.index >> 1, side: leg.index & 1 }, detail);
  }

  /** An own order has opened a leg after a kill that is in force, or may have: it is closed as well. */
  #opened(leg: HaltScope, detail: string): void {
    if (!this.scope.isKill) return;
    this.#core.halts.raise({ scope: leg, code: 'flatten', detail, by: 'bot' });
    this.wake();
  }

  /** Starts or continues flattening; does nothing if no scope is being flattened. */
  wake(): void {
    if (this.#halts().length === 0) return;
    if (this.#alarm < 0) this.#alarm = this.#core.timerQueue.add(this);
    this.#core.timerQueue.set(this.#alarm, Math.max(0, this.#core.now));
  }

  /**
   * Closes the positions of a stopped strategy. Refused if another strategy trades the same symbols, because their shares of a position
   * cannot be separated.
   */
  strategy(name: string, why: string): void {
    const { halts, log } = this.#core;
    const shared = this.scope.shared(name);
    if (shared !== null) return log.error('flatten-refused', { strategy: name, ...shared });
    halts.raise({ scope: { kind: 'strategy', name }, code: 'flatten', detail: `the strategy was stopped: ${why}`, by: 'bot' });
    this.wake();
  }

  due(now: number): void {
    const { halts, timerQueue, tradingState } = this.#core;
    const end = (halt: SavedHalt): void => {
      const scope = halts.scopeOf(halt.scope);
      if (scope === null || tradingState.phase !== 'armed' || !this.#isFlat(scope, halt)) return;
      assert(this.orders(scope).length === 0, 'no own order is live where a flattening ends', halt.scope);
      halts.end(halt, endText(this.scope.others(scope), this.scope.isForgetful), 'bot');
    };
    // A halt that was not ended is looked at again next time.
    timerQueue.each(this.#halts(), end, () => undefined);
    if (this.#halts().length > 0) timerQueue.set(this.#alarm, now + EVERY_MS);
  }

  /** What is left of the flattening of this scope that began at `since`. */
  remains(scope: HaltScope, since: number): Remains {
    const targets = this.scope.legs(scope);
    const legs = this.#toClose(scope, this.scope.isKill);
    const isUnproven = ({ leg }: Target): boolean => !this.#reads.isFlat(leg, since, this.scope.stays(leg));
    const unproven = targets.filter(isUnproven).map((one) => ({ ...one, from: this.#reads.provenFrom(one.leg, since) }));
    return { orders: this.orders(scope), legs, unproven };
  }

  /** Own orders of the scope that may be live, oldest first. */
  orders(scope: HaltScope): Order[] {
    const { contexts, halts } = this.#core;
    const live = contexts.flatMap((context) => (context.orders.live === 0 ? [] : context.orders.alive()));
    return live.filter((order) => halts.covers(scope, order.context, order.side, order.owner)).sort((a, b) => a.seq - b.seq);
  }

  /** Flattenings that have not ended, oldest first, with what is left of each; null for a scope that is not configured. */
  underWay(): { readonly halt: SavedHalt; readonly remains: Remains | null }[] {
    return this.#halts().map((halt) => {
      const scope = this.#core.halts.scopeOf(halt.scope);
      return { halt, remains: scope === null ? null : this.remains(scope, halt.since) };
    });
  }

  /** What a flatten of the scope, or a kill, would do now. Sends and changes nothing. */
  forecast(scope: HaltScope, isKill: boolean): Forecast {
    const targets = this.#toClose(scope, isKill);
    const others = this.scope.others(scope, isKill);
    return forecastOf({
      core: this.#core,
      command: isKill ? 'kill' : 'flatten',
      scope: this.#core.halts.text(scope),
      cancels: this.orders(scope).filter((order) => !this.#isOwnClose(order)),
      closes: targets.map(({ context, leg }) => {
        const lots = this.scope.lots(leg, isKill);
        return { context, leg, lots, next: this.#closes.next(context, leg, lots) };
      }),
      stays: [...partsText(targets, others, this.scope, this.#core.now, isKill), ...this.#unruled(this.#core.halts.text(scope))],
    });
  }

  /** Legs of the scope with lots that are to be closed. */
  #toClose(scope: HaltScope, isKill: boolean): Target[] {
    return this.scope.legs(scope).filter(({ leg }) => this.scope.lots(leg, isKill) > 0);
  }

  /** Positions in symbols without rules, in words. */
  #unruled(scope: string): string[] {
    return scope === 'bot' ? this.#core.portfolio.unruled.map(unruledText) : [];
  }

  #hasEnded(halt: SavedHalt, by: string): void {
    const { scope, since } = halt;
    const of = this.#core.halts.scopeOf(scope);
    const endedAt = of === null ? [] : this.scope.legs(of).map(({ leg }) => leg.endedAt);
    this.runs.end(halt, { by, left: this.#unruled(scope), lastOrderMs: Math.max(since, ...endedAt) - since });
  }

  /** Own closing market orders never rest, so cancelling them gains nothing. */
  #isOwnClose({ effect, owner, type }: Order): boolean {
    return owner === this.#core.nobody && effect === CLOSE && type === MARKET;
  }

  #halts(): SavedHalt[] {
    return this.#core.halts.all().filter(({ code }) => code === 'flatten');
  }

  /** One check: sends cancels and closes. True if no own order is left, and reads prove that nothing is left of the legs. */
  #isFlat(scope: HaltScope, halt: SavedHalt): boolean {
    const core = this.#core;
    const { since } = halt;
    const reason = this.#reasonOf(halt);
    let isFlat = true;
    for (const order of this.orders(scope)) {
      isFlat = false;
      if (this.#isOwnClose(order)) continue;
      this.runs.cancels(halt.scope, order);
      this.#executor.cancel(order, core.nobody, reason);
    }
    for (const { context, leg } of this.scope.legs(scope)) {
      const lots = this.scope.lots(leg);
      this.#reads.want(leg, since, lots);
      if (lots > 0) this.#reduce({ context, leg }, lots, halt.scope, reason);
      if (lots > 0 || !this.#reads.isFlat(leg, since, this.scope.stays(leg))) isFlat = false;
    }
    return isFlat;
  }

  #commandOf({ scope }: SavedHalt): Forecast['command'] {
    return scope === 'bot' && this.scope.isKill ? 'kill' : 'flatten';
  }

  /** Reason text such as "kill, asked by ann: news"; a limit or a stopped strategy is named. */
  #reasonOf(halt: SavedHalt): string {
    const { by, detail } = halt;
    return `${this.#commandOf(halt)}, asked by ${by}${detail === NO_REASON ? '' : `: ${detail}`}`;
  }

  /**
   * Waits while an own closing order may still close the leg. A close of unknown outcome does not delay it: the position shows what is left,
   * and a second close finds at most that.
   */
  #reduce({ context, leg }: Target, lots: number, scope: string, reason: string): void {
    const { moving, size, isHeld, isLater } = this.#closes.next(context, leg, lots);
    const [first] = moving;
    if (first !== undefined) {
      // Of a leg that is partly of others, a second close could take theirs.
      if (this.scope.stays(leg) === 0 && moving.every(({ state }) => state === UNKNOWN)) this.#resolver.closeUnknown(first);
      return;
    }
    if (isLater) return;
    if (this.#closes.sent(leg, isHeld)) this.#reportHeld(context, leg);
    if (size > 0) this.runs.closes(scope, context, leg, this.#close(context, leg, size, reason));
  }

  #reportHeld({ instrument }: InstrumentContext, leg: Leg): void {
    const facts = { symbol: tradedName(instrument), side: SIDES[leg.index & 1], size: formatLots(leg.total, instrument) };
    const hint = 'orders that are not of this bot hold a part of the position: cancel them at the venue';
    this.#core.log.warn('flatten-held', { ...facts, free: formatLots(leg.available, instrument), hint });
  }

  #close(context: InstrumentContext, leg: Leg, size: number, reason: string): number {
    const executor = this.#executor;
    const c = executor.begin(PLACE, context.index);
    c.side = leg.index & 1;
    c.effect = CLOSE;
    c.type = MARKET;
    c.price = 0;
    c.size = size;
    c.marginMode = this.#marginMode;
    return executor.submit(context, null, this.#core.nobody, reason, null);
  }
}
