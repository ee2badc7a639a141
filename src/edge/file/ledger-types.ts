/** What the ledger stands on and what it tells. */
import type { Handler } from '../../contract/envelope.ts';
import type { Clock } from '../../ports/clock.ts';

/** What stands under the ledger. It must be deterministic: same state, inputs and times, same effects. */
export interface LedgeredExchange {
  quote(instrument: number, bid: number, bidSize: number, ask: number, askSize: number, time: number): void;
  trade(instrument: number, price: number, size: number, aggressor: number, time: number, id: number): void;
  /** Does the venue's own timed work up to `time`. */
  advance(time: number): void;
  /** When the next timed work is due, Infinity for none. */
  readonly nextDue: number;
  /** Answers requests; the only clock it reads is `ledger.clock`. */
  readonly handler: Handler;
  /** All that is to be known of an order that was just made, as JSON values. */
  order(orderNo: number): object | null;
  snapshot(): unknown;
  restore(state: unknown): void;
}

export interface LedgerOptions {
  /** Venue time: what requests are stamped with. */
  readonly clock: Clock;
  /** API key → name of its account, for the records. */
  readonly names: ReadonlyMap<string, string>;
  /** Says what the exchange is built from (instruments, accounts, settings); a folder of another identity is refused. */
  readonly identity: string;
  /** Inputs of this many bytes make a new snapshot due. Default 8 MiB, or twice the last snapshot if that is more. */
  readonly snapshotBytes?: number | undefined;
}

/** What the folder gave back. */
export interface Resumed {
  /** False for a new folder. */
  readonly resumed: boolean;
  /** Market rows fed since the folder was new: where a tape goes on. */
  readonly rows: number;
  /** Latest venue time seen, 0 when new. */
  readonly time: number;
}

export type LedgerErrorCode = 'locked' | 'foreign' | 'corrupt' | 'write-failed';

export class LedgerError extends Error {
  override readonly name = 'LedgerError';
  readonly code: LedgerErrorCode;
  constructor(code: LedgerErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
