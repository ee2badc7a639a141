/**
 * Asks what the plan says, when it says: once at the start, then at whole multiples of the period (and its phase) since the epoch,
 * so that a restart, a backtest and a live run ask at the same moments. A poll whose last question is still open is left out,
 * never stacked.
 */
import type { Answer, Query } from '../../ports/venue.ts';
import type { Agenda, Due } from '../../base/timer-queue.ts';
import type { PlannedPoll, PollKind, PollPlan } from './schedule.ts';
import type { Asker, Asks } from './asks.ts';
import type { TradeFeed } from './trade-feed.ts';

export class Poller {
  readonly #polls: readonly Poll[];

  /** `liveIds` gives the venue ids of own live orders: polls of pending orders end when all of them were seen. */
  constructor(
    plan: PollPlan,
    agenda: Agenda,
    asks: Asks,
    feeds: ReadonlyMap<number, TradeFeed>,
    liveIds: () => ReadonlySet<string> | null,
  ) {
    this.#polls = plan.polls.map((poll) => new Poll(poll, agenda, asks, feeds.get(poll.instrument) ?? null, liveIds));
  }

  start(now: number): void {
    for (const poll of this.#polls) poll.start(now);
  }

  stop(): void {
    for (const poll of this.#polls) poll.stop();
  }

  /** Asks for `kind` of `instrument` (or of all) at the next run instead of at its time. */
  hasten(kind: PollKind, instrument: number, now: number): void {
    for (const poll of this.#polls) if (poll.serves(kind, instrument)) poll.hasten(now);
  }

  /** Polls left out because the question before was still open. */
  get skipped(): number {
    return this.#polls.reduce((sum, poll) => sum + poll.skipped, 0);
  }
}

class Poll implements Due, Asker {
  skipped = 0;
  readonly #plan: PlannedPoll;
  readonly #agenda: Agenda;
  readonly #asks: Asks;
  readonly #feed: TradeFeed | null;
  readonly #id: number;
  readonly #query: Query;
  #isHastened = false;

  constructor(plan: PlannedPoll, agenda: Agenda, asks: Asks, feed: TradeFeed | null, liveIds: () => ReadonlySet<string> | null) {
    this.#plan = plan;
    this.#agenda = agenda;
    this.#asks = asks;
    this.#feed = plan.kind === 'trades' ? feed : null;
    this.#id = agenda.add(this);
    this.#query = queryOf(plan, liveIds);
  }

  start(now: number): void {
    this.#agenda.set(this.#id, now + this.#plan.phaseMs);
  }

  stop(): void {
    this.#agenda.clear(this.#id);
  }

  serves(kind: PollKind, instrument: number): boolean {
    return this.#plan.kind === kind && (this.#plan.instrument < 0 || this.#plan.instrument === instrument);
  }

  /** Brings the next call forward; when one is on its way, another follows its answer, because that one may be too old. */
  hasten(now: number): void {
    if (this.#asks.isOpen(this.#query)) this.#isHastened = true;
    else if (this.#agenda.at(this.#id) > now) this.#agenda.set(this.#id, now);
  }

  due(now: number): void {
    const { periodMs, phaseMs } = this.#plan;
    this.#agenda.set(this.#id, (Math.floor((now - phaseMs) / periodMs) + 1) * periodMs + phaseMs);
    if (this.#feed !== null) {
      if (!this.#feed.poll()) this.skipped++;
    } else if (this.#asks.isOpen(this.#query)) {
      this.skipped++;
    } else {
      this.#asks.ask(this.#query, this);
    }
  }

  answered(_query: Query, _answer: Answer): void {
    this.#again();
  }

  failed(): void {
    this.#again();
  }

  #again(): void {
    if (!this.#isHastened) return;
    this.#isHastened = false;
    this.#asks.ask(this.#query, this);
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
    default:
      return { kind, instrument };
  }
}
