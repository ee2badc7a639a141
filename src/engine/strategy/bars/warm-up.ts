/**
 * Starts each strategy once enough bars exist. Before that none of its handlers is called, so it cannot trade on too little history.
 */
import { assert } from '../../../base/failure/assert.ts';
import type { Core } from '../../state/core.ts';
import type { BarFeed } from './bar-feed.ts';
import type { StrategyRunner } from '../runner/strategy-runner.ts';

/** The shared state that this file uses. */
export interface WarmUpCore extends Core {
  /** Counts commands and timers started by strategies. */
  acts: number;
}

/** Bars of `feed` that a strategy waits for. */
export interface Wanted {
  readonly feed: BarFeed;
  readonly count: number;
}

export class WarmUp {
  readonly #core: WarmUpCore;
  /** Strategies that have not enough bars: what they want, and what attaches them to market data. */
  readonly #waiting = new Map<StrategyRunner, { readonly wanted: readonly Wanted[]; readonly attach: () => void }>();
  /** Starts a strategy; null until the bot may trade. */
  #start: ((runner: StrategyRunner) => void) | null = null;

  constructor(core: WarmUpCore) {
    this.#core = core;
  }

  /** Before the start: `runner` waits for these bars. `attach` is called at once if there is nothing to wait for, otherwise then. */
  want(runner: StrategyRunner, wanted: readonly Wanted[], attach: () => void): void {
    assert(
      !this.#waiting.has(runner) || runner.isWarming,
      'a strategy that waits for bars has not started',
      wanted.length,
      'strategy',
      runner.name,
    );
    if (wanted.every(isThere)) return attach();
    runner.isWarming = true;
    this.#waiting.set(runner, { wanted, attach });
  }

  /** The bot may trade: `start` is called for strategies with enough bars now, for the others when they have them. */
  begin(runners: readonly StrategyRunner[], start: (runner: StrategyRunner) => void): void {
    this.#start = start;
    for (const runner of runners) {
      if (this.#waiting.has(runner)) this.#startIfWarm(runner, start);
      else start(runner);
      if (runner.isWarming) this.#core.log.info('warming-up', { strategy: runner.name, bars: this.textOf(runner) });
    }
  }

  /** A strategy does not trade this instrument any more: it waits for no bars of it. `check` starts it if it lacks no others. */
  leave(runner: StrategyRunner, instrument: number): void {
    const one = this.#waiting.get(runner);
    if (one === undefined) return;
    this.#waiting.set(runner, { ...one, wanted: one.wanted.filter(({ feed }) => feed.instrument.index !== instrument) });
  }

  /** More bars exist. */
  check(): void {
    if (this.#start === null || this.#waiting.size === 0) return;
    for (const runner of this.#waiting.keys()) this.#startIfWarm(runner, this.#start);
  }

  /** "14 of 60 1h bars of BTCUSDT": what the strategy lacks most; "" if it is warm. */
  textOf(runner: StrategyRunner): string {
    const missing = (this.#waiting.get(runner)?.wanted ?? []).filter((one) => !isThere(one));
    const [most] = missing.toSorted((a, b) => a.feed.series.length / a.count - b.feed.series.length / b.count);
    if (most === undefined) return '';
    const { feed, count } = most;
    return `${feed.series.length} of ${count} ${feed.timeframe.name} bars of ${feed.instrument.symbol}`;
  }

  #startIfWarm(runner: StrategyRunner, start: (runner: StrategyRunner) => void): void {
    const one = this.#waiting.get(runner);
    assert(one !== undefined, 'a strategy that starts late has waited for bars', this.#waiting.size, 'strategy', runner.name);
    const { wanted, attach } = one;
    if (!wanted.every(isThere)) return;
    this.#waiting.delete(runner);
    runner.isWarming = false;
    attach();
    // A run through whole columns ends here, because one more strategy wants them from now on.
    this.#core.acts++;
    this.#core.log.info('warmed-up', { strategy: runner.name });
    start(runner);
  }
}

function isThere({ feed, count }: Wanted): boolean {
  return feed.series.length >= count;
}
