/** The strategy that is verified, on its tape: runs it in many ways and keeps what it decided. */
import type { BacktestReport } from '../../report/backtest-report.ts';
import type { KernelSnapshot } from '../../engine/recovery/registry.ts';
import { Random } from '../../base/random.ts';
import { loadMarket, openTrials, type DetailChoice, type LoadedMarket, type TrialOptions, type Trials } from '../backtest/trials.ts';
import { hasBarMarket, playsBars } from '../backtest/inputs/runs-on-bars.ts';
import { Decisions, filled, type Decision } from './decision-lines.ts';

export interface VerifyOptions extends TrialOptions, DetailChoice {
  /** True to start no other process. */
  readonly isAlone?: true | undefined;
  readonly tape: string;
  /** How many moments are tried for look-ahead and for restarts. */
  readonly moments: number;
}

export interface Run {
  readonly report: BacktestReport;
  readonly decisions: readonly Decision[];
  readonly fills: readonly Decision[];
  /** True if a strategy wants something to be kept over a restart. */
  readonly keepsState: boolean;
}

export interface RunChanges {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly historyFactor?: number | undefined;
  /** The strategy is created again at this time, with what `save` gives, as after a restart of the bot. */
  readonly restartAt?: number | undefined;
}

export class Subject {
  readonly options: VerifyOptions;
  readonly market: LoadedMarket;
  readonly #trials: Trials;
  #whole: Run | null = null;

  private constructor(options: VerifyOptions, market: LoadedMarket, trials: Trials) {
    this.options = options;
    this.market = market;
    this.#trials = trials;
  }

  /** Loads tape and strategies. @throws Failure, TapeError */
  static async open(options: VerifyOptions): Promise<Subject> {
    const market = loadMarket(options.tape, options.config, options);
    return new Subject(options, market, await openTrials(market, options));
  }

  /** The same strategies with other options, or on a changed market. */
  async changed(changes: Partial<TrialOptions>, market = this.market): Promise<Subject> {
    const options = { ...this.options, ...changes };
    return new Subject(options, market, await openTrials(market, options));
  }

  /** What is decided on the tape `ms` later. */
  async later(ms: number): Promise<readonly Decision[]> {
    const { start = this.#trials.manifest.from, from, to } = this.options;
    const changes = { start: start + ms, from: from && from + ms, to: to && to + ms };
    return (await this.changed(changes)).whole().decisions;
  }

  /** First and last moment of the run in milliseconds. */
  get from(): number {
    return Math.max(this.options.from ?? -Infinity, this.#trials.manifest.from);
  }

  get to(): number {
    return Math.min(this.options.to ?? Infinity, this.#trials.manifest.to);
  }

  /** True if every bar is one event, at its end. */
  get isOnBars(): boolean {
    return playsBars(this.#trials.manifest, { ...this.options, detail: this.market.detail });
  }

  /** True if prices inside bars are drawn, towards how each bar ends. */
  get isDrawn(): boolean {
    return hasBarMarket(this.#trials.manifest) && !this.isOnBars;
  }

  /** The run over the whole range, done once. */
  whole(): Run {
    this.#whole ??= this.run();
    return this.#whole;
  }

  run({ from, to, historyFactor, restartAt }: RunChanges = {}): Run {
    const decisions = new Decisions(this.market.instruments.instruments);
    const backtest = this.#trials.open(
      this.options.strategies.map(() => ({})),
      { from, to, hooks: { historyFactor, restartAt, journal: decisions.journal } },
    );
    const report = backtest.run();
    return { report, decisions: decisions.all, fills: report.fills.map(filled), keepsState: isKeeping(backtest.kernel.snapshot()) };
  }

  /** `count` moments of the run: half of them right after decisions, evenly spread, half of them at random, in order of time. */
  moments(count: number): number[] {
    const { decisions } = this.whole();
    const acted = Math.min(Math.ceil(count / 2), decisions.length);
    const at = Array.from({ length: acted }, (_, k) => decisions[Math.floor(((k + 0.5) * decisions.length) / acted)]!.time + 1);
    const random = new Random(this.options.seed);
    while (at.length < count) at.push(Math.floor(this.from + 1 + random.uniform() * Math.max(1, this.to - this.from - 1)));
    return at.toSorted((a, b) => a - b);
  }
}

/** True if a strategy has `save`, or fields of `ctx.state`. */
const isKeeping = ({ strategies, state = {} }: KernelSnapshot): boolean =>
  Object.keys(strategies).length > 0 || Object.values(state).some((fields) => Object.keys(fields).length > 0);
