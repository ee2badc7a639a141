/**
 * Answers requests in short turns of the event loop. Signed and public requests wait in lanes of their own, and so do the connections that
 * pipeline: those that send a request before they have the answer to the one before. The lanes take turns, and so do the connections of a
 * lane. A caller without pipelining therefore waits for those like it, and for at most one answer of each other lane in between. A
 * connection that does not read its answer gets no other one. The queue does not interpret requests.
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

/** A step of a request: answers it, now or later, or returns the next step and what that waits for. */
export type Step = () => NextStep | null;

export interface NextStep {
  /** Settles once the step may be tried. */
  readonly ready: Promise<unknown>;
  readonly step: Step;
}

interface Job {
  readonly response: ServerResponse;
  readonly step: Step;
}

/** The waiting requests and unread answers of one connection. */
interface Waiting {
  readonly jobs: Job[];
  isSigned: boolean;
  /** True from a request that came before the answer to an earlier one, until all are answered. */
  isPipelining: boolean;
  lane: Set<Socket> | null;
  unread: number;
  isPaused: boolean;
  /** True if nothing more is read from the connection. */
  isLast: boolean;
}

export class RequestQueue {
  readonly #connections = new Map<Socket, Waiting>();
  /** Connections whose next job may run, in that order: by `laneOf`. */
  readonly #lanes: readonly Set<Socket>[] = Array.from({ length: LANES }, () => new Set<Socket>());
  readonly #now: () => number;
  #spentMs = 0;
  #isScheduled = false;
  #nextLane = 0;

  /** `now`: a clock in milliseconds. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Runs the step that answers `response`. It runs at once if nothing waits and this turn has time left, otherwise in a later turn. */
  run(socket: Socket, isSigned: boolean, response: ServerResponse, step: Step): void {
    const waiting = this.#of(socket);
    waiting.isSigned = isSigned;
    waiting.isPipelining ||= waiting.jobs.length + waiting.unread > 0;
    const isFree = !waiting.isPipelining && this.#lanes.every(({ size }) => size === 0);
    if (isFree && this.#spentMs < TURN_MS) {
      this.#schedule();
      return this.#spend(socket, waiting, { response, step });
    }
    waiting.jobs.push({ response, step });
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
    const waiting: Waiting = {
      jobs: [],
      isSigned: false,
      isPipelining: false,
      lane: null,
      unread: 0,
      isPaused: false,
      isLast: false,
    };
    this.#connections.set(socket, waiting);
    socket.once('close', () => {
      this.#connections.delete(socket);
      waiting.lane?.delete(socket);
    });
    return waiting;
  }

  /** Queues the connection for its turn. Does nothing if it has no job or must first read its answers. */
  #enter(socket: Socket, waiting: Waiting): void {
    if (waiting.jobs.length === 0 || waiting.unread >= MOST_UNREAD || socket.destroyed) return;
    const lane = this.#lanes[laneOf(waiting)]!;
    if (waiting.lane !== lane) waiting.lane?.delete(socket);
    waiting.lane = lane;
    lane.add(socket);
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

  #spend(socket: Socket, waiting: Waiting, { response, step }: Job): void {
    const from = this.#now();
    waiting.unread++;
    const next = step();
    if (next === null) {
      response.once('close', () => {
        waiting.unread--;
        if (waiting.jobs.length + waiting.unread === 0) waiting.isPipelining = false;
        this.#enter(socket, waiting);
      });
    } else {
      const goOn = (): void => {
        waiting.unread--;
        waiting.jobs.unshift({ response, step: next.step });
        this.#enter(socket, waiting);
      };
      // What could not be made ready is tried by the step itself, whose errors are answered.
      void next.ready.then(goOn, goOn);
    }
    this.#spentMs += this.#now() - from;
  }

  /** Takes the next connection of the lane whose turn it is, or of the next lane that has one. */
  #next(): Socket | undefined {
    for (let k = 0; k < LANES; k++) {
      const lane = this.#lanes[(this.#nextLane + k) % LANES]!;
      const [socket] = lane;
      if (socket === undefined) continue;
      this.#nextLane = (this.#nextLane + k + 1) % LANES;
      lane.delete(socket);
      return socket;
    }
    return undefined;
  }
}

const LANES = 4;

function laneOf({ isSigned, isPipelining }: Pick<Waiting, 'isSigned' | 'isPipelining'>): number {
  return (isPipelining ? 2 : 0) + (isSigned ? 0 : 1);
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
