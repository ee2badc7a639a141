/**
 * Answers requests in short turns of the event loop. Signed and public requests wait in two alternating lanes; within a lane, the
 * connections alternate. A flood of expensive requests therefore delays mainly its own connection. A connection that does not read its
 * answers gets no more of them. The queue does not interpret requests.
 */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Time budget for answers per turn of the event loop, in milliseconds. */
const TURN_MS = 8;
/** Time budget of a turn in which a connection gets its last answers. */
const LAST_MS = 32;
/** Waiting requests of one connection above which it is paused. */
const MOST_WAITING = 8;
/** Unread answers of one connection above which its next request waits. */
const MOST_UNREAD = 1;

interface Job {
  readonly response: ServerResponse;
  readonly run: () => void;
}

/** The waiting requests and unread answers of one connection. */
interface Waiting {
  readonly jobs: Job[];
  lane: Set<Socket>;
  unread: number;
  isPaused: boolean;
  /** True if nothing more is read from the connection. */
  isLast: boolean;
}

export class RequestQueue {
  readonly #connections = new Map<Socket, Waiting>();
  /** Connections whose next job may run, in that order. */
  readonly #signed = new Set<Socket>();
  readonly #public = new Set<Socket>();
  readonly #now: () => number;
  #spentMs = 0;
  #isScheduled = false;
  #isSignedNext = true;

  /** `now`: a clock in milliseconds. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Runs the job that answers `response`. It runs at once if nothing waits and this turn has time left, otherwise in a later turn. */
  run(socket: Socket, isSigned: boolean, response: ServerResponse, job: () => void): void {
    const waiting = this.#of(socket);
    const isFree = this.#signed.size === 0 && this.#public.size === 0 && waiting.jobs.length === 0;
    if (isFree && waiting.unread < MOST_UNREAD && this.#spentMs < TURN_MS) {
      this.#schedule();
      return this.#spend(socket, waiting, { response, run: job });
    }
    waiting.jobs.push({ response, run: job });
    if (waiting.jobs.length === 1) waiting.lane = isSigned ? this.#signed : this.#public;
    if (waiting.jobs.length > MOST_WAITING) {
      waiting.isPaused = true;
      socket.pause();
    }
    this.#enter(socket, waiting);
  }

  /**
   * Ends reading from the connection. Answers its waiting requests at once, as far as this turn has time left. Returns false if some
   * remain.
   */
  last(socket: Socket): boolean {
    const waiting = this.#of(socket);
    waiting.isLast = true;
    for (let job = waiting.jobs.shift(); job !== undefined; job = waiting.jobs.shift()) {
      this.#spend(socket, waiting, job);
      if (this.#spentMs >= LAST_MS) return waiting.jobs.length === 0;
    }
    return true;
  }

  #of(socket: Socket): Waiting {
    const known = this.#connections.get(socket);
    if (known !== undefined) return known;
    const waiting: Waiting = { jobs: [], lane: this.#public, unread: 0, isPaused: false, isLast: false };
    this.#connections.set(socket, waiting);
    socket.once('close', () => {
      this.#connections.delete(socket);
      waiting.lane.delete(socket);
    });
    return waiting;
  }

  /** Queues the connection for its turn. Does nothing if it has no job or must first read its answers. */
  #enter(socket: Socket, waiting: Waiting): void {
    if (waiting.jobs.length === 0 || waiting.unread >= MOST_UNREAD || socket.destroyed) return;
    waiting.lane.add(socket);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => this.#turn());
  }

  #turn(): void {
    this.#isScheduled = false;
    this.#spentMs = 0;
    while (this.#spentMs < TURN_MS) {
      const socket = this.#next();
      if (socket === undefined) return;
      const waiting = this.#of(socket);
      const job = waiting.jobs.shift();
      if (waiting.jobs.length === 0 && waiting.isPaused && !waiting.isLast) {
        waiting.isPaused = false;
        socket.resume();
      }
      if (job !== undefined) this.#spend(socket, waiting, job);
      this.#enter(socket, waiting);
    }
    this.#schedule();
  }

  #spend(socket: Socket, waiting: Waiting, { response, run }: Job): void {
    const from = this.#now();
    waiting.unread++;
    response.once('close', () => {
      waiting.unread--;
      this.#enter(socket, waiting);
    });
    run();
    this.#spentMs += this.#now() - from;
  }

  /** Takes the next connection, preferring the lane whose turn it is. */
  #next(): Socket | undefined {
    const first = this.#isSignedNext ? this.#signed : this.#public;
    this.#isSignedNext = !this.#isSignedNext;
    const lane = first.size > 0 ? first : first === this.#signed ? this.#public : this.#signed;
    const [socket] = lane;
    if (socket !== undefined) lane.delete(socket);
    return socket;
  }
}

/**
 * CPU time of this thread in milliseconds, so that other programs on a busy machine do not count. The monotonic clock if Node cannot
 * measure it.
 */
export function cpuMs(): number {
  if (typeof process.threadCpuUsage !== 'function') return performance.now();
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
