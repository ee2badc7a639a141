/** The fewest parts of a list with which something still holds, found by leaving out ever smaller runs of it. */

/** `holds` is true of `all`. No single part of the result can be left out, unless the tries came to their end. */
export async function fewest<T>(
  all: readonly T[],
  holds: (some: readonly T[]) => boolean | Promise<boolean>,
  tries = Infinity,
): Promise<readonly T[]> {
  let best = all;
  let left = tries;
  for (let size = Math.max(1, best.length >> 1); size >= 1;) {
    const before = best.length;
    for (let from = 0; from < best.length && left > 0;) {
      const some = best.filter((_, k) => k < from || k >= from + size);
      left--;
      if (await holds(some)) best = some;
      else from += size;
    }
    // What was needed before may not be any more.
    if (size === 1 && best.length < before && left > 0) continue;
    size >>= 1;
  }
  return best;
}
