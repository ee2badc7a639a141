/**
 * What reached the exchange and changed nothing, for its ledger: reads, and requests that were refused before an endpoint saw them.
 * These lines are no inputs: a replay does not make them again, it finds them where they stand. Headers are never told, and of keys
 * the names of their accounts alone.
 */
import type { Endpoint } from '../../contract/endpoints/endpoint.ts';
import type { Handler, RefusedRequest, Reply, WireRequest } from '../../contract/envelope.ts';
import type { Ledger } from './ledger.ts';

/** A line for each read, one of counts a second, or nothing of them. */
export type LedgerReads = 'all' | 'counts' | 'none';

/** Milliseconds that one line of counts stands for, at most. */
const PERIOD_MS = 1_000;
/** Refusals of one period that have lines of their own, unless reads have; the others are counted. */
const REFUSALS_MAX = 100;
/** Characters kept of what was refused. */
const TEXT_MAX = 1_000;

interface Period {
  readonly from: number;
  readonly reads: Map<string, number>;
  readonly refusals: Map<string, number>;
  told: number;
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

  /** `handler`, with its reads and the callers it does not know noted. Signed writes are the ledger's own. */
  over(handler: Handler): Handler {
    return (endpoint, request) => {
      const reply = handler(endpoint, request);
      const account = this.#ledger.nameOf(request.caller);
      if (endpoint.auth && account === null) this.refused(unknownCaller(endpoint, request, reply));
      else if (endpoint.method === 'GET') this.#read(endpoint, request, account, reply);
      return reply;
    };
  }

  /** Notes a request that was refused. @throws LedgerError write-failed */
  refused(asked: RefusedRequest): void {
    const { method, target, endpoint, key, isSigned, body, bytes, status, code, msg } = asked;
    if (this.#reads !== 'all') {
      const period = this.#now();
      if (period.told++ >= REFUSALS_MAX) return add(period.refusals, `${status} ${code}`);
    }
    const account = this.#ledger.nameOf(key);
    const what = { method, target: target.slice(0, TEXT_MAX), endpoint, account, isSigned, body: body.slice(0, TEXT_MAX), bytes };
    this.#ledger.note('refusal', { ...what, status, code, msg });
  }

  /** Writes what is counted so far. @throws LedgerError write-failed */
  close(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#tell();
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
    if (this.#period !== null && now - this.#period.from >= PERIOD_MS) this.#tell();
    this.#timer ??= setTimeout(() => this.#onTimer(), PERIOD_MS).unref();
    return (this.#period ??= { from: now, reads: new Map(), refusals: new Map(), told: 0 });
  }

  #onTimer(): void {
    this.#timer = null;
    try {
      this.#tell();
    } catch {
      // The ledger takes no more; it says so to whoever asks it next.
    }
  }

  #tell(): void {
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

function unknownCaller({ id, method }: Endpoint, request: WireRequest, { httpStatus, envelope }: Reply): RefusedRequest {
  const { target, body } = request;
  const { code, msg } = envelope;
  const key = request.header('access-key') ?? null;
  return { method, target, endpoint: id, key, isSigned: false, body, bytes: Buffer.byteLength(body), status: httpStatus, code, msg };
}
