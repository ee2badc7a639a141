/**
 * Halts for limits that are conditions: trading hours and spread. Their rules refuse each open by themselves. The halt makes the condition
 * visible and carries out the limit's action. It ends by itself with the condition.
 */
import { assert } from '../../base/failure/assert.ts';
import type { LimitAction, LimitKey } from '../../domain/limits.ts';
import type { Hours } from '../../domain/time/hours.ts';
import type { Timer } from '../../base/time/timer-queue.ts';
import type { TotalValue } from '../state/account/total-value.ts';
import type { Core } from '../state/core.ts';
import type { InstrumentContext } from '../state/records/instrument-context.ts';
import type { Halts } from '../state/halts.ts';
import type { Owner } from '../state/records/owner.ts';
import type { HaltScope } from '../state/halts.ts';
import { isWide } from './rules/prices.ts';
import type { LimitEvents } from './losses.ts';
import { statedBy, statedForAll, statedOf, statedOrAll, type LimitOptions } from '../state/limits/limits.ts';

/** The shared state that this file uses. */
interface ConditionsCore extends Core {
  readonly contexts: readonly InstrumentContext[];
  readonly halts: Halts;
  readonly owners: readonly Owner[];
}

/** How often spreads are checked, in milliseconds. */
const LOOK_MS = 1_000;
const CODES: readonly string[] = ['trading-hours', 'max-spread'];

interface ScopeHours {
  readonly scope: HaltScope;
  readonly hours: Hours;
  readonly action: LimitAction;
}

export class Conditions implements Timer {
  readonly isOn: boolean;
  readonly #core: ConditionsCore;
  readonly #events: LimitEvents;
  readonly #hours: readonly ScopeHours[];
  /** By instrument: the action for a wide spread beyond refusing, null for none. */
  readonly #spreads: readonly (LimitAction | null)[];
  readonly #alarm: number;

  constructor(core: ConditionsCore, total: Pick<TotalValue, 'hours'>, events: LimitEvents, options: LimitOptions) {
    this.#events = events;
    this.#core = core;
    const { risk, instruments } = options;
    const ofAll = { scope: { kind: 'bot' } as const, hours: total.hours, action: statedForAll(risk, 'tradingHoursAction') };
    const ofSymbols = core.contexts.map(({ index, hours }) => {
      const action = statedOrAll(statedOf(risk, 'tradingHoursAction', instruments[index]!), risk, 'tradingHoursAction');
      return { scope: { kind: 'symbol', instrument: index } as const, hours, action };
    });
    const ofStrategies = core.owners.map(({ index, name, hours }) => {
      const action = statedOrAll(statedBy(options, index, 'tradingHoursAction'), risk, 'tradingHoursAction');
      return { scope: { kind: 'strategy', name } as const, hours, action };
    });
    this.#hours = [ofAll, ...ofSymbols, ...ofStrategies].flatMap(({ scope, hours, action }) =>
      hours === null ? [] : [{ scope, hours, action: action as LimitAction }],
    );
    this.#spreads = core.contexts.map(({ maxSpread, instrument }) => {
      const key: LimitKey = 'maxSpreadAction';
      const action = statedOf(risk, key, instrument) as LimitAction;
      return maxSpread === Infinity || action === 'halt-opens' ? null : action;
    });
    this.isOn = this.#hours.length > 0 || this.#spreads.some((action) => action !== null);
    this.#alarm = this.isOn ? core.timerQueue.add(this) : -1;
  }

  /** The kernel is armed. Ends halts of an earlier process whose limit is no longer configured. */
  begin(): void {
    const { halts, now } = this.#core;
    for (const halt of halts.all()) {
      const isStated = this.#hours.some((one) => halts.text(one.scope) === halt.scope) || this.#spreadOf(halt.scope) !== null;
      if (CODES.includes(halt.code) && !isStated) halts.end(halt, 'the limit is not stated any more', 'bot');
    }
    if (this.isOn) this.due(now);
  }

  due(now: number): void {
    let next = Infinity;
    for (const { scope, hours, action } of this.#hours) {
      const isOpen = hours.isOpen(now);
      this.#set(scope, 'trading-hours', isOpen ? '' : `opens are allowed at ${hours.text} (UTC)`, action);
      next = Math.min(next, hours.nextLook(now));
    }
    for (const context of this.#core.contexts) {
      const action = this.#spreads[context.index] ?? null;
      if (action === null) continue;
      next = Math.min(next, now + LOOK_MS);
      // Before the first quote the spread is unknown; the rule refuses opens by itself.
      if (context.judged.bid <= 0 && context.judged.ask <= 0) continue;
      const scope = { kind: 'symbol', instrument: context.index } as const;
      this.#set(scope, 'max-spread', isWide(context) ? `the spread is wider than ${context.maxSpread * 100} %` : '', action);
    }
    assert(next > now, 'conditions are looked at again later', next - now);
    this.#core.timerQueue.set(this.#alarm, next);
  }

  /** Raises the halt with this detail, or ends it if `detail` is "". */
  #set(scope: HaltScope, code: string, detail: string, action: LimitAction): void {
    const { halts } = this.#core;
    assert(CODES.includes(code), 'a condition has its halt', code);
    if (detail === '') {
      halts.lift(scope, code, 'its condition is over', 'bot');
      return;
    }
    const isNew = halts.raise({ scope, code, detail, by: 'bot' });
    if (isNew && action !== 'halt-opens') this.#events.limitExceeded(action, scope, code);
  }

  #spreadOf(scope: string): LimitAction | null {
    const { halts } = this.#core;
    const index = this.#spreads.findIndex((action, instrument) => action !== null && halts.text({ kind: 'symbol', instrument }) === scope);
    return index < 0 ? null : this.#spreads[index]!;
  }
}
