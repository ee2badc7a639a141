/**
 * The newest changes of a stream as lines, with their ids. Bounded by number and by size: the oldest are dropped, and a reader that needs them
 * begins again with a reset.
 */
import { CHANGES_KEPT, type ChangeKind } from './changes.ts';

/** Characters of all lines that are kept. */
const SIZE_MAX = 8 << 20;

export class ChangeRing {
  readonly boot: string;
  readonly #most: number;
  #lines: string[] = [];
  /** Number of the first line that is kept. */
  #first = 1;
  #size = 0;

  /** `boot` names the process: ids of another one cannot be resumed. */
  constructor(boot: string, most = CHANGES_KEPT) {
    this.boot = boot;
    this.#most = most;
  }

  /** Number of the next line. */
  get next(): number {
    return this.#first + this.#lines.length;
  }

  /** Adds a change. `payload` is the JSON text of what it carries. Returns its line. */
  add(kind: ChangeKind, time: number, payload: string): string {
    const line = lineOf(`${this.boot}-${this.next}`, kind, time, payload);
    this.#lines.push(line);
    this.#size += line.length;
    if (this.#lines.length > this.#most || this.#size > SIZE_MAX) this.#drop();
    return line;
  }

  /** The line that begins a stream which cannot be resumed: what holds now, as JSON text. It resumes after the newest line. */
  reset(time: number, now: string): string {
    return lineOf(`${this.boot}-${this.next - 1}`, 'reset', time, `{"boot":"${this.boot}","now":${now}}`);
  }

  /** Number of the line after the one with this id; null if it cannot be resumed. */
  after(id: string): number | null {
    const [boot, text = ''] = id.split('-', 2);
    if (boot !== this.boot || !/^\d{1,15}$/.test(text)) return null;
    const next = Number(text) + 1;
    return next >= this.#first && next <= this.next ? next : null;
  }

  /** The line of this number; undefined if it was dropped or is not there yet. */
  line(number: number): string | undefined {
    return this.#lines[number - this.#first];
  }

  /** Drops the oldest quarter at once, so that lines are rarely moved. */
  #drop(): void {
    let dropped = 0;
    const [lines, size] = [0.75 * this.#most, 0.75 * SIZE_MAX];
    while (this.#lines.length - dropped > lines || this.#size > size) this.#size -= this.#lines[dropped++]!.length;
    this.#lines = this.#lines.slice(dropped);
    this.#first += dropped;
  }
}

function lineOf(id: string, kind: ChangeKind, time: number, payload: string): string {
  return `{"id":"${id}","kind":"${kind}","time":${time},"${kind}":${payload}}\n`;
}
