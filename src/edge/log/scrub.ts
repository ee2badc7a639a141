/**
 * Makes values safe to print: plain JSON of bounded depth and length, without fields named like a secret, and without any known secret's
 * value in any encoding.
 */
import { Secret } from '../../base/secret.ts';

const SECRET_NAMES =
  /^(access[-_]?)?(key|sign|signature|passphrase|secret|password|token|authorization|cookie)$|secret|passphrase|api[-_]?key/i;
const MAX_DEPTH = 6;
const MAX_ITEMS = 100;
const MAX_TEXT = 4_096;

/** True for names of fields whose values never appear. */
function isSecretName(name: string): boolean {
  return SECRET_NAMES.test(name);
}

/** Names of fields that are points in time; lengths of time end in `Ms`. */
const TIME_NAMES = /^(since|until|at|time)$|At$/;
/** Years 1973 to 5138 in milliseconds since 1970: smaller numbers are not times of this world. */
const FIRST_TIME = 1e11;
const LAST_TIME = 1e14;

function isTime(name: string, item: unknown): item is number {
  return typeof item === 'number' && item >= FIRST_TIME && item < LAST_TIME && TIME_NAMES.test(name);
}

/**
 * Copies `value` into plain JSON values. Times by the names above become ISO text in UTC. BigInt and non-finite numbers become text, errors
 * and maps become objects, cycles and deep levels are cut.
 */
export function toPlain(value: unknown, depth = 0, above: readonly object[] = []): unknown {
  switch (typeof value) {
    case 'string':
      return value.length > MAX_TEXT ? `${value.slice(0, MAX_TEXT)}…` : value;
    case 'number':
      return Number.isFinite(value) ? value : String(value);
    case 'bigint':
      return String(value);
    case 'boolean':
    case 'undefined':
      return value;
    case 'object':
      return value === null ? null : objectToPlain(value, depth, above);
    default:
      return `[${typeof value}]`;
  }
}

function objectToPlain(value: object, depth: number, above: readonly object[]): unknown {
  if (value instanceof Secret) return '[secret]';
  if (above.includes(value)) return '[circular]';
  if (depth >= MAX_DEPTH) return '[deep]';
  const path = [...above, value];
  const inner = (x: unknown): unknown => toPlain(x, depth + 1, path);
  if (Array.isArray(value) || value instanceof Set) return [...value].slice(0, MAX_ITEMS).map(inner);
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString();
  if (value instanceof URL) return value.origin + value.pathname;
  const entries: Iterable<[string, unknown]> =
    value instanceof Map ? [...value].map(([k, v]): [string, unknown] => [String(k), v]) : entriesOf(value);
  const plain: Record<string, unknown> = {};
  let count = 0;
  for (const [name, item] of entries) {
    if (++count > MAX_ITEMS) break;
    plain[name] = isSecretName(name) ? '[secret]' : isTime(name, item) ? new Date(item).toISOString() : inner(item);
  }
  return plain;
}

function entriesOf(value: object): [string, unknown][] {
  if (!(value instanceof Error)) return Object.entries(value);
  const own = Object.entries(value).filter(([name]) => name !== 'message' && name !== 'stack' && name !== 'cause');
  const head: [string, unknown][] = [
    ['name', value.name],
    ['message', value.message],
    ['stack', value.stack],
  ];
  return value.cause === undefined ? [...head, ...own] : [...head, ...own, ['cause', value.cause]];
}

/** Replaces every known secret in a finished line, in plain text, JSON, base64, hex and URL encoding. */
export class Scrubber {
  readonly #pattern: RegExp | null;

  /** Leaves out secrets shorter than four characters, which would blank ordinary words. */
  constructor(secrets: readonly Secret[]) {
    const spellings = new Set(secrets.flatMap((secret) => spellingsOf(secret.reveal())));
    const sources = [...spellings].sort((a, b) => b.length - a.length).map((text) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'));
    this.#pattern = sources.length === 0 ? null : new RegExp(sources.join('|'), 'g');
  }

  scrub(line: string): string {
    return this.#pattern === null ? line : line.replace(this.#pattern, '[secret]');
  }
}

function spellingsOf(value: string): string[] {
  if (value.length < 4) return [];
  const bytes = Buffer.from(value, 'utf8');
  const hex = bytes.toString('hex');
  const base64 = bytes.toString('base64');
  return [
    value,
    JSON.stringify(value).slice(1, -1),
    hex,
    hex.toUpperCase(),
    base64,
    base64.replace(/=+$/, ''),
    bytes.toString('base64url'),
    encodeURIComponent(value),
    new URLSearchParams([['', value]]).toString().slice(1),
  ];
}
