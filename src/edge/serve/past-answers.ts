/** Earlier answers, kept while a fault plan has a use for them: stale reads and mixed-up answers. Bounded in number. */
import type { EndpointId } from '../../contract/endpoints/endpoint.ts';
import { SUCCESS_CODE, type Reply } from '../../contract/envelope.ts';
import type { FaultRule } from './fault-plan.ts';
import type { Served } from './served.ts';

const QUESTIONS_MAX = 500;
const ANSWERS_MAX = 100;

interface Kept {
  readonly time: number;
  readonly reply: Reply;
}

export class PastAnswers {
  readonly #stale: ReadonlySet<EndpointId>;
  readonly #mixed: ReadonlySet<EndpointId>;
  /** Caller and target → its answers, oldest first. */
  readonly #byQuestion = new Map<string, Kept[]>();
  /** Endpoint → its last success. */
  readonly #lastOf = new Map<EndpointId, { readonly question: string; readonly reply: Reply }>();

  /** What the rules have a use for; null for nothing. */
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

  remember(served: Served, reply: Reply, time: number): void {
    const { id } = served.endpoint;
    if (this.#mixed.has(id) && reply.envelope.code === SUCCESS_CODE) this.#lastOf.set(id, { question: questionOf(served), reply });
    if (!this.#stale.has(id)) return;
    const question = questionOf(served);
    const kept = this.#byQuestion.get(question) ?? [];
    kept.push({ time, reply });
    if (kept.length > ANSWERS_MAX) kept.shift();
    this.#byQuestion.delete(question);
    this.#byQuestion.set(question, kept);
    if (this.#byQuestion.size <= QUESTIONS_MAX) return;
    const [oldest] = this.#byQuestion.keys();
    this.#byQuestion.delete(oldest!);
  }

  /** The newest answer to the same question that is of `time` or before, null for none. */
  before(served: Served, time: number): Reply | null {
    return this.#byQuestion.get(questionOf(served))?.findLast((kept) => kept.time <= time)?.reply ?? null;
  }

  /** The last success of the endpoint if it answered another request, null otherwise. */
  ofAnother(served: Served): Reply | null {
    const last = this.#lastOf.get(served.endpoint.id);
    return last === undefined || last.question === questionOf(served) ? null : last.reply;
  }
}

function questionOf({ request: { caller, target, body } }: Served): string {
  return `${caller} ${target} ${body}`;
}
