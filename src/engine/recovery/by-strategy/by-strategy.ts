/**
 * Restores and saves what a snapshot keeps by strategy. What no strategy works on stays as it is, until its strategy runs again and trades
 * its symbol.
 */
import { unlessEmpty } from '../../../base/defined.ts';
import { assert } from '../../../base/failure/assert.ts';
import type { SavedSchedule } from '../../strategy/durable/saved-schedule.ts';
import type { SavedState } from '../../strategy/durable/saved-state.ts';
import type { LeftTrades } from '../../trades/left-trades.ts';
import type { SavedExecution } from '../../trades/executions/saved-execution.ts';
import type { SavedTrade } from '../../trades/saved-trade.ts';

/** By kind, what each strategy keeps. */
export interface KeptByStrategy {
  /** Its calendar. */
  schedules: Readonly<Record<string, readonly SavedSchedule[]>>;
  /** Executions that have not ended. */
  executions: Readonly<Record<string, readonly SavedExecution[]>>;
  /** The fields of `ctx.state`. */
  state: Readonly<Record<string, SavedState>>;
  /** Managed trades that are not closed. */
  trades: Readonly<Record<string, readonly SavedTrade[]>>;
}
type Kind = keyof KeptByStrategy;

/** A trade or an execution of futures; schedules have no symbol. */
interface Entry {
  readonly symbol?: string;
}

interface Book {
  readonly isEmpty: boolean;
  saved(): unknown;
  restore(saved: never): void;
}

/** A strategy that runs; null for what it does not use. */
type Keeper = {
  readonly name: string;
  readonly context: { readonly markets: readonly { readonly symbol: string; readonly product: string }[] };
} & { readonly [K in Kind]: Book | null };

export class ByStrategy {
  readonly #runners: readonly Keeper[];
  readonly #left: KeptByStrategy;

  constructor(runners: readonly Keeper[], leftTrades: LeftTrades) {
    this.#runners = runners;
    this.#left = { schedules: {}, executions: {}, state: {}, trades: leftTrades.all };
  }

  /** What nobody works on: its strategy does not run, or no longer trades its symbol. By strategy. */
  get left(): Readonly<KeptByStrategy> {
    return this.#left;
  }

  restore<K extends Kind>(kind: K, kept: KeptByStrategy[K]): void {
    const names = new Set(this.#runners.map(({ name }) => name));
    const others = Object.entries(kept).filter(([name, saved]) => !names.has(name) && Object.keys(saved).length > 0);
    Object.assign(this.#left[kind], Object.fromEntries(others));
    assert(
      Object.keys(this.#left[kind]).every((name) => !names.has(name)),
      'what is left is of strategies that do not run',
      kind,
    );
    for (const runner of this.#runners) {
      const saved: unknown = kept[runner.name];
      if (saved !== undefined) runner[kind]?.restore((Array.isArray(saved) ? this.#ownOf(runner, kind, saved) : saved) as never);
    }
  }

  /** The entries that the strategy can work on; the others are kept. */
  #ownOf({ context, name }: Keeper, kind: Kind, saved: readonly Entry[]): readonly Entry[] {
    const isLeft = ({ symbol }: Entry): boolean =>
      symbol !== undefined && !context.markets.some((market) => market.symbol === symbol && market.product === 'futures');
    const left = saved.filter(isLeft);
    if (left.length > 0) Object.assign(this.#left[kind], { [name]: left });
    return saved.filter((entry) => !isLeft(entry));
  }

  /** For a snapshot; undefined if nothing is kept. */
  save<K extends Kind>(kind: K): KeptByStrategy[K] | undefined {
    const all: Record<string, unknown> = { ...this.#left[kind] };
    for (const runner of this.#runners) {
      if (runner[kind]?.isEmpty !== false) continue;
      const own = runner[kind].saved();
      const left = all[runner.name];
      all[runner.name] = Array.isArray(left) ? [...left, ...(own as readonly Entry[])] : own;
    }
    return unlessEmpty(all) as KeptByStrategy[K] | undefined;
  }
}
