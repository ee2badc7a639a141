/** What a kernel is made of: every port and every number it works with, passed in as plain values. */
import type { ExternalPolicy } from '../domain/external.ts';
import type { PollSettings } from './polling/schedule.ts';
import type { CoreOptions } from './state/core.ts';
import type { StrategySetup } from './strategy/setup.ts';
import type { FaultLimit, OnStrategyStop } from './strategy/stopping.ts';

export interface KernelOptions extends CoreOptions {
  readonly strategies: readonly StrategySetup[];
  /** How to ask; null when the venue pushes everything by itself (then positions come from fills and nothing is reconciled). */
  readonly polls: PollSettings | null;
  /** How often the order history is looked through for orders with our name that are not ours. Default: never. */
  readonly idWatchMs?: number | undefined;
  /** Seed of the strategies' `ctx.random()`. */
  readonly seed: number;
  /** Margin mode of orders that name none. Default 'CROSS'. */
  readonly marginMode?: 'CROSS' | 'ISOLATED' | undefined;
  /** What is done about events that the bot did not cause, where it differs from the defaults of domain/external.ts. */
  readonly external?: Partial<ExternalPolicy> | undefined;
  /** Share of the equity whose loss within a day is an event. Default 0.5. */
  readonly equityDropShare?: number | undefined;
  readonly faults?: FaultLimit | undefined;
  /** Default 'cancel': its orders are cancelled, its positions stay. */
  readonly onStrategyStop?: OnStrategyStop | undefined;
}
