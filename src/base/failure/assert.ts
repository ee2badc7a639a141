/** Assertions about our own code. A failed one ends the process, and a bot opens nothing more (engine/recovery/bug-halt.ts). */
export class AssertionError extends Error {
  override readonly name = 'AssertionError';
}

/**
 * Throws AssertionError if `fact` is false. `expected` says what must hold, and `found` is what was found instead: a value, not a text of it.
 * `kind` and `name` say of what, such as "order" and its number.
 */
export function assert(fact: boolean, expected: string, found?: string | number, kind?: string, name?: string | number): asserts fact {
  if (!fact) throw failure(expected, found, kind === undefined ? '' : ` (${kind} ${String(name)})`);
}

function failure(expected: string, found: string | number | undefined, of: string): AssertionError {
  return new AssertionError(found === undefined ? expected : `${expected}: found ${String(found)}${of}`);
}

/** Ends a switch over a union: the compiler proves that no case is missing, and reaching it is a bug. */
export function never(value: never, what: string): never {
  throw new AssertionError(`unexpected ${what}: ${String(value)}`);
}
