/** Gives a running strategy other symbols without creating it again: its handlers, timers and state go on. */
import { assert } from '../../base/failure/assert.ts';
import type { Leg } from '../state/records/leg.ts';
import type { Owner } from '../state/records/owner.ts';
import { asPolled, type StrategyChangerDeps } from '../operator/strategy-changer.ts';
import type { SetupUniverse } from '../strategy/definition/universe.ts';
import type { Running } from '../strategy/make-strategies.ts';
import { joinMarket, leaveMarket } from '../strategy/subscribe.ts';
import { PollPlanError } from '../polling/schedule.ts';

export type MembershipDeps = Pick<StrategyChangerDeps, 'dispatch' | 'markets' | 'replan' | 'running' | 'traded'> & {
  /** Reports positions that no strategy works on. */
  readonly leftPositions: { begin(leg: Leg): void; end(leg: Leg): void };
  readonly core: StrategyChangerDeps['core'] & { readonly owners: readonly Owner[] };
};

export class Membership {
  readonly #deps: MembershipDeps;

  constructor(deps: MembershipDeps) {
    this.#deps = deps;
  }

  /** The strategy trades what `next` says. The journal has it already. `isChoice`: the strategy is told. */
  change(one: Running, next: SetupUniverse, isChoice: boolean): void {
    const { core, dispatch, markets: all, leftPositions } = this.#deps;
    const { runner, context } = one;
    const before = one.setup.instruments;
    const openBefore = one.setup.universe!.chosen;
    const instruments = [...next.chosen, ...next.leaving];
    const added = instruments.filter((i) => !before.includes(i));
    const removed = before.filter((i) => !instruments.includes(i));
    one.setup = { ...one.setup, instruments, universe: next };
    const markets = instruments.map((i) => all[i]!);
    context.markets = markets;
    this.#list(one);
    const traded = this.#deps.traded.get(runner.name);
    assert(traded !== undefined, 'the symbols of a strategy that runs are known', markets.length, 'strategy', runner.name);
    for (const i of removed) {
      traded.delete(i);
      leaveMarket(runner, markets, i, dispatch);
      const { long, short } = core.contexts[i]!;
      for (const leg of [long, short]) leftPositions.begin(leg);
    }
    for (const i of added) {
      traded.add(i);
      const { long, short } = core.contexts[i]!;
      for (const leg of [long, short]) leftPositions.end(leg);
      joinMarket({ runner, instruments, markets, universe: next }, i, dispatch, core);
    }
    dispatch.trackAlso(runner, runner.handlers, added);
    if (added.length + removed.length > 0) this.#replan(one)();
    // What it waited for at the start may have left.
    dispatch.warmUp.check();
    if (!isChoice || next.chosen.length + openBefore.length === 0) return;
    const joined = next.chosen.filter((i) => !openBefore.includes(i)).map((i) => all[i]!);
    const left = openBefore.filter((i) => !next.chosen.includes(i)).map((i) => all[i]!);
    runner.universe({ at: next.at, joined, left });
  }

  /** What the strategy may open, in the list that it was given. */
  #list({ runner, context, setup }: Running): void {
    const { core, markets } = this.#deps;
    const { chosen } = setup.universe!;
    const list = context.universe as (typeof markets)[number][];
    list.splice(0, list.length, ...chosen.map((i) => markets[i]!));
    const owner = core.owners.find(({ name }) => name === runner.name);
    assert(owner !== undefined, 'a strategy that runs owns its orders', chosen.length, 'strategy', runner.name);
    owner.openIn = new Set(chosen);
  }

  /** Polls by the new symbols. If what leaves does not fit into the rates beside them, it is read as rarely as the other candidates. */
  #replan(one: Running): () => void {
    const { replan, running } = this.#deps;
    const others = running.filter((each) => each !== one).map((each) => asPolled(each.runner, each.setup));
    const { universe } = one.setup;
    try {
      return replan([...others, asPolled(one.runner, one.setup)]);
    } catch (error) {
      if (!(error instanceof PollPlanError)) throw error;
      return replan([...others, asPolled(one.runner, { universe, instruments: universe!.chosen })]);
    }
  }
}
