/**
 * Changes a parameter of a running strategy by creating the strategy again with it, as after a restart of the bot. Its orders stay, its
 * state goes through `save` and `restore`, its timers are dropped, and `onStart` is called.
 */
import type { Core } from '../state/core.ts';
import type { Running } from '../strategy/make-strategies.ts';
import type { GivenParams } from '../strategy/definition/params.ts';
import type { OperatorResult } from './command.ts';
import { barNeedsOf } from '../strategy/definition/needs-bars.ts';
import type { StrategyHandlers } from '../strategy/definition/types.ts';
import { paramGiven } from '../strategy/definition/params.ts';

/** Handlers that decide what the bot reads from the venue: they cannot change while it runs. */
const FEEDS = ['onQuote', 'onTrade', 'onBar', 'onBars', 'onOrder', 'onFill', 'onPosition'] as const;

export class StrategyChanger {
  readonly #core: Core;
  readonly #running: readonly Running[];
  readonly #track: (one: Running, handlers: StrategyHandlers) => void;
  /** Parameters set for strategies that do not run now. */
  #others: GivenParams = {};

  /** `track` feeds the indicators of new handlers. */
  constructor(core: Core, running: readonly Running[], track: (one: Running, handlers: StrategyHandlers) => void) {
    this.#core = core;
    this.#running = running;
    this.#track = track;
  }

  /** Parameters set by an operator, by strategy. */
  get given(): GivenParams {
    const own = this.#running.filter(({ given }) => Object.keys(given).length > 0);
    return { ...this.#others, ...Object.fromEntries(own.map(({ runner, given }) => [runner.name, given])) };
  }

  /** Restores parameters of strategies that do not run; those that run were created with theirs. */
  restore(given: GivenParams): void {
    const names = new Set(this.#running.map(({ runner }) => runner.name));
    this.#others = Object.fromEntries(Object.entries(given).filter(([name]) => !names.has(name)));
  }

  /** Sets a parameter. An empty value restores that of the configuration. */
  set(name: string, param: string, value: string): OperatorResult {
    const one = this.#running.find(({ runner }) => runner.name === name);
    if (one === undefined) {
      const names = this.#running.map(({ runner }) => runner.name).join(', ');
      return { ok: false, code: 'no-such-strategy', message: `there is no strategy "${name}"`, hint: `there are ${names}` };
    }
    const { runner, setup, markets, timers } = one;
    if (runner.isDisabled) return refused(`${name} is disabled: it takes parameters after a restart`);
    const given = paramGiven(one.given, param, value);
    let made: StrategyHandlers;
    try {
      made = setup.strategy.create({ ...setup.params, ...given }, markets);
    } catch (error) {
      return refused(error instanceof Error ? error.message : String(error));
    }
    const changed = FEEDS.find((key) => (made[key] === undefined) !== (runner.handlers[key] === undefined));
    const isSame = barsOf(made) === barsOf(runner.handlers);
    if (changed !== undefined || !isSame) {
      return refused(
        `with ${param}=${value} the strategy needs other market data (${changed ?? 'other bars'}): set it in the configuration and restart`,
      );
    }
    this.#core.journal.note('set', { strategy: name, param, value }, this.#core.now);
    one.given = given;
    const state = runner.save();
    const isKept = state !== undefined && made.restore !== undefined;
    timers.clear();
    runner.replace(made);
    this.#track(one, made);
    if (!runner.isWarming) runner.start(state);
    const text = value === '' ? `${param} has the value of the configuration again` : `${param} is ${value}`;
    const kept = isKept ? 'its state was carried over' : 'it keeps no state, so it starts without one';
    return { ok: true, did: [`${name}: ${text}; the strategy was created again, ${kept}`], orders: [], flattens: '' };
  }
}

/** The timeframes of the handlers. How many bars they want may change. */
function barsOf(handlers: StrategyHandlers): string {
  const { bars, isFilling } = barNeedsOf(handlers);
  return `${isFilling} ${bars.map(({ timeframe }) => timeframe.name).join(' ')}`;
}

function refused(message: string): OperatorResult {
  return {
    ok: false,
    code: 'refused',
    message,
    hint: 'the file of the strategy names its parameters; `tickwright status` shows those that were given',
  };
}
