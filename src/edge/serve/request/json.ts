/** Parses a request body as strict JSON, and refuses what is not. */
import { GeneralRefusal } from '../../../contract/endpoints/general-refusals.ts';
import { readStrict, type Flaw } from '../../strict-json.ts';

export type JsonResult = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly refusal: GeneralRefusal };

/** Deepest nesting of a request. The deepest one of the interface has 3 levels. */
const MAX_DEPTH = 16;

/** Most entries of all arrays and objects; a batch of the interface has a few hundred. */
const MAX_ENTRIES = 4_000;

/** Keys that could change an object's prototype when it is copied. */
const FORBIDDEN: ReadonlySet<string> = new Set(['__proto__']);

/** Parses `text`. A refusal says what was found. */
export function readJson(text: string): JsonResult {
  const result = readStrict(text, { maxDepth: MAX_DEPTH, maxCommas: MAX_ENTRIES, forbidden: FORBIDDEN });
  return 'flaw' in result ? { ok: false, refusal: refusalOf(result.flaw) } : { ok: true, value: result.value };
}

function refusalOf({ kind, key }: Flaw): GeneralRefusal {
  switch (kind) {
    case 'not-json':
      return new GeneralRefusal('malformedJson');
    case 'too-deep':
      return new GeneralRefusal('tooDeep', String(MAX_DEPTH));
    case 'too-many':
      return new GeneralRefusal('tooMany', String(MAX_ENTRIES));
    case 'duplicate-key':
      return new GeneralRefusal('duplicateKey', key.slice(0, 40));
    case 'forbidden-key':
      return new GeneralRefusal('forbiddenKey', key);
  }
}
