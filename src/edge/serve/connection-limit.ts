/**
 * Limits the pipelined requests of one connection. A caller that sends hundreds at once would delay everybody else, because they are
 * answered in one turn of the event loop. This class counts the requests of each connection per turn.
 */
import type { Socket } from 'node:net';

/** Most requests of one connection per turn. Clients without pipelining have one. */
const MOST = 32;

export class ConnectionLimit {
  readonly #counts = new Map<Socket, number>();

  /**
   * Counts one request of `socket`. Returns "allowed", "last" for the first one above the limit (to be refused), or "ignored" for later
   * ones.
   */
  count(socket: Socket): 'allowed' | 'last' | 'ignored' {
    if (this.#counts.size === 0) setImmediate(() => this.#counts.clear());
    const count = (this.#counts.get(socket) ?? 0) + 1;
    this.#counts.set(socket, count);
    if (count <= MOST) return 'allowed';
    if (count > MOST + 1) return 'ignored';
    socket.pause();
    return 'last';
  }
}
