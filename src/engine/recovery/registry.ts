/** All durable parts, and the loop that applies a journal to them. */
import type { JournalRecord } from '../../ports/store.ts';
import { BRACKETS } from './durable/orders/brackets.ts';
import { ALLOCATION, GUARDS, LOSSES } from './durable/counters.ts';
import { EXPLAINED } from './durable/orders/explained.ts';
import { FORECASTS } from './durable/forecasts.ts';
import { HALTS } from './durable/halts.ts';
import { KNOWN_UNTIL } from './durable/known-until.ts';
import { LEGS } from './durable/orders/legs.ts';
import { LOST_TRIGGERS } from './durable/orders/lost-triggers.ts';
import { MARGIN_STEPS } from './durable/orders/margin-steps.ts';
import { MODES } from './durable/orders/modes.ts';
import { NUMBERS } from './durable/numbers.ts';
import { ORDERS } from './durable/orders/orders.ts';
import type { DurableKernel, DurablePart, Fold, FoldOf, Live } from './durable/part.ts';
import { ADDED, EXECUTIONS, PARAMS, RELOADS, SCHEDULES, STATE, SYMBOLS, TEXTS, TRADES, UNIVERSES } from './durable/strategies.ts';
import { WATCH } from './durable/watch.ts';

/** In the order in which they are restored, and take a record. */
const PARTS = [
  NUMBERS,
  KNOWN_UNTIL,
  LOST_TRIGGERS,
  EXPLAINED,
  WATCH,
  BRACKETS,
  ORDERS,
  FORECASTS,
  HALTS,
  LOSSES,
  ALLOCATION,
  GUARDS,
  MODES,
  LEGS,
  MARGIN_STEPS,
  TEXTS,
  PARAMS,
  SYMBOLS,
  RELOADS,
  ADDED,
  UNIVERSES,
  SCHEDULES,
  EXECUTIONS,
  STATE,
  TRADES,
] as const;

type SavedBy<P> = P extends DurablePart<string, infer S> ? S : never;
type Saved = { readonly [P in (typeof PARTS)[number] as P['key']]?: SavedBy<P> | undefined };

/** All state that a kernel needs after a restart. Plain JSON; what is absent, no part had to keep. */
export type KernelSnapshot = { readonly version: 1 } & Saved & { readonly [K in Always]: NonNullable<Saved[K]> };
type Always = 'nextSeq' | 'orders' | 'halts' | 'strategies';

/** The snapshot of a new kernel. */
export const EMPTY_SNAPSHOT: KernelSnapshot = { version: 1, nextSeq: 1, orders: [], halts: [], strategies: {} };

/** Every part as one that is not told apart. */
const EACH = PARTS as readonly unknown[] as readonly DurablePart<keyof Saved, unknown>[];

/** The state after a restart: the last snapshot (or null) and all later records, in order. */
export function foldRecords(snapshot: KernelSnapshot | null, records: Iterable<JournalRecord>): KernelSnapshot {
  const start = snapshot ?? EMPTY_SNAPSHOT;
  const folds = new Map<unknown, Fold<unknown>>(EACH.map((part) => [part, part.fold(start[part.key], start)]));
  const of = ((part: unknown) => folds.get(part)) as FoldOf;
  const all = [...folds.values()];
  for (const record of records) for (const fold of all) fold.apply(record, of);
  return snapshotOf(EACH.map(({ key }, k) => [key, all[k]!.save()]));
}

/** The durable parts of a running kernel. */
export class DurableState {
  readonly #parts: readonly (readonly [key: keyof Saved, part: Live<unknown>])[];

  constructor(kernel: DurableKernel) {
    this.#parts = EACH.map((part) => [part.key, part.live(kernel)]);
  }

  /** Called once, before the start. */
  restore(snapshot: KernelSnapshot): void {
    for (const [key, part] of this.#parts) if (snapshot[key] !== undefined) part.restore(snapshot[key]);
  }

  snapshot(): KernelSnapshot {
    return snapshotOf(this.#parts.map(([key, part]) => [key, part.save()]));
  }

  /** What one part keeps. */
  saved<K extends keyof Saved>(key: K): Saved[K] {
    return this.#parts.find(([one]) => one === key)![1].save() as Saved[K];
  }
}

function snapshotOf(saved: readonly (readonly [key: keyof Saved, value: unknown])[]): KernelSnapshot {
  return { version: 1, ...Object.fromEntries(saved.filter(([, value]) => value !== undefined)) } as unknown as KernelSnapshot;
}
