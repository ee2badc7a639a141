/** Generates the OpenAPI 3.1 document of the 20 endpoints from the contract's tables. */
import { z } from 'zod';
import { BUCKETS } from '../endpoints/costs.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { ENDPOINT_LIST } from '../endpoints/endpoints.ts';
import type { Field, Fields, Kind } from '../endpoints/kinds.ts';
import { sampleReply, sampleRequest } from './samples.ts';
import { documented } from '../schema.ts';

type Json = Readonly<Record<string, unknown>>;

/** `serverUrl`: the base address without `/api/v1`. Default: that of `tickwright exchange`. */
export function openapi(serverUrl = 'http://127.0.0.1:8420'): Json {
  const paths: Record<string, Record<string, Json>> = {};
  for (const endpoint of ENDPOINT_LIST) {
    (paths[endpoint.path] ??= {})[endpoint.method.toLowerCase()] = operation(endpoint);
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'Trading service',
      version: '1',
      description: 'Spot batch orders, spot market and account data, futures market data, account, orders and positions.',
    },
    servers: [{ url: serverUrl }],
    tags: [...new Set(ENDPOINT_LIST.map((e) => e.group))].map((name) => ({ name })),
    paths,
    components: { securitySchemes: SECURITY_SCHEMES, schemas: { Error: ERROR } },
    'x-buckets': BUCKETS,
  };
}

const apiKey = (name: string, description: string): Json => ({ type: 'apiKey', in: 'header', name, description });

const SECURITY_SCHEMES: Json = {
  key: apiKey('ACCESS-KEY', "The caller's API key"),
  sign: apiKey('ACCESS-SIGN', 'base64(HMAC-SHA256(secret, timestamp + METHOD + path and query + body))'),
  passphrase: apiKey('ACCESS-PASSPHRASE', 'The API passphrase'),
  timestamp: apiKey('ACCESS-TIMESTAMP', 'Milliseconds since 1970, an integer'),
};

const ERROR: Json = {
  type: 'object',
  properties: {
    code: { type: 'string' },
    msg: { type: 'string' },
    requestTime: { type: 'integer' },
    data: { type: 'null' },
  },
  required: ['code', 'msg', 'requestTime'],
};

const RETRY_AFTER: Json = { description: 'Seconds to wait before the next request', schema: { type: 'integer', minimum: 1 } };

function operation(endpoint: Endpoint): Json {
  const says = [...endpoint.rules.map((rule) => `Rule: ${rule.says}.`), ...(endpoint.notes ?? [])];
  const isGet = endpoint.method === 'GET';
  return {
    operationId: endpoint.name,
    summary: `${endpoint.id} ${endpoint.title}`,
    ...(says.length > 0 && { description: says.join('\n\n') }),
    tags: [endpoint.group],
    security: endpoint.auth ? [{ key: [], sign: [], passphrase: [], timestamp: [] }] : [],
    ...(isGet && { parameters: Object.entries(endpoint.request).map(([name, field]) => parameter(endpoint, name, field)) }),
    ...(!isGet && { requestBody: { required: true, content: json(describedObject(endpoint.request, 'input'), sampleRequest(endpoint)) } }),
    responses: {
      '200': success(endpoint),
      '400': failure(endpoint, endpoint.auth ? 'Refused, also for a wrong signature (40002)' : 'Refused'),
      '429': { ...failure(endpoint, 'Too many requests'), headers: { 'Retry-After': RETRY_AFTER } },
      default: failure(endpoint, 'Not a request of this interface: wrong method, media type or size'),
    },
    'x-errors': endpoint.errors,
    'x-idempotency': endpoint.idempotency,
    'x-cost': endpoint.cost,
  };
}

function parameter(endpoint: Endpoint, name: string, field: Field): Json {
  return {
    name,
    in: 'query',
    required: field.presence === 'required',
    description: field.doc,
    schema: describedField(field, 'input'),
    ...(name in sampleRequest(endpoint) && { example: sampleRequest(endpoint)[name] }),
  };
}

function success(endpoint: Endpoint): Json {
  const schema = {
    type: 'object',
    properties: {
      code: { const: '00000' },
      msg: { type: 'string' },
      requestTime: { type: 'integer' },
      data: described(endpoint.response),
    },
    required: ['code', 'msg', 'requestTime', 'data'],
  };
  const example = { code: '00000', msg: 'success', requestTime: 1_700_000_000_000, data: sampleReply(endpoint) };
  return { description: 'Success', content: json(schema, example) };
}

function failure(endpoint: Endpoint, description: string): Json {
  const top = endpoint.errors.find((row) => row.entry !== true);
  const example = top && { code: top.code, msg: top.msg, requestTime: 1_700_000_000_000, data: null };
  return { description, content: json({ $ref: '#/components/schemas/Error' }, example) };
}

function json(schema: Json, example: unknown): Json {
  return { 'application/json': { schema, ...(example !== undefined && { example }) } };
}

/** The JSON Schema of a field type, with the descriptions of its fields. */
function described(kind: Kind, direction: 'input' | 'output' = 'output'): Json {
  switch (kind.kind) {
    case 'record':
      return describedObject(kind.fields, direction);
    case 'list':
      return { type: 'array', items: described(kind.item, direction) };
    case 'oneOrMany':
      return { oneOf: [described(kind.item, direction), { type: 'array', items: described(kind.item, direction) }] };
    case 'openWord':
      return { type: 'string', examples: kind.words };
    default: {
      const taken = direction === 'input' ? takenAs(kind) : null;
      if (taken !== null) return taken;
      const { $schema: _schema, ...schema } = z.toJSONSchema(documented(kind), { io: direction });
      return schema;
    }
  }
}

/** The schema of a request field where it differs from the one of an answer; null otherwise. */
function takenAs(kind: Kind): Json | null {
  switch (kind.kind) {
    case 'decimal':
      return { type: 'string', pattern: '^\\d+(?:\\.\\d+)?$' };
    case 'decimalOrEmpty':
      return { type: 'string', pattern: '^(?:\\d+(?:\\.\\d+)?)?$' };
    case 'word':
      // Generators make names of the values, in which two that differ only in case collide.
      return {
        type: 'string',
        enum: [...kind.words, ...Object.keys(kind.aliases).filter((word) => !kind.words.some((one) => isSame(one, word)))],
      };
    case 'count':
      return { type: 'integer', minimum: kind.min, description: `A number above ${kind.max} counts as ${kind.max}.` };
    default:
      return null;
  }
}

function isSame(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

function describedObject(fields: Fields, direction: 'input' | 'output'): Json {
  const shown = Object.entries(fields).filter(([, field]) => field.presence !== 'tolerated');
  return {
    type: 'object',
    properties: Object.fromEntries(shown.map(([name, field]) => [name, describedField(field, direction)])),
    required: shown.filter(([, field]) => field.presence === 'required').map(([name]) => name),
  };
}

function describedField(field: Field, direction: 'input' | 'output'): Json {
  const { fallback, kind, presence } = field;
  const schema = described(kind, direction);
  const says = typeof schema['description'] === 'string' ? `${field.doc}. ${schema['description']}` : field.doc;
  const shown = { ...schema, description: says, ...(fallback !== undefined && { default: fallback }) };
  // In a body, an optional parameter may also be null or empty.
  return direction === 'input' && presence !== 'required' ? orNull(shown) : shown;
}

/** The same schema, but null is allowed too. */
function orNull(schema: Json): Json {
  const values = schema['enum'];
  return { ...schema, type: [schema['type'], 'null'], ...(Array.isArray(values) && { enum: [...values, null] }) };
}
