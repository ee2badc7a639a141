/** Parses YAML and keeps the line and column of every value and key for error messages. */
import { isMap, isNode, isScalar, LineCounter, parseDocument, type Document, type ErrorCode, type YAMLParseError } from 'yaml';
import { Failure, type Problem } from '../../base/failure/failure.ts';

const MOST_DUPLICATES = 3;

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
    const problems = independent(document.errors).map((e) => ({
      ...faultOf(e, text),
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

/** A mistake of form makes the parser stumble again further down, so the first is told alone. Each key that stands twice is a mistake of its own. */
function independent(errors: readonly YAMLParseError[]): readonly YAMLParseError[] {
  const first = errors.find(({ code }) => code !== 'DUPLICATE_KEY');
  return first === undefined ? errors.slice(0, MOST_DUPLICATES) : [first];
}

/** The most common mistakes in words, by the code of the parser: what was expected and found ("" for the parser's words), and the right form. */
const FAULTS: Readonly<Partial<Record<ErrorCode, readonly [what: string, hint: string]>>> = {
  TAB_AS_INDENT: ['expected blanks at the beginning of the line, found a tab', 'indent each level by two blanks'],
  BAD_INDENT: [
    'expected the line to begin below the others of its section, found another indentation',
    'indent each level by two blanks, and close a [ with ] and a { with }',
  ],
  MISSING_CHAR: ['', 'write "key: value" with a blank after the colon; close quotes, [ and {'],
  UNEXPECTED_TOKEN: ['', 'put a text with special signs in quotes'],
  BLOCK_AS_IMPLICIT_KEY: [
    'expected one "key: value" in a line, found a second one',
    'begin a new line, and indent the next as this one; or put a text with a colon in quotes',
  ],
  MULTILINE_IMPLICIT_KEY: [
    'expected "key: value" in one line, found a key without a colon',
    'write "key: value" with a blank after the colon',
  ],
  BAD_SCALAR_START: ['expected a value, found a sign that no value begins with', 'put a text that begins with @, ` or % in quotes'],
  BAD_ALIAS: ['expected the name of an anchor that stands above, found another one', 'put a text that begins with * or & in quotes'],
};

function faultOf({ code, message, pos }: YAMLParseError, text: string): Pick<Problem, 'what' | 'hint'> {
  if (code === 'DUPLICATE_KEY')
    return { what: `expected each key once, found the duplicate key ${quoteAt(text, pos[0])}`, hint: 'remove one of them' };
  const known = FAULTS[code];
  if (known === undefined) return { what: firstLine(message) };
  const [what, hint] = known;
  return { what: what === '' ? firstLine(message) : what, hint };
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
