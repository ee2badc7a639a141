/**
 * Strict JSON parser for text that decides about money. `{"code":"40011","code":"00000"}` is ambiguous, so a duplicate key makes a text
 * unreadable, and so does excessive nesting. Client and server use the same rule.
 */

/** Deepest accepted nesting. */
const MAX_DEPTH = 64;

export type FlawKind = 'not-json' | 'too-deep' | 'too-many' | 'duplicate-key' | 'forbidden-key';

export interface Flaw {
  readonly kind: FlawKind;
  /** The key concerned, or "". */
  readonly key: string;
}

export interface Strictness {
  /** Deepest nesting of arrays and objects. */
  readonly maxDepth: number;
  /** Most commas outside strings, in all objects and arrays together. Default: no limit. */
  readonly maxCommas?: number | undefined;
  /** Keys that no object may contain. Default: none. */
  readonly forbidden?: ReadonlySet<string> | undefined;
}

export type StrictResult = { readonly value: unknown } | { readonly flaw: Flaw };

/** Parses `text`. Returns the kind of flaw as `error` if it is not JSON, nested too deep, or has a duplicate key. */
export function parseStrict(text: string): { value: unknown } | { error: string } {
  const result = readStrict(text, { maxDepth: MAX_DEPTH });
  return 'flaw' in result ? { error: result.flaw.kind } : result;
}

/** Parses `text`, or returns its flaw. */
export function readStrict(text: string, strictness: Strictness): StrictResult {
  const flaw = findFlaw(text, strictness);
  if (flaw !== null) return { flaw };
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return { flaw: NOT_JSON };
  }
}

const NOT_JSON: Flaw = { kind: 'not-json', key: '' };

/**
 * Scans the characters once, before the parser. It only follows strings and brackets, so it may miss text that is not JSON; the parser
 * refuses that.
 */
function findFlaw(text: string, { maxDepth, maxCommas = Infinity, forbidden }: Strictness): Flaw | null {
  const keys: (Set<string> | null)[] = [];
  let commas = 0;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c === 123 || c === 91) {
      if (keys.length === maxDepth) return { kind: 'too-deep', key: '' };
      keys.push(c === 123 ? new Set() : null);
    } else if (c === 125 || c === 93) {
      keys.pop();
    } else if (c === 44) {
      if (++commas > maxCommas) return { kind: 'too-many', key: '' };
    } else if (c === 34) {
      const end = endOfString(text, i);
      if (end < 0) return NOT_JSON;
      const seen = keys.at(-1);
      if (seen !== undefined && seen !== null && isKey(text, end + 1)) {
        const key = readKey(text.slice(i, end + 1));
        if (key === null) return NOT_JSON;
        if (forbidden?.has(key)) return { kind: 'forbidden-key', key };
        if (seen.has(key)) return { kind: 'duplicate-key', key };
        seen.add(key);
      }
      i = end;
    }
  }
  return null;
}

/** Index of the closing quote of the string that opens at `start`, or −1. */
function endOfString(text: string, start: number): number {
  for (let i = start + 1; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c === 34) return i;
    if (c === 92) i++;
  }
  return -1;
}

/** True if the next character after white space is a colon: the string before it is a key. */
function isKey(text: string, from: number): boolean {
  for (let i = from; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c === 58) return true;
    if (c !== 32 && c !== 9 && c !== 10 && c !== 13) return false;
  }
  return false;
}

/** Decodes the key: "\u0063ode" and "code" are equal. */
function readKey(quoted: string): string | null {
  if (!quoted.includes('\\')) return quoted.slice(1, -1);
  try {
    return JSON.parse(quoted) as string;
  } catch {
    return null;
  }
}
