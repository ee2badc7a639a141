/** Parses a request body as strict JSON, and describes errors for the caller. */
import { readStrict, type Flaw } from '../strict-json.ts';

export type JsonResult = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly cause: string };

/** Deepest nesting of a request. The deepest one of the interface has 3 levels. */
const MAX_DEPTH = 16;

/** Most entries of all arrays and objects; a batch of the interface has a few hundred. */
const MAX_ENTRIES = 4_000;

/** Keys that could change an object's prototype when it is copied. */
const FORBIDDEN: ReadonlySet<string> = new Set(['__proto__']);

/** Parses `text`; on failure `cause` says what was found. */
export function readJson(text: string): JsonResult {
  const result = readStrict(text, { maxDepth: MAX_DEPTH, maxCommas: MAX_ENTRIES, forbidden: FORBIDDEN });
  return 'flaw' in result ? { ok: false, cause: causeOf(result.flaw) } : { ok: true, value: result.value };
}

function causeOf({ kind, key }: Flaw): string {
  switch (kind) {
    case 'not-json':
      return 'Malformed JSON';
    case 'too-deep':
      return `JSON nested deeper than ${MAX_DEPTH}`;
    case 'too-many':
      return `JSON with more than ${MAX_ENTRIES} entries`;
    case 'duplicate-key':
      return `Duplicate key ${key.slice(0, 40)}`;
    case 'forbidden-key':
      return `Forbidden key ${key}`;
  }
}
