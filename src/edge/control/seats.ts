/**
 * The connections of the control plane, in groups with a number of seats each. A new caller always gets in: where a group is full, its oldest
 * connection is closed. So callers that hold a stream, send half a request or do not read their answer cannot take the place of a command.
 */
import type { Socket } from 'node:net';

/**
 * `unread`: the request has not arrived whole, or the connection is idle. `read`: a query is being answered. `act`: a command is. `stream`:
 * lines are sent until the caller leaves.
 */
export type Group = 'unread' | 'read' | 'act' | 'stream';

export const SEATS: Readonly<Record<Group, number>> = { unread: 32, read: 32, act: 32, stream: 16 };
/** A connection younger than this is not closed: its request may have arrived and wait to be read. */
const YOUNG_MS = 250;
/** So many connections are closed whatever their age. */
const MOST_UNREAD = 512;

export class Seats {
  readonly #now: () => number;
  readonly #groups: Readonly<Record<Group, Map<Socket, number>>> = {
    unread: new Map(),
    read: new Map(),
    act: new Map(),
    stream: new Map(),
  };
  #later: NodeJS.Timeout | null = null;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** A new connection. */
  enter(socket: Socket): void {
    socket.once('close', () => this.#leave(socket));
    this.move(socket, 'unread');
  }

  /** True if all seats of the group are taken. */
  isFull(group: Group): boolean {
    return this.#groups[group].size >= SEATS[group];
  }

  move(socket: Socket, group: Group): void {
    this.#leave(socket);
    if (socket.destroyed) return;
    this.#groups[group].set(socket, this.#now());
    this.#makeRoom(group);
  }

  #leave(socket: Socket): void {
    for (const group of Object.values(this.#groups)) group.delete(socket);
  }

  /** A map keeps the order of insertion: the first is the oldest. */
  #makeRoom(name: Group): void {
    const group = this.#groups[name];
    for (const [socket, since] of group) {
      if (group.size <= SEATS[name]) return;
      const isYoung = name === 'unread' && this.#now() - since < YOUNG_MS;
      if (isYoung && group.size <= MOST_UNREAD) return this.#makeRoomLater();
      group.delete(socket);
      socket.destroy();
    }
  }

  #makeRoomLater(): void {
    if (this.#later !== null) return;
    this.#later = setTimeout(() => {
      this.#later = null;
      this.#makeRoom('unread');
    }, YOUNG_MS);
    this.#later.unref();
  }
}
