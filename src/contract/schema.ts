/**
 * The documented form of every field type as a zod schema. Our own replies must match it exactly; the server checks requests with it; the
 * OpenAPI document shows it. The lenient readers for the venue's answers are in read-answer.ts. This file loads zod; a backtest does not load it.
 */
import { z } from 'zod';
import { never } from '../base/failure/assert.ts';
import type { Endpoint } from './endpoints/endpoint.ts';
import type { Fields, Kind } from './endpoints/kinds.ts';

const DECIMAL = /^-?\d+(?:\.\d+)?$/;
const DIGITS = /^\d+$/;
/** At most 15 digits, which fit exactly into a number. Times and counts have fewer. */
const SHORT_DIGITS = /^\d{1,15}$/;

const schemas = new WeakMap<Kind, z.ZodType>();

/** The documented form: exact keys, exact types. */
export function documented(kind: Kind): z.ZodType {
  let schema = schemas.get(kind);
  if (schema === undefined) {
    schema = makeDocumented(kind);
    schemas.set(kind, schema);
  }
  return schema;
}

function makeDocumented(kind: Kind): z.ZodType {
  switch (kind.kind) {
    case 'text':
      return z.string();
    case 'id':
      return z.string().min(1);
    case 'decimal':
      return z.string().regex(DECIMAL);
    case 'decimalOrEmpty':
      return z.string().regex(/^(?:-?\d+(?:\.\d+)?)?$/);
    case 'decimalNumber':
      return z.number();
    case 'millis':
      return z.int().min(0);
    case 'millisText':
      return z.string().regex(SHORT_DIGITS);
    case 'count':
      return z.int().min(kind.min).max(kind.max);
    case 'digits':
      return z.string().regex(DIGITS);
    case 'boolText':
      return z.enum(['true', 'false']);
    case 'word':
      return z.enum(kind.words);
    case 'openWord':
      return z.string();
    case 'record':
      return z.strictObject(documentedFields(kind.fields));
    case 'list':
      return z.array(documented(kind.item));
    case 'oneOrMany':
      return z.union([documented(kind.item), many(kind.item)]);
    case 'nothing':
      return z.null();
    default:
      return never(kind, 'kind');
  }
}

function documentedFields(fields: Fields): Record<string, z.ZodType> {
  const shape: Record<string, z.ZodType> = {};
  for (const [name, field] of Object.entries(fields)) {
    if (field.presence === 'tolerated') continue;
    const schema = documented(field.kind);
    shape[name] = field.presence === 'required' ? schema : schema.optional();
  }
  return shape;
}

const lists = new WeakMap<Kind, z.ZodType>();

function many(item: Kind): z.ZodType {
  const schema = lists.get(item) ?? z.array(documented(item));
  lists.set(item, schema);
  return schema;
}

/** Returns the first error in our own `data` for a success, or null. `request` decides between one record and a list. */
export function problemOfReply(endpoint: Endpoint, data: unknown, request: Readonly<Record<string, unknown>>): string | null {
  const { response } = endpoint;
  const by = response.kind === 'oneOrMany' ? request[response.by] : undefined;
  const isOne = by !== undefined && by !== '';
  const schema = response.kind === 'oneOrMany' ? (isOne ? documented(response.item) : many(response.item)) : documented(response);
  const parsed = schema.safeParse(data);
  return parsed.success ? null : problemOf(endpoint.name, parsed.error);
}

/** Describes the first error with its place: `placeOrder.orderId: an identifier was expected`. */
function problemOf(where: string, error: z.ZodError): string {
  const issue = error.issues[0];
  const steps = issue?.path ?? [];
  const path = steps.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`)).join('');
  return `${where}${path}: ${issue?.message ?? 'invalid'}`;
}
