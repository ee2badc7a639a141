/** Reads the fields of journal records. */

export type Facts = Readonly<Record<string, unknown>>;
export type Mutable<T> = { -readonly [K in keyof T]: T[K] };

export function number(value: unknown): number {
  if (typeof value === 'number') return value;
  throw new TypeError(`a number was expected in a journal record, found ${typeof value}`);
}

export function text(value: unknown): string {
  if (typeof value === 'string') return value;
  throw new TypeError(`a text was expected in a journal record, found ${typeof value}`);
}
