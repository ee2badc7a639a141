/** Reads a ledger folder into typed records: requests, orders, fills, cash and the rest. Used by tests, audits and people. */
import { closeSync, fstatSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../../../base/failure/failure.ts';
import type { RefusedRequest } from '../../../contract/envelope.ts';
import { segmentPath, segmentsIn } from './ledger-files.ts';
import type { FaultRecord } from './ledger-types.ts';
import { linesOf } from '../line-file.ts';

/** A signed write as the exchange received it. */
export interface LedgerRequest {
  /** 1, 2, 3, … */
  readonly request: number;
  readonly time: number;
  /** Name of the account. */
  readonly account: string;
  /** "E12", … */
  readonly endpoint: string;
  /** The exact body text. */
  readonly body: string;
  /** Code of the reply; "00000" for success. */
  readonly code: string;
}

export interface LedgerOrder {
  /** The order at its creation, in the simulator's integers, with its ids on the wire. */
  readonly order: Readonly<Record<string, unknown>> & { readonly no: number };
  /**
   * The request that created the order, or null if a market move did. If `byVenue` is true, the venue itself created the order (the exit of
   * a bracket, the order of a fired trigger), during a request or not.
   */
  readonly request: LedgerRequest | null;
  /** Its final state (a code of domain/orders/order.ts), or null while it is open. */
  ended: number | null;
  /** Number of the request or command that ended it; 0 if the market ended it or it is open. */
  endedBy: number;
}

/** A command of the venue's operator. */
export interface LedgerCommand {
  /** Counted together with the requests. */
  readonly request: number;
  readonly time: number;
  readonly name: string;
  readonly given: unknown;
  readonly result: Readonly<Record<string, unknown>>;
}

/** A fault that was injected into a request. */
export interface LedgerFault extends FaultRecord {
  readonly time: number;
}

export interface LedgerFill {
  readonly fillNo: number;
  readonly orderNo: number;
  readonly account: string;
  readonly time: number;
  readonly instrument: number;
  readonly side: number;
  readonly effect: number;
  readonly price: number;
  readonly size: number;
  readonly fee: number;
  readonly liquidity: number;
  readonly realised: number;
}

export interface LedgerCash {
  readonly account: string;
  readonly wallet: 'futures' | 'spot';
  readonly coin: string;
  readonly amount: number;
  readonly why: string;
  readonly orderNo: number;
}

/**
 * A liquidation step: what the venue did to an account below its maintenance margin. Comes before the orders' ends, fills and cash of the
 * step.
 */
export interface LedgerStep {
  readonly time: number;
  readonly account: string;
  readonly step: 'cancel' | 'reduce' | 'close' | 'insurance';
  readonly instrument: number;
  readonly side: number;
  readonly size: number;
  readonly mark: number;
  readonly backing: number;
  readonly maintenance: number;
}

/** A read; only recorded when each read gets its own line. */
export interface LedgerRead {
  readonly time: number;
  /** Null for a public endpoint. */
  readonly account: string | null;
  readonly endpoint: string;
  /** Path and query as sent. */
  readonly target: string;
  readonly code: string;
}

/**
 * Counters of the time from `from` to `time`, at most a second. Keys: "E7 00000" for reads with that code, "429 42900" for refusals without
 * a line.
 */
export interface LedgerCounts {
  readonly from: number;
  readonly time: number;
  readonly reads: Readonly<Record<string, number>>;
  readonly refusals: Readonly<Record<string, number>>;
}

/** A request that no endpoint handled; target and body are cut to 1,000 characters. */
export interface LedgerRefusal extends Omit<RefusedRequest, 'key'> {
  readonly time: number;
  /** Name of the account of its key, or null if there is none. */
  readonly account: string | null;
}

export interface GroundTruth {
  readonly requests: readonly LedgerRequest[];
  readonly commands: readonly LedgerCommand[];
  readonly faults: readonly LedgerFault[];
  readonly orders: readonly LedgerOrder[];
  readonly fills: readonly LedgerFill[];
  readonly cash: readonly LedgerCash[];
  /** Liquidation steps. */
  readonly steps: readonly LedgerStep[];
  readonly reads: readonly LedgerRead[];
  readonly counts: readonly LedgerCounts[];
  readonly refusals: readonly LedgerRefusal[];
  /** Number of lines missing because their segments were deleted. */
  readonly missing: number;
}

/** A line with its own number. Every line also has the number of its request. */
export type NumberedLine = LedgerLine & { readonly n: number };

/** A line of the ledger. */
export type LedgerLine =
  | ({ kind: 'request' } & LedgerRequest)
  | { kind: 'order'; request: number; order: LedgerOrder['order'] }
  | ({ kind: 'command' } & LedgerCommand)
  | ({ kind: 'fault' } & LedgerFault)
  | { kind: 'end'; request: number; orderNo: number; how: number }
  | { kind: 'fill'; fill: LedgerFill }
  | { kind: 'step'; step: LedgerStep }
  | ({ kind: 'read' } & LedgerRead)
  | ({ kind: 'counts' } & LedgerCounts)
  | ({ kind: 'refusal' } & LedgerRefusal)
  | ({ kind: 'cash' } & LedgerCash);

/**
 * Yields the lines of the ledger in `folder` over all existing files. An exchange may be writing it meanwhile; an incomplete last line is
 * left out. Lines are numbered, so that a gap shows. @throws Error of node:fs
 */
export function* ledgerLines(folder: string): Generator<string> {
  // Open the current file first: even if it becomes a segment now, this descriptor still reads it.
  const last = openSync(join(folder, 'ledger.jsonl'), 'r');
  try {
    const { ino } = fstatSync(last);
    for (const number of segmentsIn(folder)) {
      const fd = openSync(segmentPath(folder, number), 'r');
      try {
        if (fstatSync(fd).ino !== ino) yield* linesOf(fd, 0);
      } finally {
        closeSync(fd);
      }
    }
    yield* linesOf(last, 0);
  } finally {
    closeSync(last);
  }
}

/** Passes every line of the ledger in `folder` to `take`. Returns the number of missing lines. @throws Failure if one is damaged, and as ledgerLines */
export function walkLedger(folder: string, take: (line: NumberedLine) => void): number {
  let last = 0;
  let missing = 0;
  for (const text of ledgerLines(folder)) {
    const line = parsed(text, folder, last + 1);
    missing += line.n - last - 1;
    last = line.n;
    take(line);
  }
  return missing;
}

/** @throws Failure (ledger-unusable) */
function parsed(text: string, folder: string, number: number): NumberedLine {
  try {
    const line = JSON.parse(text) as NumberedLine | null;
    if (typeof line?.n === 'number') return line;
  } catch {
    // Named below.
  }
  throw new Failure('ledger-unusable', {
    what: `expected line ${number} of a ledger, found ${JSON.stringify(text.slice(0, 60))}`,
    where: folder,
    hint: 'restore the file from a copy: an exchange writes whole lines of JSON',
  });
}

/** Reads the ledger in `folder`. An exchange may be writing it meanwhile; an incomplete last line is left out. @throws Error of node:fs */
export function readLedger(folder: string): GroundTruth {
  const requests: LedgerRequest[] = [];
  const commands: LedgerCommand[] = [];
  const faults: LedgerFault[] = [];
  const orders: { order: LedgerOrder['order']; made: number; ended: number | null; endedBy: number }[] = [];
  const byNo = new Map<number, { ended: number | null; endedBy: number }>();
  const fills: LedgerFill[] = [];
  const cash: LedgerCash[] = [];
  const steps: LedgerStep[] = [];
  const reads: LedgerRead[] = [];
  const counts: LedgerCounts[] = [];
  const refusals: LedgerRefusal[] = [];
  const missing = walkLedger(folder, (line) => {
    switch (line.kind) {
      case 'request':
        return void requests.push(without(line));
      case 'command':
        return void commands.push(without(line));
      case 'fault':
        return void faults.push(without(line));
      case 'read':
        return void reads.push(note(line));
      case 'counts':
        return void counts.push(note(line));
      case 'refusal':
        return void refusals.push(note(line));
      case 'order': {
        const entry = { order: line.order, made: line.request, ended: null, endedBy: 0 };
        orders.push(entry);
        return void byNo.set(line.order.no, entry);
      }
      case 'end': {
        const entry = byNo.get(line.orderNo);
        if (entry !== undefined) Object.assign(entry, { ended: line.how, endedBy: line.request });
        return;
      }
      case 'fill':
        return void fills.push(line.fill);
      case 'step':
        return void steps.push(line.step);
      case 'cash': {
        const { account, wallet, coin, amount, why, orderNo } = line;
        cash.push({ account, wallet, coin, amount, why, orderNo });
      }
    }
  });
  const byRequest = new Map(requests.map((r) => [r.request, r]));
  return {
    requests,
    commands,
    faults,
    orders: orders.map(({ order, made, ended, endedBy }) => ({ order, request: byRequest.get(made) ?? null, ended, endedBy })),
    fills,
    cash,
    steps,
    reads,
    counts,
    refusals,
    missing,
  };
}

/** Returns the record of a line that belongs to no request. */
function note<L extends { readonly kind: string }>(line: L): Omit<L, 'kind' | 'n' | 'request'> {
  const { kind: _kind, n: _n, request: _request, ...record } = line as L & { readonly n: number; readonly request: number };
  return record;
}

/** Returns the record of a line without the fields that every line has. */
function without<L extends { readonly kind: string }>(line: L): Omit<L, 'kind' | 'n'> {
  const { kind: _kind, n: _n, ...record } = line as L & { readonly n: number };
  return record;
}
