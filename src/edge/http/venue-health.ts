/**
 * Keeps how the venue answers: when it last did, and what is wrong with signed and with public requests now. A trouble that lasts is logged
 * at growing intervals, with the HTTP status and the first words of the answer; what reaches no venue is logged by connectivity.ts.
 */
import type { Endpoint } from '../../contract/endpoints/endpoint.ts';
import type { VenueTrouble } from '../../control/answers.ts';
import { UNREACHABLE_CAUSES } from '../../ports/venue.ts';
import type { Log } from '../../ports/log.ts';
import type { Called } from '../../venue/called.ts';
import type { WireFailure, WireReply } from './transport.ts';

export interface VenueAnswers {
  /** Time when the last complete answer came, whatever it said; 0 for none. */
  readonly answeredAt: number;
  readonly troubles: readonly VenueTrouble[];
  /** Since when no request has been answered: the begin of the first one after the last answer; 0 if none has begun since. */
  readonly silentSince: number;
}

/** So many failures in a row are told. */
const TOLD_FROM = 3;
const FIRST_MS = 1_000;
const LONGEST_MS = 64_000;

interface Side {
  trouble: VenueTrouble | null;
  /** Cause of the last line; "" if none since the last success. */
  told: string;
  nextLineAt: number;
  pauseMs: number;
}

export class VenueHealth {
  readonly #log: Log;
  readonly #sides = { signed: newSide(), public: newSide() };
  #answeredAt = 0;
  #waiting = 0;
  #silentSince = 0;

  constructor(log: Log) {
    this.#log = log;
  }

  get answers(): VenueAnswers {
    const { signed, public: open } = this.#sides;
    return {
      silentSince: this.#silentSince,
      answeredAt: this.#answeredAt,
      troubles: [signed.trouble, open.trouble].filter((one) => one !== null),
    };
  }

  /** Called with the begin of each attempt. */
  began(now: number): void {
    this.#waiting++;
    this.#silentSince ||= now;
  }

  /** Called with the end of each attempt. */
  ended(endpoint: Endpoint, called: Called<unknown>, result: WireReply | WireFailure, now: number): void {
    this.#waiting--;
    if (result.ok) {
      this.#answeredAt = Math.max(this.#answeredAt, result.receivedAt);
      this.#silentSince = this.#waiting > 0 ? now : 0;
    }
    const of = endpoint.auth ? 'signed' : 'public';
    const side = this.#sides[of];
    if (called.status === 'accepted' || (called.status === 'rejected' && called.row !== 'C10')) return this.#well(of, side, now);
    if (called.row === 'C1' || (called.status !== 'rejected' && (called.cause === 'stopped' || called.cause === 'aborted'))) return;
    const cause = called.status === 'rejected' ? called.rejection.reason : called.cause;
    const status = result.ok ? result.status : 0;
    const says =
      called.status === 'rejected' ? `status ${status} code ${called.rejection.code} ${called.rejection.message}` : called.detail;
    const before = side.trouble;
    side.trouble = { of, cause, status, says, since: before?.since ?? now, failures: (before?.failures ?? 0) + 1 };
    this.#tell(endpoint, side, side.trouble, now);
  }

  #well(of: string, side: Side, now: number): void {
    if (side.told !== '') this.#log.info('venue-well', { requests: of, afterMs: now - (side.trouble?.since ?? now) });
    Object.assign(side, newSide());
  }

  #tell(endpoint: Endpoint, side: Side, trouble: VenueTrouble, now: number): void {
    const { of, cause, status, says, since, failures } = trouble;
    if (failures < TOLD_FROM || UNREACHABLE_CAUSES.has(cause)) return;
    const isNew = side.told !== cause;
    if (!isNew && now < side.nextLineAt) return;
    if (isNew) side.pauseMs = FIRST_MS;
    side.told = cause;
    side.nextLineAt = now + side.pauseMs;
    side.pauseMs = Math.min(LONGEST_MS, 2 * side.pauseMs);
    this.#log.warn('venue-trouble', { requests: of, endpoint: endpoint.name, cause, status, says, failures, forMs: now - since });
  }
}

function newSide(): Side {
  return { trouble: null, told: '', nextLineAt: 0, pauseMs: FIRST_MS };
}
