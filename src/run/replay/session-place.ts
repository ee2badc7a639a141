/** A position in a session: an event by its number, or a time. */

/** An event by its number, from 1, or a time in milliseconds since the epoch. */
export interface Place {
  readonly event?: number | undefined;
  readonly time?: number | undefined;
}

export function isReached({ event = Infinity, time = Infinity }: Place, number: number, at: number): boolean {
  return number >= event || at >= time;
}
