/**
 * Closes all positions in a scope: cancels own orders first, then closes each leg by market orders until nothing is left. It works while
 * opens are halted. Flattening lasts as long as the halt with code "flatten", so a restart continues it.
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

/** Check interval while there is something to close, in milliseconds. */
const EVERY_MS = 100;
/** A leg that a close did not change is closed again after this time, which doubles up to the maximum. */
const AGAIN_MS = 150;
const AGAIN_MOST_MS = 2_000;

export interface Remains {
  /** Own orders of the scope that may be live. */
  readonly orders: readonly Order[];
  /** Legs of the scope with a position. */
  readonly legs: readonly { readonly context: InstrumentContext; readonly leg: Leg }[];
}

/** Closes of one leg that had no effect. */
interface Tries {
  readonly total: number;
  readonly changedAt: number;
  count: number;
  nextAt: number;
  isReported: boolean;
}

/** Why the positions of one strategy cannot be closed alone, and what to type instead. */
interface Shared {
  readonly why: string;
  readonly hint: string;
}

export class Flattener implements Timer {
  readonly #core: Core;
  readonly #executor: Executor;
  readonly #traded: ReadonlyMap<string, ReadonlySet<number>>;
  readonly #marginMode: number;
  /** By leg. */
  readonly #tries = new Map<number, Tries>();
  #alarm = -1;

  /** `traded`: instruments of each strategy by name. `marginMode`: mode of the closing orders. */
  constructor(core: Core, executor: Executor, traded: ReadonlyMap<string, ReadonlySet<number>>, marginMode: number) {
    this.#core = core;
    this.#executor = executor;
    this.#traded = traded;
    this.#marginMode = marginMode;
    core.halts.onBegin.push((halt) => {
      if (halt.code === 'late-landing') this.#landedLate(halt);
    });
  }

  /** An order landed after it was given up: while a kill is in force, what it opened is closed as well. */
  #landedLate({ scope, detail }: SavedHalt): void {
    const { halts } = this.#core;
    const leg = halts.scopeOf(scope);
    if (leg === null || halts.find({ kind: 'bot' }, 'kill') === null) return;
    halts.raise({ scope: leg, code: 'flatten', detail, by: 'bot' });
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
    const shared = this.shared(name);
    if (shared !== null) return log.error('flatten-refused', { strategy: name, ...shared });
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

  /** Orders and positions that are left. */
  remains(scope: HaltScope): Remains {
    return { orders: this.orders(scope), legs: this.#legs(scope).filter(({ leg }) => leg.total > 0) };
  }

  /** Own orders of the scope that may be live, oldest first. */
  orders(scope: HaltScope): Order[] {
    const { contexts, halts } = this.#core;
    const live = contexts.flatMap((context) => (context.orders.live === 0 ? [] : context.orders.alive()));
    return live.filter((order) => halts.covers(scope, order.context, order.side, order.owner)).sort((a, b) => a.seq - b.seq);
  }

  /** Not null if other strategies trade one of this strategy's instruments, so that their positions cannot be separated. */
  shared(name: string): Shared | null {
    const own = this.#traded.get(name) ?? new Set();
    const others = [...this.#traded].filter(([other, traded]) => other !== name && [...traded].some((index) => own.has(index)));
    if (others.length === 0) return null;
    const common = [...own].filter((index) => others.some(([, traded]) => traded.has(index)));
    const symbols = common.map((index) => this.#core.instruments[index]!.symbol);
    const names = others.map(([other]) => other).join(' and ');
    const flatten = symbols.map((symbol) => `tickwright flatten ${symbol}`).join(', ');
    return {
      why: `${names} trade${others.length === 1 ? 's' : ''} ${symbols.join(', ')} too, and a position does not say which part is whose`,
      hint: `stop its opens: tickwright halt ${name}; or close what all of them hold: ${flatten}`,
    };
  }

  #halts(): SavedHalt[] {
    return this.#core.halts.all().filter(({ code }) => code === 'flatten');
  }

  /** One check: sends cancels and closes. True if nothing is left and a later read has confirmed it. */
  #isFlat(scope: HaltScope, halt: SavedHalt): boolean {
    const core = this.#core;
    const { since } = halt;
    const reason = this.#reasonOf(halt);
    let isFlat = true;
    for (const order of this.orders(scope)) {
      isFlat = false;
      // Own closing market orders never rest, so cancelling them gains nothing.
      const isOwn = order.owner === core.nobody && order.effect === CLOSE && order.type === MARKET;
      if (!isOwn) this.#executor.cancel(order, core.nobody, reason);
    }
    for (const { context, leg } of this.#legs(scope)) {
      // An ended order may have filled more than is proven yet, and a read may show what nothing explains yet.
      if (leg.most > 0 || leg.shown > 0) isFlat = false;
      if (leg.total > 0) this.#reduce(context, leg, reason);
      const lastMove = Math.max(since, leg.changedAt);
      if (!core.isPushed && context.instrument.product === 'futures' && core.portfolio.readAt[context.index]! < lastMove) isFlat = false;
    }
    return isFlat;
  }

  /** Reason text such as "kill, asked by ann: news"; a limit or a stopped strategy is named. */
  #reasonOf({ scope, by, detail }: SavedHalt): string {
    const isKill = scope === 'bot' && this.#core.halts.all().some(({ code }) => code === 'kill');
    return `${isKill ? 'kill' : 'flatten'}, asked by ${by}${detail === NO_REASON ? '' : `: ${detail}`}`;
  }

  #legs(scope: HaltScope): { readonly context: InstrumentContext; readonly leg: Leg }[] {
    const contexts = this.#core.contexts.filter(({ index, instrument }) => instrument.product === 'futures' && this.#isOf(scope, index));
    const legs = contexts.flatMap((context) => [context.long, context.short].map((leg) => ({ context, leg })));
    return scope.kind === 'leg' ? legs.filter(({ leg }) => (leg.index & 1) === scope.side) : legs;
  }

  /**
   * True if the scope includes the instrument. For the bot and strategies these are the traded instruments; other holdings of the account
   * are not touched.
   */
  #isOf(scope: HaltScope, index: number): boolean {
    if (scope.kind === 'symbol' || scope.kind === 'leg') return scope.instrument === index;
    if (scope.kind === 'strategy') return this.#traded.get(scope.name)?.has(index) ?? false;
    return [...this.#traded.values()].some((traded) => traded.has(index));
  }

  /**
   * Waits while an own closing order may still close the leg. Opening orders do not delay a close, because their end may be known only
   * after a minute. A close of unknown outcome does not delay it either: the position shows what is left, and a second close finds at most
   * that.
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
    // The venue refused to close everything because foreign orders lock a part: closes the free part.
    const isHeld = tries.count > 0 && leg.available < leg.total;
    if (isHeld && !tries.isReported) {
      tries.isReported = true;
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

  /** The tries since the leg last changed. */
  #triesOf(leg: Leg): Tries {
    const known = this.#tries.get(leg.index);
    if (known !== undefined && known.total === leg.total && known.changedAt === leg.changedAt) return known;
    const tries: Tries = { total: leg.total, changedAt: leg.changedAt, count: 0, nextAt: -Infinity, isReported: false };
    this.#tries.set(leg.index, tries);
    return tries;
  }
}
