/**
 * The field types of the contract as plain data. One declaration serves both directions: `Sent` is the type that the sender writes, `Read`
 * is the type after reading and normalising. No schema library is loaded here; schema.ts builds zod schemas from these.
 */
import type { DecimalString } from '../../domain/amounts/units.ts';

declare const sent: unique symbol;
declare const read: unique symbol;

/** The type of a field. `docs` and `openapi` describe it, `schema.ts` enforces it. */
export type Node =
  /** Any string. May be empty; absent and null are read as "". */
  | { readonly kind: 'text' }
  /** An identifier: a non-empty string. A whole number is accepted and converted to its digits. */
  | { readonly kind: 'id' }
  /** A decimal number in plain notation, as a string. */
  | { readonly kind: 'decimal' }
  /** A decimal string, or "" for no value. */
  | { readonly kind: 'decimalOrEmpty' }
  /** A JSON number on the wire, but a decimal string in our types, so that it never passes through a float. */
  | { readonly kind: 'decimalNumber' }
  /** Milliseconds since 1970 as a JSON number, or as digits in a query. */
  | { readonly kind: 'millis' }
  /** Milliseconds since 1970 as a string of digits. */
  | { readonly kind: 'millisText' }
  /** A whole number of at least `min`. A number above `max` is reduced to `max`. */
  | { readonly kind: 'count'; readonly min: number; readonly max: number }
  /** A whole number of any length, kept as text: an id never passes through a float. */
  | { readonly kind: 'digits' }
  /** "true" or "false". */
  | { readonly kind: 'boolText' }
  /** One word of a closed set. Readers ignore case and replace `aliases` (upper case) by the documented word. */
  | { readonly kind: 'word'; readonly words: readonly string[]; readonly aliases: Readonly<Record<string, string>> }
  /** A word of an open set; `words` are the documented ones. */
  | { readonly kind: 'openWord'; readonly words: readonly string[] }
  | { readonly kind: 'record'; readonly fields: Fields }
  /** A list. `nullable`: null is read as an empty list. An absent list is always an error. */
  | { readonly kind: 'list'; readonly item: Kind; readonly nullable: boolean }
  /** One item if the parameter `by` is given, else a list. Read as a list. */
  | { readonly kind: 'oneOrMany'; readonly item: Kind; readonly by: string }
  /** null; may be absent. */
  | { readonly kind: 'nothing' };

export type Kind<Sent = unknown, Read = Sent> = Node & { readonly [sent]?: Sent; readonly [read]?: Read };

/**
 * required: always present. optional: may be left out. defaulted: read as `fallback` if left out. tolerated: not documented; accepted when
 * read, never sent.
 */
export type Presence = 'required' | 'optional' | 'defaulted' | 'tolerated';

export interface Field<K extends Kind = Kind, P extends Presence = Presence> {
  readonly kind: K;
  readonly presence: P;
  readonly doc: string;
  readonly fallback?: string | number;
  /** Message of the error row for a missing or malformed value. Without one the refusal is a general one (assumption A31). */
  readonly refusedWith?: string;
}

export type Fields = Readonly<Record<string, Field>>;

type SentBy<K> = K extends { readonly [sent]?: infer T } ? T : never;
type ReadBy<K> = K extends { readonly [read]?: infer T } ? T : never;
type KeysWith<F extends Fields, P extends Presence> = {
  [N in keyof F]: F[N]['presence'] extends P ? N : never;
}[keyof F];
type Flat<T> = { [N in keyof T]: T[N] };

/** The type of a record when sent. */
export type SentRecord<F extends Fields> = Flat<
  { readonly [N in KeysWith<F, 'required'>]: SentBy<F[N]['kind']> } & {
    readonly [N in KeysWith<F, 'optional' | 'defaulted'>]?: SentBy<F[N]['kind']> | undefined;
  }
>;

/** The type of a record after reading. */
export type ReadRecord<F extends Fields> = Flat<
  { readonly [N in KeysWith<F, 'required' | 'defaulted'>]: ReadBy<F[N]['kind']> } & {
    readonly [N in KeysWith<F, 'optional' | 'tolerated'>]?: ReadBy<F[N]['kind']> | undefined;
  }
>;

export type SentOf<K extends Kind> = SentBy<K>;
export type ReadOf<K extends Kind> = ReadBy<K>;

interface FieldOptions {
  readonly refusedWith?: string;
}

export function required<K extends Kind>(kind: K, doc: string, options: FieldOptions = {}): Field<K, 'required'> {
  return { kind, presence: 'required', doc, ...options };
}

export function optional<K extends Kind>(kind: K, doc: string, options: FieldOptions = {}): Field<K, 'optional'> {
  return { kind, presence: 'optional', doc, ...options };
}

export function defaulted<K extends Kind>(kind: K, fallback: string | number, doc: string): Field<K, 'defaulted'> {
  return { kind, presence: 'defaulted', doc, fallback };
}

export function tolerated<K extends Kind>(kind: K, doc: string): Field<K, 'tolerated'> {
  return { kind, presence: 'tolerated', doc };
}

export const text: Kind<string> = { kind: 'text' };
export const id: Kind<string> = { kind: 'id' };
export const decimal: Kind<DecimalString> = { kind: 'decimal' };
export const decimalOrEmpty: Kind<DecimalString | ''> = { kind: 'decimalOrEmpty' };
export const decimalNumber: Kind<DecimalString> = { kind: 'decimalNumber' };
export const millis: Kind<number> = { kind: 'millis' };
export const millisText: Kind<string> = { kind: 'millisText' };
export const digits: Kind<string> = { kind: 'digits' };
export const boolText: Kind<'true' | 'false'> = { kind: 'boolText' };
export const nothing: Kind<null> = { kind: 'nothing' };

export function count(min: number, max: number): Kind<number> {
  return { kind: 'count', min, max };
}

export function word<const W extends string>(...words: readonly W[]): Kind<W> {
  return { kind: 'word', words, aliases: {} };
}

/** A closed set in which some words have another name on some of the venue's pages. */
export function wordAlso<const W extends string, const A extends string>(
  words: readonly W[],
  aliases: Readonly<Record<A, W>>,
): Kind<W | A, W> {
  return { kind: 'word', words, aliases };
}

export function openWord(...words: readonly string[]): Kind<string> {
  return { kind: 'openWord', words };
}

export function record<F extends Fields>(fields: F): Kind<SentRecord<F>, ReadRecord<F>> {
  return { kind: 'record', fields };
}

export function list<S, R>(item: Kind<S, R>): Kind<readonly S[], readonly R[]> {
  return { kind: 'list', item, nullable: false };
}

export function nullableList<S, R>(item: Kind<S, R>): Kind<readonly S[], readonly R[]> {
  return { kind: 'list', item, nullable: true };
}

export function oneOrMany<S, R>(item: Kind<S, R>, by: string): Kind<S | readonly S[], readonly R[]> {
  return { kind: 'oneOrMany', item, by };
}
