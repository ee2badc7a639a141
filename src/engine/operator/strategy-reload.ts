/**
 * Gives a running strategy another text of its file, and takes it back by itself if it fails while it is on trial. The last text that is not
 * on trial returns, with the state that it had then.
 */
import { assert } from '../../base/failure/assert.ts';
import type { Timer } from '../../base/time/timer-queue.ts';
import type { Core } from '../state/core.ts';
import type { Owner } from '../state/records/owner.ts';
import { Trial } from '../state/records/trial.ts';
import { nameOf } from '../strategy/definition/setup.ts';
import {
  type Reload,
  type ReloadsByStrategy,
  shortHash,
  type StrategyOf,
  type StrategySource,
  TRIAL_MS,
} from '../strategy/definition/source.ts';
import type { Running } from '../strategy/make-strategies.ts';
import type { OperatorResult } from './command.ts';
import { type StrategyChanger, unchanged } from './strategy-changer.ts';

export interface StrategyReloadDeps {
  readonly core: Core & { readonly owners: readonly Owner[] };
  readonly strategyChanger: StrategyChanger;
  readonly strategyOf: StrategyOf;
}

export class StrategyReload implements Timer {
  readonly #deps: StrategyReloadDeps;
  readonly #alarm: number;
  /** Strategies whose new text failed, and why. */
  readonly #failed = new Map<Running, string>();
  /** Of strategies that do not run now. */
  #others: ReloadsByStrategy = {};

  constructor(deps: StrategyReloadDeps) {
    this.#deps = deps;
    this.#alarm = deps.core.timerQueue.add(this);
    for (const one of deps.strategyChanger.running) this.#watch(one);
  }

  /** By strategy: how it came to another text; undefined for none. */
  save(): ReloadsByStrategy | undefined {
    const { setups } = this.#deps.strategyChanger;
    const own = setups.flatMap((setup) => (setup.reload === undefined ? [] : [[nameOf(setup), setup.reload] as const]));
    const all = [...Object.entries(this.#others), ...own];
    return all.length === 0 ? undefined : Object.fromEntries(all);
  }

  /** Restores what concerns strategies that do not run; those that run were created with theirs. */
  restore(saved: ReloadsByStrategy): void {
    const names = new Set(this.#deps.strategyChanger.setups.map(nameOf));
    this.#others = Object.fromEntries(Object.entries(saved).filter(([name]) => !names.has(name)));
  }

  /** The strategy runs `source` from now on. `before` is what runs. */
  run(name: string, source: StrategySource, before: StrategySource): OperatorResult {
    const { core, strategyChanger, strategyOf } = this.#deps;
    const one = strategyChanger.find(name);
    if ('ok' in one) return one;
    const { runner, setup } = one;
    const strategy = strategyOf(source);
    const file = source.files[0]?.file ?? '';
    if (strategy === undefined) return unchanged(`the text of ${file} was not loaded`, 'type the command again');
    if (strategy.name !== setup.strategy.name)
      return unchanged(
        `expected the strategy "${setup.strategy.name}" in ${file}, found "${strategy.name}"`,
        'a restart takes another one',
      );
    const { reload: last } = setup;
    if (last !== undefined && last.source.sha256 !== before.sha256)
      return unchanged(`another text runs meanwhile: ${shortHash(last.source)}, not ${shortHash(before)}`, 'look at `tickwright status`');
    if (source.sha256 === before.sha256) return unchanged(`${file} is the text that runs (${shortHash(source)})`, 'change the file first');
    if (runner.isWarming) return unchanged(`${runner.name} waits for bars: it takes another text when it has started`);
    const state = runner.save();
    if (state === undefined && runner.handlers.save !== undefined)
      return unchanged(`${runner.name} could not save its state`, 'the log line strategy-error says why');
    // A text on trial is not what comes back: that is the one which it followed.
    const proven = isOnTrial(last, core.now) ? last : { before, state: state ?? null };
    const isProven = source.sha256 === last?.before?.sha256;
    const back = isProven ? { before: null, state: null } : { before: proven.before, state: proven.state };
    const reload: Reload = { source, at: core.now, ...back, returned: null };
    const note = ['reload', { strategy: runner.name, reload }] as const;
    const text = `it runs the text ${shortHash(source)} of ${file}; before, ${shortHash(before)}`;
    const begin = (): void => this.#watch(one);
    return strategyChanger.change(one, { strategy, reload }, { text, note }, { state, isReturn: false, begin });
  }

  /** Brings back the text before of strategies that failed. */
  due(): void {
    for (const [one, why] of this.#failed) {
      this.#failed.delete(one);
      const refusal = this.#giveBack(one, why);
      if (refusal !== '') one.runner.stopFor(`${why}; and the text before cannot run: ${refusal}`);
    }
  }

  /** Why it cannot run; "" if it does. */
  #giveBack(one: Running, why: string): string {
    const { core, strategyChanger, strategyOf } = this.#deps;
    const { runner, setup } = one;
    const failed = setup.reload;
    assert(failed !== undefined, 'a text that is taken back came by a reload', why, 'strategy', runner.name);
    const source = failed.before;
    assert(source !== null, 'a text that is taken back has one before it', why, 'strategy', runner.name);
    const strategy = strategyOf(source);
    if (strategy === undefined) return 'it was not loaded';
    const reload: Reload = { source, at: core.now, before: null, state: failed.state, returned: { why, failed: failed.source.sha256 } };
    const facts = { strategy: runner.name, why, failed: shortHash(failed.source), runs: shortHash(source) };
    const note = ['reload', { strategy: runner.name, reload }] as const;
    const begin = (): void => {
      this.#watch(one);
      core.log.error('reload-returned', facts);
    };
    const other = { state: failed.state ?? undefined, isReturn: true, begin };
    const result = strategyChanger.change(one, { strategy, reload }, { text: 'the text before runs again', note }, other);
    return result.ok ? '' : result.message;
  }

  /** While the text of the strategy is on trial, its first fault brings back the one before. */
  #watch(one: Running): void {
    const { core } = this.#deps;
    const { reload } = one.setup;
    const owner = core.owners.find(({ name }) => name === one.runner.name);
    assert(owner !== undefined, 'a strategy that runs owns its orders', reload?.at, 'strategy', one.runner.name);
    owner.trial =
      reload === undefined || reload.before === null
        ? null
        : new Trial(reload.at + TRIAL_MS, (why) => {
            if (!this.#failed.has(one)) this.#failed.set(one, why);
            core.timerQueue.set(this.#alarm, core.now);
          });
  }
}

function isOnTrial(reload: Reload | undefined, now: number): reload is Reload & { readonly before: StrategySource } {
  return reload !== undefined && reload.before !== null && now < reload.at + TRIAL_MS;
}
