/**
 * Applies a fault plan to requests, between the socket and the handler. Random numbers are seeded: each rule has its own stream, drawn in
 * the order of the requests. If several rules select the same phase of a request, the first applies. A fault is reported before its effect
 * is visible.
 */
import { Random } from '../../../base/random.ts';
import type { EndpointId } from '../../../contract/endpoints/endpoint.ts';
import { failure, type Reply } from '../../../contract/envelope.ts';
import { cutShort, htmlBody, synthetic, malformedBody, sendHuge, statusBody, wrongTypesBody } from './fault-bodies.ts';
import type { FaultName, FaultPlan, FaultRule, Phase } from './fault-plan.ts';
import { PastAnswers } from './past-answers.ts';
import type { ReceivedRequest } from './received-request.ts';

/** The report of one fault. */
export interface FaultNote {
  readonly fault: FaultName;
  readonly phase: Phase;
  /** Number of the rule in the plan, from 1. */
  readonly rule: number;
  readonly endpoint: EndpointId;
  /** The verified API key. */
  readonly caller: string | null;
  /** True if the venue had handled the request before the fault. */
  readonly hasActed: boolean;
  /** The exact body of a write, or the target of a read. */
  readonly asked: string;
}

export interface FaultsOptions {
  readonly now: () => number;
  /** HTTP status of a refusal whose rule has none. Default 400. */
  readonly errorStatus?: number | undefined;
  readonly report: (note: FaultNote) => void;
}

export interface RuleCount {
  readonly fault: FaultName;
  readonly phase: Phase;
  /** Number of matching requests, and of faults. */
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

  /** False if there is no plan; the server then bypasses this class. */
  get isOn(): boolean {
    return this.#armed.length > 0;
  }

  /** Starts a plan from its beginning; null ends all faults. Requests in progress keep their faults. */
  set(plan: FaultPlan | null): void {
    const chance = new Random(plan?.seed ?? 0);
    this.#armed = (plan?.rules ?? []).map((rule, k) => ({ rule, number: k + 1, random: chance.fork(), seen: 0, struck: 0 }));
    this.#past = PastAnswers.for(plan?.rules ?? []);
  }

  counts(): RuleCount[] {
    return this.#armed.map(({ rule: { fault, phase }, seen, struck }) => ({ fault, phase, seen, struck }));
  }

  /** Cancels everything that was delayed. */
  close(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
    this.#held.clear();
  }

  /** Serves one request, with or without a fault. */
  serve(received: ReceivedRequest): void {
    const strike = this.#strike(received.endpoint.id);
    const { before } = strike;
    if (before === null) return this.#act(received, strike);
    this.#report(received, before, false);
    const { rule } = before;
    switch (rule.fault) {
      case 'delay':
        return this.#later(received, rule.ms, () => this.#act(received, strike));
      case 'late':
        return this.#later(received, rule.ms, () => void received.perform());
      case 'duplicate':
        return this.#twice(received, strike, rule);
      default:
        this.#replace(received, before, null);
    }
  }

  #strike(id: EndpointId): Strike {
    const strike: Record<Phase, Armed | null> = { before: null, after: null, answer: null };
    for (const armed of this.#armed) {
      const { rule } = armed;
      if (!rule.endpoints.has(id)) continue;
      const index = armed.seen++;
      // Draw for every request, so that the bounds of a rule do not change its later random numbers.
      const isDrawn = rule.probability >= 1 || armed.random.uniform() < rule.probability;
      if (!isDrawn || index < rule.skip || (index - rule.skip + 1) % rule.every !== 0 || armed.struck >= rule.count) continue;
      if (strike[rule.phase] !== null) continue;
      strike[rule.phase] = armed;
    }
    // A replaced answer cannot be changed as well.
    if (strike.after !== null) strike.answer = null;
    return strike;
  }

  #act(received: ReceivedRequest, strike: Strike): void {
    this.#finish(received, strike, received.perform());
  }

  #twice(received: ReceivedRequest, strike: Strike, { ms, answersSecond }: FaultRule): void {
    const first = received.perform();
    const again = (): void => {
      const second = received.perform();
      if (answersSecond) this.#finish(received, strike, second);
    };
    if (ms > 0) this.#later(received, ms, again);
    else again();
    if (!answersSecond) this.#finish(received, strike, first);
  }

  #finish(received: ReceivedRequest, { after, answer }: Strike, reply: Reply): void {
    if (after !== null) {
      this.#report(received, after, true);
      this.#replace(received, after, reply);
    } else if (answer === null || !this.#harm(received, answer, reply)) this.#send(received, reply);
    this.#past?.remember(received, reply, this.#options.now());
  }

  /** Sends a faulty answer instead. `reply` is the true answer, or null if the venue did not act. */
  #replace(received: ReceivedRequest, { rule, random }: Armed, reply: Reply | null): void {
    const { response } = received;
    const now = this.#options.now();
    const envelope = reply?.envelope ?? synthetic(now);
    const or = (usual: number): number => (rule.status === 0 ? usual : rule.status);
    switch (rule.fault) {
      case 'reset':
        return void response.socket?.resetAndDestroy();
      case 'status':
        if (rule.retryAfter !== '') response.setHeader('retry-after', rule.retryAfter);
        return received.send(or(502), statusBody(or(502), now));
      case 'refuse': {
        const row = received.endpoint.errors.find(({ msg }) => msg === rule.msg)!;
        return received.send(or(this.#options.errorStatus ?? 400), received.textOf(failure(row, now)));
      }
      case 'html':
        return received.send(or(502), htmlBody(or(502)), 'text/html');
      case 'malformed':
        return received.send(or(200), malformedBody(received.textOf(envelope), random));
      case 'wrong-types':
        return received.send(or(200), wrongTypesBody(envelope, reply !== null, random));
      case 'empty':
        return received.send(or(200), '');
      case 'huge':
        return sendHuge(response, or(200), rule.bytes);
      default:
      // "drop": nothing is sent.
    }
  }

  /** Changes the true answer and sends it. Returns false, without a report, if the fault is not possible now. */
  #harm(received: ReceivedRequest, armed: Armed, reply: Reply): boolean {
    const { rule } = armed;
    const { endpoint, response } = received;
    switch (rule.fault) {
      case 'delay':
        this.#report(received, armed, true);
        this.#later(received, rule.ms, () => this.#send(received, reply));
        return true;
      case 'reorder':
        // Only one answer is held at a time; this one is sent before it.
        if (this.#held.has(endpoint.id)) return false;
        this.#report(received, armed, true);
        this.#hold(received, rule.ms, () => this.#send(received, reply));
        return true;
      case 'skew': {
        const requestTime = reply.envelope.requestTime + rule.ms;
        this.#report(received, armed, true);
        this.#send(received, { ...reply, envelope: { ...reply.envelope, requestTime } });
        return true;
      }
      case 'stale':
      case 'mixup': {
        const other =
          rule.fault === 'stale' ? this.#past?.before(received, this.#options.now() - rule.ms) : this.#past?.ofAnother(received);
        if (other === undefined || other === null) return false;
        this.#report(received, armed, true);
        const { requestTime } = reply.envelope;
        this.#send(received, { ...other, envelope: { ...other.envelope, requestTime } });
        return true;
      }
      default:
        this.#report(received, armed, true);
        cutShort(response, reply.httpStatus, received.textOf(reply.envelope), rule);
        this.#release(endpoint.id);
        return true;
    }
  }

  #send(received: ReceivedRequest, { httpStatus, envelope }: Reply): void {
    if (!received.response.destroyed) received.send(httpStatus, received.textOf(envelope));
    this.#release(received.endpoint.id);
  }

  /** Delays `send` until a later request to the endpoint was answered, at most for `ms`. */
  #hold(received: ReceivedRequest, ms: number, send: () => void): void {
    const { id } = received.endpoint;
    this.#held.set(id, send);
    this.#later(received, ms, () => {
      if (this.#held.get(id) === send) this.#release(id);
    });
  }

  #release(id: EndpointId): void {
    const send = this.#held.get(id);
    if (send === undefined) return;
    this.#held.delete(id);
    send();
  }

  #later(received: ReceivedRequest, ms: number, step: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      received.guard(step);
    }, ms);
    this.#timers.add(timer);
  }

  #report({ endpoint, request }: ReceivedRequest, armed: Armed, hasActed: boolean): void {
    const { fault, phase } = armed.rule;
    armed.struck++;
    this.#options.report({
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
