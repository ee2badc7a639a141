/** One symbol of a backtest on bars: plays its next bar at the simulator, by the path that the reading asks for, and tells the bot. */
import { barPaths } from '../../../domain/bar-paths.ts';
import { emptyCommand } from '../../../domain/command.ts';
import { CLOSE, LIMIT, MARKET, PLACE } from '../../../domain/codes.ts';
import type { BarPlay } from '../../../sim/core/play-bar.ts';
import type { PathHolder, PlayedBar, SimTap } from '../../../sim/state/types.ts';
import type { BarSource } from '../../../tape/finer-bars.ts';
import type { Kernel } from '../../../engine/kernel.ts';
import type { MarketWatch } from '../../../report/market/market-watch.ts';
import type { VenueSim } from '../../../sim/core/venue-core.ts';
import type { BarPort } from '../../../sim/port/bar-port.ts';
import type { Ambiguity } from '../counts/ambiguity.ts';

export interface BarFeedSpec {
  readonly source: BarSource;
  /** The instrument, and those that mirror it on another grid. */
  readonly instrument: number;
  readonly mirrors: readonly { readonly instrument: number; readonly priceRatio: number; readonly sizeRatio: number }[];
}

/** What the symbols of a run share. */
export interface SymbolParts {
  readonly sim: VenueSim;
  readonly port: BarPort;
  readonly kernel: Kernel;
  readonly watch: MarketWatch;
  readonly ambiguity: Ambiguity;
  /** The path of a bar is the one with the higher equity at its close, instead of the lower one. */
  readonly isBold: boolean;
}

export class BarSymbol {
  readonly #reader: BarSource;
  readonly #markets: readonly PlayedMarket[];
  #to = Infinity;
  /** Start and end of the next bar; Infinity if there is none. */
  start = Infinity;
  end = Infinity;

  constructor({ source, instrument, mirrors }: BarFeedSpec, parts: SymbolParts) {
    this.#reader = source;
    const own = { instrument, priceRatio: 1, sizeRatio: 1 };
    this.#markets = [own, ...mirrors].map((one) => new PlayedMarket(one, parts));
  }

  /** Moves to the first bar that starts at `from` or later. Bars must end by `to`. */
  begin(from: number, to: number): void {
    this.#to = to;
    do this.next();
    while (this.start < from);
  }

  next(): void {
    const reader = this.#reader;
    const hasBar = reader.next() && reader.bar.end <= this.#to;
    this.start = hasBar ? reader.bar.start : Infinity;
    this.end = hasBar ? reader.bar.end : Infinity;
  }

  play(): void {
    const { bar } = this.#reader;
    for (const market of this.#markets) market.play(bar);
  }

  /** True if nothing mirrors its market. */
  get isSingle(): boolean {
    return this.#markets.length === 1;
  }

  /** Number of its markets with a position since the open. */
  get held(): number {
    let count = 0;
    for (const market of this.#markets) if (market.played.isHeld) count++;
    return count;
  }

  /** Those are at the extreme that is worse for them. After it call `showClose`. */
  showWorst(): void {
    for (const market of this.#markets) if (market.played.isHeld) market.played.showWorst();
  }

  showClose(): void {
    for (const market of this.#markets) market.played.showClose();
  }

  tell(): void {
    const { bar } = this.#reader;
    for (const market of this.#markets) market.tell(bar);
  }
}

interface PlayedGrid {
  readonly instrument: number;
  readonly priceRatio: number;
  readonly sizeRatio: number;
}

/** One instrument of the symbol. It is also what acts inside its bars: the exits that the bot watches. */
class PlayedMarket implements PathHolder {
  readonly #grid: PlayedGrid;
  readonly #p: SymbolParts;
  readonly played: BarPlay;
  #bar: PlayedBar;
  #endBefore = Number.NaN;
  readonly #passed = (): void => this.#p.ambiguity.pass(this.#p.sim.equity(0));

  constructor(grid: PlayedGrid, parts: SymbolParts) {
    this.#grid = grid;
    this.#p = parts;
    this.played = parts.sim.barsOf(grid.instrument);
    this.#bar = { start: 0, end: 0, open: 0, high: 0, low: 0, close: 0, volume: 0, below: 0, above: 0 };
  }

  play(read: PlayedBar): void {
    const { instrument } = this.#grid;
    const { port, kernel, sim, ambiguity } = this.#p;
    const play = this.played;
    const bar = this.#scaled(read);
    this.#bar = bar;
    const isGap = bar.start > this.#endBefore;
    this.#endBefore = bar.end;
    const isAwaited = port.isAwaited(instrument, bar.start);
    if (play.isIdle && !isAwaited) return play.pass(bar);
    if (isGap) ambiguity.gaps++;
    ambiguity.bars++;
    if (!isAwaited && !kernel.tradesOnBars.isAny(instrument) && play.isQuiet(bar)) return this.#move(bar);
    const { traded } = play.market;
    const before = sim.equity(0);
    kernel.inbox.insideBar();
    play.open(bar, this, !this.#p.isBold);
    if (isAwaited) port.meet(instrument, bar.start, () => this.#met());
    play.opened(this);
    if (!kernel.tradesOnBars.isAny(instrument) && play.isQuiet(bar)) {
      play.moveOn(kernel.limitsLosses ? this.#passed : null);
      this.#watched(bar);
      return this.#counted(bar, traded);
    }
    const path = this.#path();
    play.play(path.points, this);
    if (path.isAmbiguous) {
      ambiguity.ambiguous++;
      ambiguity.profit += sim.equity(0) - before;
    }
    this.#counted(bar, traded);
  }

  /** Own lots that were ever filled were `traded` before the bar. */
  #counted(bar: PlayedBar, traded: number): void {
    if (bar.volume === 0 && this.played.market.traded > traded) this.#p.ambiguity.withoutVolume++;
  }

  /** Nothing of ours can happen in the bar. */
  #move(bar: PlayedBar): void {
    this.played.move(bar, this.#p.kernel.limitsLosses ? this.#passed : null);
    this.#watched(bar);
  }

  #watched(bar: PlayedBar): void {
    const { watch } = this.#p;
    if (!watch.isActive) return;
    const { low, high, below, above } = bar;
    watch.between(this.#grid.instrument, low - below, high - below, low + above, high + above);
  }

  tell(read: PlayedBar): void {
    const bar = this.#scaled(read);
    const { bid, ask } = this.played.market;
    this.#p.kernel.inbox.bar(this.#grid.instrument, bar, bid, ask, Math.max(1, bar.volume));
  }

  next(from: number, to: number): number {
    return this.#p.kernel.tradesOnBars.next(this.#grid.instrument, from, to, this.#bar);
  }

  /** Managed trades see the quote, and what they order meets the market here. */
  reached(price: number): void {
    const { instrument } = this.#grid;
    const { kernel, port } = this.#p;
    if (!kernel.tradesOnBars.isAny(instrument)) return;
    const { bid, ask, bidSize } = this.played.market;
    kernel.inbox.path(instrument, bid, ask, Math.max(1, bidSize));
    while (port.act()) this.played.show(price);
  }

  moved(from: number, to: number): void {
    const { watch } = this.#p;
    this.#passed();
    if (!watch.isActive) return;
    const { below, above } = this.#bar;
    const low = Math.min(from, to);
    const high = Math.max(from, to);
    watch.between(this.#grid.instrument, low - below, high - below, low + above, high + above);
  }

  /** A command was executed at the open. */
  #met(): void {
    this.played.show(this.#bar.open);
    this.reached(this.#bar.open);
  }

  /** The path that gives the lowest equity at the close, or the highest. All give the same if at most one thing can happen. */
  #path(): { readonly points: readonly number[]; readonly isAmbiguous: boolean } {
    const { instrument } = this.#grid;
    const { kernel, isBold } = this.#p;
    const { open, high, low, close } = this.#bar;
    const trades = kernel.tradesOnBars;
    const hasTrades = trades.isAny(instrument);
    const orders = this.played.inRange();
    const inRange = orders + (hasTrades ? trades.inRange(instrument, low, high, this.#bar, orders > 0) : 0);
    if (inRange === 0) return { points: [open, low, high, close], isAmbiguous: false };
    // Where the order makes no difference at the close, it does for loss limits: the worse side first, or last in the bold reading.
    const lean = this.played.lean();
    const isHighFirst = isBold ? lean > 0 : lean < 0;
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
    const { sim, kernel } = this.#p;
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

  #scaled(bar: PlayedBar): PlayedBar {
    const { priceRatio, sizeRatio } = this.#grid;
    if (priceRatio === 1 && sizeRatio === 1) return bar;
    const { start, end } = bar;
    const [open, high, low, close, below, above] = [bar.open, bar.high, bar.low, bar.close, bar.below, bar.above].map(
      (p) => p * priceRatio,
    );
    return { start, end, open: open!, high: high!, low: low!, close: close!, volume: bar.volume * sizeRatio, below: below!, above: above! };
  }
}

const NOBODY: PathHolder = { next: () => Number.NaN, reached: () => undefined };
