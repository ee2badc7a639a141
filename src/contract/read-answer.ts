/**
 * Lenient readers of the venue's answers: they accept deviations of type and case and return the documented form. Numbers may arrive as
 * text, text as numbers, words in another case or spelling, and null instead of an empty list. Unknown keys are dropped. Each reader is
 * built once per field type. No schema library is used, for speed: a poll reads a thousand symbols.
 */
import { never } from '../base/failure/assert.ts';
import { isPlainDecimal, plainDecimal } from './decimal-text.ts';
import type { AnswerOf, Endpoint } from './endpoints/endpoint.ts';
import type { Envelope } from './envelope.ts';
import type { Fields, Kind } from './endpoints/kinds.ts';
import { isRecord } from '../base/fields.ts';

export type Readout<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: string };

/** Returns the documented form of a value, or undefined if the value is invalid. */
type Reader = (value: unknown) => unknown;

const DIGITS = /^\d+$/;
/** At most 15 digits, which fit exactly into a number. Times and counts have fewer. */
const WHOLE = /^-?\d{1,15}$/;

/**
 * Reads any JSON value as an envelope. `code` is required. `data` may be absent; `requestTime` may be a string or absent (assumption A04).
 */
export function readEnvelope(value: unknown): Readout<Envelope> {
  if (!isRecord(value)) return { ok: false, problem: 'envelope: expected an object' };
  const code = readText(value['code']);
  const msg = readText(value['msg']);
  const requestTime = value['requestTime'] == null ? 0 : readWhole(value['requestTime']);
  if (code === undefined || code === '') return { ok: false, problem: 'envelope.code: expected a code' };
  if (msg === undefined) return { ok: false, problem: 'envelope.msg: expected a string' };
  if (requestTime === undefined) return { ok: false, problem: 'envelope.requestTime: expected milliseconds' };
  return { ok: true, value: { code, msg, requestTime, data: value['data'] ?? null } };
}

/** Reads the `data` of a success. */
export function readAnswer<E extends Endpoint>(endpoint: E, data: unknown): Readout<AnswerOf<E>> {
  const value = readerOf(endpoint.response)(data);
  if (value !== undefined) return { ok: true, value: value as AnswerOf<E> };
  return { ok: false, problem: explain(endpoint.response, data, endpoint.name) };
}

const readers = new WeakMap<Kind, Reader>();

function readerOf(kind: Kind): Reader {
  let reader = readers.get(kind);
  if (reader === undefined) {
    reader = makeReader(kind);
    readers.set(kind, reader);
  }
  return reader;
}

function makeReader(kind: Kind): Reader {
  switch (kind.kind) {
    case 'text':
    case 'openWord':
      return readText;
    case 'id':
      return (value) => readText(value) || undefined;
    case 'decimal':
    case 'decimalNumber':
      return readDecimal;
    case 'decimalOrEmpty':
      return (value) => (value === undefined || value === null || value === '' ? '' : readDecimal(value));
    case 'millis':
      return readMillis;
    case 'millisText':
      return (value) => readMillis(value)?.toString();
    case 'count':
      return readWhole;
    case 'digits':
      return readDigits;
    case 'boolText':
      return (value) => readBool(String(value).toLowerCase());
    case 'word':
      return wordReader(kind.words, kind.aliases);
    case 'record':
      return recordReader(kind.fields);
    case 'list':
      return listReader(readerOf(kind.item), kind.nullable);
    case 'oneOrMany':
      return oneOrManyReader(readerOf(kind.item));
    case 'nothing':
      return (value) => (value === undefined || value === null ? null : undefined);
    default:
      return never(kind, 'kind');
  }
}

function readText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (value === undefined || value === null) return '';
  return typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : undefined;
}

function readDecimal(value: unknown): string | undefined {
  if (typeof value === 'string') return isPlainDecimal(value) ? value : (plainDecimal(value) ?? undefined);
  return typeof value === 'number' ? (plainDecimal(String(value)) ?? undefined) : undefined;
}

function readWhole(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? value : undefined;
  return typeof value === 'string' && WHOLE.test(value) ? Number(value) : undefined;
}

function readMillis(value: unknown): number | undefined {
  const time = readWhole(value);
  return time !== undefined && time >= 0 ? time : undefined;
}

function readDigits(value: unknown): string | undefined {
  const text = readText(value);
  return text !== undefined && DIGITS.test(text) ? text : undefined;
}

function readBool(text: string): string | undefined {
  return text === 'true' || text === 'false' ? text : undefined;
}

function wordReader(words: readonly string[], aliases: Readonly<Record<string, string>>): Reader {
  const known = new Map<string, string>(Object.entries(aliases));
  for (const word of words) known.set(word.toUpperCase(), word);
  return (value) => (typeof value === 'string' ? known.get(value.toUpperCase()) : undefined);
}

function recordReader(fields: Fields): Reader {
  const parts = Object.entries(fields).map(([name, field]) => ({
    name,
    read: readerOf(field.kind),
    isNeeded: field.presence === 'required',
  }));
  return (value) => {
    if (!isRecord(value)) return undefined;
    const result: Record<string, unknown> = {};
    for (const { name, read, isNeeded } of parts) {
      const given = value[name];
      if (!isNeeded && (given === undefined || given === null)) continue;
      const meant = read(given);
      if (meant === undefined) return undefined;
      result[name] = meant;
    }
    return result;
  };
}

function listReader(readItem: Reader, isNullable: boolean): Reader {
  return (value) => {
    if (isNullable && value === null) return [];
    if (!Array.isArray(value)) return undefined;
    const result: unknown[] = [];
    for (const item of value) {
      const meant = readItem(item);
      if (meant === undefined) return undefined;
      result.push(meant);
    }
    return result;
  };
}

function oneOrManyReader(readItem: Reader): Reader {
  const readList = listReader(readItem, false);
  return (value) => readList(Array.isArray(value) ? value : [value]);
}

/** Describes the place of an error: `bookTickers[3].bidPrice: a decimal was expected, found null`. */
function explain(kind: Kind, value: unknown, place: string): string {
  if (kind.kind === 'record' && isRecord(value)) {
    for (const [name, field] of Object.entries(kind.fields)) {
      if (field.presence !== 'required' && value[name] == null) continue;
      if (readerOf(field.kind)(value[name]) === undefined) return explain(field.kind, value[name], `${place}.${name}`);
    }
  }
  if ((kind.kind === 'list' || kind.kind === 'oneOrMany') && Array.isArray(value)) {
    const index = value.findIndex((item) => readerOf(kind.item)(item) === undefined);
    if (index >= 0) return explain(kind.item, value[index], `${place}[${index}]`);
  }
  if (kind.kind === 'oneOrMany' && !Array.isArray(value)) return explain(kind.item, value, place);
  return `${place}: expected ${EXPECTED[kind.kind]}, found ${shown(value)}`;
}

const EXPECTED: Readonly<Record<Kind['kind'], string>> = {
  text: 'a string',
  id: 'an identifier',
  decimal: 'a decimal',
  decimalOrEmpty: 'a decimal or ""',
  decimalNumber: 'a decimal',
  millis: 'a time in milliseconds',
  millisText: 'a time in milliseconds',
  count: 'a whole number',
  digits: 'a number',
  boolText: '"true" or "false"',
  word: 'a documented word',
  openWord: 'a word',
  record: 'an object',
  list: 'a list',
  oneOrMany: 'an object or a list',
  nothing: 'null',
};

function shown(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (isRecord(value)) return 'an object';
  const text = typeof value === 'string' ? JSON.stringify(value) : String(value);
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}
