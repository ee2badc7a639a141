/** What the client counts of itself: requests and outcomes by endpoint, latencies, and how far the venue's clock is away. */
import type { EndpointId } from '../../contract/endpoints/endpoint.ts';

export interface EndpointCounts {
  readonly requests: number;
  readonly accepted: number;
  readonly rejected: number;
  readonly unsent: number;
  readonly unknown: number;
  /** Milliseconds from sending to the whole answer, over the last answers; 0 before the first. */
  readonly p50Ms: number;
  readonly p99Ms: number;
}

export interface ClientCounts {
  readonly requests: number;
  readonly unknown: number;
  readonly rateLimited: number;
  /** Times an outcome was decided by each row, C1 to C12; rows that never did are absent. */
  readonly rows: Readonly<Record<string, number>>;
  readonly endpoints: Readonly<Partial<Record<EndpointId, EndpointCounts>>>;
  /** The venue's clock minus ours, milliseconds; null before the first public answer. */
  readonly clockOffsetMs: number | null;
}

const LATENCIES = 256;
const OFFSETS = 9;

/** The last `size` numbers, with quantiles. */
class Ring {
  readonly #values: Float64Array;
  #count = 0;

  constructor(size: number) {
    this.#values = new Float64Array(size);
  }

  add(value: number): void {
    this.#values[this.#count % this.#values.length] = value;
    this.#count++;
  }

  /** The value that a share `q` of the kept ones does not exceed; null while there are none. */
  quantile(q: number): number | null {
    const kept = Math.min(this.#count, this.#values.length);
    if (kept === 0) return null;
    const sorted = this.#values.slice(0, kept).sort();
    return sorted[Math.min(kept - 1, Math.ceil(q * kept) - 1)] ?? null;
  }
}

type Status = 'accepted' | 'rejected' | 'unsent' | 'unknown';

class EndpointGauge {
  readonly counts = { requests: 0, accepted: 0, rejected: 0, unsent: 0, unknown: 0 };
  readonly latencies = new Ring(LATENCIES);
}

export class Gauges {
  readonly #endpoints = new Map<EndpointId, EndpointGauge>();
  readonly #rows = new Map<string, number>();
  readonly #offsets = new Ring(OFFSETS);

  /** One attempt ended. `latencyMs` is given where an answer came. */
  ended(id: EndpointId, status: Status, row: string, latencyMs: number | null): void {
    let gauge = this.#endpoints.get(id);
    if (gauge === undefined) {
      gauge = new EndpointGauge();
      this.#endpoints.set(id, gauge);
    }
    gauge.counts.requests++;
    gauge.counts[status]++;
    if (latencyMs !== null) gauge.latencies.add(latencyMs);
    this.#rows.set(row, (this.#rows.get(row) ?? 0) + 1);
  }

  /** A public answer told the venue's time: it carries no timestamp of ours, so half the way is the best guess. */
  sawVenueTime(requestTime: number, sentAt: number, receivedAt: number): void {
    this.#offsets.add(requestTime - (sentAt + receivedAt) / 2);
  }

  /** The median of the last nine. */
  get clockOffsetMs(): number | null {
    return this.#offsets.quantile(0.5);
  }

  counts(): ClientCounts {
    const endpoints: Partial<Record<EndpointId, EndpointCounts>> = {};
    let requests = 0;
    let unknown = 0;
    for (const [id, { counts, latencies }] of this.#endpoints) {
      requests += counts.requests;
      unknown += counts.unknown;
      endpoints[id] = { ...counts, p50Ms: latencies.quantile(0.5) ?? 0, p99Ms: latencies.quantile(0.99) ?? 0 };
    }
    const rows = Object.fromEntries(this.#rows);
    return { requests, unknown, rateLimited: rows['C9'] ?? 0, rows, endpoints, clockOffsetMs: this.clockOffsetMs };
  }
}
