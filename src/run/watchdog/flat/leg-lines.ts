/** The line by which a bot names what is its own at the venue, leg by leg. */
import type { NamedLeg } from '../../../domain/watchdog.ts';

export function legsLine(legs: readonly NamedLeg[]): string {
  return JSON.stringify({ legs });
}

/** The legs of a line; null if it says something else, or was cut off when its process ended. */
export function legsIn(line: string): readonly NamedLeg[] | null {
  try {
    const said = JSON.parse(line) as { readonly legs?: unknown } | null;
    return Array.isArray(said?.legs) ? (said.legs as readonly NamedLeg[]) : null;
  } catch {
    return null;
  }
}
