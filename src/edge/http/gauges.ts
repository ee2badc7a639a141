/** Statistics of the client: requests and outcomes by endpoint, latencies, and the offset of the venue's clock. */
import type { EndpointId } from '../../contract/endpoints/endpoint.ts';

export interface EndpointCounts {
  readonly requests: number;
  readonly accepted: number;
  readonly rejected: number;
  readonly unsent: number;
  readonly unknown: number;
  /** Milliseconds from sending to the complete answer, over the last 256 answers; 0 before the first. */
  readonly p50Ms: number;
  readonly p99Ms: number;
}

export interface ClientCounts {
  readonly requests: number;
  readonly unknown: number;
  readonly rateLimited: number;
  /** Number of outcomes by deciding row, C1 to C12. Rows without outcomes are absent. */
  readonly rows: Readonly<Record<string, number>>;
  readonly endpoints: Readonly<Partial<Record<EndpointId, EndpointCounts>>>;
}

const LATENCIES = 256;

/** The last `size` numbers, with quantiles. */
class Latencies {
  readonly #values: Float64Array;
  #count = 0;

  constructor(size: number) {
    this.#values = new Float64Array(size);
  }

  add(value: number): void {
    this.#values[this.#count % this.#values.length] = value;
    this.#count++;
  }

  /** Nearest-rank quantile: at least a share `q` of the kept values is at most the result. Null without values. */
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
  readonly latencies = new Latencies(LATENCIES);
}

export class Gauges {
  readonly #endpoints = new Map<EndpointId, EndpointGauge>();
  readonly #rows = new Map<string, number>();

  /** Counts one finished attempt. `latencyMs` is null if no answer came. */
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
    return { requests, unknown, rateLimited: rows['C9'] ?? 0, rows, endpoints };
  }
}
