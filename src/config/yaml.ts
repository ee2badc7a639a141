/** Parses YAML and keeps the line and column of every value and key for error messages. */
import { isMap, isNode, isScalar, LineCounter, parseDocument, type Document } from 'yaml';
import { Failure } from '../base/failure.ts';

const MOST_ERRORS = 3;

export interface PlacedYaml {
  /** Plain objects, lists, text, numbers; an empty file is an empty object. */
  readonly value: unknown;
  /** "file:line:column" of the value at `path`, or of the nearest section above it. */
  at(path: readonly PropertyKey[]): string;
  /** "file:line:column" of the key itself. */
  keyAt(path: readonly PropertyKey[]): string;
  /** The scalar at `path` as it is written, or null. */
  source(path: readonly PropertyKey[]): string | null;
}

/** @throws Failure (configuration) on a syntax error or a duplicate key */
export function parseYaml(text: string, file: string): PlacedYaml {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, uniqueKeys: true, prettyErrors: false, version: '1.2' });
  const place = (offset: number): string => {
    const { line, col } = lines.linePos(offset);
    return `${file}:${Math.max(line, 1)}:${Math.max(col, 1)}`;
  };
  if (document.errors.length > 0) {
    // Later errors mostly follow from the first few.
    const problems = document.errors.slice(0, MOST_ERRORS).map((e) => ({
      what: e.code === 'DUPLICATE_KEY' ? `duplicate key ${quoteAt(text, e.pos[0])}` : firstLine(e.message),
      where: place(e.pos[0]),
    }));
    throw new Failure('yaml-syntax', problems);
  }
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: 50 }) ?? {};
  } catch (error) {
    throw new Failure('yaml-syntax', { what: firstLine((error as Error).message), where: file }, { cause: error });
  }
  const at = (path: readonly PropertyKey[]): string => {
    for (let length = path.length; length > 0; length--) {
      const node = document.getIn(path.slice(0, length), true);
      if (isNode(node) && node.range) return place(node.range[0]);
    }
    return place(document.contents?.range?.[0] ?? 0);
  };
  const keyAt = (path: readonly PropertyKey[]): string => {
    const parent = path.length === 1 ? document.contents : document.getIn(path.slice(0, -1), true);
    const pair = isMap(parent) ? parent.items.find((p) => isScalar(p.key) && String(p.key.value) === path.at(-1)) : undefined;
    return pair && isScalar(pair.key) && pair.key.range ? place(pair.key.range[0]) : at(path);
  };
  return { value, at, keyAt, source: (path) => sourceOf(document, path) };
}

function sourceOf(document: Document, path: readonly PropertyKey[]): string | null {
  const node = document.getIn(path, true);
  return isScalar(node) ? (node.source ?? String(node.value)) : null;
}

function quoteAt(text: string, offset: number): string {
  return JSON.stringify(/^[^\s:]{1,60}/.exec(text.slice(offset))?.[0] ?? '');
}

function firstLine(message: string): string {
  return message.split('\n', 1)[0] ?? message;
}
