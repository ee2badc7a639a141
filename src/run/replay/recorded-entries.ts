/** A recording that is read entry by entry, while what the kernel gives out is compared with it, up to the first difference. */
import { isDeepStrictEqual } from 'node:util';
import { BODY, type Entry, type EventEntry, type Head, isOutput, type Output, ROWS, SAVED } from '../session/entries.ts';
import { textOf } from './difference.ts';
import { KnownVenue } from './known-venue.ts';

/** The first place where the kernel did something else. */
export interface Divergence {
  /** Number of the event, from 1; 0 before the first. */
  readonly event: number;
  readonly at: number;
  /** Kind of the event, and of its question. */
  readonly kind: string;
  readonly expected: string;
  readonly found: string;
}

/** The event that is being played. */
type Played = Pick<Divergence, 'event' | 'at' | 'kind'>;

export class RecordedEntries {
  /** The entry that comes next; null at the end. */
  next: Entry | null = null;
  divergence: Divergence | null = null;
  /** What the answers so far have shown of the market and the account. */
  readonly known = new KnownVenue();
  readonly #head: Head;
  readonly #entries: Iterator<Entry, unknown>;
  readonly #isWhatIf: boolean;
  #played: Played;

  /** `isWhatIf`: compare commands and questions alone. A changed strategy gives other reasons and saves another state. */
  constructor(head: Head, entries: Iterator<Entry, unknown>, isWhatIf: boolean) {
    this.#head = head;
    this.#entries = entries;
    this.#isWhatIf = isWhatIf;
    this.#played = { event: 0, at: head.startedAt, kind: 'start' };
  }

  /** Goes on to the next entry. */
  advance(): void {
    if (this.next !== null) this.known.follow(this.next);
    this.#read();
  }

  /** The next entry, if it is an event that arrived within the step that is being played. */
  inside(): EventEntry | null {
    const entry = this.next as EventEntry | null;
    if (this.divergence !== null || entry?.isInside !== true) return null;
    this.advance();
    return entry;
  }

  /** What is given out from now on comes from this event. */
  plays(played: Played): void {
    this.#played = played;
  }

  /** The kernel gave `output` out. True if that is the next entry; the recording is one further then. */
  matches(output: Output): boolean {
    if (this.divergence !== null || this.#isIgnored(output)) return false;
    const expected = this.next !== null && isOutput(this.next) ? this.next : null;
    if (expected === null || !isSame(expected, output)) {
      this.differs(expected, output);
      return false;
    }
    this.advance();
    return true;
  }

  /** The kernel gave `found` out where the recording has `expected`; null for nothing. */
  differs(expected: Output | null, found: Output | null): void {
    const { instruments } = this.#head;
    const nothing = 'nothing more';
    this.differsBy(
      expected === null ? nothing : textOf(expected, instruments, found),
      found === null ? nothing : textOf(found, instruments, expected),
    );
  }

  /** The same in words. Only the first difference counts. */
  differsBy(expected: string, found: string): void {
    this.divergence ??= { ...this.#played, expected, found };
  }

  /** The entries from the next one on. */
  *rest(): Generator<Entry> {
    for (; this.next !== null; this.#read()) {
      this.known.follow(this.next);
      yield this.next;
    }
  }

  #read(): void {
    do {
      const result = this.#entries.next();
      this.next = result.done === true ? null : result.value;
    } while (this.next !== null && this.#isIgnored(this.next));
  }

  #isIgnored({ kind }: Entry): boolean {
    return kind === BODY || (this.#isWhatIf && (kind === ROWS || kind === SAVED));
  }
}

/** Most outputs have numbers and words alone, which are compared here: the deep comparison takes many times as long. */
function isSame(expected: Output, output: Output): boolean {
  if (expected.kind === output.kind && 'body' in expected && 'body' in output && hasSame(expected.body, output.body)) return true;
  return isDeepStrictEqual(expected, output);
}

/** True if both have the same fields, with the same numbers, words or objects. */
function hasSame(one: object, other: object): boolean {
  const fields = one as Readonly<Record<string, unknown>>;
  const others = other as Readonly<Record<string, unknown>>;
  let count = 0;
  for (const key in fields) {
    if (!Object.is(fields[key], others[key])) return false;
    count++;
  }
  for (const key in others) {
    if (!(key in fields)) return false;
    count--;
  }
  return count === 0;
}
