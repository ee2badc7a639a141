/**
 * Does to requests what a fault plan says, between the socket and the handler. Chance is seeded and drawn in the order of the
 * requests, one stream for each rule; of the rules that strike at one phase of a request the first has it. Each fault is told
 * before its effect is seen.
 */
import { Random } from '../../base/random.ts';
import type { EndpointId } from '../../contract/endpoints/endpoint.ts';
import { failure, type Reply } from '../../contract/envelope.ts';
import { cutShort, htmlBody, synthetic, malformedBody, sendHuge, statusBody, wrongTypesBody } from './fault-bodies.ts';
import type { FaultName, FaultPlan, FaultRule, Phase } from './fault-plan.ts';
import { PastAnswers } from './past-answers.ts';
import type { Served } from './served.ts';

/** A fault as it is told. */
export interface FaultNote {
  readonly fault: FaultName;
  readonly phase: Phase;
  /** 1, 2, 3, … in the plan. */
  readonly rule: number;
  readonly endpoint: EndpointId;
  /** The verified API key. */
  readonly caller: string | null;
  /** Whether the venue had handled the request when the fault struck. */
  readonly hasActed: boolean;
  /** The exact body of a write, the target of a read. */
  readonly asked: string;
}

export interface FaultsOptions {
  readonly now: () => number;
  /** HTTP status of a refusal where a rule names none. Default 400. */
  readonly errorStatus?: number | undefined;
  readonly tell: (note: FaultNote) => void;
}

export interface RuleCount {
  readonly fault: FaultName;
  readonly phase: Phase;
  /** Requests the rule concerned, and faults it made. */
  readonly seen: number;
  readonly struck: number;
}

interface Armed {
  readonly rule: FaultRule;
  readonly number: number;
  readonly random: Random;
  seen: number;
  struck: number;
}

type Strike = Readonly<Record<Phase, Armed | null>>;

export class Faults {
  readonly #options: FaultsOptions;
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #held = new Map<EndpointId, () => void>();
  #armed: readonly Armed[] = [];
  #past: PastAnswers | null = null;

  constructor(options: FaultsOptions) {
    this.#options = options;
  }

  /** False while there is nothing to do: the server then does not come by. */
  get isOn(): boolean {
    return this.#armed.length > 0;
  }

  /** Takes up a plan from its beginning; null ends all faults. What is on its way stays harmed. */
  set(plan: FaultPlan | null): void {
    const chance = new Random(plan?.seed ?? 0);
    this.#armed = (plan?.rules ?? []).map((rule, k) => ({ rule, number: k + 1, random: chance.fork(), seen: 0, struck: 0 }));
    this.#past = PastAnswers.for(plan?.rules ?? []);
  }

  counts(): RuleCount[] {
    return this.#armed.map(({ rule: { fault, phase }, seen, struck }) => ({ fault, phase, seen, struck }));
  }

  /** Forgets what would land later. */
  close(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
    this.#held.clear();
  }

  /** Serves one request, harmed or not. */
  serve(served: Served): void {
    const strike = this.#strike(served.endpoint.id);
    const { before } = strike;
    if (before === null) return this.#act(served, strike);
    this.#tell(served, before, false);
    const { rule } = before;
    switch (rule.fault) {
      case 'delay':
        return this.#later(served, rule.ms, () => this.#act(served, strike));
      case 'late':
        return this.#later(served, rule.ms, () => void served.perform());
      case 'duplicate':
        return this.#twice(served, strike, rule);
      default:
        this.#replace(served, before, null);
    }
  }

  #strike(id: EndpointId): Strike {
    const strike: Record<Phase, Armed | null> = { before: null, after: null, answer: null };
    for (const armed of this.#armed) {
      const { rule } = armed;
      if (!rule.endpoints.has(id)) continue;
      const index = armed.seen++;
      // Drawn whether or not it counts, so that one rule's bounds leave its later chances as they are.
      const isDrawn = rule.probability >= 1 || armed.random.uniform() < rule.probability;
      if (!isDrawn || index < rule.skip || (index - rule.skip + 1) % rule.every !== 0 || armed.struck >= rule.count) continue;
      if (strike[rule.phase] !== null) continue;
      strike[rule.phase] = armed;
    }
    // An answer that was replaced cannot be harmed as well.
    if (strike.after !== null) strike.answer = null;
    return strike;
  }

  #act(served: Served, strike: Strike): void {
    this.#finish(served, strike, served.perform());
  }

  #twice(served: Served, strike: Strike, { ms, answersSecond }: FaultRule): void {
    const first = served.perform();
    const again = (): void => {
      const second = served.perform();
      if (answersSecond) this.#finish(served, strike, second);
    };
    if (ms > 0) this.#later(served, ms, again);
    else again();
    if (!answersSecond) this.#finish(served, strike, first);
  }

  #finish(served: Served, { after, answer }: Strike, reply: Reply): void {
    if (after !== null) {
      this.#tell(served, after, true);
      this.#replace(served, after, reply);
    } else if (answer === null || !this.#harm(served, answer, reply)) this.#send(served, reply);
    this.#past?.remember(served, reply, this.#options.now());
  }

  /** In place of an answer. `reply` is the true one, null when the venue did not act. */
  #replace(served: Served, { rule, random }: Armed, reply: Reply | null): void {
    const { response } = served;
    const now = this.#options.now();
    const envelope = reply?.envelope ?? synthetic(now);
    const or = (usual: number): number => (rule.status === 0 ? usual : rule.status);
    switch (rule.fault) {
      case 'reset':
        return void response.socket?.resetAndDestroy();
      case 'status':
        if (rule.retryAfter !== '') response.setHeader('retry-after', rule.retryAfter);
        return served.send(or(502), statusBody(or(502), now));
      case 'refuse': {
        const row = served.endpoint.errors.find(({ msg }) => msg === rule.msg)!;
        return served.send(or(this.#options.errorStatus ?? 400), served.textOf(failure(row, now)));
      }
      case 'html':
        return served.send(or(502), htmlBody(or(502)), 'text/html');
      case 'malformed':
        return served.send(or(200), malformedBody(served.textOf(envelope), random));
      case 'wrong-types':
        return served.send(or(200), wrongTypesBody(envelope, reply !== null, random));
      case 'empty':
        return served.send(or(200), '');
      case 'huge':
        return sendHuge(response, or(200), rule.bytes);
      default:
      // "drop": nothing is sent.
    }
  }

  /** Harms the true answer and sends it; false when there is nothing to harm it with, and then nothing is told. */
  #harm(served: Served, armed: Armed, reply: Reply): boolean {
    const { rule } = armed;
    const { endpoint, response } = served;
    switch (rule.fault) {
      case 'delay':
        this.#tell(served, armed, true);
        this.#later(served, rule.ms, () => this.#send(served, reply));
        return true;
      case 'reorder':
        // One answer waits at a time: this one goes before it.
        if (this.#held.has(endpoint.id)) return false;
        this.#tell(served, armed, true);
        this.#hold(served, rule.ms, () => this.#send(served, reply));
        return true;
      case 'skew': {
        const requestTime = reply.envelope.requestTime + rule.ms;
        this.#tell(served, armed, true);
        this.#send(served, { ...reply, envelope: { ...reply.envelope, requestTime } });
        return true;
      }
      case 'stale':
      case 'mixup': {
        const other = rule.fault === 'stale' ? this.#past?.before(served, this.#options.now() - rule.ms) : this.#past?.ofAnother(served);
        if (other === undefined || other === null) return false;
        this.#tell(served, armed, true);
        const { requestTime } = reply.envelope;
        this.#send(served, { ...other, envelope: { ...other.envelope, requestTime } });
        return true;
      }
      default:
        this.#tell(served, armed, true);
        cutShort(response, reply.httpStatus, served.textOf(reply.envelope), rule);
        this.#release(endpoint.id);
        return true;
    }
  }

  #send(served: Served, { httpStatus, envelope }: Reply): void {
    if (!served.response.destroyed) served.send(httpStatus, served.textOf(envelope));
    this.#release(served.endpoint.id);
  }

  /** Keeps `send` until a later request to the endpoint was answered, at most for `ms`. */
  #hold(served: Served, ms: number, send: () => void): void {
    const { id } = served.endpoint;
    this.#held.set(id, send);
    this.#later(served, ms, () => {
      if (this.#held.get(id) === send) this.#release(id);
    });
  }

  #release(id: EndpointId): void {
    const send = this.#held.get(id);
    if (send === undefined) return;
    this.#held.delete(id);
    send();
  }

  #later(served: Served, ms: number, step: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      served.guard(step);
    }, ms);
    this.#timers.add(timer);
  }

  #tell({ endpoint, request }: Served, armed: Armed, hasActed: boolean): void {
    const { fault, phase } = armed.rule;
    armed.struck++;
    this.#options.tell({
      fault,
      phase,
      rule: armed.number,
      endpoint: endpoint.id,
      caller: request.caller,
      hasActed,
      asked: endpoint.method === 'POST' ? request.body : request.target,
    });
  }
}
