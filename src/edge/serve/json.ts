/**
 * Reads a request body as JSON, strictly: what two readers could understand differently (a key said twice) or what is made to
 * harm (`__proto__`, endless nesting) is refused before a value is built.
 */

export type JsonResult = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly cause: string };

/** Deepest nesting of arrays and objects a request may have. The deepest request of the interface has 3. */
export const MAX_DEPTH = 16;

/** Parses `text`; on refusal `cause` says what was found. */
export function readJson(text: string, maxDepth: number = MAX_DEPTH): JsonResult {
  const shape = scan(text, maxDepth);
  if (shape !== null) return { ok: false, cause: shape };
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch {
    return { ok: false, cause: 'Malformed JSON' };
  }
}

const QUOTE = 34;
const COLON = 58;
const BACKSLASH = 92;
const OPEN_ARRAY = 91;
const CLOSE_ARRAY = 93;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;

/** One pass over the characters: depth, repeated keys, forbidden keys. Syntax is left to JSON.parse. */
function scan(text: string, maxDepth: number): string | null {
  /** Keys seen in each open object, null for an open array. */
  const open: (Set<string> | null)[] = [];
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c === QUOTE) {
      const end = endOfString(text, i);
      if (end < 0) return 'Malformed JSON';
      const keys = open[open.length - 1];
      if (keys != null && isKey(text, end + 1)) {
        const cause = addKey(keys, text.slice(i, end + 1));
        if (cause !== null) return cause;
      }
      i = end;
    } else if (c === OPEN_OBJECT || c === OPEN_ARRAY) {
      if (open.length === maxDepth) return `JSON nested deeper than ${maxDepth}`;
      open.push(c === OPEN_OBJECT ? new Set() : null);
    } else if (c === CLOSE_OBJECT || c === CLOSE_ARRAY) {
      open.pop();
    }
  }
  return null;
}

/** Index of the quote that closes the string opened at `start`, or −1. */
function endOfString(text: string, start: number): number {
  for (let i = start + 1; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c === BACKSLASH) i++;
    else if (c === QUOTE) return i;
  }
  return -1;
}

/** True when a colon follows, over blanks. */
function isKey(text: string, after: number): boolean {
  let i = after;
  let c = text.charCodeAt(i);
  while (c === 32 || c === 10 || c === 13 || c === 9) c = text.charCodeAt(++i);
  return c === COLON;
}

function addKey(keys: Set<string>, quoted: string): string | null {
  let key = quoted.slice(1, -1);
  if (key.includes('\\')) {
    try {
      key = JSON.parse(quoted) as string;
    } catch {
      return 'Malformed JSON';
    }
  }
  if (key === '__proto__') return 'Forbidden key __proto__';
  if (keys.has(key)) return `Duplicate key ${key.slice(0, 40)}`;
  keys.add(key);
  return null;
}
