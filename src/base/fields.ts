/**
 * Checks small objects from outside against a table of their fields: an instrument of a data file, a rule of a fault plan, a command of the
 * admin interface. Unknown keys get a suggestion; wrong values are reported with what was expected and found.
 */
import type { Problem } from './failure/failure.ts';
import { didYouMean } from './text/suggest.ts';

export interface Common {
  readonly doc: string;
  readonly isOptional?: boolean;
}

/** The pattern of a text, and its description. */
export interface TextForm {
  readonly pattern: RegExp;
  readonly words: string;
}

/** Longest text of a field, unless it says otherwise. */
export const TEXT_MOST = 200;

export type Field = Common &
  (
    | { readonly kind: 'whole'; readonly min: number; readonly max: number }
    | { readonly kind: 'number'; readonly min: number; readonly max: number }
    /** At most TEXT_MOST characters, or `most`. */
    | { readonly kind: 'text'; readonly form?: TextForm; readonly most?: number }
    | { readonly kind: 'word'; readonly words: readonly string[] }
    | { readonly kind: 'words'; readonly words: readonly string[] }
    | { readonly kind: 'flag' }
    | { readonly kind: 'object' }
    | { readonly kind: 'list' }
  );

export type FieldTable = Readonly<Record<string, Field>>;

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The text at `key` of an object from outside; `otherwise` if it has none. */
export function textAt(given: Readonly<Record<string, unknown>>, key: string, otherwise = ''): string {
  const value = given[key];
  return typeof value === 'string' ? value : otherwise;
}

/** The problems of `value`; empty if it fits the table. `where` locates it, `what` is the name of such an object. */
export function problemsOf(value: unknown, table: FieldTable, where: string, what: string): Problem[] {
  if (!isRecord(value)) return [{ what: `expected ${what} as an object, found ${show(value)}`, where }];
  const problems: Problem[] = [];
  const known = Object.keys(table);
  for (const key of Object.keys(value)) {
    if (Object.hasOwn(table, key)) continue;
    const hint = didYouMean(key, known) ?? `the keys are ${known.join(', ') || 'none'}`;
    problems.push({ what: `${JSON.stringify(key.slice(0, 40))} is not a key of ${what}`, where, hint });
  }
  for (const [key, field] of Object.entries(table)) {
    const given = Object.hasOwn(value, key) ? value[key] : undefined;
    if (given === undefined) {
      if (field.isOptional !== true) problems.push({ what: `"${key}" is missing`, where, hint: field.doc });
    } else if (!fits(given, field)) {
      const hint = (field.kind === 'word' && typeof given === 'string' ? didYouMean(given, field.words) : undefined) ?? field.doc;
      problems.push({ what: `"${key}": expected ${expected(field)}, found ${show(given)}`, where, hint });
    }
  }
  return problems;
}

function fits(value: unknown, field: Field): boolean {
  switch (field.kind) {
    case 'whole':
      return Number.isSafeInteger(value) && (value as number) >= field.min && (value as number) <= field.max;
    case 'number':
      return typeof value === 'number' && value >= field.min && value <= field.max;
    case 'text':
      return typeof value === 'string' && value.length <= (field.most ?? TEXT_MOST) && (field.form?.pattern.test(value) ?? value !== '');
    case 'word':
      return typeof value === 'string' && field.words.includes(value);
    case 'words':
      return Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'string' && field.words.includes(one));
    case 'flag':
      return typeof value === 'boolean';
    case 'object':
      return isRecord(value);
    case 'list':
      return Array.isArray(value) && value.length > 0;
  }
}

function expected(field: Field): string {
  switch (field.kind) {
    case 'whole':
      return `a whole number from ${field.min} to ${field.max}`;
    case 'number':
      return `a number from ${field.min} to ${field.max}`;
    case 'text':
      return field.form?.words ?? 'text';
    case 'word':
      return `one of ${field.words.join(', ')}`;
    case 'words':
      return `a list out of ${field.words.join(', ')}`;
    case 'flag':
      return 'true or false';
    case 'object':
      return 'an object';
    case 'list':
      return 'a list with at least one entry';
  }
}

function show(value: unknown): string {
  return (JSON.stringify(value) ?? String(value)).slice(0, 80);
}
