/**
 * Computes the poll plan from the data requirements of strategies and account, within the rate budget of each bucket. One call serves many
 * symbols where the endpoint allows it. A plan that does not fit is refused with its arithmetic.
 */
import { READ_KINDS } from '../../ports/read-kinds.ts';
import type { Query } from '../../ports/venue.ts';

/** Polling configuration of a kernel. */
export interface PollSettings {
  /** Period of each kind in milliseconds; 0 disables stats or history. Trades are polled only if a strategy needs them. */
  readonly periods: Readonly<Record<PollKind, number>>;
  readonly budget: PollBudget;
  /** Trades per page, and pages per round before a gap is accepted. Default 1000 and 6. */
  readonly tradePageSize?: number | undefined;
  readonly tradeMaxPages?: number | undefined;
  /** Pages of past trades per instrument that are read at the start, for strategies that wait for bars. Default 0. */
  readonly historyPages?: number | undefined;
}

export type PollKind = Query['kind'];

/** A requirement: data of this kind about this instrument (−1: all) in this period. */
export interface PollNeed {
  readonly kind: PollKind;
  readonly instrument: number;
  readonly periodMs: number;
  /** Who needs it, for messages. */
  readonly by: string;
}

export interface BucketBudget {
  /** Calls (weight units) per second. */
  readonly perSecond: number;
  /** Share reserved for orders, 0 to 1; 0 for a bucket without order calls. */
  readonly orderShare: number;
}

export interface PollBudget {
  readonly calls: Readonly<Record<PollKind, { readonly bucket: string; readonly weight: number }>>;
  readonly buckets: Readonly<Record<string, BucketBudget>>;
}

/** One query every `periodMs`, at multiples of it since 1970 plus `phaseMs`. */
export interface PlannedPoll {
  readonly kind: PollKind;
  readonly instrument: number;
  readonly periodMs: number;
  readonly phaseMs: number;
  readonly bucket: string;
  readonly weight: number;
}

/** What the poll costs. */
export function readsAMinute({ weight, periodMs }: Pick<PlannedPoll, 'weight' | 'periodMs'>): number {
  return (weight * 60_000) / periodMs;
}

export interface PollPlan {
  readonly polls: readonly PlannedPoll[];
  /** One readable line per kind of poll, equal ones of several symbols together, and one per bucket: "public: 2.10 of 8.00 a second". */
  readonly text: string;
}

/** The requirements exceed a bucket; the message shows the sum. */
export class PollPlanError extends Error {
  override readonly name = 'PollPlanError';
}

/** @throws PollPlanError if a bucket cannot serve its polls */
export function planPolls(needs: readonly PollNeed[], budget: PollBudget, symbols: readonly string[]): PollPlan {
  const polls = phased(merged(needs, budget), budget);
  const lines = alike(polls).map((group) => {
    const [first] = group;
    const each = group.length === 1 ? '' : ' each';
    return `${described(group, symbols)} every ${first.periodMs} ms${each}: ${rate(first, group.length)} a second of ${first.bucket}`;
  });
  const errors: string[] = [];
  for (const bucket of [...new Set(polls.map((p) => p.bucket))].sort()) {
    const mine = polls.filter((p) => p.bucket === bucket);
    const limits = budget.buckets[bucket];
    if (limits === undefined) throw new PollPlanError(`bucket "${bucket}" has no budget; add it to the limits`);
    const usable = limits.perSecond * (1 - limits.orderShare);
    const used = mine.reduce((sum, p) => sum + (p.weight * 1000) / p.periodMs, 0);
    const limit = `${limits.perSecond} a second − ${Math.round(limits.orderShare * 100)} % kept for orders = ${usable.toFixed(2)}`;
    lines.push(`${bucket}: ${used.toFixed(2)} of ${usable.toFixed(2)} a second`);
    if (used > usable * (1 + 1e-9)) {
      errors.push(`${bucket}: ${summed(mine, symbols)} = ${used.toFixed(2)} a second, but ${limit}; poll slower or follow fewer symbols`);
    }
  }
  if (errors.length > 0) throw new PollPlanError(errors.join('\n'));
  return { polls, text: lines.join('\n') };
}

type Unphased = Omit<PlannedPoll, 'phaseMs'>;

/**
 * One poll per kind and instrument, at the shortest required period. Several instruments of a kind become one call where the endpoint
 * allows it.
 */
function merged(needs: readonly PollNeed[], budget: PollBudget): Unphased[] {
  const fastest = new Map<PollKind, Map<number, number>>();
  for (const need of needs) {
    if (!(need.periodMs >= 1 && Number.isFinite(need.periodMs))) {
      throw new PollPlanError(`${need.by}: a period of at least 1 ms was expected for ${need.kind}, found ${need.periodMs}`);
    }
    let of = fastest.get(need.kind);
    if (of === undefined) fastest.set(need.kind, (of = new Map()));
    of.set(need.instrument, Math.min(of.get(need.instrument) ?? Infinity, need.periodMs));
  }
  const out: Unphased[] = [];
  for (const [kind, of] of fastest) {
    const { bucket, weight } = budget.calls[kind];
    const all = of.get(-1);
    const single = [...of].filter(([i, period]) => i >= 0 && (all === undefined || period < all));
    if (READ_KINDS[kind].isAllAtOnce && (single.length > 1 || all !== undefined)) {
      out.push({ kind, instrument: -1, periodMs: Math.min(all ?? Infinity, ...single.map(([, p]) => p)), bucket, weight });
      continue;
    }
    if (all !== undefined) throw new PollPlanError(`${kind} cannot be asked for all symbols in one call; name the instruments`);
    for (const [instrument, periodMs] of single.sort((a, b) => a[0] - b[0])) out.push({ kind, instrument, periodMs, bucket, weight });
  }
  return out;
}

/** Spreads the first calls of a bucket over its period, so that polls do not leave in a burst. Depends only on the plan. */
function phased(polls: readonly Unphased[], budget: PollBudget): PlannedPoll[] {
  const seen = new Map<string, number>();
  return polls.map((poll) => {
    const k = seen.get(poll.bucket) ?? 0;
    seen.set(poll.bucket, k + 1);
    const spacing = 1000 / (budget.buckets[poll.bucket]?.perSecond ?? 1000);
    return { ...poll, phaseMs: Math.floor((k * spacing * poll.weight) % poll.periodMs) };
  });
}

/** What the polls of a bucket cost. Equal polls of several symbols are one term, so that the text of many symbols stays short. */
function summed(polls: readonly Unphased[], symbols: readonly string[]): string {
  return alike(polls)
    .map((group) => `${group.length === 1 ? describe(group[0], symbols) : counted(group)} ${rate(group[0], group.length)}`)
    .join(' + ');
}

/** Polls that differ in their symbol alone, in the order of the first of them. */
function alike(polls: readonly Unphased[]): [Unphased, ...Unphased[]][] {
  const groups = new Map<string, [Unphased, ...Unphased[]]>();
  for (const poll of polls) {
    const key = poll.instrument < 0 ? poll.kind : `${poll.kind} ${poll.periodMs} ${poll.weight}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [poll]);
    else group.push(poll);
  }
  return [...groups.values()];
}

/** Symbols that a line of the plan names; of more it says the number. */
const MOST_NAMED = 3;

/** "trades(BTCUSDT, ETHUSDT)", or "trades of 24 symbols". */
function described(group: readonly [Unphased, ...Unphased[]], symbols: readonly string[]): string {
  if (group.length > MOST_NAMED) return counted(group);
  if (group.length === 1) return describe(group[0], symbols);
  return `${group[0].kind}(${group.map(({ instrument }) => symbols[instrument] ?? instrument).join(', ')})`;
}

function counted(group: readonly [Unphased, ...Unphased[]]): string {
  return `${group[0].kind} of ${group.length} symbols`;
}

function rate(poll: Unphased, count = 1): string {
  return ((count * poll.weight * 1000) / poll.periodMs).toFixed(2);
}

function describe(poll: Unphased, symbols: readonly string[]): string {
  return poll.instrument < 0 ? `${poll.kind}(all)` : `${poll.kind}(${symbols[poll.instrument] ?? poll.instrument})`;
}
