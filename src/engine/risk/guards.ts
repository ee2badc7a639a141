/**
 * Limits that count events within a time window: fired stop-losses, and orders filled worse than the price at decision time. Counters are
 * journaled, so a restart keeps them. Orders in flight over a restart are not checked for slippage.
 */
import { assert } from '../../base/failure/assert.ts';
import { BUY, directionOf, SHORT } from '../../domain/codes.ts';
import { waitsForTrigger } from '../../domain/orders/command-traits.ts';
import type { Command } from '../../domain/orders/command.ts';
import { formatTicks, tradedName } from '../../domain/instrument.ts';
import type { LimitAction, LimitKey, RiskLimits } from '../../domain/limits.ts';
import type { InstrumentContext } from '../state/records/instrument-context.ts';
import type { Order } from '../state/orders/orders.ts';
import type { Core } from '../state/core.ts';
import type { Halts } from '../state/halts.ts';
import type { Portfolio } from '../state/account/portfolio.ts';
import type { HaltScope } from '../state/halts.ts';
import type { Owner } from '../state/records/owner.ts';
import type { SavedHalt } from '../../domain/messages/saved-halt.ts';
import type { GuardCounter, FiredBracket } from '../state/account/limit-counters.ts';
import type { LimitEvents, LimitLevel } from './losses.ts';
import { numberOf, statedBy, statedForAll, statedOf, statedOrAll, type LimitOptions } from '../state/limits/limits.ts';
import { onlyMakes } from '../../domain/orders/time-in-force.ts';

/** The shared state that this file uses. */
interface GuardsCore extends Core {
  readonly contexts: readonly InstrumentContext[];
  readonly halts: Halts;
  readonly portfolio: Portfolio;
  readonly owners: readonly Owner[];
}

/** State that a restart restores: event times by scope as text. */
export interface SavedGuards {
  readonly stops: Readonly<Record<string, readonly number[]>>;
  readonly slips: Readonly<Record<string, readonly number[]>>;
}

type Stated = (key: LimitKey) => string | number;

/** Halts opens of one scope after a number of events within a window. */
class Guard {
  readonly scope: HaltScope;
  readonly most: number;
  readonly windowMs: number;
  readonly action: LimitAction;
  readonly haltForMs: number;
  /** Event times, oldest first. */
  times: number[] = [];

  constructor(scope: HaltScope, most: number, windowMs: number, action: string | number, haltFor: string | number) {
    this.scope = scope;
    this.most = most;
    this.windowMs = windowMs;
    this.action = action as LimitAction;
    this.haltForMs = numberOf('haltFor', haltFor);
  }

  /** Counts an event at `now`. True if the limit is reached. */
  count(now: number): boolean {
    if (this.most === Infinity) return false;
    this.times = [...this.times.filter((time) => now - time < this.windowMs), now].slice(-this.most);
    assert(this.times.length <= this.most, 'a guard counts up to its limit', this.times.length);
    return this.times.length >= this.most;
  }
}

export class Guards implements GuardCounter {
  /** True if fills must be checked. */
  readonly isOn: boolean;
  /** True if orders must store the price at decision time. */
  readonly hasSlippage: boolean;
  readonly #core: GuardsCore;
  readonly #events: LimitEvents;
  /** By scope: the bot, symbols, strategies; scopes without a limit are left out. */
  readonly #stops: readonly Guard[];
  /** By instrument: null without a limit. */
  readonly #slips: readonly (Guard | null)[];
  readonly #mostSlips: readonly number[];
  /** By leg: number of the order whose stop-loss was counted last. A stop that fills in parts counts once. */
  readonly #lastStop: number[];

  constructor(core: GuardsCore, events: LimitEvents, options: LimitOptions) {
    this.#events = events;
    this.#core = core;
    const { risk, instruments } = options;
    const symbols = core.contexts.map(({ index }) =>
      stopGuard({ kind: 'symbol', instrument: index }, risk, (key) => statedOf(risk, key, instruments[index]!)),
    );
    const strategies = core.owners.map(({ index, name }) =>
      stopGuard({ kind: 'strategy', name }, risk, (key) => statedBy(options, index, key)),
    );
    const all = stopGuard({ kind: 'bot' }, risk, (key) => statedForAll(risk, key));
    this.#stops = [all, ...symbols, ...strategies].filter(({ most }) => most !== Infinity);
    this.#mostSlips = instruments.map((one) => numberOf('maxSlippage', statedOf(risk, 'maxSlippage', one)));
    this.#slips = core.contexts.map(({ index, instrument }) => {
      if (this.#mostSlips[index] === Infinity) return null;
      const of = (key: LimitKey): string | number => statedOf(risk, key, instrument);
      const [most, windowMs] = [
        numberOf('maxSlippageFills', of('maxSlippageFills')),
        numberOf('maxSlippageWindow', of('maxSlippageWindow')),
      ];
      const haltFor = statedOrAll(of('haltFor'), risk, 'haltFor');
      return new Guard({ kind: 'symbol', instrument: index }, most, windowMs, of('maxSlippageAction'), haltFor);
    });
    this.hasSlippage = this.#slips.some((one) => one !== null);
    this.isOn = this.hasSlippage || this.#stops.length > 0;
    this.#lastStop = core.portfolio.legs.map(() => 0);
    core.halts.onEnd.push((halt, by) => this.#lifted(halt, by));
  }

  /** The order filled at `price` ticks (0: unknown). */
  filled(order: Order, price: number): void {
    if (order.decisionPrice === 0 || price <= 0) return;
    const { seq, context, owner, decisionPrice, side, effect } = order;
    // Counted once per order, however many fills follow.
    if (this.#isWorse(context, owner, { seq, isBuy: directionOf(side, effect) === BUY, decisionPrice, price })) order.decisionPrice = 0;
  }

  /** A bracket of an order closed part of the leg. Trigger 0 means a limit order, price 0 an unknown price. */
  bracketFired(context: InstrumentContext, side: number, owner: Owner, exit: FiredBracket): void {
    const { seq, isStop, trigger, price } = exit;
    const leg = context.leg(side).index;
    assert(seq > 0, 'a bracket that fired is of an order with a number', seq, 'leg', leg);
    const key = isStop ? seq : -seq;
    if (this.#lastStop[leg] === key) return;
    this.#lastStop[leg] = key;
    if (isStop) this.#stopped(context, owner);
    if (trigger > 0 && price > 0) this.#isWorse(context, owner, { seq, isBuy: side === SHORT, decisionPrice: trigger, price });
  }

  /** An operator ended this halt: its counter restarts at zero. */
  #lifted({ scope, code }: SavedHalt, by: string): void {
    if (!this.isOn || by === 'bot') return;
    const guards = code === 'stoploss-guard' ? this.#stops : code === 'slippage' ? this.#slips : [];
    for (const guard of guards) if (guard !== null && this.#core.halts.text(guard.scope) === scope) guard.times = [];
    this.#write();
  }

  /** How many events each guard counts now. */
  levels(): LimitLevel[] {
    const { now } = this.#core;
    const of = (guard: Guard | null, key: LimitKey): LimitLevel[] => {
      if (guard === null) return [];
      const { scope, times, windowMs, most: limit, action } = guard;
      return [{ scope, key, value: times.filter((time) => now - time < windowMs).length, limit, isMoney: false, action }];
    };
    return [...this.#stops.flatMap((one) => of(one, 'stoplossGuard')), ...this.#slips.flatMap((one) => of(one, 'maxSlippageFills'))];
  }

  saved(): SavedGuards | undefined {
    if (!this.isOn) return undefined;
    const of = (guards: readonly (Guard | null)[]): Record<string, number[]> =>
      Object.fromEntries(guards.flatMap((one) => (one === null ? [] : [[this.#core.halts.text(one.scope), one.times]])));
    return { stops: of(this.#stops), slips: of(this.#slips) };
  }

  restore({ stops, slips }: SavedGuards): void {
    for (const one of this.#stops) one.times = [...(stops[this.#core.halts.text(one.scope)] ?? [])];
    for (const one of this.#slips) if (one !== null) one.times = [...(slips[this.#core.halts.text(one.scope)] ?? [])];
  }

  /** Counts the fill if its slippage is beyond the limit; true then. */
  #isWorse(context: InstrumentContext, owner: Owner, fill: { seq: number; isBuy: boolean; decisionPrice: number; price: number }): boolean {
    const { seq, isBuy, decisionPrice, price } = fill;
    const { instrument } = context;
    const worse = (isBuy ? price - decisionPrice : decisionPrice - price) / decisionPrice;
    const guard = this.#slips[context.index] ?? null;
    if (guard === null || worse <= this.#mostSlips[context.index]!) return false;
    const shown = { decided: formatTicks(Math.round(decisionPrice), instrument), price: formatTicks(Math.round(price), instrument) };
    const percent = (worse * 100).toFixed(3);
    this.#core.log.warn('slippage', { seq, strategy: owner.name, symbol: tradedName(instrument), ...shown, percent });
    const isFull = guard.count(this.#core.now);
    const detail = `${guard.times.length} orders filled worse than ${this.#mostSlips[context.index]! * 100} %, the last ${percent} % at ${shown.price}`;
    this.#counted(guard, isFull, 'slippage', detail);
    return true;
  }

  #stopped(context: InstrumentContext, owner: Owner): void {
    for (const guard of this.#stops) {
      const { kind } = guard.scope;
      if (kind !== 'bot' && !this.#core.halts.covers(guard.scope, context, 0, owner)) continue;
      const isFull = guard.count(this.#core.now);
      this.#counted(guard, isFull, 'stoploss-guard', `${guard.times.length} stop-losses fired within ${guard.windowMs / 1000} s`);
    }
  }

  #counted(guard: Guard, isFull: boolean, code: string, detail: string): void {
    const { halts, now } = this.#core;
    if (isFull) {
      const until = guard.haltForMs === Infinity ? {} : { until: now + guard.haltForMs };
      const isNew = halts.raise({ scope: guard.scope, code, detail, by: 'bot', ...until });
      if (isNew && guard.action !== 'halt-opens') this.#events.limitExceeded(guard.action, guard.scope, code);
      if (guard.haltForMs !== Infinity) guard.times = [];
    }
    this.#write();
  }

  #write(): void {
    this.#core.journal.note('guards', { ...this.saved() }, this.#core.now);
  }
}

function stopGuard(scope: HaltScope, risk: RiskLimits, stated: Stated): Guard {
  const of: Stated = (key) => (scope.kind === 'bot' ? stated(key) : statedOrAll(stated(key), risk, key));
  const most = numberOf('stoplossGuard', stated('stoplossGuard'));
  return new Guard(scope, most, numberOf('stoplossGuardWindow', of('stoplossGuardWindow')), of('stoplossGuardAction'), of('haltFor'));
}

/** The price in ticks that the order would meet at once; 0 if it rests. A trigger order is expected to fill at its trigger. */
export function decisionPriceOf(c: Command, { judged }: InstrumentContext): number {
  if (waitsForTrigger(c.kind)) return c.trigger;
  if (onlyMakes(c.force)) return 0;
  const isBuy = directionOf(c.side, c.effect) === BUY;
  const touch = isBuy ? judged.ask : judged.bid;
  const met = touch > 0 ? touch : judged.reference;
  if (c.price === 0) return met;
  return (isBuy ? c.price >= met : c.price <= met) ? met : 0;
}

/** Merges the state of the journal with that of the file beside it: the longer list of each scope. */
export function worseGuards(journal: SavedGuards | undefined, file: SavedGuards | undefined): SavedGuards | undefined {
  if (journal === undefined || file === undefined) return journal ?? file;
  const both = (a: SavedGuards['stops'], b: SavedGuards['stops']): Record<string, number[]> => {
    const names = [...new Set([...Object.keys(a), ...Object.keys(b)])];
    const longer = (name: string): number[] => [a[name] ?? [], b[name] ?? []].toSorted((x, y) => y.length - x.length)[0]!.slice();
    return Object.fromEntries(names.map((name) => [name, longer(name)]));
  };
  return { stops: both(journal.stops, file.stops), slips: both(journal.slips, file.slips) };
}
