/**
 * Takes the halts that people asked for through files beside the store, which need no control socket. The look is synchronous and right before
 * the bytes of an opening order: while a request waits, none leaves. Each request becomes a command of the kernel like one from the socket.
 */
import { messageOf } from '../../../base/failure/message-of.ts';
import type { Command } from '../../../domain/orders/command.ts';
import { CLOSE } from '../../../domain/codes.ts';
import { makesOrder } from '../../../domain/orders/command-traits.ts';
import type { HaltRequest, HaltRequests } from '../../../edge/file/beside/halt-requests.ts';
import type { OperatorCommand, OperatorResult } from '../../../engine/operator/command.ts';
import type { Log } from '../../../ports/log.ts';
import type { TakenCloses } from './taken-closes.ts';

export interface AskedDeps {
  /** What a watchdog sent to close positions; undefined without one. */
  readonly closes?: Pick<TakenCloses, 'isHeld' | 'look' | 'onHold'> | undefined;
  readonly requests: Pick<HaltRequests, 'isEmpty' | 'path' | 'read' | 'remove' | 'tidy'>;
  /** What the watchdog that wrote the request did since, in words; "" for nothing. Default: nothing. */
  readonly didAbout?: (request: string) => string;
  /** Executes a command, and resolves when it is in effect. */
  readonly operate: (command: OperatorCommand) => Promise<OperatorResult>;
  /** Resolves to true once what was operated is in the journal. */
  readonly durable: () => Promise<boolean>;
  /** Epoch of the client ids that this process issues. */
  readonly epoch: () => number;
  /** This process may open nothing any more, and ends. */
  readonly fenced: (why: string) => void;
  /** Runs work soon, outside of the present turn. */
  readonly soon: (work: () => void) => void;
  readonly now: () => number;
  readonly log: Log;
}

/** How often requests are looked for while no order leaves. */
const LOOK_MS = 200;
/** After this time nobody waits for the answer any more: a scope that this bot does not know then halts the whole bot. */
const OLD_MS = 6_000;
const NOTHING: OperatorResult = { ok: true, did: [], orders: [], flattens: '' };
/** Answers kept for callers on the socket. */
const KEPT = 100;

export class AskedHalts {
  readonly #deps: AskedDeps;
  readonly #taken = new Map<string, Promise<OperatorResult>>();
  #timer: NodeJS.Timeout | null = null;
  #isComing = false;
  #isLooking = false;
  #isFenced = false;
  /** Why the requests could not be read or removed; "" if they could. */
  #problem = '';

  constructor(deps: AskedDeps) {
    this.#deps = deps;
  }

  /** Looks for requests now, and from now on. */
  start(): void {
    this.look();
    this.#timer = setInterval(() => this.look(), LOOK_MS);
    this.#timer.unref();
  }

  stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
  }

  /** Why the command must not be sent: somebody asked for a halt, or a watchdog closes, and the bot has not taken it yet. */
  vetoOf({ kind, effect }: Pick<Command, 'kind' | 'effect'>): string | null {
    if (!makesOrder(kind)) return null;
    const isClose = effect === CLOSE;
    if (isClose ? this.#deps.closes?.isHeld !== true : this.#deps.requests.isEmpty) return null;
    this.#lookSoon();
    return isClose ? 'watchdog-closes' : 'halted';
  }

  #lookSoon(): void {
    if (this.#isComing) return;
    this.#isComing = true;
    this.#deps.soon(() => {
      this.#isComing = false;
      this.look();
    });
  }

  /** Why opens wait although no halt may say so; "" if no request waits. */
  get onHold(): string {
    const { closes, requests } = this.#deps;
    if (requests.isEmpty) return closes?.onHold ?? '';
    const what =
      this.#problem === '' ? 'a halt that was asked for is not in the journal yet' : `halts that were asked for: ${this.#problem}`;
    return `${what}; opens wait while ${requests.path} is there`;
  }

  /** Takes the requests that wait. */
  look(): void {
    const { closes, log, requests } = this.#deps;
    closes?.look();
    if (this.#isLooking || requests.isEmpty) return;
    this.#isLooking = true;
    try {
      const found = requests.read();
      if (found.length === 0) requests.tidy();
      if (found.length === 0 && !requests.isEmpty) throw new Error('it holds files that are no requests: remove it');
      for (const one of found) {
        if (this.#taken.has(one.id)) continue;
        const request = this.#withDeeds(one);
        if (request.epoch === undefined) this.#take(request);
        else this.#fence(request, request.epoch);
      }
      this.#problem = '';
    } catch (error) {
      if (this.#problem === '')
        log.error('halt-requests-unread', { path: requests.path, error, hint: 'no order opens until it can be read' });
      this.#problem = messageOf(error);
    } finally {
      this.#isLooking = false;
    }
  }

  #withDeeds(request: HaltRequest): HaltRequest {
    const did = this.#deps.didAbout?.(request.id) ?? '';
    return did === '' ? request : { ...request, why: `${request.why}; the watchdog ${did}` };
  }

  /** The answer to a request; null if this bot has not seen it. */
  answerTo(id: string): Promise<OperatorResult> | null {
    this.look();
    return this.#taken.get(id) ?? null;
  }

  /** The request stays while a process of the epoch may live: opens wait for as long. */
  #fence(request: HaltRequest, epoch: number): void {
    const { id, by, why } = request;
    const { log, fenced } = this.#deps;
    const isPast = this.#deps.epoch() > epoch;
    if (this.#isFenced) return;
    this.#isFenced = !isPast;
    log.warn('fenced', { by, why, isPast });
    if (!isPast) return fenced(why);
    const cancelled = this.#cancelOpens(request);
    this.#taken.set(id, cancelled);
    void this.#end(id, cancelled);
  }

  #take(request: HaltRequest): void {
    const answer = this.#carryOut(request);
    this.#taken.set(request.id, answer);
    answer.catch((error: unknown) => this.#failed(request.id, error));
    for (const [id] of this.#taken) if (this.#taken.size > KEPT) this.#taken.delete(id);
  }

  async #carryOut(request: HaltRequest): Promise<OperatorResult> {
    const { log, now, operate } = this.#deps;
    const { id, name, scope, by, why, time } = request;
    log.warn('halt-request', { command: name, scope, by, askedAt: new Date(time).toISOString() });
    const command: OperatorCommand = name === 'kill' ? { name, by, why } : { name, scope, by, why };
    const result = await operate(command);
    if (result.ok) {
      const cancelled = this.#cancelOpens(request);
      void this.#end(id, cancelled);
      await cancelled;
      return result;
    }
    if (result.code !== 'no-such-scope') return result;
    if (now() - time > OLD_MS) return this.#carryOut({ ...request, scope: '', why: `${why === '' ? '' : `${why}; `}asked for "${scope}"` });
    this.#forget(id);
    return result;
  }

  async #cancelOpens({ by, why, cancelsOpens }: HaltRequest): Promise<OperatorResult> {
    if (cancelsOpens !== true) return NOTHING;
    return this.#deps.operate({ name: 'cancel-opens', scope: '', by, why });
  }

  /** Forgets the request once its opens are cancelled and all is in the journal. If they cannot be cancelled, the next look takes it again. */
  async #end(id: string, cancelled: Promise<OperatorResult>): Promise<void> {
    try {
      const result = await cancelled;
      if (!result.ok) return this.#failed(id, result.message);
      if (await this.#deps.durable()) this.#forget(id);
    } catch (error) {
      this.#failed(id, error);
    }
  }

  #failed(id: string, error: unknown): void {
    this.#taken.delete(id);
    this.#deps.log.error('halt-request-failed', { request: id, error, hint: 'it is tried again; no order opens until then' });
  }

  #forget(id: string): void {
    try {
      this.#deps.requests.remove(id);
    } catch (error) {
      this.#deps.log.error('halt-requests-unread', { path: this.#deps.requests.path, error, hint: 'no order opens until it is removed' });
    }
  }
}
