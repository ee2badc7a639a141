/**
 * From a cold start to armed: the venue is asked for positions, pending orders, recent history and the account, all anew after a
 * failure; own orders are taken over, foreign ones are left alone. Orders whose fate is open keep their symbol halted, not the bot.
 * A venue that takes none of the reads for ours, round after round, is given up: waiting cures no wrong key.
 * Positions are read until two reads agree, or one agrees with what is known from before. A leg that stays in doubt does not keep the
 * bot: nothing is opened on that leg alone.
 */
import type { Answer, Query } from '../../ports/venue.ts';
import type { Timer } from '../../base/timer-queue.ts';
import type { PositionReads } from '../positions/position-reads.ts';
import type { Core } from '../state/core.ts';
import type { QueryOwner, PendingQueries } from '../polling/queries.ts';

/** So many rounds in a row of which the venue took not one read for ours, and it is given up: about seven seconds. */
const ROUNDS_TURNED_AWAY = 4;
const CHECK = 'check key, secret and passphrase, and the clock of this machine; `tickwright doctor` says what the venue answers';

/** Further reads of the positions before the bot is armed with legs in doubt; each waits a little longer than the one before. */
const DOUBTED_LOOKS = 8;
const LOOK_MS = 100;
const LONGEST_LOOK_MS = 500;

const DELAYS_MS = [1000, 2000, 4000, 8000] as const;
/** The history is read from so long before the end of the journal, for clocks that differ, or before now for a new journal. */
const HISTORY_MS = 3_600_000;
/** But not from earlier than this. */
const HISTORY_MAX_MS = 7 * 86_400_000;

export class Startup implements Timer, QueryOwner {
  readonly #core: Core;
  readonly #queries: PendingQueries;
  readonly #done: () => void;
  readonly #alarm: number;
  readonly #accounts: readonly number[];
  readonly #positions: PositionReads;
  /** Reads of the positions beyond the first. */
  #looks = 0;
  #waiting = new Set<Query>();
  #failed: Query[] = [];
  #tries = 0;
  /** True once a read was answered: the venue knows who asks. */
  #isKnown = false;
  /** True when a read of this round failed for another reason than that the venue does not know who asks. */
  #isAmiss = false;
  /** Rounds in a row of which each read was refused as unauthorized. */
  #turnedAway = 0;

  /** `accounts` are the instruments whose account record is read; `done` is called once all is known. */
  constructor(core: Core, queries: PendingQueries, accounts: readonly number[], positions: PositionReads, done: () => void) {
    this.#core = core;
    this.#queries = queries;
    this.#accounts = accounts;
    this.#positions = positions;
    this.#done = done;
    this.#alarm = core.timerQueue.add(this);
  }

  begin(): void {
    const { now, journalEnd } = this.#core;
    const since = Math.max(0, now - HISTORY_MAX_MS, Math.min(now, journalEnd) - HISTORY_MS);
    this.#failed = [
      { kind: 'positions', instrument: -1 },
      { kind: 'pending', instrument: -1 },
      { kind: 'history', instrument: -1, clientId: '', since },
      ...this.#accounts.map((instrument): Query => ({ kind: 'account', instrument })),
    ];
    this.due();
  }

  due(): void {
    const queries = this.#failed;
    this.#failed = [];
    this.#isAmiss = false;
    for (const query of queries) this.#waiting.add(query);
    for (const query of queries) this.#queries.ask(query, this);
  }

  answered(query: Query, answer: Answer): void {
    this.#waiting.delete(query);
    this.#isKnown = true;
    if (query.kind === 'history' && answer.kind === 'history' && answer.rest !== undefined) {
      const next: Query = { ...query, before: answer.rest };
      this.#waiting.add(next);
      this.#queries.ask(next, this);
    }
    this.#step();
  }

  failed(query: Query, cause: string): void {
    this.#waiting.delete(query);
    this.#failed.push(query);
    if (cause !== 'unauthorized') this.#isAmiss = true;
    this.#step();
  }

  #step(): void {
    if (this.#waiting.size > 0) return;
    this.#turnedAway = this.#isKnown || this.#isAmiss ? 0 : this.#turnedAway + 1;
    if (this.#turnedAway === 1) this.#core.log.error('unauthorized', { reads: this.#failed.length, hint: CHECK });
    if (this.#turnedAway === ROUNDS_TURNED_AWAY) {
      this.#core.tradingState.isTurnedAway = true;
      return;
    }
    if (this.#failed.length > 0) return this.#again(DELAYS_MS[Math.min(this.#tries++, DELAYS_MS.length - 1)]!);
    if (this.#positions.isSettled || this.#looks === DOUBTED_LOOKS) return this.#done();
    this.#failed.push({ kind: 'positions', instrument: -1 });
    this.#again(Math.min(LOOK_MS * this.#looks++, LONGEST_LOOK_MS) + 1);
  }

  #again(delayMs: number): void {
    this.#core.timerQueue.set(this.#alarm, this.#core.now + delayMs);
  }
}
