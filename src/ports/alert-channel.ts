/** The port by which alerts are sent. */
import type { Severity } from '../base/tables/alert-channels.ts';

/** What a person is told. Plain text, without markup of any service. */
export interface AlertMessage {
  /** Number of the alert, for its acknowledgement; 0 for a message that cannot be acknowledged. */
  readonly alert: number;
  readonly severity: Severity;
  readonly title: string;
  readonly text: string;
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly isResolved: boolean;
}

/** What became of a message. `isFinal`: it is useless to send it again. `retryAfterMs`: the pause that the service asks for, or 0. */
export type Delivery =
  | { readonly ok: true }
  | { readonly ok: false; readonly cause: string; readonly isFinal: boolean; readonly retryAfterMs: number };

export interface AlertChannel {
  readonly name: string;
  /** Never rejects. Ends within the time-out of the channel. */
  send(message: AlertMessage): Promise<Delivery>;
}
