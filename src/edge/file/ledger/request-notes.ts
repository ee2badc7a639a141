/**
 * Records requests that changed nothing: reads, and requests refused before an endpoint handled them. These lines are notes: a replay does
 * not write them again. Headers are never written; of an API key only the name of its account is.
 */
import type { Endpoint } from '../../../contract/endpoints/endpoint.ts';
import type { Handler, RefusedRequest, Reply, WireRequest } from '../../../contract/envelope.ts';
import type { Ledger } from './ledger.ts';

/** One line per read, one line of counters per second, or no lines. */
export type LedgerReads = 'all' | 'counts' | 'none';

/** Longest time in milliseconds that one line of counters covers. */
const PERIOD_MS = 1_000;
/** Refusals per period with a line of their own. Further ones are only counted, unless every read has a line. */
const REFUSALS_MAX = 100;
/** Characters kept of a refused request's target and body. */
const TEXT_MAX = 1_000;

interface Period {
  readonly from: number;
  readonly reads: Map<string, number>;
  readonly refusals: Map<string, number>;
  written: number;
}

export class RequestNotes {
  readonly #ledger: Ledger;
  readonly #reads: LedgerReads;
  #period: Period | null = null;
  #timer: NodeJS.Timeout | null = null;

  constructor(ledger: Ledger, reads: LedgerReads) {
    this.#ledger = ledger;
    this.#reads = reads;
  }

  /** Wraps `handler` to note its reads and its unknown callers. The ledger itself records signed writes. */
  over(handler: Handler): Handler {
    return (endpoint, request) => {
      const reply = handler(endpoint, request);
      const account = this.#ledger.nameOf(request.caller);
      if (endpoint.auth && account === null) this.refused(refusalOf(endpoint, request, reply, false));
      else if (endpoint.method === 'GET') this.#read(endpoint, request, account, reply);
      return reply;
    };
  }

  /** Notes a signed write that was refused before its endpoint handled it. @throws LedgerError write-failed */
  refusedWrite(endpoint: Endpoint, request: WireRequest, reply: Reply): void {
    this.refused(refusalOf(endpoint, request, reply, true));
  }

  /** Notes a refused request. @throws LedgerError write-failed */
  refused(asked: RefusedRequest): void {
    const { method, target, endpoint, key, isSigned, body, bytes, status, code, msg } = asked;
    if (this.#reads !== 'all') {
      const period = this.#now();
      if (period.written++ >= REFUSALS_MAX) return add(period.refusals, `${status} ${code}`);
    }
    const account = this.#ledger.nameOf(key);
    const what = { method, target: target.slice(0, TEXT_MAX), endpoint, account, isSigned, body: body.slice(0, TEXT_MAX), bytes };
    this.#ledger.note('refusal', { ...what, status, code, msg });
  }

  /** Writes the current counters. @throws LedgerError write-failed */
  close(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#writeCounts();
  }

  #read(endpoint: Endpoint, { target }: WireRequest, account: string | null, { envelope: { code } }: Reply): void {
    switch (this.#reads) {
      case 'all':
        return this.#ledger.note('read', { account, endpoint: endpoint.id, target, code });
      case 'counts':
        return add(this.#now().reads, `${endpoint.id} ${code}`);
      case 'none':
    }
  }

  #now(): Period {
    const now = this.#ledger.now();
    if (this.#period !== null && now - this.#period.from >= PERIOD_MS) this.#writeCounts();
    this.#timer ??= setTimeout(() => this.#onTimer(), PERIOD_MS).unref();
    return (this.#period ??= { from: now, reads: new Map(), refusals: new Map(), written: 0 });
  }

  #onTimer(): void {
    this.#timer = null;
    try {
      this.#writeCounts();
    } catch {
      // The ledger has failed; its next caller gets the error.
    }
  }

  #writeCounts(): void {
    const period = this.#period;
    this.#period = null;
    if (period === null || period.reads.size + period.refusals.size === 0) return;
    const { from, reads, refusals } = period;
    this.#ledger.note('counts', { from, reads: Object.fromEntries(reads), refusals: Object.fromEntries(refusals) });
  }
}

function add(to: Map<string, number>, key: string): void {
  to.set(key, (to.get(key) ?? 0) + 1);
}

function refusalOf({ id, method }: Endpoint, request: WireRequest, { httpStatus, envelope }: Reply, isSigned: boolean): RefusedRequest {
  const { target, body } = request;
  const { code, msg } = envelope;
  const key = request.header('access-key') ?? null;
  return { method, target, endpoint: id, key, isSigned, body, bytes: Buffer.byteLength(body), status: httpStatus, code, msg };
}
