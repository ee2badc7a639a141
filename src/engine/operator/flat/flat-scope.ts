/** Finds the legs that a flattening includes, and how many lots of each are to be closed. */
import { assert } from '../../../base/failure/assert.ts';
import { LONG, SHORT } from '../../../domain/codes.ts';
import type { Core } from '../../state/core.ts';
import type { Halts } from '../../state/halts.ts';
import type { HaltScope } from '../../state/halts.ts';
import type { InstrumentContext } from '../../state/records/instrument-context.ts';
import type { Leg } from '../../state/records/leg.ts';
import type { FlatReads } from './flat-reads.ts';

/** The shared state that this file uses. */
interface FlatScopeCore extends Core {
  readonly contexts: readonly InstrumentContext[];
  readonly halts: Halts;
}

/** Halts of a journal that lacks orders of this bot. */
const FORGETS = ['journal-rollback', 'journal-lost'] as const;

export interface Target {
  readonly context: InstrumentContext;
  readonly leg: Leg;
}

/** Why the positions of one strategy cannot be closed alone, and what to type instead. */
interface Shared {
  readonly why: string;
  readonly hint: string;
}

export class FlatScope {
  readonly #core: FlatScopeCore;
  readonly #reads: FlatReads;
  readonly #traded: ReadonlyMap<string, ReadonlySet<number>>;
  /** Legs that the kill in force closes whole, because orders of this bot opened a part of them, or may have. */
  readonly #whole = new Set<Leg>();

  /** `traded`: instruments of each strategy by name. */
  constructor(core: FlatScopeCore, reads: FlatReads, traded: ReadonlyMap<string, ReadonlySet<number>>) {
    this.#core = core;
    this.#reads = reads;
    this.#traded = traded;
    core.halts.onEnd.push(({ code }) => {
      if (code === 'kill') this.#whole.clear();
    });
  }

  /** True if a strategy trades the instrument. */
  isTraded(index: number): boolean {
    return [...this.#traded.values()].some((traded) => traded.has(index));
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

  /** True while a kill is in force: legs are closed whole. */
  get isKill(): boolean {
    return this.#core.halts.find({ kind: 'bot' }, 'kill') !== null;
  }

  /** True until a person has confirmed that the journal lacks orders of this bot: a trigger order that it forgot may wait, and no list shows it. */
  get isForgetful(): boolean {
    return FORGETS.some((code) => this.#core.halts.find({ kind: 'bot' }, code) !== null);
  }

  /** True if an order that the journal forgot may have opened lots of the leg: no other explains them, and no person has confirmed them. */
  mayBeForgotten({ index, total }: Leg): boolean {
    const scope = { kind: 'leg', instrument: index >> 1, side: index & 1 } as const;
    return total > 0 && this.isForgetful && this.#core.halts.find(scope, 'external-position') !== null;
  }

  /** Legs of the scope that are to be closed, or that must be shown to be flat. */
  legs(scope: HaltScope): Target[] {
    return this.#futures().filter(({ leg }) => this.#isOf(scope, leg));
  }

  /** All other legs that are held: of the account for the whole bot, else of the scope. */
  others(scope: HaltScope, isKill = this.isKill): Target[] {
    const all = scope.kind === 'bot' ? this.#futures() : this.legs(scope);
    return all.filter(({ leg }) => leg.total > 0 && this.lots(leg, isKill) === 0);
  }

  /** Lots of the leg that are to be closed. `isKill`: as if a kill were in force, or as if none were. */
  lots(leg: Leg, isKill = this.isKill): number {
    const left = this.#reads.left(leg);
    assert(left >= 0, 'lots that are left of a leg are at least 0', left, 'leg', leg.index);
    if (this.#isWhole(leg, isKill)) return left;
    if (leg.foreign === 0) return Math.min(left, leg.own + leg.opening + leg.mayOpen);
    // What an own close may have closed already is not closed again: it could be of others.
    return Math.max(0, Math.min(left - leg.foreign, leg.own - leg.mayClose));
  }

  /** Lots that may be left when the leg counts as flat. */
  stays(leg: Leg, isKill = this.isKill): number {
    return this.#isWhole(leg, isKill) ? 0 : leg.foreign;
  }

  #isWhole(leg: Leg, isKill: boolean): boolean {
    if (!isKill) return false;
    const isTouched = leg.own > 0 || leg.mayOpen > 0 || this.mayBeForgotten(leg);
    if (isTouched && this.isKill) this.#whole.add(leg);
    return isTouched || this.#whole.has(leg) || this.isTraded(leg.index >> 1);
  }

  #futures(): Target[] {
    const contexts = this.#core.contexts.filter(({ instrument }) => instrument.product === 'futures');
    return contexts.flatMap((context) => [LONG, SHORT].map((side) => ({ context, leg: context.leg(side) })));
  }

  /** True if the scope includes the leg. The bot: legs that its orders touched, or may have, and those that its strategies trade. */
  #isOf(scope: HaltScope, leg: Leg): boolean {
    const index = leg.index >> 1;
    if (scope.kind === 'leg') return scope.instrument === index && scope.side === (leg.index & 1);
    if (scope.kind === 'symbol') return scope.instrument === index;
    if (scope.kind === 'strategy') return this.#traded.get(scope.name)?.has(index) ?? false;
    return leg.own > 0 || leg.mayOpen > 0 || leg.endedAt > -Infinity || this.isTraded(index) || this.mayBeForgotten(leg);
  }
}
