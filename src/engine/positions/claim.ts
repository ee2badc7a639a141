/** What reads say of one leg, for as long as they say the same: what it takes for them to be believed against what fills prove. */
import type { Timings } from '../state/core.ts';
import type { Leg } from '../state/leg.ts';

/** Agreeing reads before a leg is believed to be what no order explains; more where the venue's time does not prove them new. */
const AGREEING = 2;
const AGREEING_UNPROVEN = 3;

export class Claim {
  total = 0;
  /** False for a leg that is not listed. */
  isShown = false;
  /** The venue's time of the leg's last change; −Infinity for a leg that is not listed. */
  updatedAt = -Infinity;
  /** The venue's time at which the leg began; −Infinity for a leg that is not listed. */
  createdAt = -Infinity;
  /** When the first of the agreeing reads arrived, when the first of this venue's time of the leg did, and when the last of them began. */
  since = -Infinity;
  stateSince = -Infinity;
  lastSentAt = -Infinity;
  /** 0 before the first read. */
  reads = 0;
  /** Whether one of them asked for the symbol alone (E20). */
  isSeenAlone = false;
  /** Whether orders were asked about since. */
  isAsked = false;
  /** Whether the records of others were, although own orders may explain it. */
  isOthersAsked = false;
  /** Whether the log was told that it is doubted. */
  isDoubtTold = false;

  /** Another read says that the leg is `total`; true when it says the same as those before it. */
  take(leg: Leg, total: number, updatedAt: number, isShown: boolean, sentAt: number, isAlone: boolean, now: number): boolean {
    // What was read before the leg changed was said of another leg.
    const isSame = this.reads > 0 && total === this.total && isShown === this.isShown && this.since >= leg.changedAt;
    if (!isSame) {
      this.total = total;
      this.isShown = isShown;
      this.since = now;
      this.reads = 0;
      this.isSeenAlone = false;
      this.isAsked = false;
      this.isDoubtTold = false;
      this.isOthersAsked = false;
    }
    if (!isSame || updatedAt !== this.updatedAt) this.stateSince = now;
    this.updatedAt = updatedAt;
    this.lastSentAt = sentAt;
    this.reads++;
    if (isAlone) this.isSeenAlone = true;
    return isSame;
  }

  forget(): void {
    this.reads = 0;
  }

  /** Whether it holds every fill that is in the total of `leg`: by the venue's time, or because it is so much later. */
  isAfter(leg: Leg, { settleMs }: Timings): boolean {
    return this.#isNew(leg) || this.lastSentAt >= leg.changedAt + settleMs;
  }

  /** Whether fills may be told by it: a list that does not show the leg may just not be whole. */
  mayTell(leg: Leg, timings: Timings): boolean {
    return this.#isNew(leg) || this.isProof(leg, timings);
  }

  /** Whether it is enough to believe it, where nothing of ours explains it. */
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
