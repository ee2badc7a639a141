/** Assertions about our own code. A failed one ends the process, and a bot opens nothing more (engine/recovery/bug-halt.ts). */
export class AssertionError extends Error {
  override readonly name = 'AssertionError';
}

/** Throws AssertionError if `fact` is false. `expected` says what must hold, and `found` is what was found instead: a value, not a text of it. */
export function assert(fact: boolean, expected: string, found?: string | number): asserts fact {
  if (!fact) throw failure(expected, found);
}

function failure(expected: string, found: string | number | undefined): AssertionError {
  return new AssertionError(found === undefined ? expected : `${expected}: found ${String(found)}`);
}

/** Ends a switch over a union: the compiler proves that no case is missing, and reaching it is a bug. */
export function never(value: never, what: string): never {
  throw new AssertionError(`unexpected ${what}: ${String(value)}`);
}
