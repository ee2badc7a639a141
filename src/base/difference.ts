/** Finds what differs between two plain values (null, booleans, numbers, texts, lists and objects of them), as a plain value itself. */

/** A list with the value that is there instead, or what differs in the members of an object or list, by key or index. */
export type Difference = readonly [unknown] | { readonly [key: string]: Difference };

type Members = Readonly<Record<string, unknown>>;

/** Null if they are equal. Lists of another length and objects with other keys, or with the same in another order, differ as a whole. */
export function differenceOf(before: unknown, after: unknown): Difference | null {
  if (Object.is(before, after)) return null;
  const keys = keysOf(after);
  const known = keysOf(before);
  if (keys === null || known?.length !== keys.length || Array.isArray(before) !== Array.isArray(after)) return [after];
  let found: Record<string, Difference> | null = null;
  for (let k = 0; k < keys.length; k++) {
    const key = keys[k]!;
    if (known[k] !== key) return [after];
    const one = differenceOf((before as Members)[key], (after as Members)[key]);
    if (one !== null) (found ??= Object.create(null) as Record<string, Difference>)[key] = one;
  }
  return found;
}

/** The later value. Neither argument is changed; what is equal is shared. */
export function withDifference(before: unknown, difference: Difference | null): unknown {
  if (difference === null) return before;
  if (Array.isArray(difference)) return difference[0];
  const after = (Array.isArray(before) ? [...(before as unknown[])] : { ...(before as Members) }) as Record<string, unknown>;
  for (const [key, one] of Object.entries(difference as Exclude<Difference, readonly [unknown]>))
    after[key] = withDifference(after[key], one);
  return after;
}

/** Null for what has no members. */
function keysOf(value: unknown): string[] | null {
  return typeof value === 'object' && value !== null ? Object.keys(value) : null;
}
