/** The options of a kernel: every port and every setting, as plain values. */
import type { AllocationTerms } from '../domain/allocation.ts';
import type { ExternalPolicy } from '../domain/messages/external.ts';
import type { PollSettings } from './polling/schedule.ts';
import type { ReadPort } from '../ports/venue.ts';
import type { ExecutorOptions } from './orders/executor.ts';
import type { UnknownOwnOrders } from './orders/reads/unmatched.ts';
import type { StateOptions } from './state/kernel-state.ts';
import type { PushedAccount } from './state/account/account-figures.ts';
import type { KeyGate } from './state/key-gate.ts';
import type { DrawingSink } from './strategy/context/drawing.ts';
import type { StrategySetup } from './strategy/definition/setup.ts';
import type { StrategyOf } from './strategy/definition/source.ts';
import type { FaultLimit, OnStrategyStop } from './strategy/runner/stopping.ts';

export interface KernelOptions extends StateOptions, ExecutorOptions {
  /** Takes queries: usually a read throttle in front of the venue. */
  readonly reads: ReadPort;
  readonly strategies: readonly StrategySetup[];
  /** Polling settings; null if the venue pushes everything. Then positions come from fills and nothing is reconciled. */
  readonly polls: PollSettings | null;
  /** Shared with the throttles in front of the venue. Default: one that nobody asks. */
  readonly keyGate?: KeyGate | undefined;
  /** What to do with live orders that have our name but are not in the journal. Default 'cancel'. */
  readonly unknownOwnOrders?: UnknownOwnOrders | undefined;
  /** Account figures by function call: limits and sizes use them. Default: those of the account's reads. */
  readonly pushed?: PushedAccount | undefined;
  /** How often the order history is checked for orders with our name that are not ours. Default: never. */
  readonly idWatchMs?: number | undefined;
  /** Seed of the strategies' `ctx.random()`. */
  readonly seed: number;
  /** Receives what strategies say by `ctx.note` and draw by `ctx.plot`, beside the log. Default: nobody. */
  readonly drawing?: DrawingSink | undefined;
  /** Margin mode of orders that set none. Default 'CROSS'. */
  readonly marginMode?: 'CROSS' | 'ISOLATED' | undefined;
  /** Policies for external events that differ from the defaults of domain/messages/external.ts. */
  readonly external?: Partial<ExternalPolicy> | undefined;
  /** Drop of the equity within a day that counts as an event, as a share. Default 0.5. */
  readonly equityDropShare?: number | undefined;
  /** How the equity is shared among the strategies of these names. Default: each sees the whole. */
  readonly allocation?: ((names: readonly string[]) => AllocationTerms) | undefined;
  /** Gives strategies by their text, for `reload`. Default: none was loaded. */
  readonly strategyOf?: StrategyOf | undefined;
  readonly faults?: FaultLimit | undefined;
  /** Default 'cancel': cancel its orders, keep its positions. */
  readonly onStrategyStop?: OnStrategyStop | undefined;
}
