/**
 * A stream of changes for any number of readers. Each reads at its own pace from the ring: nobody is waited for, and who is too far behind
 * begins again with a reset.
 */
import { ChangeRing } from './change-ring.ts';
import type { ChangeKind } from './changes.ts';

/** Lines for one reader: first those of `past`, then each new one by `begin`. */
export interface ChangeLines {
  readonly past: Iterable<string>;
  /** `write` returns false once the reader has gone. The returned function is called at its end. */
  readonly begin: (write: (line: string) => boolean) => () => void;
}

export interface StreamSource {
  now(): number;
  /** JSON text of what holds now (NowRow). */
  snapshot(): string;
  /** Called when a reader has come, and when there is none. */
  onReaders(isRead: boolean): void;
}

export class ChangeStream {
  #ring: ChangeRing;
  #era = 0;
  readonly #boot: string;
  readonly #source: StreamSource;
  readonly #readers = new Set<(line: string) => boolean>();

  constructor(boot: string, source: StreamSource) {
    this.#boot = boot;
    this.#ring = new ChangeRing(`${boot}.0`);
    this.#source = source;
  }

  /** `payload` is the JSON text of what the change carries. */
  add(kind: ChangeKind, payload: string): void {
    this.#give(this.#ring.add(kind, this.#source.now(), payload));
  }

  /** Tells every reader to begin again, also one that is away for a moment: changes were lost. */
  reset(): void {
    this.forget();
    this.#give(this.#resetLine());
  }

  /** Drops all lines: changes were not noted, so no reader can resume. */
  forget(): void {
    this.#ring = new ChangeRing(`${this.#boot}.${++this.#era}`);
  }

  /** The lines after the change `after`; "" begins with a reset. */
  open(after: string): ChangeLines {
    this.#source.onReaders(true);
    if (this.#readers.size === 0) this.#source.onReaders(false);
    return {
      past: this.#past(this.#ring, this.#ring.after(after)),
      begin: (write) => {
        this.#source.onReaders(true);
        this.#readers.add(write);
        return () => this.#leave(write);
      },
    };
  }

  *#past(from: ChangeRing, number: number | null): Generator<string> {
    let [ring, next] = [from, number];
    for (;;) {
      if (ring !== this.#ring || next === null || (next < ring.next && ring.line(next) === undefined)) {
        ring = this.#ring;
        next = ring.next;
        yield this.#resetLine();
        continue;
      }
      const line = ring.line(next);
      if (line === undefined) return;
      next++;
      yield line;
    }
  }

  #resetLine(): string {
    return this.#ring.reset(this.#source.now(), this.#source.snapshot());
  }

  #give(line: string): void {
    for (const write of this.#readers) if (!write(line)) this.#leave(write);
  }

  #leave(write: (line: string) => boolean): void {
    if (this.#readers.delete(write) && this.#readers.size === 0) this.#source.onReaders(false);
  }
}
