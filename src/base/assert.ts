/** Our own bugs: an assertion that fails stops the process, because a wrong state must not trade. */
export class AssertionError extends Error {
  override readonly name = 'AssertionError';
}

/** Throws AssertionError when `fact` is false. `message` says what had to hold. */
export function assert(fact: boolean, message: string): asserts fact {
  if (!fact) throw new AssertionError(message);
}

/** Closes a switch over a union: reaching it is a bug, and the compiler proves that no case is missing. */
export function never(value: never, what: string): never {
  throw new AssertionError(`unexpected ${what}: ${String(value)}`);
}
