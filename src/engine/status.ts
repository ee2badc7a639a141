/** Local state in figures for the status line, the status page and the log. Not on the hot path. */
import { readsAMinute } from './polling/schedule.ts';
import type { Parts } from './assembly.ts';
import type { VenueEvents } from './venue-events.ts';
import type { UnruledPosition } from '../domain/report.ts';
import type { KernelPhase } from './state/trading-state.ts';
import type { SavedHalt } from '../domain/messages/saved-halt.ts';
import type { Flattened, Flattening } from '../domain/messages/forecast.ts';
import { flatteningsOf } from './operator/flat/flat-text.ts';

export interface KernelStatus {
  readonly phase: KernelPhase;
  readonly liveOrders: number;
  readonly commandsInFlight: number;
  readonly unknownOutcomes: number;
  readonly questionsOpen: number;
  readonly pollsSkipped: number;
  readonly foreignOrders: number;
  /** Every halt, and what ends it: a command or a phrase. */
  readonly halts: readonly (SavedHalt & { readonly ends: string })[];
  /** Positions in symbols without rules. */
  readonly unruled: readonly UnruledPosition[];
  /** What is being flattened, oldest first, and the newest flattenings that have ended. */
  readonly flattening: readonly Flattening[];
  readonly flattened: readonly Flattened[];
  /** The last external changes of the account, oldest first. */
  readonly external: readonly { readonly kind: string; readonly action: string; readonly text: string; readonly time: number }[];
  /** Symbols that the venue no longer knows. */
  readonly offline: readonly string[];
  /** Age of the newest position read in milliseconds; 0 if the venue pushes. */
  readonly positionsAgeMs: number;
  /** Why nothing opens for a moment although no halt says so, or "". */
  readonly onHold: string;
  /** When the last answer of each kind came; 0 before the first. */
  readonly readAt: Readonly<VenueEvents['readAt']>;
  /** Code of the first halt of the whole bot, or "". */
  readonly haltedAll: string;
  readonly strategies: readonly {
    readonly name: string;
    /** True if an operator added it while the bot ran. */
    readonly isAdded: boolean;
    readonly errors: number;
    readonly isDisabled: boolean;
    readonly why: string;
    readonly warmingUp: string;
    /** When the next choice of its universe is due; Infinity while that is not known, and without a universe. */
    readonly choosesAt: number;
    /** "7 of 24 symbols, 41 %" while its first choice waits for the past of candidates, otherwise "". */
    readonly universeReading: string;
  }[];
  /** What is polled: by instrument, requests of trades a minute. */
  readonly tradeReads: ReadonlyMap<number, number>;
  /** Refusals, rejections and failed reads by "event key". */
  readonly counts: Readonly<Record<string, number>>;
  /** Money, 10^-8 of the quote coin; NaN before the first read. */
  readonly equity: number;
  readonly nextSeq: number;
}

export function statusOf(parts: Parts, readAt: VenueEvents['readAt']): KernelStatus {
  const { core, resolver, queries, poller, unmatched, dispatch, universes } = parts;
  return {
    phase: core.tradingState.phase,
    liveOrders: core.orders.liveTotal,
    commandsInFlight: core.inFlight.count,
    unknownOutcomes: resolver.count,
    questionsOpen: queries.count,
    pollsSkipped: poller?.skipped ?? 0,
    foreignOrders: unmatched.foreignIds.size,
    halts: core.halts.all().map((halt) => ({ ...halt, ends: core.halts.endsBy(halt) })),
    unruled: core.portfolio.unruled,
    flattening: flatteningsOf(parts.flattener, parts.core.now),
    flattened: parts.flattener.runs.ended,
    external: parts.external.recent.map(({ kind, action, text, time }) => ({ kind, action, text, time })),
    offline: parts.watch?.offline.symbols ?? [],
    positionsAgeMs: parts.watch?.positionsRead.ageMs ?? 0,
    onHold: core.tradingState.onHold,
    readAt: { ...readAt },
    haltedAll: core.halts.ofBot?.code ?? '',
    strategies: dispatch.runners.map((runner) => {
      const { name, errors, isDisabled, disabledWhy } = runner;
      return {
        name,
        isAdded: parts.addedStrategies.has(name),
        errors,
        isDisabled,
        why: disabledWhy,
        warmingUp: dispatch.warmUp.textOf(runner),
        choosesAt: universes.of(name)?.nextAt ?? Infinity,
        universeReading: universes.of(name)?.reading ?? '',
      };
    }),
    tradeReads: new Map(
      (poller?.plan.polls ?? []).filter(({ kind }) => kind === 'trades').map((poll) => [poll.instrument, readsAMinute(poll)]),
    ),
    counts: core.counters.totals(),
    equity: core.portfolio.equity,
    nextSeq: core.nextSeq,
  };
}

/** How often each risk rule refused an intent, in all of these. */
export function refusalsOf(statuses: readonly Pick<KernelStatus, 'counts'>[]): Record<string, number> {
  const prefix = 'intent-refused ';
  const sums: Record<string, number> = {};
  for (const { counts } of statuses) {
    for (const [name, count] of Object.entries(counts)) {
      if (!name.startsWith(prefix)) continue;
      const rule = name.slice(prefix.length);
      sums[rule] = (sums[rule] ?? 0) + count;
    }
  }
  return sums;
}
