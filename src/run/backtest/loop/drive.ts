/** The main loop of a backtest. It takes what is next: a row of the tape (`row-feed.ts`), or other work that is due (`due-events.ts`). */
import type { TapeMerge } from '../../../tape/merge.ts';
import type { Feed } from '../../setup/instruments/mirror-row.ts';
import { DueEvents, type DueDeps } from './due-events.ts';
import { EquitySamples, type SampleDeps } from '../counts/equity-samples.ts';
import { RowFeed, type RowFeedDeps } from './row-feed.ts';
import { tracksOf } from './tracks.ts';

export interface DriveDeps extends RowFeedDeps, DueDeps, SampleDeps {
  readonly merge: TapeMerge;
  /** By stream: its instrument, and those that mirror it on another grid. */
  readonly feeds: readonly Feed[];
  /** Start time of the bot; the first row if that is later. */
  readonly botFrom: number;
  /** Milliseconds after the bot was stopped in which its last commands still reach the venue. Default 0. */
  readonly graceMs?: number | undefined;
}

export class Drive {
  /** Times of the first row and the last; −Infinity until then. */
  first = -Infinity;
  last = -Infinity;
  #hasBegun = false;
  readonly #deps: DriveDeps;
  readonly #rows: RowFeed;
  readonly #due: DueEvents;
  readonly #samples: EquitySamples;

  constructor(deps: DriveDeps) {
    const tracks = tracksOf(deps);
    this.#deps = deps;
    this.#samples = new EquitySamples(deps);
    this.#due = new DueEvents(deps, this.#samples);
    this.#rows = new RowFeed(deps, tracks, this.#due);
  }

  /** Rows taken so far. */
  get rows(): number {
    return this.#deps.merge.rows;
  }

  /** Runs the tape to its end. Messages due after the last row do not arrive. The kernel must not be started yet. */
  run(): void {
    this.#runRows();
    if (this.#hasBegun) this.#finish();
  }

  /** A stretch holds rows of two streams. */
  #runRows(): void {
    const { merge } = this.#deps;
    while (merge.stretch()) {
      if (!this.#hasBegun) this.#begin(merge.first.stream.time[merge.first.to]!);
      this.#rows.takeBoth(merge);
    }
  }

  /** Called before the first row, which has time `time`. */
  #begin(time: number): void {
    const { clock, botFrom } = this.#deps;
    this.#hasBegun = true;
    this.first = time;
    clock.time = time;
    this.#samples.begin(time);
    this.#due.begin(Math.max(time, botFrom));
  }

  /** After the last row: delivers messages due at its time, then stops the bot, so that a strategy can cancel. */
  #finish(): void {
    const { clock, kernel, graceMs, watch } = this.#deps;
    this.last = clock.time;
    this.#due.runBefore(this.last);
    clock.time = Math.max(clock.time, this.last);
    this.#due.settle();
    kernel.inbox.stop();
    this.#due.settle();
    if (graceMs !== undefined) this.#due.runBefore(clock.time + graceMs);
    watch?.end();
    this.#samples.end(clock.time);
  }
}
