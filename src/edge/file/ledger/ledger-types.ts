/** Types of the ledger: the exchange that it records, its options and its errors. */
import type { EndpointId } from '../../../contract/endpoints/endpoint.ts';
import type { Handler } from '../../../contract/envelope.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { Dialect } from '../../../venue/dialect.ts';

/** A fact about an account, identified by number. The ledger writes the account's name instead. */
export interface AccountFact {
  readonly account: number;
}

/** The exchange that the ledger records. It must be deterministic: the same state, inputs and times give the same effects. */
export interface LedgeredExchange {
  quote(instrument: number, bid: number, bidSize: number, ask: number, askSize: number, time: number): void;
  trade(instrument: number, price: number, size: number, aggressor: number, time: number, id: number): void;
  /** Runs the venue's own timed work up to `time`. */
  advance(time: number): void;
  /** Time of the next timed work, or Infinity if none is scheduled. */
  readonly nextDue: number;
  /** Handles requests. The only clock that it reads is `ledger.clock`. */
  readonly handler: Handler;
  /** Carries out an operator command and returns the result as JSON values. Never throws because of the command's content. */
  command(name: string, given: unknown, time: number): object;
  /** Returns all fields of a newly created order as JSON values. */
  order(orderNo: number): AccountFact | null;
  /** Returns the current state as JSON values. Some may be lazy (base/lazy.ts): they are evaluated later, while the exchange goes on. */
  snapshot(): unknown;
  restore(state: unknown): void;
}

/** A fault that was injected into a request, for the record. It does not change the exchange itself. */
export interface FaultRecord {
  readonly fault: string;
  /** When the fault happened: before or after the venue acted, or in its answer. */
  readonly phase: string;
  /** Index of its rule in the fault plan. */
  readonly rule: number;
  /** "E12", … */
  readonly endpoint: string;
  /** Name of the account, or null if the request was not signed. */
  readonly account: string | null;
  /** Number of the request in this ledger. 0 if the venue had not acted, or for a read, which has no number. */
  readonly request: number;
  /** The exact body of a write, or the target of a read. "" if `request` identifies it. */
  readonly asked: string;
}

/** A fault as reported by the code that injected it. */
export interface FaultReport extends Omit<FaultRecord, 'request' | 'account' | 'endpoint'> {
  readonly endpoint: EndpointId;
  /** The caller's API key. */
  readonly caller: string | null;
  /** True if the request was handled, and was the most recent one to be handled. */
  readonly hasActed: boolean;
}

export interface LedgerOptions {
  /** What the requests are written in. Default: the interface. */
  readonly dialect?: Dialect | undefined;
  /** Venue time, used to stamp requests. */
  readonly clock: Clock;
  /** API key → account name, in the order of the account numbers. */
  readonly names: ReadonlyMap<string, string>;
  /** Describes the exchange's configuration (instruments, accounts, settings). A folder with another identity is refused. */
  readonly identity: string;
  /** Bytes of inputs after which a new snapshot is written. Default 8 MiB, or twice the last snapshot if that is more. */
  readonly snapshotBytes?: number | undefined;
  /** Bytes after which the current ledger file is closed as a segment. Default 64 MiB. */
  readonly segmentBytes?: number | undefined;
  /** Number of closed segments to keep. Default: all. */
  readonly keepSegments?: number | undefined;
}

/** The state that was loaded from the folder. */
export interface Resumed {
  /** False for a new folder. */
  readonly resumed: boolean;
  /** Market rows processed since the folder was created: the row at which a tape continues. */
  readonly rows: number;
  /** Latest recorded venue time; 0 for a new folder. */
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
