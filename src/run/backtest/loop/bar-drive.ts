/**
 * The main loop of a backtest on bars (docs/how-a-backtest-runs.md). A bar is one event at its end: the simulator plays it, then the bot
 * hears what it brought. Nothing happens between two ends. Bars that only move prices are not played, and reach the bot together, in one
 * event that asks for the next bars (`next`) after each. @hot
 */
import type { KernelInbox } from '../../../engine/inbox.ts';
import type { BarTaker, EndedBars, LoneBarTaker } from '../../../engine/market/bar.ts';
import type { OrderThrottle } from '../../../engine/polling/order-throttle.ts';
import type { BarSource } from '../../../tape/bars/finer-bars.ts';
import { BarSymbol } from './bar-symbol.ts';
import { PlayedMarket, type MarketDeps, type PlayedGrid } from './played-market.ts';
import { EquitySamples, type SampleDeps } from '../counts/equity-samples.ts';
import type { Interruptions } from './interruptions.ts';
import type { BacktestPort } from '../venue/backtest-port.ts';
import type { VirtualClock } from '../venue/virtual-clock.ts';

export interface BarFeedSpec {
  readonly source: BarSource;
  /** The instrument, and those that mirror it on another grid. */
  readonly instrument: number;
  readonly mirrors: readonly PlayedGrid[];
}

export interface BarDriveDeps extends Omit<SampleDeps, 'merge'>, MarketDeps {
  readonly symbols: readonly BarFeedSpec[];
  readonly throttle: OrderThrottle;
  /** The port of the bars, or what stands before it and delays commands. */
  readonly venue: Pick<BacktestPort, 'nextDue' | 'run'>;
  readonly clock: VirtualClock;
  /** Start of the first bar that counts, and what the last one must end by. */
  readonly from: number;
  readonly to: number;
  /** Start time of the bot; the first bar if that is later. */
  readonly botFrom: number;
  readonly interruptions?: Interruptions | undefined;
}

export class BarDrive implements EndedBars {
  /** Start of the first bar and end of the last; −Infinity until then. */
  first = -Infinity;
  last = -Infinity;
  /** Bars taken so far. */
  rows = 0;
  declare private readonly deps: BarDriveDeps;
  declare private readonly inbox: KernelInbox;
  declare private readonly symbols: readonly BarSymbol[];
  /** Those of each symbol, one symbol after the other. */
  declare private readonly markets: readonly PlayedMarket[];
  declare private readonly samples: EquitySamples;
  /** Time when the next bars end; Infinity if there are none. */
  private end = Infinity;
  /** So many markets have taken their bar that ends then, if they have one. */
  private taken = 0;
  /** True once the bot has heard of these bars. */
  private isTold = false;
  private botAt = Infinity;
  private interruptedAt: number;

  constructor(deps: BarDriveDeps) {
    this.deps = deps;
    this.inbox = deps.kernel.inbox;
    this.samples = new EquitySamples({ ...deps, merge: this });
    this.symbols = deps.symbols.map(({ source }) => new BarSymbol(source));
    this.markets = deps.symbols.flatMap(({ instrument, mirrors }, k) =>
      [{ instrument, priceRatio: 1, sizeRatio: 1 }, ...mirrors].map((grid) => new PlayedMarket(this.symbols[k]!, grid, deps)),
    );
    this.interruptedAt = deps.interruptions?.next ?? Infinity;
    deps.watch.isOnPaths = true;
  }

  /** Runs to the last bar. The kernel must not be started yet. */
  run(): void {
    const { symbols, inbox } = this;
    for (let k = 0; k < symbols.length; k++) symbols[k]!.begin(this.deps.from, this.deps.to);
    for (let k = 0; k < symbols.length; k++) this.end = Math.min(this.end, symbols[k]!.end);
    if (this.end === Infinity) return;
    this.#begin();
    while (this.end < Infinity) {
      if (!this.isTold) this.#happen();
      this.#leave();
      if (this.deps.isPlain !== true && this.end < Infinity) inbox.quietBars(this);
    }
    this.#finish();
  }

  next(): boolean {
    if (this.isDue) return false;
    return this.markets.length === 1 ? this.#nextOf(this.markets[0]!) : this.#nextOfSeveral();
  }

  #nextOf(market: PlayedMarket): boolean {
    const { samples, deps } = this;
    const { symbol } = market;
    if (this.isTold) {
      deps.ambiguity.begin();
      this.rows++;
      if (samples.nextAt <= this.end) samples.take(this.end);
      symbol.next();
      this.end = symbol.end;
      this.isTold = false;
    }
    const { end } = this;
    if (!this.#isNext(end)) return false;
    while (samples.nextAt < end) samples.take(samples.nextAt);
    deps.clock.time = end;
    this.isTold = market.passes();
    return this.isTold;
  }

  #nextOfSeveral(): boolean {
    if (this.isTold) this.#leave();
    const { markets, end } = this;
    if (!this.#isNext(end)) return false;
    this.#comeTo(end);
    for (; this.taken < markets.length; this.taken++) {
      const market = markets[this.taken]!;
      if (market.symbol.end === end && !market.passes()) return false;
    }
    if (this.#isJointlyShort(end)) return false;
    this.isTold = true;
    return true;
  }

  /** True if there are bars, and nothing else comes before their end. */
  #isNext(end: number): boolean {
    return end < Infinity && this.botAt === Infinity && this.interruptedAt > end;
  }

  tell(to: BarTaker): void {
    const { markets, end } = this;
    for (let k = 0; k < markets.length; k++) if (markets[k]!.symbol.end === end) markets[k]!.tell(to);
  }

  get only(): number {
    return this.markets.length === 1 ? this.deps.symbols[0]!.instrument : -1;
  }

  tellAlone(to: LoneBarTaker): void {
    this.markets[0]!.tellAlone(to);
  }

  /** True if commands or answers are on their way. */
  private get isDue(): boolean {
    return this.deps.throttle.nextDue < Infinity || this.deps.venue.nextDue < Infinity;
  }

  /** At the start of the first bar. */
  #begin(): void {
    let start = Infinity;
    for (let k = 0; k < this.symbols.length; k++) start = Math.min(start, this.symbols[k]!.start);
    this.first = start;
    this.deps.clock.time = start;
    this.samples.begin(start);
    this.botAt = Math.max(start, this.deps.botFrom);
  }

  /** The next bars happen: they are played, and the bot hears of them: fills, bars, timers, quotes. */
  #happen(): void {
    const { end, markets, inbox } = this;
    const { kernel } = this.deps;
    this.#comeTo(end);
    this.#showPassed();
    for (; this.taken < markets.length; this.taken++) if (markets[this.taken]!.symbol.end === end) markets[this.taken]!.play();
    if (this.#isJointlyShort(end)) this.#liquidateJointly(end);
    inbox.bars(this);
    if (this.botAt <= end) this.#start();
    if (this.interruptedAt <= end) {
      this.deps.interruptions!.run(end);
      this.interruptedAt = this.deps.interruptions!.next;
    }
    if (kernel.isTimerDue(end)) inbox.runTimers(end);
    if (kernel.hasQuotesToTell) inbox.quoted();
  }

  #showPassed(): void {
    for (let k = 0; k < this.markets.length; k++) this.markets[k]!.showPassed();
  }

  /** What is due before bars end at `end`. */
  #comeTo(end: number): void {
    const { samples } = this;
    if (this.botAt < end) this.#start();
    while (samples.nextAt < end) samples.take(samples.nextAt);
    this.#deliverBefore(end);
    this.deps.clock.time = end;
  }

  /** Commands and answers that a test delays: they arrive between bars, and meet the next bar that begins then or later. */
  #deliverBefore(end: number): void {
    const { clock, venue } = this.deps;
    while (venue.nextDue < end) {
      clock.time = venue.nextDue;
      venue.run();
    }
  }

  #start(): void {
    this.deps.clock.time = this.botAt;
    this.botAt = Infinity;
    this.inbox.start();
  }

  /**
   * The worst prices of several symbols may have come at the same moment: true if margin that they share would not have sufficed then. The
   * optimistic reading does not ask.
   */
  #isJointlyShort(end: number): boolean {
    const { markets } = this;
    if (markets.length === 1 || this.deps.isBold) return false;
    let held = 0;
    for (let k = 0; k < markets.length; k++) if (markets[k]!.symbol.end === end && markets[k]!.played.isHeld) held++;
    if (held < 2) return false;
    this.#showWorst(end);
    const { isShort } = this.deps.sim;
    this.#showClose(end);
    return isShort;
  }

  #liquidateJointly(end: number): void {
    const { sim, ambiguity } = this.deps;
    this.#showWorst(end);
    sim.liquidateShort();
    ambiguity.joint++;
    ambiguity.choices++;
    this.#showClose(end);
  }

  /** Markets with a position since the open are at the extreme that is worse for them. */
  #showWorst(end: number): void {
    const { markets } = this;
    for (let k = 0; k < markets.length; k++) {
      const { symbol, played } = markets[k]!;
      if (symbol.end === end && played.isHeld) played.showWorst();
    }
  }

  #showClose(end: number): void {
    const { markets } = this;
    for (let k = 0; k < markets.length; k++) if (markets[k]!.symbol.end === end) markets[k]!.played.showClose();
  }

  /** What is due after bars that the bot has heard of, then the next bars. */
  #leave(): void {
    const { symbols, samples, end } = this;
    const { throttle, venue, ambiguity } = this.deps;
    ambiguity.begin();
    if (throttle.nextDue <= end) throttle.drain(end);
    if (venue.nextDue <= end) venue.run();
    for (let k = 0; k < symbols.length; k++) if (symbols[k]!.end === end) this.rows++;
    if (samples.nextAt <= end) samples.take(end);
    let next = Infinity;
    for (let k = 0; k < symbols.length; k++) {
      const symbol = symbols[k]!;
      if (symbol.end === end) symbol.next();
      if (symbol.end < next) next = symbol.end;
    }
    this.taken = 0;
    this.isTold = false;
    this.end = next;
  }

  #finish(): void {
    const { clock, watch } = this.deps;
    this.last = clock.time;
    this.inbox.stop();
    this.#showPassed();
    watch.end();
    this.samples.end(clock.time);
  }
}
