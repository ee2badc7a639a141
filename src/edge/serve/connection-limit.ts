/**
 * A connection may have several requests on their way, but who sends hundreds in one piece would hold up everybody else: their
 * answers are made in one turn of the event loop. This counts the requests of each connection within a turn.
 */
import type { Socket } from 'node:net';

/** Requests of one connection within one turn. Clients that do not pipeline have one. */
const MOST = 32;

export class ConnectionLimit {
  readonly #counts = new Map<Socket, number>();

  /** Counts one more of `socket`: "welcome", "last" for the first of too many, which is refused, and "unheard" for the others. */
  count(socket: Socket): 'welcome' | 'last' | 'unheard' {
    if (this.#counts.size === 0) setImmediate(() => this.#counts.clear());
    const count = (this.#counts.get(socket) ?? 0) + 1;
    this.#counts.set(socket, count);
    if (count <= MOST) return 'welcome';
    if (count > MOST + 1) return 'unheard';
    socket.pause();
    closeQuietly(socket);
    return 'last';
  }
}

/**
 * When a connection closes, node makes an error for each of its requests that is not answered. The stack traces of a thousand of
 * them, which nobody reads, would be a stall of their own.
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
