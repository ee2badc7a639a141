/** Since when reads have not shown what a command of unknown outcome does, in this process and those before it. */
import { assert } from '../../../base/failure/assert.ts';
import type { Core } from '../../state/core.ts';
import type { Absent } from '../../state/records/order.ts';

/** The shared state that this file uses. */
export interface AbsenceCore extends Core {
  /** Newest venue time seen on an answer; 0 before the first. */
  readonly venueTime: number;
}

/**
 * Complete looks after the horizon before something may be presumed not landed. The last of them comes the lag of the lists after the horizon:
 * the venue may show late what landed just before it. No list decides alone, because it may omit an entry.
 */
const ABSENCES = 3;

/** What reads do not show: an order, or a margin step. */
interface Missing {
  /** Null before the first complete read. */
  absent: Absent | null;
}

/**
 * Since when the horizon of command `seq` counts; `since` is when this process began to look. A process that dies sends nothing any more, so
 * the time that an earlier one has waited counts too, from its first complete look on. Clocks may be set in between: ours and the venue's
 * must both say that the time has passed.
 */
export function absentSince({ journal, now, venueTime }: AbsenceCore, missing: Missing, seq: number, since: number): number {
  if (venueTime === 0) return since;
  if (missing.absent === null) {
    missing.absent = { at: now, venueTime };
    journal.note('absent', { order: seq, venueTime }, now);
  }
  return Math.min(since, now - Math.min(now - missing.absent.at, venueTime - missing.absent.venueTime));
}

/** True if so many complete looks after the horizon, the last of them now, have not shown what is missing since `since`. */
export function isAbsentForGood({ now, timings }: Core, absences: number, since: number): boolean {
  assert(absences >= 0, 'looks that did not show it are at least 0', absences);
  return absences >= ABSENCES && now - since >= timings.horizonMs + timings.settleMs;
}
