/**
 * Keeps the journal short while the bot runs: records that a start does not need move to the store's archive, the sums of `pnl` are kept up to
 * date, and what is older than `store.keepDays` is dropped. A little each second, so that no turn waits long.
 */
import { DAY_MS } from '../../../base/time/time-spans.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { Log } from '../../../ports/log.ts';
import { StoreError, type Store } from '../../../ports/store.ts';
import { PROFIT_KEY, ProfitIndex } from '../answers/profit.ts';
import type { DurableGate } from './durable-gate.ts';
import type { Snapshots } from './snapshots.ts';

/** Newest records that stay in the store's file, and how many are read or moved at once. */
const KEPT = 10_000;
const AT_ONCE = 500;
/** Interval at which the index is saved, and at which a move is tried again that found no room. */
const SAVE_MS = 600_000;
const RETRY_MS = 3_600_000;

export interface UpkeepDeps {
  readonly store: Pick<Store, 'archive' | 'dropArchived' | 'get' | 'last' | 'read'>;
  readonly gate: Pick<DurableGate, 'isSettled' | 'put'>;
  readonly snapshots: Pick<Snapshots, 'savedAfter'>;
  readonly clock: Clock;
  readonly log: Log;
  /** Age in days at which archived records are dropped. */
  readonly keepDays: number;
}

export class JournalUpkeep {
  readonly #deps: UpkeepDeps;
  #index: ProfitIndex | null = null;
  #isBusy = false;
  #savedAt = -Infinity;
  #savedAfter = 0;
  #retryAt = -Infinity;
  /** Length of the journal at which records may have to move again. */
  #nextMove = 0;

  constructor(deps: UpkeepDeps) {
    this.#deps = deps;
  }

  /** Sums of the records that are in the index. */
  async profit(): Promise<ProfitIndex> {
    if (this.#index === null) {
      const index = ProfitIndex.of(await this.#deps.store.get(PROFIT_KEY));
      this.#index ??= index;
      this.#savedAfter = this.#index.after;
    }
    return this.#index;
  }

  /** The same, at most a few seconds old; null before the first look. */
  get newest(): ProfitIndex | null {
    return this.#index;
  }

  /** Called about once a second. @throws StoreError if the store cannot be used any more */
  async look(): Promise<void> {
    if (this.#isBusy) return;
    this.#isBusy = true;
    try {
      const last = await this.#deps.store.last();
      this.#move(last, await this.#sum(last));
    } catch (error) {
      // A server that does not answer may come back: its commits are waited for, and this can wait.
      if (!(error instanceof StoreError && error.code === 'unreachable')) throw error;
    } finally {
      this.#isBusy = false;
    }
  }

  /** Saves the index with the next commit. */
  save(): void {
    const index = this.#index;
    if (index === null || index.after === this.#savedAfter) return;
    this.#savedAt = this.#deps.clock.now();
    this.#savedAfter = index.after;
    this.#deps.gate.put(PROFIT_KEY, index.saved());
  }

  /** Adds the next records to the index. True once fewer than one portion are missing. */
  async #sum(last: number): Promise<boolean> {
    const index = await this.profit();
    if (last === index.after) return true;
    let count = 0;
    for await (const record of this.#deps.store.read(index.after + 1)) {
      index.add(record);
      if (++count === AT_ONCE) break;
    }
    const isCurrent = last - index.after < AT_ONCE;
    if (this.#deps.clock.now() - this.#savedAt >= SAVE_MS) this.save();
    return isCurrent;
  }

  #move(last: number, isSummed: boolean): void {
    const { store, gate, snapshots, clock, log, keepDays } = this.#deps;
    const now = clock.now();
    if (store.archive === undefined || !gate.isSettled || last < this.#nextMove || now < this.#retryAt) return;
    try {
      const moved = store.archive(Math.min(snapshots.savedAfter, last - KEPT), AT_ONCE);
      const dropped = isSummed ? (store.dropArchived?.(now - keepDays * DAY_MS, AT_ONCE) ?? 0) : 0;
      if (moved < AT_ONCE && dropped < AT_ONCE && isSummed) this.#nextMove = last + AT_ONCE;
    } catch (error) {
      if (!(error instanceof StoreError && error.code === 'full')) throw error;
      this.#retryAt = now + RETRY_MS;
      log.warn('journal-not-archived', { error });
    }
  }
}
