/** Keeps earlier answers for a fault plan with stale reads or mixed-up answers. The number is limited. */
import type { EndpointId } from '../../../contract/endpoints/endpoint.ts';
import { SUCCESS_CODE, type Reply } from '../../../contract/envelope.ts';
import type { FaultRule } from './fault-plan.ts';
import type { ReceivedRequest } from './received-request.ts';

const REQUESTS_MAX = 500;
const ANSWERS_MAX = 100;

interface Kept {
  readonly time: number;
  readonly reply: Reply;
}

export class PastAnswers {
  readonly #stale: ReadonlySet<EndpointId>;
  readonly #mixed: ReadonlySet<EndpointId>;
  /** Caller and target → answers, the oldest first. */
  readonly #byRequest = new Map<string, Kept[]>();
  /** Endpoint → its last success. */
  readonly #lastOf = new Map<EndpointId, { readonly request: string; readonly reply: Reply }>();

  /** Creates the store for the rules that need it; null if none does. */
  static for(rules: readonly FaultRule[]): PastAnswers | null {
    const of = (fault: string): Set<EndpointId> =>
      new Set(rules.filter((rule) => rule.fault === fault).flatMap((rule) => [...rule.endpoints]));
    const past = new PastAnswers(of('stale'), of('mixup'));
    return past.#stale.size + past.#mixed.size === 0 ? null : past;
  }

  private constructor(stale: ReadonlySet<EndpointId>, mixed: ReadonlySet<EndpointId>) {
    this.#stale = stale;
    this.#mixed = mixed;
  }

  remember(received: ReceivedRequest, reply: Reply, time: number): void {
    const { id } = received.endpoint;
    if (this.#mixed.has(id) && reply.envelope.code === SUCCESS_CODE) this.#lastOf.set(id, { request: requestKey(received), reply });
    if (!this.#stale.has(id)) return;
    const request = requestKey(received);
    const kept = this.#byRequest.get(request) ?? [];
    kept.push({ time, reply });
    if (kept.length > ANSWERS_MAX) kept.shift();
    this.#byRequest.delete(request);
    this.#byRequest.set(request, kept);
    if (this.#byRequest.size <= REQUESTS_MAX) return;
    const [oldest] = this.#byRequest.keys();
    this.#byRequest.delete(oldest!);
  }

  /** The newest answer to the same request at or before `time`, or null. */
  before(received: ReceivedRequest, time: number): Reply | null {
    return this.#byRequest.get(requestKey(received))?.findLast((kept) => kept.time <= time)?.reply ?? null;
  }

  /** The last success of the endpoint if it belonged to another request, or null. */
  ofAnother(received: ReceivedRequest): Reply | null {
    const last = this.#lastOf.get(received.endpoint.id);
    return last === undefined || last.request === requestKey(received) ? null : last.reply;
  }
}

function requestKey({ request: { caller, target, body } }: ReceivedRequest): string {
  return `${caller} ${target} ${body}`;
}
