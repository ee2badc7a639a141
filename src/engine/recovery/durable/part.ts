/**
 * One thing that survives a restart. Its file says all of it: its name in the snapshot, how a journal record changes it, and how a kernel
 * saves and restores it. A new one is a file of this folder, and a line of `registry.ts`.
 */
import type { AddedByStrategy } from '../../../domain/ready-made.ts';
import type { JournalRecord } from '../../../ports/store.ts';
import type { GivenByStrategy } from '../../strategy/definition/given.ts';
import type { ReloadsByStrategy } from '../../strategy/definition/source.ts';
import type { UniversesByStrategy } from '../../strategy/definition/universe.ts';
import type { Losses } from '../../risk/losses.ts';
import type { Guards } from '../../risk/guards.ts';
import type { KernelState } from '../../state/kernel-state.ts';
import type { EndedReads } from '../../orders/reads/ended-reads.ts';
import type { Allocation } from '../../state/account/allocation.ts';
import type { Margins } from '../../orders/margin/margins.ts';
import type { PositionReads } from '../../positions/position-reads.ts';
import type { Watch } from '../../positions/watch.ts';
import type { SavedForecasts } from '../../operator/flat/flat-runs.ts';
import type { ByStrategy } from '../by-strategy/by-strategy.ts';
import type { StrategyTexts } from '../by-strategy/saved-states.ts';

/** `S` is plain JSON. undefined: nothing was saved. */
export interface DurablePart<K extends string, S> {
  /** Its name in the snapshot. */
  readonly key: K;
  /** Continues from what a snapshot holds; `snapshot` is the whole of it. */
  fold(saved: S | undefined, snapshot: Readonly<Record<string, unknown>>): Fold<S>;
  live(kernel: DurableKernel): Live<S>;
}

/** The state of a part while records are applied to it. */
export interface Fold<S> {
  /** Takes a record of the journal. Ignores those of other parts. `of` gives parts that come later in the registry as they were before. */
  apply(record: JournalRecord, of: FoldOf): void;
  save(): S | undefined;
}

/** The fold of another part. */
export type FoldOf = <S, F extends Fold<S>>(part: { fold(saved: S | undefined, snapshot: Readonly<Record<string, unknown>>): F }) => F;

/** The part in a running kernel. */
export interface Live<S> {
  save(): S | undefined;
  /** Called once, before the start. */
  restore(saved: S): void;
}

/** What the parts need of a kernel. */
export interface DurableKernel {
  readonly core: KernelState;
  /** Names of the strategies. */
  readonly names: readonly string[];
  readonly losses: Losses;
  readonly guards: Guards;
  readonly margins: Margins;
  /** Reads the records of ended orders whose fills are not final. */
  readonly endedReads: EndedReads;
  /** Shares of the equity; null if each strategy sees the whole. */
  readonly allocation: Allocation | null;
  readonly positionReads: PositionReads;
  readonly watch: Watch | null;
  readonly strategyChanger: {
    given(kind: 'params' | 'symbols'): GivenByStrategy;
    restore(kind: 'params' | 'symbols', given: GivenByStrategy): void;
  };
  readonly strategyReload: Live<ReloadsByStrategy>;
  readonly addedStrategies: Live<AddedByStrategy>;
  readonly universes: Live<UniversesByStrategy>;
  readonly flattener: { readonly scope: { isTraded(instrument: number): boolean }; readonly runs: Live<SavedForecasts> };
  readonly byStrategy: ByStrategy;
  readonly texts: StrategyTexts;
}
