/**
 * Keeps room for new callers. When the most connections are open, a new one takes the place of the one that has been silent longest:
 * first those that never sent a request, then those that wait between requests. Connections with a request in progress stay.
 */
import type { Socket } from 'node:net';

export class Connections {
  /** In the order in which they became silent. */
  readonly #fresh = new Set<Socket>();
  readonly #idle = new Set<Socket>();
  readonly #busy = new Map<Socket, number>();
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  /** A new connection. When all others are busy it is the one that is closed. */
  opened(socket: Socket): void {
    if (this.#fresh.size + this.#idle.size + this.#busy.size >= this.#most) {
      const [silent] = this.#fresh.size > 0 ? this.#fresh : this.#idle;
      if (silent === undefined) return void socket.destroy();
      this.#forget(silent);
      silent.destroy();
    }
    this.#fresh.add(socket);
    socket.once('close', () => this.#forget(socket));
  }

  /** A request has begun. */
  began(socket: Socket): void {
    this.#fresh.delete(socket);
    this.#idle.delete(socket);
    this.#busy.set(socket, (this.#busy.get(socket) ?? 0) + 1);
  }

  /** A request has been answered, or its caller has gone. */
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
