/**
 * Sends the queries of the poll plan: once at the start, then at multiples of the period (plus a phase) since 1970. So a restart, a
 * backtest and a live run poll at the same times. A poll is skipped while its last query is unanswered. If the venue refuses the account
 * because of its symbol, it is asked at once with the next symbol.
 */
import { assert } from '../../base/failure/assert.ts';
import type { Answer, Query } from '../../ports/venue.ts';
import type { TimerQueue, Timer } from '../../base/time/timer-queue.ts';
import type { AccountSymbol } from './account-symbol.ts';
import type { PlannedPoll, PollKind, PollPlan } from './schedule.ts';
import type { QueryOwner, PendingQueries } from './queries.ts';
import type { TradeFeed } from './trade-feed.ts';

/** A rare poll of trades whose first read failed is repeated after this time: what waits for the past would wait for a whole period. */
const FIRST_AGAIN_MS = 1_000;

export interface PollerDeps {
  readonly timerQueue: TimerQueue;
  readonly queries: PendingQueries;
  /** Makes what reads the trades of an instrument. */
  readonly feedOf: (instrument: number) => TradeFeed;
  /** Venue ids of own live orders; reads of pending orders may end once all of them were listed. */
  readonly liveIds: () => ReadonlySet<string> | null;
  /** The symbol of the fast poll of the account. */
  readonly account: AccountSymbol;
}

export class Poller {
  readonly #deps: PollerDeps;
  #plan: PollPlan;
  #polls: readonly Poll[] = [];
  /** By instrument. */
  readonly #feeds = new Map<number, TradeFeed>();
  #skippedBefore = 0;

  constructor(plan: PollPlan, deps: PollerDeps) {
    this.#deps = deps;
    this.#plan = plan;
    this.#make();
  }

  get plan(): PollPlan {
    return this.#plan;
  }

  /** Polls by another plan from now on. Trades of an instrument that stays are read on without a gap. */
  follow(plan: PollPlan, now: number): void {
    this.#skippedBefore = this.skipped;
    this.stop();
    this.#plan = plan;
    this.#make();
    assert(
      this.#polls.every(({ skipped }) => skipped === 0),
      'polls of a new plan have skipped none',
    );
    this.start(now);
  }

  #make(): void {
    const { timerQueue, queries, feedOf, liveIds, account } = this.#deps;
    const { polls } = this.#plan;
    account.follow(polls);
    const read = new Set(polls.filter(({ kind }) => kind === 'trades').map(({ instrument }) => instrument));
    for (const instrument of this.#feeds.keys()) if (!read.has(instrument)) this.#feeds.delete(instrument);
    for (const instrument of read) if (!this.#feeds.has(instrument)) this.#feeds.set(instrument, feedOf(instrument));
    this.#polls = polls.map((poll) => {
      const isMain = poll.kind === 'account' && poll.instrument === account.first;
      return new Poll(poll, timerQueue, queries, this.#feeds.get(poll.instrument) ?? null, liveIds, isMain ? account : null);
    });
  }

  start(now: number): void {
    assert(this.#polls.length === this.#plan.polls.length, 'each poll of the plan is made', this.#polls.length);
    for (const poll of this.#polls) poll.start(now);
  }

  stop(): void {
    for (const poll of this.#polls) poll.stop();
  }

  /** Polls `kind` of `instrument` (or of all) at the next run of the timers. */
  pollNow(kind: PollKind, instrument: number, now: number): void {
    for (const poll of this.#polls) if (poll.serves(kind, instrument)) poll.pollNow(now);
  }

  /** Number of polls skipped because the query before was unanswered. */
  get skipped(): number {
    return this.#polls.reduce((sum, poll) => sum + poll.skipped, this.#skippedBefore);
  }
}

class Poll implements Timer, QueryOwner {
  skipped = 0;
  readonly #plan: PlannedPoll;
  readonly #timerQueue: TimerQueue;
  readonly #queries: PendingQueries;
  readonly #feed: TradeFeed | null;
  readonly #id: number;
  #query: Query;
  /** The symbol to ask with, if it may change. */
  readonly #account: AccountSymbol | null;
  #isUrgent = false;
  /** Time of the next regular poll, while the timer looks earlier whether the first read of trades has failed. */
  #regularAt = -Infinity;

  constructor(
    plan: PlannedPoll,
    timerQueue: TimerQueue,
    queries: PendingQueries,
    feed: TradeFeed | null,
    liveIds: () => ReadonlySet<string> | null,
    account: AccountSymbol | null,
  ) {
    this.#plan = plan;
    this.#timerQueue = timerQueue;
    this.#queries = queries;
    this.#feed = plan.kind === 'trades' ? feed : null;
    this.#id = timerQueue.add(this);
    this.#query = queryOf(plan, liveIds);
    this.#account = account;
  }

  start(now: number): void {
    this.#timerQueue.set(this.#id, now + this.#plan.phaseMs);
  }

  stop(): void {
    this.#timerQueue.clear(this.#id);
  }

  serves(kind: PollKind, instrument: number): boolean {
    return this.#plan.kind === kind && (this.#plan.instrument < 0 || this.#plan.instrument === instrument);
  }

  /** Brings the next poll forward. If a query is in flight, another follows its answer, which may be too old. */
  pollNow(now: number): void {
    if (this.#queries.isOpen(this.#query)) this.#isUrgent = true;
    else if (this.#timerQueue.at(this.#id) > now) this.#timerQueue.set(this.#id, now);
  }

  due(now: number): void {
    const { periodMs, phaseMs } = this.#plan;
    const next = (Math.floor((now - phaseMs) / periodMs) + 1) * periodMs + phaseMs;
    this.#timerQueue.set(this.#id, next);
    if (this.#feed !== null) {
      this.#pollFeed(this.#feed, now, next);
    } else if (this.#queries.isOpen(this.#query)) {
      this.skipped++;
    } else {
      this.#changeSymbol();
      this.#queries.ask(this.#query, this);
    }
  }

  #pollFeed(feed: TradeFeed, now: number, next: number): void {
    const isRegular = now >= this.#regularAt;
    this.#regularAt = next;
    if (!isRegular && feed.hasBegun) return;
    if (!feed.poll() && isRegular) this.skipped++;
    if (next > now + FIRST_AGAIN_MS && !feed.hasBegun) this.#timerQueue.set(this.#id, now + FIRST_AGAIN_MS);
  }

  answered(_query: Query, _answer: Answer): void {
    this.#again();
  }

  failed(_query: Query, cause: string): void {
    if (cause === 'unknown-instrument' && this.#changeSymbol()) this.#isUrgent = true;
    this.#again();
  }

  /** True if the account is asked with another symbol from now on. */
  #changeSymbol(): boolean {
    const instrument = this.#account?.instrument ?? this.#query.instrument;
    if (instrument === this.#query.instrument) return false;
    this.#query = { kind: 'account', instrument };
    return true;
  }

  #again(): void {
    if (!this.#isUrgent) return;
    this.#isUrgent = false;
    this.#queries.ask(this.#query, this);
  }
}

function queryOf(plan: PlannedPoll, liveIds: () => ReadonlySet<string> | null): Query {
  const { kind, instrument } = plan;
  switch (kind) {
    case 'trades':
      return { kind, instrument, before: '', limit: 1000 };
    case 'history':
      return { kind, instrument, clientId: '', since: 0 };
    case 'pending':
      return { kind, instrument, known: liveIds };
    case 'account':
    case 'positions':
    case 'quotes':
    case 'spot-symbols':
    case 'stats':
    case 'withdrawals':
      return { kind, instrument };
  }
}
