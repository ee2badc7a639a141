/**
 * JSON output in pieces, for documents too large for one step. A tree of JSON values may contain lazy lists, whose entries are created when
 * they are reached. The text comes in pieces of a few hundred entries, so the writer can do other work in between.
 */

/** Entries per piece. */
const PIECE = 256;

/** A list whose entries are created when they are read. Entries must not contain lazy lists. */
export class Lazy {
  readonly #entries: () => Iterable<unknown>;

  constructor(entries: () => Iterable<unknown>) {
    this.#entries = entries;
  }

  [Symbol.iterator](): Iterator<unknown> {
    return this.#entries()[Symbol.iterator]();
  }

  /** The whole list at once, for `JSON.stringify`. */
  toJSON(): unknown[] {
    return [...this];
  }
}

/** The text of `JSON.stringify(value)` in pieces. A reader that stops early must call `return`. */
export function* jsonPieces(value: unknown): Generator<string, void> {
  if (value instanceof Lazy) yield* listPieces(value);
  else if (Array.isArray(value)) {
    let before = '[';
    for (const entry of value) {
      yield before;
      yield* jsonPieces(entry);
      before = ',';
    }
    yield before === '[' ? '[]' : ']';
  } else if (typeof value === 'object' && value !== null) {
    let before = '{';
    for (const [key, entry] of Object.entries(value)) {
      if (entry === undefined) continue;
      yield `${before}${JSON.stringify(key)}:`;
      yield* jsonPieces(entry);
      before = ',';
    }
    yield before === '{' ? '{}' : '}';
  } else yield JSON.stringify(value) ?? 'null';
}

function* listPieces(list: Lazy): Generator<string, void> {
  let before = '[';
  let batch: unknown[] = [];
  for (const entry of list) {
    batch.push(entry);
    if (batch.length < PIECE) continue;
    yield before + JSON.stringify(batch).slice(1, -1);
    before = ',';
    batch = [];
  }
  yield batch.length > 0 ? `${before}${JSON.stringify(batch).slice(1)}` : before === '[' ? '[]' : ']';
}
