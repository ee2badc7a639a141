/**
 * Validates a raw request against the contract. Returns the parameters, or the first applicable error row in the order of the endpoint's
 * table. Checks that need an instrument's rules or an account's state are done elsewhere.
 */
import { isRecord } from '../base/fields.ts';
import { plainDecimal } from './decimal-text.ts';
import type { Endpoint, ErrorRow, ParametersOf } from './endpoints/endpoint.ts';
import { generalRefusal } from './endpoints/endpoints.ts';
import type { GeneralName } from './endpoints/general-refusals.ts';
import type { Field, Fields, Kind } from './endpoints/kinds.ts';
import { isAbsent, type RawRequest } from './endpoints/rules.ts';
import { documented } from './schema.ts';

export type Validated<E extends Endpoint> =
  | { readonly ok: true; readonly value: ParametersOf<E> }
  | { readonly ok: false; readonly row: ErrorRow };

/** `raw`: the query as an object of strings, or the parsed JSON body. Unknown parameters are ignored. */
export function validate<E extends Endpoint>(endpoint: E, raw: unknown): Validated<E> {
  if (!isRecord(raw)) return { ok: false, row: generalRefusal('notAnObject') };
  const refusals: ErrorRow[] = [];
  const reading: Reading = { endpoint, isQuery: endpoint.method === 'GET', refusals };
  const value = readFields(reading, endpoint.request, raw);
  for (const rule of endpoint.rules) {
    if (rule.isBroken(raw)) refuse(reading, rule.refusedWith, 'invalid');
  }
  if (refusals.length === 0) return { ok: true, value: value as ParametersOf<E> };
  return { ok: false, row: firstInTable(endpoint, refusals) };
}

interface Reading {
  readonly endpoint: Endpoint;
  readonly isQuery: boolean;
  readonly refusals: ErrorRow[];
}

/** Selects the refusal to answer: rows of the table come before general refusals, in the table's order. */
function firstInTable(endpoint: Endpoint, refusals: readonly ErrorRow[]): ErrorRow {
  const listed = endpoint.errors.find((row) => refusals.includes(row));
  return listed ?? (refusals[0] as ErrorRow);
}

/** `message`: of the row of the endpoint's table; without such a row the general refusal `name`, which may name what was `found`. */
function refuse(reading: Reading, message: string | undefined, name: GeneralName, found?: string): undefined {
  const row = message === undefined ? undefined : reading.endpoint.errors.find((candidate) => candidate.msg === message);
  reading.refusals.push(row ?? generalRefusal(name, found));
  return undefined;
}

function readFields(reading: Reading, fields: Fields, raw: RawRequest): RawRequest {
  const value: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(fields)) {
    const given = Object.hasOwn(raw, name) ? raw[name] : undefined;
    if (!isAbsent(given)) value[name] = readField(reading, name, field, given);
    else if (field.presence === 'defaulted') value[name] = field.fallback;
    else if (field.presence === 'required') refuse(reading, field.refusedWith, 'empty');
  }
  return value;
}

function readField(reading: Reading, name: string, field: Field, given: unknown): unknown {
  const { kind } = field;
  if (kind.kind === 'list') {
    if (!Array.isArray(given)) return refuse(reading, field.refusedWith, 'invalidField', name);
    return given.map((item) => readItem(reading, kind.item, item, field.refusedWith, name));
  }
  const meant = decode(kind, given, reading.isQuery);
  const isNegative = kind.kind === 'decimal' && typeof meant === 'string' && meant.startsWith('-');
  if (isNegative || !documented(kind).safeParse(meant).success) return refuse(reading, field.refusedWith, 'invalidField', name);
  if (kind.kind !== 'decimalNumber') return meant;
  return plainDecimal(String(meant)) ?? refuse(reading, field.refusedWith, 'invalidField', name);
}

function readItem(reading: Reading, kind: Kind, item: unknown, refusedWith: string | undefined, name: string): unknown {
  if (kind.kind === 'record' && isRecord(item)) return readFields(reading, kind.fields, item);
  return refuse(reading, refusedWith, 'invalidField', name);
}

/** Converts a value to its JSON form: numbers from a query, aliases of a word, a count limited to its maximum. */
function decode(kind: Kind, given: unknown, isQuery: boolean): unknown {
  switch (kind.kind) {
    case 'word':
      return typeof given === 'string' ? (kind.aliases[given] ?? given) : given;
    case 'millis':
      return isQuery ? numberOf(given) : given;
    case 'count': {
      const n = isQuery ? numberOf(given) : given;
      return typeof n === 'number' ? Math.min(n, kind.max) : n;
    }
    default:
      return given;
  }
}

function numberOf(given: unknown): unknown {
  return typeof given === 'string' && /^\d{1,15}$/.test(given) ? Number(given) : given;
}
