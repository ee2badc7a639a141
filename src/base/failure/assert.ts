/** Assertions about our own code: a failed one stops the process, because a wrong state must not trade. */
export class AssertionError extends Error {
  override readonly name = 'AssertionError';
}

/** Throws AssertionError if `fact` is false. `message` says what must hold. */
export function assert(fact: boolean, message: string): asserts fact {
  if (!fact) throw new AssertionError(message);
}

/** Ends a switch over a union: the compiler proves that no case is missing, and reaching it is a bug. */
export function never(value: never, what: string): never {
  throw new AssertionError(`unexpected ${what}: ${String(value)}`);
}
