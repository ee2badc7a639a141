/** Parses the parameters of a request: its query as strings, or its body as strict JSON in UTF-8. */
import type { IncomingHttpHeaders } from 'node:http';
import { readJson } from './json.ts';
import { GeneralRefusal } from '../../../contract/endpoints/general-refusals.ts';

const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i;
const CHARSET = /;\s*charset\s*=\s*"?([\w-]+)/i;
const UTF8 = /^utf-?8$/i;

/** The parsed parameters, or the refusal of an unreadable request. */
export interface Wire {
  readonly params: unknown;
  readonly refusal: GeneralRefusal | null;
}

/** Used for an unauthenticated caller: the body is not parsed, and the handler refuses the request. */
export const UNREAD: Wire = { params: undefined, refusal: null };

/** Parses the query into an object of strings. A repeated parameter is refused, because it is ambiguous. */
export function readQuery(target: string, mark: number): Wire {
  const params: Record<string, string> = {};
  if (mark < 0) return { params, refusal: null };
  for (const [name, value] of new URLSearchParams(target.slice(mark + 1))) {
    if (Object.hasOwn(params, name) || name === '__proto__') {
      return { params: undefined, refusal: new GeneralRefusal('badParameter', name.slice(0, 40)) };
    }
    params[name] = value;
  }
  return { params, refusal: null };
}

/** Parses the body as JSON. An empty body means no parameters. */
export function readPosted(text: string, headers: IncomingHttpHeaders): Wire {
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') return { params: undefined, refusal: new GeneralRefusal('encoded') };
  if (text === '') return { params: {}, refusal: null };
  const type = headers['content-type'] ?? '';
  if (!JSON_TYPE.test(type) || !UTF8.test(CHARSET.exec(type)?.[1] ?? 'utf-8'))
    return { params: undefined, refusal: new GeneralRefusal('notJson') };
  const json = readJson(text);
  return json.ok ? { params: json.value, refusal: null } : { params: undefined, refusal: json.refusal };
}
