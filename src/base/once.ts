/** A value that is made when somebody asks for it. */

/** The value is made at the first call and kept. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null;
  return () => (made ??= { value: make() }).value;
}
