/** The types of what one attempt of a request proved. `decide` (edge/http/outcome.ts) makes it; the dialects read it. */
import type { RefusalClass } from '../contract/endpoints/endpoint.ts';
import type { Rejection } from '../domain/orders/outcome.ts';

/** Row of the outcome table (docs/promises.md) that decided. */
export type Row = 'C1' | 'C2' | 'C3' | 'C4' | 'C5' | 'C6' | 'C7' | 'C8' | 'C9' | 'C10' | 'C11' | 'C12';

export interface Accepted<T> {
  readonly status: 'accepted';
  readonly row: 'C7';
  readonly value: T;
  /** Public records that were left out because they could not be read. */
  readonly malformed: number;
  /** The venue's clock in milliseconds; 0 if the answer does not contain it. */
  readonly requestTime: number;
  readonly sentAt: number;
  readonly receivedAt: number;
}

export interface Rejected {
  readonly status: 'rejected';
  readonly row: 'C10' | 'C11';
  readonly rejection: Rejection;
  /** Proof that the refusal gives about an earlier attempt with the same bytes. */
  readonly proves: RefusalClass;
}

/** Proven not to have been sent. */
export interface Unsent {
  readonly status: 'unsent';
  readonly row: 'C1' | 'C2';
  readonly cause: string;
  readonly detail: string;
}

/** May have been executed. */
export interface Unknown {
  readonly status: 'unknown';
  readonly row: Row;
  readonly cause: string;
  /** What was found, for the log; never a whole body. */
  readonly detail: string;
}

export type Called<T> = Accepted<T> | Rejected | Unsent | Unknown;
