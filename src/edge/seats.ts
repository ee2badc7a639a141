/**
 * The connections of a server, in groups with a number of seats each. A new caller always gets in: where a group is full, its oldest connection
 * is closed. So callers that hold a stream, send half a request or do not read their answer cannot take the place of a command.
 */
import type { Socket } from 'node:net';

/** Seats by group. `unread` is the group of connections whose request has not arrived whole, and of callers that are not known yet. */
export type SeatTable<Group extends string> = Readonly<Record<Group | 'unread', number>>;

/** A connection younger than this is not closed: its request may have arrived and wait to be read. */
const YOUNG_MS = 250;
/** So many connections are closed whatever their age. */
const MOST_UNREAD = 512;

export class Seats<Group extends string> {
  readonly #now: () => number;
  readonly #table: SeatTable<Group>;
  /** By group the sockets, each with the time at which it came to the group. */
  readonly #groups = new Map<Group | 'unread', Map<Socket, number>>();
  #later: NodeJS.Timeout | null = null;

  constructor(table: SeatTable<Group>, now: () => number) {
    this.#table = table;
    this.#now = now;
  }

  /** A new connection. */
  enter(socket: Socket): void {
    socket.once('close', () => this.#leave(socket));
    this.move(socket, 'unread');
  }

  /** True if all seats of the group are taken. */
  isFull(group: Group): boolean {
    return this.#of(group).size >= this.#table[group];
  }

  move(socket: Socket, group: Group | 'unread'): void {
    this.#leave(socket);
    if (socket.destroyed) return;
    this.#of(group).set(socket, this.#now());
    this.#makeRoom(group);
  }

  #of(name: Group | 'unread'): Map<Socket, number> {
    let group = this.#groups.get(name);
    if (group === undefined) this.#groups.set(name, (group = new Map()));
    return group;
  }

  #leave(socket: Socket): void {
    for (const group of this.#groups.values()) group.delete(socket);
  }

  /** A map keeps the order of insertion: the first is the oldest. */
  #makeRoom(name: Group | 'unread'): void {
    const group = this.#of(name);
    for (const [socket, since] of group) {
      if (group.size <= this.#table[name]) return;
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
