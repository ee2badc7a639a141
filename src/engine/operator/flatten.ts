/**
 * Closes what is held in a scope: own orders are cancelled first, then each leg is closed by market orders of at most its size, until
 * nothing is left. It works while opens are halted. A scope is being flattened as long as a halt of code "flatten" stands on it, so a
 * restart goes on with it.
 */
import { CLOSE, MARKET, PLACE, PLACE_SPOT, SIDES } from '../../domain/codes.ts';
import { formatLots, tradedName } from '../../domain/instrument.ts';
import { UNKNOWN } from '../../domain/order.ts';
import type { Timer } from '../../base/timer-queue.ts';
import type { InstrumentContext } from '../state/instrument-context.ts';
import type { Leg } from '../state/leg.ts';
import type { Order } from '../state/orders.ts';
import type { Core } from '../state/core.ts';
import { NO_REASON, type SavedHalt } from '../state/halt-codes.ts';
import type { Executor } from '../orders/executor.ts';
import type { HaltScope } from '../state/halts.ts';

/** How often it looks while there is something to close. */
const EVERY_MS = 100;
/** A leg that did not change by a close is closed again after this long, which doubles up to the most. */
const AGAIN_MS = 150;
const AGAIN_MOST_MS = 2_000;

export interface Remains {
  /** Own orders of the scope that may still live. */
  readonly orders: readonly Order[];
  /** Legs of the scope that are held, or that an order of unknown outcome may still change. */
  readonly legs: readonly { readonly context: InstrumentContext; readonly leg: Leg }[];
}

/** Closes of one leg that changed nothing. */
interface Tries {
  readonly total: number;
  readonly changedAt: number;
  count: number;
  nextAt: number;
  isTold: boolean;
}

export class Flattener implements Timer {
  readonly #core: Core;
  readonly #executor: Executor;
  readonly #traded: ReadonlyMap<string, ReadonlySet<number>>;
  readonly #marginMode: number;
  /** By leg. */
  readonly #tries = new Map<number, Tries>();
  #alarm = -1;

  /** `traded` are the instruments of each strategy by its name; `marginMode` is that of orders that name none. */
  constructor(core: Core, executor: Executor, traded: ReadonlyMap<string, ReadonlySet<number>>, marginMode: number) {
    this.#core = core;
    this.#executor = executor;
    this.#traded = traded;
    this.#marginMode = marginMode;
  }

  /** Begins, goes on after a restart, or does nothing when no scope is to be flattened. */
  wake(): void {
    if (this.#halts().length === 0) return;
    if (this.#alarm < 0) this.#alarm = this.#core.timerQueue.add(this);
    this.#core.timerQueue.set(this.#alarm, Math.max(0, this.#core.now));
  }

  /** Closes what a strategy holds that was stopped; not where another strategy shares it, whose part cannot be told from its own. */
  strategy(name: string, why: string): void {
    const { halts, log } = this.#core;
    const sharers = this.sharers(name);
    if (sharers.length > 0) {
      log.error('flatten-refused', {
        strategy: name,
        why: `${sharers.join(', ')} trades the same symbols`,
        hint: 'tickwright flatten SYMBOL',
      });
      return;
    }
    halts.raise({ scope: { kind: 'strategy', name }, code: 'flatten', detail: `the strategy was stopped: ${why}`, by: 'bot' });
    this.wake();
  }

  due(now: number): void {
    for (const halt of this.#halts()) {
      const scope = this.#core.halts.scopeOf(halt.scope);
      if (scope !== null && this.#core.tradingState.phase === 'armed' && this.#isFlat(scope, halt)) {
        this.#core.halts.end(halt, 'flat: no own order and no position is left', 'bot');
      }
    }
    if (this.#halts().length > 0) this.#core.timerQueue.set(this.#alarm, now + EVERY_MS);
  }

  /** What is still there. */
  remains(scope: HaltScope): Remains {
    return { orders: this.orders(scope), legs: this.#legs(scope).filter(({ leg }) => leg.total > 0) };
  }

  /** Own orders of the scope that may still live, oldest first. */
  orders(scope: HaltScope): Order[] {
    const { contexts, halts } = this.#core;
    const live = contexts.flatMap((context) => (context.orders.live === 0 ? [] : context.orders.known().filter((order) => order.isAlive)));
    return live.filter((order) => halts.covers(scope, order.context, order.side, order.owner)).sort((a, b) => a.seq - b.seq);
  }

  /** Strategies other than the one named that trade one of its instruments: its position cannot be told from theirs. */
  sharers(name: string): string[] {
    const own = this.#traded.get(name) ?? new Set();
    return [...this.#traded]
      .filter(([other, traded]) => other !== name && [...traded].some((index) => own.has(index)))
      .map(([other]) => other);
  }

  #halts(): SavedHalt[] {
    return this.#core.halts.all().filter(({ code }) => code === 'flatten');
  }

  /** One look: cancels and closes what can be; true when nothing is left and a read that began after all of that has shown it. */
  #isFlat(scope: HaltScope, halt: SavedHalt): boolean {
    const core = this.#core;
    const { since } = halt;
    const reason = this.#reasonOf(halt);
    let isFlat = true;
    for (const order of this.orders(scope)) {
      isFlat = false;
      // Its own closing orders have no price, so nothing is gained by taking them away.
      const isOwn = order.owner === core.nobody && order.effect === CLOSE && order.type === MARKET;
      if (!isOwn) this.#executor.cancel(order, core.nobody, reason);
    }
    for (const { context, leg } of this.#legs(scope)) {
      if (leg.total > 0) isFlat = false;
      if (leg.total > 0) this.#reduce(context, leg, reason);
      const lastMove = Math.max(since, leg.changedAt);
      if (!core.isPushed && context.instrument.product === 'futures' && core.portfolio.readAt[context.index]! < lastMove) isFlat = false;
    }
    return isFlat;
  }

  /** "kill, asked by ann: news"; a limit and a stopped strategy say which. */
  #reasonOf({ scope, by, detail }: SavedHalt): string {
    const isKill = scope === 'bot' && this.#core.halts.all().some(({ code }) => code === 'kill');
    return `${isKill ? 'kill' : 'flatten'}, asked by ${by}${detail === NO_REASON ? '' : `: ${detail}`}`;
  }

  #legs(scope: HaltScope): { readonly context: InstrumentContext; readonly leg: Leg }[] {
    const contexts = this.#core.contexts.filter(({ index, instrument }) => instrument.product === 'futures' && this.#isOf(scope, index));
    const legs = contexts.flatMap((context) => [context.long, context.short].map((leg) => ({ context, leg })));
    return scope.kind === 'leg' ? legs.filter(({ leg }) => (leg.index & 1) === scope.side) : legs;
  }

  /** The bot has the instruments that its strategies trade: what else the account holds is not ours to close. */
  #isOf(scope: HaltScope, index: number): boolean {
    if (scope.kind === 'symbol' || scope.kind === 'leg') return scope.instrument === index;
    if (scope.kind === 'strategy') return this.#traded.get(scope.name)?.has(index) ?? false;
    return [...this.#traded.values()].some((traded) => traded.has(index));
  }

  /**
   * An own closing order that lives may close the leg: what is left is known when it has ended. An opening one does not hold a close up: its
   * end is known by a read, which may be refused for a minute, and what it still opens is closed after it. A close of unknown outcome does
   * not hold it up either: the position shows what is left, and a second close finds at most that.
   */
  #reduce(context: InstrumentContext, leg: Leg, reason: string): void {
    const closes = context.orders.known().filter((order) => order.leg === leg && order.kind !== PLACE_SPOT && order.effect === CLOSE);
    const moving = closes.filter((order) => order.isAlive || order.isInFlight);
    const [first] = moving;
    if (first === undefined) this.#close(context, leg, reason);
    else if (moving.every(({ state }) => state === UNKNOWN)) this.#executor.rescue?.closeUnknown(first);
  }

  #close(context: InstrumentContext, leg: Leg, reason: string): void {
    const tries = this.#triesOf(leg);
    const { now } = this.#core;
    if (now < tries.nextAt) return;
    // The venue refused to close all of it, and shows that somebody's orders hold a part: what is free is closed.
    const isHeld = tries.count > 0 && leg.available < leg.total;
    if (isHeld && !tries.isTold) {
      tries.isTold = true;
      const { instrument } = context;
      const facts = { symbol: tradedName(instrument), side: SIDES[leg.index & 1], size: formatLots(leg.total, instrument) };
      const hint = 'orders that are not of this bot hold a part of the position: cancel them at the venue';
      this.#core.log.warn('flatten-held', { ...facts, free: formatLots(leg.available, instrument), hint });
    }
    tries.nextAt = now + Math.min(AGAIN_MS * 2 ** tries.count, AGAIN_MOST_MS);
    tries.count++;
    const size = Math.min(isHeld ? leg.available : leg.total, context.instrument.maxSize);
    if (size === 0) return;
    const executor = this.#executor;
    const c = executor.begin(PLACE, context.index);
    c.side = leg.index & 1;
    c.effect = CLOSE;
    c.type = MARKET;
    c.price = 0;
    c.size = size;
    c.marginMode = this.#marginMode;
    executor.submit(context, null, this.#core.nobody, reason, null);
  }

  /** As long as the leg is what it was. */
  #triesOf(leg: Leg): Tries {
    const known = this.#tries.get(leg.index);
    if (known !== undefined && known.total === leg.total && known.changedAt === leg.changedAt) return known;
    const tries: Tries = { total: leg.total, changedAt: leg.changedAt, count: 0, nextAt: -Infinity, isTold: false };
    this.#tries.set(leg.index, tries);
    return tries;
  }
}
