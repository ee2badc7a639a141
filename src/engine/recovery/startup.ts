/**
 * Brings the kernel from a cold start to armed by reading positions, pending orders, recent history and the account; failed reads are
 * repeated. Own orders are adopted, foreign ones are left alone. Orders of unknown outcome halt only their symbol. A venue that refuses
 * every read as unauthorized, round after round, is given up, unless the journal has something open: then the key may come back. Positions
 * are read until two reads agree, or one agrees with the saved leg. A leg that stays uncertain only refuses opens on itself.
 */
import { DAY_MS } from '../../base/time/time-spans.ts';
import { assert } from '../../base/failure/assert.ts';
import type { Answer, Query } from '../../ports/venue.ts';
import type { OrderReport } from '../../domain/report.ts';
import type { Timer } from '../../base/time/timer-queue.ts';
import type { PositionReads } from '../positions/position-reads.ts';
import type { Halts } from '../state/halts.ts';
import type { TradingState } from '../state/trading-state.ts';
import type { AccountSymbol } from '../polling/account-symbol.ts';
import { CHECK_KEY, isAnythingOpen, isKeyRefused, type KeyWatchCore } from '../polling/key-watch.ts';
import type { QueryOwner, PendingQueries } from '../polling/queries.ts';

/** The shared state that this file uses. */
interface StartupCore extends KeyWatchCore {
  readonly tradingState: TradingState;
  /** Venue time of the current answer, or our time if answers carry none. */
  readonly venueNow: number;
  readonly knownUntil: number;
  readonly halts: Halts;
  readonly isNewJournal: boolean;
  /** The first client id with our name that this journal never issued; "" for none. */
  readonly lostId: string;
}

/** Rounds in a row with only unauthorized reads after which the start is given up: about fifteen seconds. */
const UNAUTHORIZED_ROUNDS = 4;
const DOCTOR = '`tickwright doctor` says what the venue answers';

/** Further position reads before the bot is armed with uncertain legs; each waits longer than the one before. */
const DOUBTED_LOOKS = 8;
const LOOK_MS = 100;
const LONGEST_LOOK_MS = 500;

const DELAYS_MS = [1000, 2000, 4000, 8000] as const;
/** How far the history reaches back before what the journal knows, to allow for clock differences. */
const HISTORY_MS = 3_600_000;
/** But not further back than this. It reaches as far back for a new journal, which may replace a lost one. */
const HISTORY_MAX_MS = 7 * DAY_MS;

export class Startup implements Timer, QueryOwner {
  readonly #core: StartupCore;
  readonly #queries: PendingQueries;
  readonly #done: () => void;
  readonly #alarm: number;
  readonly #account: AccountSymbol;
  readonly #positions: PositionReads;
  /** Number of position reads beyond the first. */
  #looks = 0;
  #waiting = new Set<Query>();
  #failed: Query[] = [];
  #tries = 0;
  /** True once a read was answered: the credentials are valid. */
  #isKnown = false;
  /** True if a read of this round failed for another reason than "unauthorized". */
  #hasOtherFailure = false;
  /** Why the key is refused. */
  #cause = 'unauthorized';
  /** Rounds in a row in which every read was refused as unauthorized. */
  #unauthorizedRounds = 0;

  /** `done`: called once everything is known. */
  constructor(core: StartupCore, queries: PendingQueries, account: AccountSymbol, positions: PositionReads, done: () => void) {
    this.#core = core;
    this.#queries = queries;
    this.#account = account;
    this.#positions = positions;
    this.#done = done;
    this.#alarm = core.timerQueue.add(this);
  }

  begin(): void {
    const { isNewJournal, knownUntil, now } = this.#core;
    assert(this.#waiting.size === 0, 'a start begins once', this.#waiting.size);
    const from = isNewJournal ? -Infinity : Math.min(now, knownUntil) - HISTORY_MS;
    const since = Math.max(0, now - HISTORY_MAX_MS, from);
    if (!isNewJournal && knownUntil < since) this.#haltForGap(since);
    this.#failed = [
      { kind: 'positions', instrument: -1 },
      { kind: 'pending', instrument: -1 },
      { kind: 'history', instrument: -1, clientId: '', since },
    ];
    const { instrument } = this.#account;
    if (instrument >= 0) this.#failed.push({ kind: 'account', instrument });
    this.due();
  }

  /** What happened until `since` is not read. Nothing did to a bot that had nothing open, unless it traded on after a backup. */
  #haltForGap(since: number): void {
    const { halts, knownUntil, now, orders, portfolio } = this.#core;
    const isRestored = halts.all().some(({ code }) => code === 'journal-restored');
    if (!isRestored && orders.liveTotal === 0 && portfolio.legs.every(({ own }) => own === 0)) return;
    const [from, to] = [knownUntil, since].map((time) => ((now - time) / DAY_MS).toFixed(1));
    const detail = `what the orders of the bot did from ${from} to ${to} days before is unknown: compare fills, fees and profit with the venue's statement`;
    halts.raise({ scope: { kind: 'bot' }, code: 'history-gap', detail, by: 'bot' });
  }

  due(): void {
    // While the key is refused, one read finds out whether it works again: the one that no poll asks for.
    const isProbe = this.#unauthorizedRounds > 0;
    const queries = this.#failed.filter(({ kind }) => !isProbe || kind === 'history');
    this.#failed = this.#failed.filter((query) => !queries.includes(query));
    this.#hasOtherFailure = false;
    for (const query of queries) this.#waiting.add(query);
    for (const query of queries) this.#queries.ask(query, this);
  }

  answered(query: Query, answer: Answer): void {
    this.#waiting.delete(query);
    this.#isKnown = true;
    if (query.kind === 'history' && answer.kind === 'history' && answer.rest !== undefined && !this.#isEnough(answer.orders)) {
      const next: Query = { ...query, before: answer.rest };
      this.#waiting.add(next);
      this.#queries.ask(next, this);
    }
    this.#step();
  }

  failed(query: Query, cause: string): void {
    this.#waiting.delete(query);
    if (query.kind === 'account' && cause === 'unknown-instrument') {
      this.#account.refused(query.instrument);
      this.#failed.push({ kind: 'account', instrument: this.#account.instrument });
    } else this.#failed.push(query);
    if (isKeyRefused(cause)) this.#cause = cause;
    else this.#hasOtherFailure = true;
    this.#step();
  }

  /** With a new journal the rest of the history could only show more of our name. */
  #isEnough(orders: readonly OrderReport[]): boolean {
    const { isNewJournal, lostId, venueNow } = this.#core;
    return isNewJournal && lostId !== '' && orders.every(({ createdAt }) => createdAt < venueNow - HISTORY_MS);
  }

  #step(): void {
    if (this.#waiting.size > 0) return;
    this.#unauthorizedRounds = this.#isKnown || this.#hasOtherFailure ? 0 : this.#unauthorizedRounds + 1;
    if (this.#unauthorizedRounds === 1)
      this.#core.log.error('unauthorized', { reads: this.#failed.length, hint: `${CHECK_KEY[this.#cause]}; ${DOCTOR}` });
    const isFirst = this.#core.tradingState.phase === 'reconciling';
    if (this.#unauthorizedRounds >= UNAUTHORIZED_ROUNDS && isFirst && !isAnythingOpen(this.#core)) {
      this.#core.tradingState.isUnauthorized = true;
      return;
    }
    // The gate of the key has pauses of its own.
    const tries = this.#unauthorizedRounds > 0 ? 0 : Math.min(this.#tries++, DELAYS_MS.length - 1);
    if (this.#failed.length > 0) return this.#again(DELAYS_MS[tries]!);
    if (this.#positions.isSettled || this.#looks === DOUBTED_LOOKS) return this.#end();
    this.#failed.push({ kind: 'positions', instrument: -1 });
    this.#again(Math.min(LOOK_MS * this.#looks++, LONGEST_LOOK_MS) + 1);
  }

  #end(): void {
    assert(this.#failed.length === 0, 'the start is over when each of its reads was answered', this.#failed.length);
    assert(this.#isKnown, 'the start is over after an answer');
    this.#account.started();
    this.#done();
  }

  #again(delayMs: number): void {
    this.#core.timerQueue.set(this.#alarm, this.#core.now + delayMs);
  }
}
