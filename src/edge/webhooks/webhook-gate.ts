/**
 * Decides whether a call from outside is a signal of a known sender, for the first time and in time. It keeps what it let in for as long as the
 * same call could come again, and nothing on disk: calls from before its start are refused.
 */
import { createHmac, hash } from 'node:crypto';
import { isRecord } from '../../base/fields.ts';
import { MINUTE_MS } from '../../base/time/time-spans.ts';
import type { WebhookSender } from '../../base/tables/webhook-senders.ts';
import { sameSecret } from '../signature.ts';

/** A call is good for so long after the time that it names. */
export const WINDOW_MS = 60_000;
/** The clock of a sender may be ahead by so much. */
export const AHEAD_MS = 5_000;

export interface WebhookCall {
  readonly path: string;
  /** The header `x-tickwright-signature`; "" for none. */
  readonly signature: string;
  readonly body: string;
}

export type Judged =
  /** `release` lets the same call in again. For one that certainly did not reach the strategy. */
  | { readonly kind: 'taken'; readonly sender: WebhookSender; readonly release: () => void }
  /** `sender` is null if the call does not show who it is. */
  | {
      readonly kind: 'refused';
      readonly sender: WebhookSender | null;
      readonly status: number;
      readonly code: string;
      readonly message: string;
    };

const UNKNOWN_CALLER: Judged = {
  kind: 'refused',
  sender: null,
  status: 401,
  code: 'not-allowed',
  message: 'expected a call of a known sender',
};

export class WebhookGate {
  readonly #now: () => number;
  /** Calls of before may have been taken by the process before this one, with times that are ahead. */
  readonly #notBefore: number;
  readonly #byName = new Map<string, WebhookSender>();
  /** By the digest of the secret, so that the time of a look-up says nothing of it. */
  readonly #bySecret = new Map<string, WebhookSender>();
  /** Calls that were let in, with the time at which they are too old anyway. */
  readonly #taken = new Map<string, number>();
  /** By sender: the times of the signals of the last minute. */
  readonly #times = new Map<string, number[]>();

  /** `now`: milliseconds since 1970. */
  constructor(senders: readonly WebhookSender[], now: () => number) {
    this.#now = now;
    this.#notBefore = now() + AHEAD_MS;
    for (const sender of senders) {
      if (sender.kind === 'signed') this.#byName.set(sender.name, sender);
      else this.#bySecret.set(digest(sender.secret.reveal()), sender);
    }
  }

  judge({ path, signature, body }: WebhookCall): Judged {
    const [, way, word = ''] = /^\/(signed|path)\/([A-Za-z0-9_-]{1,200})$/.exec(path) ?? [];
    if (way === 'signed') {
      const sender = this.#byName.get(word);
      const [, time = '', nonce = '', given = ''] = /^t=(\d{13}),n=([A-Za-z0-9_-]{8,64}),v1=([0-9a-f]{64})$/.exec(signature) ?? [];
      if (sender === undefined || time === '') return UNKNOWN_CALLER;
      const expected = createHmac('sha256', sender.secret.reveal()).update(`${time}.${nonce}.${body}`).digest('hex');
      return sameSecret(given, expected) ? this.#once(sender, Number(time), nonce) : UNKNOWN_CALLER;
    }
    const sender = way === 'path' ? this.#bySecret.get(digest(word)) : undefined;
    if (sender === undefined) return UNKNOWN_CALLER;
    const time = timeIn(body);
    if (time === null)
      return refused(
        sender,
        400,
        'bad-request',
        'expected a JSON object with "time" (milliseconds since 1970, or a date such as 2026-11-28T12:00:00Z) and "id"',
      );
    return this.#once(sender, time, digest(body));
  }

  #once(sender: WebhookSender, time: number, mark: string): Judged {
    const now = this.#now();
    if (time < this.#notBefore)
      return refused(sender, 409, 'too-early', 'this is of before the start of the listener, which may have taken it then');
    if (now - time > WINDOW_MS || time - now > AHEAD_MS)
      return refused(sender, 409, 'not-in-time', `expected a time of the last ${WINDOW_MS / 1_000} s: is the clock of the sender right?`);
    for (const [key, until] of this.#taken) if (until < now) this.#taken.delete(key);
    const key = `${sender.name} ${mark}`;
    if (this.#taken.has(key)) return refused(sender, 409, 'replayed', 'this call was taken before');
    const times = (this.#times.get(sender.name) ?? []).filter((one) => now - one < MINUTE_MS);
    if (times.length >= sender.perMinute) return refused(sender, 429, 'too-many', `expected at most ${sender.perMinute} signals a minute`);
    this.#times.set(sender.name, [...times, now]);
    this.#taken.set(key, time + WINDOW_MS);
    return { kind: 'taken', sender, release: () => void this.#taken.delete(key) };
  }
}

function refused(sender: WebhookSender, status: number, code: string, message: string): Judged {
  return { kind: 'refused', sender, status, code, message };
}

/** The time that a body names; null if it is no object with a time and an id. */
function timeIn(body: string): number | null {
  try {
    const value: unknown = JSON.parse(body);
    if (!isRecord(value) || !['string', 'number'].includes(typeof value['id'])) return null;
    const { time } = value;
    const at = typeof time === 'number' ? time : typeof time === 'string' ? (/^\d{13}$/.test(time) ? Number(time) : Date.parse(time)) : NaN;
    return Number.isFinite(at) ? at : null;
  } catch {
    return null;
  }
}

function digest(text: string): string {
  return hash('sha256', text, 'base64url');
}
