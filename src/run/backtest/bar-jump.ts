/**
 * Takes the paths of bars many rows at a time. If no row before the next event can touch an order or a trigger, begin or end a bar, or reach
 * a strategy that wants rows, the state after them does not depend on their order: each market takes its own at once. The result is that of
 * a row at a time (test/property/bar-jump.test.ts). @hot
 */
import * as looks from '../../sim/core/quiet-looks.ts';
import type { MarketState } from '../../sim/state/market-state.ts';
import type { Run } from '../../tape/merge.ts';
import { barSymbolsOf, type Track } from './tracks.ts';
import { WholeBarJump, type WholeBarParts } from './whole-bars.ts';

const { boundBy, boundNow } = looks;

/** True if all rows are paths of bars that the bot sees as they are. */
export function isOnPaths(tracks: readonly Track[]): boolean {
  for (let k = 0; k < tracks.length; k++) if (!tracks[k]!.stream.isPath || !tracks[k]!.isBulk) return false;
  return tracks.length > 0;
}

export class BarJump {
  declare private readonly p: WholeBarParts;
  declare private readonly runs: readonly Run[];
  /** By run: the row before which its rows are taken. */
  declare private readonly ends: Int32Array;
  declare private readonly whole: WholeBarJump | null;
  /** Rows before this time are not asked for again: one of them matters. */
  #busyUntil = -Infinity;
  /** The run that was seen at the begin of a bar last. With many symbols that begin at once, it is one of the last to go on. */
  #beginning = 0;

  constructor(parts: WholeBarParts) {
    this.p = parts;
    this.runs = parts.merge.runs;
    this.ends = new Int32Array(this.runs.length);
    const symbols = barSymbolsOf(parts.tracks, parts.merge.runs);
    this.whole = symbols === null ? null : new WholeBarJump(parts, symbols);
  }

  /** Takes the rows before the next event, or the first of them. None if they must be taken one by one. */
  take(): void {
    const { merge, sim, clock, due } = this.p;
    const until = due.nextBesideLooks();
    if (until <= clock.time || clock.time < this.#busyUntil || this.#begins(this.#beginning, until)) return;
    merge.settle();
    const end = this.#endOf(until);
    const newest = this.#newestBefore(end);
    if (newest === -Infinity) return;
    const isWatched = sim.nextDue < Infinity;
    if (isWatched) for (let k = 0; k < sim.lines.length; k++) boundNow(sim.lines[k]!);
    for (let k = 0; k < this.runs.length; k++) {
      if (this.#isQuiet(k, isWatched)) continue;
      this.#busyUntil = end;
      return;
    }
    if (isWatched && !sim.isQuiet(end)) {
      this.#busyUntil = end;
      return;
    }
    for (let k = 0; k < this.runs.length; k++) this.#pass(k);
    if (isWatched) {
      sim.looked(end);
      due.askAll();
    }
    clock.time = newest;
    this.whole?.take();
    merge.skip();
  }

  /** Rows are known up to the end of the block that ends first. */
  #endOf(until: number): number {
    const runs = this.runs;
    let end = until;
    for (let k = 0; k < runs.length; k++) {
      const run = runs[k]!;
      if (run.to === run.length) continue;
      const last = run.stream.time[run.length - 1]!;
      if (last + 1 < end) end = last + 1;
    }
    return end;
  }

  /** Finds the rows before `end`. Gives the time of the last of them; −Infinity if there is none, or if a bar begins with one. */
  #newestBefore(end: number): number {
    const runs = this.runs;
    let newest = -Infinity;
    for (let k = runs.length - 1; k >= 0; k--) {
      if (this.#begins(k, end)) {
        this.#beginning = k;
        return -Infinity;
      }
      const run = runs[k]!;
      const time = run.stream.time;
      let to = run.to;
      if (to < run.length && time[run.length - 1]! < end) to = run.length;
      else while (to < run.length && time[to]! < end) to++;
      this.ends[k] = to;
      if (to > run.to && time[to - 1]! > newest) newest = time[to - 1]!;
    }
    return newest;
  }

  /** True if a bar begins with the next row of a run, before `end`. */
  #begins(k: number, end: number): boolean {
    const { to, length, start, stream } = this.runs[k]!;
    return to < length && to === start && stream.time[to]! < end && this.p.tracks[k]!.isTrades;
  }

  /** True if the rows of a run affect no order, no trigger and no strategy, and no bar ends in them. Extends the bounds of its market. */
  #isQuiet(k: number, isWatched: boolean): boolean {
    const run = this.runs[k]!;
    const from = run.to;
    const to = this.ends[k]!;
    if (from === to) return true;
    const { line, subscribers, isTrades, stream } = this.p.tracks[k]!;
    const { filter } = subscribers.marketState;
    const { lowest, highest } = stream;
    if (lowest <= line.watchLow || highest >= line.watchHigh || lowest <= filter.low || highest >= filter.high) return false;
    if (line.isDepleted || !subscribers.isQuietAt(isTrades ? stream.time[to - 1]! : stream.time[from]!)) return false;
    if (isWatched) {
      boundBy(line, lowest);
      boundBy(line, highest);
    }
    return true;
  }

  /** Takes the rows of one run. */
  #pass(k: number): void {
    const run = this.runs[k]!;
    const from = run.to;
    const to = this.ends[k]!;
    const { tracks, rows } = this.p;
    const { line, subscribers, isTrades, stream } = tracks[k]!;
    if (from === to) return;
    line.isStep = to > 1;
    if (isTrades) this.#trades(line, subscribers, stream, from, to);
    else {
      const last = to - 1;
      const time = stream.time[last]!;
      const bid = stream.bid[last]!;
      const bidSize = stream.bidSize[last]!;
      const ask = stream.ask[last]!;
      const askSize = stream.askSize[last]!;
      line.showQuote(bid, bidSize, ask, askSize, time);
      subscribers.marketState.quote(bid, bidSize, ask, askSize, time, time);
      if (rows.watch.isActive) rows.show(tracks[k]!, from, to);
    }
    run.to = to;
  }

  #trades(line: MarketState, subscribers: Track['subscribers'], { time, price, size }: Track['stream'], from: number, to: number): void {
    let high = price[from]!;
    let low = high;
    let lots = 0;
    for (let r = from; r < to; r++) {
      const one = price[r]!;
      if (one > high) high = one;
      if (one < low) low = one;
      lots += size[r]!;
    }
    const last = price[to - 1]!;
    line.last = last;
    subscribers.tradesWithin(high, low, last, lots, to - from, time[to - 1]!);
  }
}
