/**
 * Keeps room for new connections. At the limit, a new one replaces the one that has been silent longest. Connections that never sent a
 * request go first, then those between requests. Connections with a request in progress stay.
 */
import type { Socket } from 'node:net';

export class Connections {
  /** Connections without a request so far, and those between requests; the longest silent first. */
  readonly #fresh = new Set<Socket>();
  readonly #idle = new Set<Socket>();
  readonly #busy = new Map<Socket, number>();
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  /** Registers a new connection. If all others are busy, the new one is closed. */
  opened(socket: Socket): void {
    if (this.#fresh.size + this.#idle.size + this.#busy.size >= this.#most) {
      const [silent] = this.#fresh.size > 0 ? this.#fresh : this.#idle;
      if (silent === undefined) return void socket.destroy();
      this.#forget(silent);
      silent.destroy();
    }
    this.#fresh.add(socket);
    closeQuietly(socket);
    socket.once('close', () => this.#forget(socket));
  }

  /** Call at the start of a request. */
  began(socket: Socket): void {
    this.#fresh.delete(socket);
    this.#idle.delete(socket);
    this.#busy.set(socket, (this.#busy.get(socket) ?? 0) + 1);
  }

  /** Call when a request was answered or its caller disconnected. */
  ended(socket: Socket): void {
    const count = this.#busy.get(socket);
    if (count === undefined) return;
    if (count > 1) return void this.#busy.set(socket, count - 1);
    this.#busy.delete(socket);
    if (!socket.destroyed) this.#idle.add(socket);
  }

  #forget(socket: Socket): void {
    this.#fresh.delete(socket);
    this.#idle.delete(socket);
    this.#busy.delete(socket);
  }
}

/**
 * Suppresses stack traces while the connection closes. Node creates an error for each unanswered request, and a thousand stack traces would
 * block the event loop.
 */
function closeQuietly(socket: Socket): void {
  let usual = Error.stackTraceLimit;
  socket.prependOnceListener('close', () => {
    usual = Error.stackTraceLimit;
    Error.stackTraceLimit = 0;
  });
  socket.once('close', () => {
    Error.stackTraceLimit = usual;
  });
}
