/** One instrument of a backtest on bars: plays its bars at the simulator, by the path that the reading asks for, and tells the bot of them. */
import { barPaths } from '../../../domain/bar-paths.ts';
import { emptyCommand } from '../../../domain/orders/command.ts';
import { CLOSE, LIMIT, MARKET, PLACE } from '../../../domain/codes.ts';
import type { BarPlay } from '../../../sim/bars/play-bar.ts';
import type { PathHolder, PlayedBar, SimTap } from '../../../sim/state/types.ts';
import type { BarTaker, LoneBarTaker } from '../../../engine/market/bar.ts';
import type { Kernel } from '../../../engine/kernel.ts';
import type { MarketWatch } from '../../../report/market/market-watch.ts';
import type { VenueSim } from '../../../sim/core/venue-core.ts';
import type { BarPort } from '../../../sim/port/bar-port.ts';
import type { Ambiguity } from '../counts/ambiguity.ts';
import { ReadBar } from '../../../tape/bars/bar-reader.ts';
import type { BarSymbol } from './bar-symbol.ts';

/** What the markets of a run share. */
export interface MarketDeps {
  readonly sim: VenueSim;
  readonly port: BarPort;
  readonly kernel: Kernel;
  readonly watch: MarketWatch;
  readonly ambiguity: Ambiguity;
  /** The path of a bar is the one with the higher equity at its close, instead of the lower one. */
  readonly isBold: boolean;
  /** True if every bar is played in full. Default false. */
  readonly isPlain?: boolean | undefined;
}

/** The instrument, and what one tick and one lot of the bars are on its grid. */
export interface PlayedGrid {
  readonly instrument: number;
  readonly priceRatio: number;
  readonly sizeRatio: number;
}

/** Lowest and highest bid, lowest and highest ask. */
const NO_RANGE = [Infinity, -Infinity, Infinity, -Infinity] as const;

/** It is also what acts inside its bars: the exits that the bot watches. */
export class PlayedMarket implements PathHolder {
  /** Where its bars come from. */
  readonly symbol: BarSymbol;
  readonly #grid: PlayedGrid;
  readonly #deps: MarketDeps;
  readonly played: BarPlay;
  /** The present bar: that of its symbol, or `#scaled`. */
  #bar: PlayedBar;
  readonly #scaled = new ReadBar();
  #endBefore = Number.NaN;
  /** True if managed trades have not heard of the bar, which did not reach them. */
  #passesTrades = false;
  /** Of bars that were passed over, and that the watch has not seen. */
  #lowBid = Infinity;
  #highBid = -Infinity;
  #lowAsk = Infinity;
  #highAsk = -Infinity;
  /** A command was executed at the open. */
  readonly #met = (): void => {
    this.played.show(this.#bar.open);
    this.reached(this.#bar.open);
  };
  readonly #passed = (): void => this.#deps.ambiguity.pass(this.#deps.sim.equity(0));

  constructor(symbol: BarSymbol, grid: PlayedGrid, deps: MarketDeps) {
    this.symbol = symbol;
    this.#grid = grid;
    this.#deps = deps;
    this.played = deps.sim.barsOf(grid.instrument);
    this.#bar = this.#scaled;
  }

  /** True if the next bar only moves the price: then it has. Else nothing has changed. */
  passes(): boolean {
    const { instrument } = this.#grid;
    const { port, kernel, ambiguity } = this.#deps;
    const { played } = this;
    const bar = this.#next();
    if (port.isAwaited(instrument, bar.start)) return false;
    if (played.isIdle) played.pass(bar);
    else {
      if (!played.isQuiet(bar)) return false;
      const hasTrades = kernel.tradesOnBars.isAny(instrument);
      if (hasTrades && !kernel.tradesOnBars.areQuiet(instrument, bar.low, bar.high, bar)) return false;
      this.#passesTrades = hasTrades;
      if (bar.start > this.#endBefore) ambiguity.gaps++;
      ambiguity.bars++;
      played.move(bar, kernel.limitsLosses ? this.#passed : null);
      this.#widen(bar);
    }
    this.#endBefore = bar.end;
    return true;
  }

  /** Shows the watch the range of the bars that were passed over since the last call. Before any fill, in whatever market. */
  showPassed(): void {
    if (this.#lowBid > this.#highBid) return;
    this.#deps.watch.between(this.#grid.instrument, this.#lowBid, this.#highBid, this.#lowAsk, this.#highAsk);
    [this.#lowBid, this.#highBid, this.#lowAsk, this.#highAsk] = NO_RANGE;
  }

  #widen({ low, high, below, above }: PlayedBar): void {
    if (!this.#deps.watch.isActive) return;
    if (low - below < this.#lowBid) this.#lowBid = low - below;
    if (high - below > this.#highBid) this.#highBid = high - below;
    if (low + above < this.#lowAsk) this.#lowAsk = low + above;
    if (high + above > this.#highAsk) this.#highAsk = high + above;
  }

  /** Plays the next bar with all that can happen in it. */
  play(): void {
    const { instrument } = this.#grid;
    const { port, kernel, sim, ambiguity, isBold, isPlain = false } = this.#deps;
    const play = this.played;
    const bar = this.#next();
    const isAwaited = port.isAwaited(instrument, bar.start);
    if (isAwaited || !play.isIdle) {
      if (bar.start > this.#endBefore) ambiguity.gaps++;
      ambiguity.bars++;
    }
    this.#endBefore = bar.end;
    const { traded } = play.market;
    const before = sim.equity(0);
    kernel.inbox.insideBar();
    if (play.open(bar, this, !isBold) > 0) ambiguity.choices++;
    if (isAwaited) port.meet(instrument, bar.start, this.#met);
    play.opened(this);
    if (!isPlain && !kernel.tradesOnBars.isAny(instrument) && play.isQuiet(bar)) {
      play.moveOn(kernel.limitsLosses ? this.#passed : null);
      this.#watched(bar);
    } else {
      const path = this.#path();
      play.play(path.points, this);
      if (path.isAmbiguous) {
        ambiguity.ambiguous++;
        ambiguity.profit += sim.equity(0) - before;
      }
    }
    if (bar.volume === 0 && play.market.traded > traded) ambiguity.withoutVolume++;
  }

  #watched(bar: PlayedBar): void {
    const { watch } = this.#deps;
    if (!watch.isActive) return;
    const { low, high, below, above } = bar;
    watch.between(this.#grid.instrument, low - below, high - below, low + above, high + above);
  }

  /** The bar has ended. */
  tell(to: BarTaker): void {
    const bar = this.#bar;
    const { bid, ask } = this.played.market;
    if (this.#passesTrades) this.#passTrades();
    to.closed(this.#grid.instrument, bar, bid, ask, Math.max(1, bar.volume));
  }

  tellAlone(to: LoneBarTaker): void {
    const bar = this.#bar;
    const { bid, ask } = this.played.market;
    if (this.#passesTrades) this.#passTrades();
    to.alone(bar, bid, ask, Math.max(1, bar.volume));
  }

  #passTrades(): void {
    this.#passesTrades = false;
    const bar = this.#bar;
    this.#deps.kernel.tradesOnBars.passed(this.#grid.instrument, bar.low, bar.high, bar);
  }

  next(from: number, to: number): number {
    return this.#deps.kernel.tradesOnBars.next(this.#grid.instrument, from, to, this.#bar);
  }

  /** Managed trades see the quote, and what they order meets the market here. */
  reached(price: number): void {
    const { instrument } = this.#grid;
    const { kernel, port } = this.#deps;
    if (!kernel.tradesOnBars.isAny(instrument)) return;
    const { bid, ask, bidSize } = this.played.market;
    kernel.inbox.path(instrument, bid, ask, Math.max(1, bidSize));
    while (port.act()) this.played.show(price);
  }

  moved(from: number, to: number): void {
    const { watch } = this.#deps;
    this.#passed();
    if (!watch.isActive) return;
    const { below, above } = this.#bar;
    const low = Math.min(from, to);
    const high = Math.max(from, to);
    watch.between(this.#grid.instrument, low - below, high - below, low + above, high + above);
  }

  /** The path that gives the lowest equity at the close, or the highest. All give the same if at most one thing can happen. */
  #path(): { readonly points: readonly number[]; readonly isAmbiguous: boolean } {
    const { instrument } = this.#grid;
    const { kernel, isBold, ambiguity } = this.#deps;
    const { open, high, low, close } = this.#bar;
    const trades = kernel.tradesOnBars;
    const hasTrades = trades.isAny(instrument);
    const orders = this.played.inRange();
    const inRange = orders + (hasTrades ? trades.inRange(instrument, low, high, this.#bar, orders > 0) : 0);
    if (inRange === 0) return { points: [open, low, high, close], isAmbiguous: false };
    // Where the order makes no difference at the close, it does for loss limits: the worse side first, or last in the bold reading.
    const lean = this.played.lean();
    const isHighFirst = isBold ? lean > 0 : lean < 0;
    if (inRange > 1 || (lean !== 0 && (hasTrades || kernel.limitsLosses))) ambiguity.choices++;
    if (inRange === 1) return { points: isHighFirst ? [open, high, low, close] : [open, low, high, close], isAmbiguous: false };
    const entries = this.played.entries();
    const turns = this.played.turns(isBold);
    if (hasTrades) trades.addTurns(turns, instrument, isBold, entries, open, this.#bar);
    const paths = barPaths(this.#bar, entries, hasTrades ? trades.trails(instrument, open, entries) : [], turns, isHighFirst);
    let [points] = paths as [number[]];
    let best = Number.NaN;
    for (const path of paths) {
      const equity = this.played.equityAfter(path, hasTrades ? this.#ghost() : NOBODY);
      if (!(isBold ? equity <= best : equity >= best)) [points, best] = [path, equity];
    }
    return { points, isAmbiguous: true };
  }

  /** Managed trades in a try of a path. */
  #ghost(): PathHolder {
    const { instrument } = this.#grid;
    const { sim, kernel } = this.#deps;
    const order = (side: number, price: number, size: number, tag: number): void => {
      const c = emptyCommand();
      Object.assign(c, { kind: PLACE, instrument, side, effect: CLOSE, type: price > 0 ? LIMIT : MARKET, price, size });
      c.marginMode = sim.marginMode(0, instrument);
      sim.place(0, c, tag, this.#bar.end);
      this.played.show(this.played.market.last);
    };
    const ghost = kernel.tradesOnBars.ghost(
      instrument,
      {
        close: (side, lots) => order(side, 0, lots, 0),
        rest: (side, ticks, lots, tag) => order(side, ticks, lots, tag),
        cancel: (tag) => {
          const found = sim.workingOf(0, instrument, tag);
          if (found !== null) sim.cancelOrder(found, this.#bar.end);
        },
      },
      this.#bar,
    );
    const tap: SimTap = { filled: (fill) => ghost.filled(fill), ended: () => undefined };
    return { next: (from, to) => ghost.next(from, to), reached: (price) => ghost.reached(price), tap };
  }

  /** The next bar, on the grid of this instrument. */
  #next(): PlayedBar {
    const { bar } = this.symbol;
    const { priceRatio, sizeRatio } = this.#grid;
    if (priceRatio === 1 && sizeRatio === 1) return (this.#bar = bar);
    const own = this.#scaled;
    own.start = bar.start;
    own.end = bar.end;
    own.open = bar.open * priceRatio;
    own.high = bar.high * priceRatio;
    own.low = bar.low * priceRatio;
    own.close = bar.close * priceRatio;
    own.volume = bar.volume * sizeRatio;
    own.below = bar.below * priceRatio;
    own.above = bar.above * priceRatio;
    return (this.#bar = own);
  }
}

const NOBODY: PathHolder = { next: () => Number.NaN, reached: () => undefined };
