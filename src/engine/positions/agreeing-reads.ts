/** Keeps what consecutive position reads show of one leg, and decides when they are accepted against proven fills. */
import { assert } from '../../base/failure/assert.ts';
import type { Timings } from '../state/core.ts';
import type { Leg } from '../state/records/leg.ts';

/**
 * Agreeing reads needed to accept a change that no order explains. More are needed if the venue's time does not prove that they are new.
 */
const AGREEING = 2;
const AGREEING_UNPROVEN = 3;

export class AgreeingReads {
  total = 0;
  /** False if the leg is not listed. */
  isShown = false;
  /** Venue time of the leg's last change; −Infinity if the leg is not listed. */
  updatedAt = -Infinity;
  /** Venue time at which the position was created; −Infinity if the leg is not listed. */
  createdAt = -Infinity;
  /** Our time of the first agreeing read, of the first read with this venue time, and of the newest read: its start and its answer. */
  since = -Infinity;
  stateSince = -Infinity;
  lastSentAt = -Infinity;
  lastReadAt = -Infinity;
  /** Number of agreeing reads; 0 before the first. */
  reads = 0;
  /** True if one of the reads requested this symbol alone (E20). */
  isSeenAlone = false;
  /** True if the newest read requested this symbol alone, or if that was requested since the newest read of all. */
  isAloneAsked = false;
  /** True if order reads were requested because of this claim. */
  isAsked = false;
  /** True if foreign records were requested although own orders may explain it. */
  isOthersAsked = false;
  /** Number of agreeing reads when the history was last read for trades of other parties: once for each read of the position. */
  readsSuspected = 0;
  /** True once a read of the history has ended that was asked for because of this claim. */
  isHistoryRead = false;
  /** When the newest read of the history began that showed no trade of another party on this leg. */
  cleanAt = -Infinity;
  /** True if the doubt has been logged. */
  isDoubtLogged = false;

  /** Takes another read of the leg. True if it agrees with the reads before it. */
  take(leg: Leg, total: number, updatedAt: number, isShown: boolean, sentAt: number, isAlone: boolean, now: number): boolean {
    // Reads from before the last change of the leg do not count.
    const isSame = this.reads > 0 && total === this.total && isShown === this.isShown && this.since >= leg.changedAt;
    if (!isSame) {
      this.total = total;
      this.isShown = isShown;
      this.since = now;
      this.reads = 0;
      this.readsSuspected = 0;
      this.isSeenAlone = false;
      this.isHistoryRead = false;
      this.isAsked = false;
      this.isDoubtLogged = false;
      this.isOthersAsked = false;
    }
    if (!isSame || updatedAt !== this.updatedAt) this.stateSince = now;
    this.updatedAt = updatedAt;
    this.lastSentAt = sentAt;
    this.lastReadAt = now;
    this.reads++;
    assert(this.stateSince >= this.since, 'a claim has its state since it came up or later', this.stateSince);
    assert(this.since <= now, 'a claim has come up', this.since);
    if (isAlone) this.isSeenAlone = true;
    this.isAloneAsked = isAlone;
    return isSame;
  }

  /** Reads every `periodMs` until `now` would have agreed. */
  repeat(now: number, periodMs: number): void {
    assert(periodMs > 0, 'reads repeat after a time', periodMs);
    const times = Math.max(0, Math.floor((now - this.lastSentAt) / periodMs));
    this.reads += times;
    this.lastSentAt += times * periodMs;
    this.lastReadAt += times * periodMs;
  }

  /** Our time at which the leg was as the claim shows, or later: an order that was sent after it has no part in that. */
  get shownBy(): number {
    return this.isShown ? this.stateSince : this.lastReadAt;
  }

  forget(): void {
    this.reads = 0;
  }

  /** True if the claim contains every fill in the total of `leg`, by venue time or because it is late enough. */
  isAfter(leg: Leg, { settleMs }: Timings): boolean {
    return this.#isNew(leg) || this.lastSentAt >= leg.changedAt + settleMs;
  }

  /** True if the history, read since the claim came up, shows that no other party changed the leg. */
  get isOwn(): boolean {
    return this.cleanAt >= this.since;
  }

  /** True if fills may be inferred from the claim. A list without the leg may simply be incomplete. */
  allowsInference(leg: Leg, timings: Timings): boolean {
    return this.#isNew(leg) || this.isProof(leg, timings);
  }

  /** True if the claim is enough to accept a change that no own order explains. */
  isProof(leg: Leg, { settleMs }: Timings): boolean {
    if (this.#isNew(leg) && this.updatedAt > leg.provenAt && this.since >= leg.changedAt) return this.reads >= AGREEING;
    const quietSince = Math.max(this.since, leg.changedAt);
    if (this.reads < AGREEING_UNPROVEN || this.lastSentAt < quietSince + settleMs) return false;
    return this.isShown || this.isSeenAlone;
  }

  #isNew(leg: Leg): boolean {
    return this.isShown && this.updatedAt >= leg.provenAt;
  }
}
