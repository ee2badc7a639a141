/** What the ledger stands on and what it tells. */
import type { EndpointId } from '../../contract/endpoints/endpoint.ts';
import type { Handler } from '../../contract/envelope.ts';
import type { Clock } from '../../ports/clock.ts';

/** Facts of an account, by its number: the ledger tells its name. */
export interface OfAccount {
  readonly account: number;
}

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
  /** Carries out a command of the venue's operator; what came of it, as JSON values. Never throws for what the command says. */
  command(name: string, given: unknown, time: number): object;
  /** All that is to be known of an order that was just made, as JSON values. */
  order(orderNo: number): OfAccount | null;
  /** The state at this moment as JSON values, of which some may be late (base/lazy.ts): they are read to the end while it goes on. */
  snapshot(): unknown;
  restore(state: unknown): void;
}

/** A fault that was put in the way of a request, for the record: it changes nothing of the exchange itself. */
export interface FaultRecord {
  readonly fault: string;
  /** before or after the venue acted, or in its answer. */
  readonly phase: string;
  /** Number of its rule in the plan. */
  readonly rule: number;
  /** "E12", … */
  readonly endpoint: string;
  /** Name of the account, null where nobody signed. */
  readonly account: string | null;
  /** Number of the request in this ledger, 0 when the venue had not acted or records none: a read. */
  readonly request: number;
  /** The exact body of a write, the target of a read; "" where `request` says it. */
  readonly asked: string;
}

/** A fault as whoever made it tells it. */
export interface FaultTold extends Omit<FaultRecord, 'request' | 'account' | 'endpoint'> {
  readonly endpoint: EndpointId;
  /** The API key of the caller. */
  readonly caller: string | null;
  /** Whether the request was handled, and was the last one that was. */
  readonly hasActed: boolean;
}

export interface LedgerOptions {
  /** Venue time: what requests are stamped with. */
  readonly clock: Clock;
  /** API key → name of its account, for the records; in the order of the accounts' numbers. */
  readonly names: ReadonlyMap<string, string>;
  /** Says what the exchange is built from (instruments, accounts, settings); a folder of another identity is refused. */
  readonly identity: string;
  /** Inputs of this many bytes make a new snapshot due. Default 8 MiB, or twice the last snapshot if that is more. */
  readonly snapshotBytes?: number | undefined;
  /** A segment of the ledger is closed when it has so many bytes. Default 64 MiB. */
  readonly segmentBytes?: number | undefined;
  /** How many closed segments are kept. Default: all. */
  readonly keepSegments?: number | undefined;
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
