/**
 * Times in force: how long an order rests, and whether it may take. One table with a row for each; engine, wire and simulator read it.
 * @hot
 */

export interface TimeInForce {
  /** The word of the interface. */
  readonly name: string;
  /** True if a request must say it. The others are what the venue does without a word. */
  readonly isSent: boolean;
  /** True if the venue refuses the order where it would trade at once: all its fills are the maker's. */
  readonly onlyMakes: boolean;
}

/** Rests until it is filled or cancelled. */
export const GTC = 0;
/** The same, but refused where it would take. */
export const POST_ONLY = 1;

export const TIMES_IN_FORCE = [
  { name: 'GTC', isSent: false, onlyMakes: false },
  { name: 'POST_ONLY', isSent: true, onlyMakes: true },
] as const satisfies readonly TimeInForce[];

export type ForceName = (typeof TIMES_IN_FORCE)[number]['name'];

/** True if an order of this force never takes. */
export function onlyMakes(force: number): boolean {
  return TIMES_IN_FORCE[force]!.onlyMakes;
}

/** The number of a word of the interface; GTC without one, or for a word that nobody knows. */
export function forceOf(name: string | undefined): number {
  return Math.max(
    GTC,
    TIMES_IN_FORCE.findIndex((one) => one.name === name), // hot-ok: once for each request
  );
}
