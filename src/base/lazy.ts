/**
 * JSON that is too much for one step. A tree of JSON values may hold late lists, whose entries are made when they are reached; the
 * text of the tree comes in pieces of a few hundred entries, so that whoever writes it can do other things in between.
 */

/** Entries of one piece. */
const PIECE = 256;

/** A list whose entries are made when they are read. They hold no late lists themselves. */
export class Lazy {
  readonly #entries: () => Iterable<unknown>;

  constructor(entries: () => Iterable<unknown>) {
    this.#entries = entries;
  }

  [Symbol.iterator](): Iterator<unknown> {
    return this.#entries()[Symbol.iterator]();
  }

  /** All of it at once, for `JSON.stringify`. */
  toJSON(): unknown[] {
    return [...this];
  }
}

/** The text that `JSON.stringify(value)` would give, in pieces. Whoever stops before the end has to say so by `return`. */
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
