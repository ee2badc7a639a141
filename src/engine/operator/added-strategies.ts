/**
 * Ready-made bots that an operator adds while the bot runs, beside the strategies of the configuration. The kernel only keeps which they
 * are: whoever opens it next makes them (run/bot/added-strategies.ts), so the strategies of a kernel never change in number.
 */
import { unlessEmpty } from '../../base/defined.ts';
import { assert } from '../../base/failure/assert.ts';
import { counted } from '../../base/text/figures.ts';
import type { AddedByStrategy, AddedStrategy } from '../../domain/ready-made.ts';
import type { Core } from '../state/core.ts';
import { mayBeResumed } from '../state/events/halt-codes.ts';
import type { Halts } from '../state/halts.ts';
import { nameOf } from '../strategy/definition/setup.ts';
import type { CommandOrigin, OperatorResult } from './command.ts';
import type { Flattener } from './flat/flatten.ts';
import { refused } from './refusals.ts';
import { type StrategyChanger, unchanged } from './strategy-changer.ts';

export interface AddedStrategiesDeps {
  readonly core: Core & { readonly halts: Halts };
  readonly flattener: Pick<Flattener, 'orders' | 'remains' | 'scope'>;
  readonly strategyChanger: StrategyChanger;
}

const AGAIN = 'the bot stops cleanly and starts again in place';

export class AddedStrategies {
  readonly #deps: AddedStrategiesDeps;
  #all: AddedByStrategy = {};
  /** True from a change until the bot is opened again. */
  #isDue = false;

  constructor(deps: AddedStrategiesDeps) {
    this.#deps = deps;
  }

  /** undefined for none. */
  save(): AddedByStrategy | undefined {
    return unlessEmpty(this.#all);
  }

  restore(saved: AddedByStrategy): void {
    this.#all = saved;
  }

  has(name: string): boolean {
    return Object.hasOwn(this.#all, name);
  }

  /** From the next opening of the bot on, a strategy of this name runs. The caller has tried to make it. */
  add(name: string, added: AddedStrategy): OperatorResult {
    const busy = this.#notNow();
    if (busy !== null) return busy;
    const names = [...this.#deps.strategyChanger.setups.map(nameOf), ...Object.keys(this.#all)];
    if (names.includes(name)) return unchanged(`there is a strategy "${name}" already`, 'give this one another name');
    this.#note(name, added);
    return done(`${name} is added: ${added.bot} on ${added.symbols.join(', ')}; ${AGAIN}, and runs it`);
  }

  /** The strategy is set aside, and does not run from the next opening of the bot on. It must hold nothing; its halts end. */
  remove(name: string, { by }: CommandOrigin): OperatorResult {
    const { core, flattener, strategyChanger } = this.#deps;
    const one = strategyChanger.running.find(({ runner }) => runner.name === name);
    if (!this.has(name)) {
      const known = Object.keys(this.#all);
      const hint = known.length === 0 ? 'none was added' : `added were ${known.join(', ')}`;
      const [what, how] = one === undefined ? [`there is no strategy "${name}"`, hint] : [`${name} was not added while the bot ran`, OUT];
      return refused(one === undefined ? 'no-such-strategy' : 'refused', what, how);
    }
    const busy = this.#notNow();
    if (busy !== null) return busy;
    if (one !== undefined) {
      const scope = { kind: 'strategy', name } as const;
      const manages = one.runner.context.markets.some(
        (market) => one.runner.trades.of(market).length + one.runner.executions.of(market).length > 0,
      );
      // A position that it shares with another strategy is watched by that one.
      const holds = flattener.scope.shared(name) === null && flattener.remains(scope, core.now).legs.length > 0;
      const orders = flattener.orders(scope).length;
      if (manages || holds || orders > 0) {
        const what = orders > 0 ? `has ${counted(orders, 'live order')}` : holds ? 'has a position' : 'manages a trade or an execution';
        return refused('position-open', `${name} ${what}`, `first: tickwright halt ${name}; tickwright flatten ${name}`);
      }
      for (const halt of core.halts.all())
        if (halt.scope === core.halts.text(scope) && mayBeResumed(halt)) core.halts.end(halt, 'the strategy was removed', by);
    }
    this.#note(name, null);
    one?.runner.setAside('removed');
    return done(`${name} is removed: ${AGAIN} without it`);
  }

  #note(name: string, added: AddedStrategy | null): void {
    const { core } = this.#deps;
    core.journal.note('strategy', { strategy: name, added }, core.now);
    this.#isDue = true;
    this.#all = addedWith(this.#all, name, added);
    assert(this.has(name) === (added !== null), 'a strategy is added or removed', name);
  }

  /** Before the strategies have started, and while the bot stops or is about to, nothing is changed. */
  #notNow(): OperatorResult | null {
    return this.#deps.strategyChanger.isActive && !this.#isDue
      ? null
      : unchanged('the bot has not started yet, or it stops', 'try again when `tickwright status` says that it is armed');
  }
}

const OUT = 'take it out of the configuration, and start the bot again';

/** With a strategy more, or one less for null. */
export function addedWith(all: AddedByStrategy, name: string, added: AddedStrategy | null): AddedByStrategy {
  const others = Object.entries(all).filter(([one]) => one !== name);
  return Object.fromEntries(added === null ? others : [...others, [name, added]]);
}

function done(text: string): OperatorResult {
  return { ok: true, did: [text], orders: [], flattens: '' };
}
