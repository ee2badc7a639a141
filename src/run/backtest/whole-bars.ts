/**
 * Processes whole bars of all symbols: the first trade and quote of each, and if nothing can happen before they end, their final state at
 * once. Then no path is computed. The result is the same as with one row at a time (test/property/bar-jump.test.ts). @hot
 */
import * as looks from '../../sim/core/quiet-looks.ts';
import type { VenueSim } from '../../sim/core/venue-core.ts';
import * as paths from '../../tape/bar-path.ts';
import type { TapeMerge } from '../../tape/merge.ts';
import type { OutlinedBar } from '../../tape/stream.ts';
import type { DueEvents } from './due-events.ts';
import type { RowFeed, RowWatch } from './row-feed.ts';
import type { BarSymbol, Track } from './tracks.ts';
import type { VirtualClock } from './virtual-clock.ts';

const { boundBy, boundNow } = looks;
const { offsetOf, shownOf } = paths;

export interface WholeBarParts {
  readonly merge: TapeMerge;
  readonly tracks: readonly Track[];
  readonly sim: VenueSim;
  readonly clock: VirtualClock;
  readonly rows: RowFeed;
  readonly due: DueEvents;
}

export class WholeBarJump {
  declare private readonly p: WholeBarParts;
  declare private readonly symbols: readonly BarSymbol[];
  declare private readonly barMs: number;
  /** Milliseconds from the start of a bar to its second point, at the earliest. */
  declare private readonly secondMs: number;
  /** When the bars begin that are taken. */
  #time = 0;
  /** Time of the next work beside the looks of the venue, after `#begin`. */
  #next = 0;
  /** Of so many symbols the watch saw the first quotes. It sees the others with the rest of their bars, if nothing comes between. */
  #shown = 0;

  /** All symbols have bars of the same length. */
  constructor(parts: WholeBarParts, symbols: readonly BarSymbol[]) {
    this.p = parts;
    this.symbols = symbols;
    this.barMs = symbols[0]!.whole.barMs;
    this.secondMs = offsetOf(1, this.barMs);
  }

  /** Takes bars while each run is at the end of its block. After it, the runs go on where it ended. */
  take(): void {
    const { runs } = this.p.merge;
    for (let k = 0; k < runs.length; k++) if (runs[k]!.to < runs[k]!.length) return;
    for (let k = 0; k < this.symbols.length; k++) this.symbols[k]!.bar = this.symbols[k]!.whole.next();
    while (this.#isNext()) {
      this.#begin();
      if (!this.#end()) return this.#draw();
    }
  }

  /** Finds the bars that begin next. False if there are none, or if others begin before they end. */
  #isNext(): boolean {
    const { symbols, barMs } = this;
    const { since, until } = this.p.merge;
    let time = Infinity;
    for (let k = 0; k < symbols.length; k++) {
      const { bar } = symbols[k]!;
      if (bar !== null && bar.time < time) time = bar.time;
    }
    if (time === Infinity || time < since || time + barMs > until) return false;
    for (let k = 0; k < symbols.length; k++) {
      const { bar } = symbols[k]!;
      if (bar !== null && bar.time > time && bar.time < time + barMs) return false;
    }
    this.#time = time;
    return true;
  }

  /** Takes the first trade and quote of each bar, and what is due before the second ones. */
  #begin(): void {
    const { symbols } = this;
    const { rows, due } = this.p;
    const time = this.#time;
    this.#shown = 0;
    for (let k = 0; k < symbols.length; k++) {
      const { bar, track } = symbols[k]!;
      if (bar === null || bar.time !== time) continue;
      const { path, open, volume } = bar;
      track.line.isStep = false;
      if (due.next() <= time) this.#show(k);
      if (volume > 0) rows.trade(track.line, open, path.firstLots, path.firstSide, time);
      const bid = path.bidAt(open);
      const shown = shownOf(volume, path.count);
      const ask = bid + path.below + path.above;
      if (due.next() <= time) this.#show(k);
      rows.quote(track.line, bid, shown, ask, shown, time);
    }
    this.#next = due.nextBesideLooks();
    // Looks of the venue wait for the rest of the bars, unless something else comes after them.
    const second = time + this.secondMs;
    if (this.#next < second) this.#show(symbols.length);
    for (; this.#next < second; this.#next = due.nextBesideLooks()) due.runBefore(Math.min(this.#next + 1, second));
  }

  /** Shows the first quotes of the symbols before `end` to the watch. */
  #show(end: number): void {
    const { symbols } = this;
    const { watch } = this.p.rows;
    for (; this.#shown < end; this.#shown++) {
      const { bar, track } = symbols[this.#shown]!;
      if (!watch.isActive || bar === null || bar.time !== this.#time) continue;
      const bid = bar.path.bidAt(bar.open);
      const ask = bid + bar.path.below + bar.path.above;
      watch.between(track.line.index, bid, bid, ask, ask);
    }
  }

  /** Takes the rest of the bars, if nothing can happen in it; else false. */
  #end(): boolean {
    const { symbols } = this;
    const { due, sim, clock, rows } = this.p;
    const time = this.#time;
    const end = time + this.barMs;
    if (this.#next < end && due.isBefore(end)) return false;
    const isWatched = sim.nextDue < end;
    if (isWatched) for (let k = 0; k < sim.lines.length; k++) boundNow(sim.lines[k]!);
    for (let k = 0; k < symbols.length; k++) {
      const { bar, track } = symbols[k]!;
      if (bar !== null && bar.time === time && !isQuiet(bar, track, end - 1, isWatched)) return false;
    }
    if (isWatched && !sim.isQuiet(end)) return false;
    for (let k = 0; k < symbols.length; k++) {
      const symbol = symbols[k]!;
      if (symbol.bar !== null && symbol.bar.time === time) pass(symbol, symbol.bar, end - 1, rows.watch, k < this.#shown);
    }
    clock.time = end - 1;
    if (isWatched) {
      sim.looked(end);
      due.askAll();
    }
    return true;
  }

  /** The rest of the bars is taken row by row. */
  #draw(): void {
    this.p.merge.settle();
    const { symbols } = this;
    this.#show(symbols.length);
    for (let k = 0; k < symbols.length; k++) {
      const { bar, trades, quotes } = symbols[k]!;
      if (bar === null || bar.time !== this.#time) continue;
      if (bar.volume > 0) trades.to++;
      quotes.to++;
    }
  }
}

/** True if the rest of a bar, which ends at `last`, affects no order, no trigger and no strategy. Extends the bounds of its market. */
function isQuiet({ high, low, volume, path }: OutlinedBar, { line, subscribers }: Track, last: number, isWatched: boolean): boolean {
  const { filter } = subscribers.marketState;
  const lowest = path.bidAt(low);
  const highest = path.bidAt(high) + path.below + path.above;
  if (lowest <= line.watchLow || highest >= line.watchHigh || lowest <= filter.low || highest >= filter.high) return false;
  if ((line.isDepleted && path.bidAt(low) === path.bidAt(high)) || subscribers.seesRows || (volume > 0 && !subscribers.isWithinBars(last)))
    return false;
  if (isWatched) {
    boundBy(line, lowest);
    boundBy(line, highest);
  }
  return true;
}

/** Takes the rest of a bar. The watch sees all of it, or without the first point. */
function pass(symbol: BarSymbol, bar: OutlinedBar, last: number, watch: RowWatch, isFirstShown: boolean): void {
  const { close, high, low, volume, path } = bar;
  const { line, subscribers } = symbol.track;
  line.isStep = true;
  if (volume > 0) {
    line.last = close;
    // A point that trades has a lot at least.
    const lots = volume > path.trades ? volume : path.trades;
    subscribers.tradesWithin(high, low, close, lots - path.firstLots, path.trades - 1, last);
    symbol.trades.rows += path.trades;
  }
  const spread = path.below + path.above;
  const bid = path.bidAt(close);
  const ask = bid + spread;
  const shown = shownOf(volume, path.count);
  // Size that our fills took is back: the quotes of the way had other prices.
  if (line.isDepleted) line.showQuote(0, 0, 0, 0, last);
  line.showQuote(bid, shown, ask, shown, last);
  subscribers.marketState.quote(bid, shown, ask, shown, last, last);
  symbol.quotes.rows += path.count;
  if (watch.isActive) {
    // What was opened just now has not seen the first point.
    if (isFirstShown) path.span(bar);
    const lowest = path.bidAt(isFirstShown ? path.lowest : low);
    const highest = path.bidAt(isFirstShown ? path.highest : high);
    watch.between(line.index, lowest, highest, lowest + spread, highest + spread);
  }
  symbol.whole.pass();
  symbol.bar = symbol.whole.next();
}
