/**
 * The building blocks of the contract, as plain data: what a field is on the wire. One declaration serves both directions:
 * `Sent` is what the sender may write (and what we write ourselves), `Read` is what the reader gets after drift has ended.
 * No validator is imported here; schema.ts makes zod schemas of these.
 */
import type { DecimalString } from '../../domain/units.ts';

declare const sent: unique symbol;
declare const read: unique symbol;

/** What a field is. `docs` and `openapi` say it in words, `schema.ts` enforces it. */
export type Node =
  /** Any string; may be empty, so absent and null read as "". */
  | { readonly kind: 'text' }
  /** A string that names something: never empty. A whole number is accepted on read and becomes its digits. */
  | { readonly kind: 'id' }
  /** A decimal in plain notation, as a string. */
  | { readonly kind: 'decimal' }
  /** The same, or "" where there is none. */
  | { readonly kind: 'decimalOrEmpty' }
  /** A decimal as a JSON number on the wire and as a decimal string on both sides of it, so that no float is in between. */
  | { readonly kind: 'decimalNumber' }
  /** Milliseconds since the epoch as a JSON number, or as digits in a query. */
  | { readonly kind: 'millis' }
  /** Milliseconds since the epoch as a string of digits. */
  | { readonly kind: 'millisText' }
  /** A whole number of at least `min`; a greater one than `max` is taken as `max`. */
  | { readonly kind: 'count'; readonly min: number; readonly max: number }
  /** A number of any length, kept as digits: an id never goes through a float. */
  | { readonly kind: 'digits' }
  /** "true" or "false". */
  | { readonly kind: 'boolText' }
  /** One of a closed set. On read, case is ignored and `aliases` (upper case) are turned into the documented word. */
  | { readonly kind: 'word'; readonly words: readonly string[]; readonly aliases: Readonly<Record<string, string>> }
  /** A word of an open set: `words` are those that are documented. */
  | { readonly kind: 'openWord'; readonly words: readonly string[] }
  | { readonly kind: 'record'; readonly fields: Fields }
  /** `nullable`: null on read is an empty list; absent never is. */
  | { readonly kind: 'list'; readonly item: Kind; readonly nullable: boolean }
  /** One item when the parameter `by` is given, a list of them otherwise. Reads as a list. */
  | { readonly kind: 'oneOrMany'; readonly item: Kind; readonly by: string }
  /** null; absent is accepted on read. */
  | { readonly kind: 'nothing' };

export type Kind<Sent = unknown, Read = Sent> = Node & { readonly [sent]?: Sent; readonly [read]?: Read };

/**
 * required: always there. optional: may be left out. defaulted: may be left out, and then reads as `fallback`.
 * tolerated: not documented; accepted on read, never sent.
 */
export type Presence = 'required' | 'optional' | 'defaulted' | 'tolerated';

export interface Field<K extends Kind = Kind, P extends Presence = Presence> {
  readonly kind: K;
  readonly presence: P;
  readonly doc: string;
  readonly fallback?: string | number;
  /** Message of the error row for a missing or malformed value. Without one the refusal is a general one (A31). */
  readonly refusedWith?: string;
}

export type Fields = Readonly<Record<string, Field>>;

type SentBy<K> = K extends { readonly [sent]?: infer T } ? T : never;
type ReadBy<K> = K extends { readonly [read]?: infer T } ? T : never;
type KeysWith<F extends Fields, P extends Presence> = {
  [N in keyof F]: F[N]['presence'] extends P ? N : never;
}[keyof F];
type Flat<T> = { [N in keyof T]: T[N] };

/** A record as its sender writes it. */
export type SentRecord<F extends Fields> = Flat<
  { readonly [N in KeysWith<F, 'required'>]: SentBy<F[N]['kind']> } & {
    readonly [N in KeysWith<F, 'optional' | 'defaulted'>]?: SentBy<F[N]['kind']> | undefined;
  }
>;

/** A record as its reader gets it. */
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

/** A closed set of which some members have another name on some pages of the venue. */
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
