/** Times in which something held, for charts: halts, and times without prices. The newest are kept. Times are milliseconds since 1970. */
import type { HaltAnswer } from '../../control/answers.ts';
import type { ConnectionRow, StatusRow } from '../../control/changes.ts';

export interface HaltSpan extends Pick<HaltAnswer, 'scope' | 'code' | 'detail' | 'since'> {
  /** Time when the halt was not there any more; 0 while it holds. */
  readonly until: number;
}

export interface BlindSpan {
  /** Time when a price was read last, and when one was read again; 0 while none is. */
  readonly from: number;
  readonly until: number;
  readonly cause: string;
}

const KEPT = 500;
/** Prices that were read longer ago are no prices of now. */
const BLIND_MS = 10_000;

export class HaltSpans {
  #spans: HaltSpan[] = [];

  /** Oldest first. */
  get all(): readonly HaltSpan[] {
    return this.#spans;
  }

  /** Takes all halts that hold at `time`. */
  take(halts: readonly HaltAnswer[], time: number): void {
    const held = new Map(halts.map((halt) => [keyOf(halt), halt]));
    this.#spans = this.#spans.map((span) => (span.until === 0 && !held.has(keyOf(span)) ? { ...span, until: time } : span));
    const known = new Set(this.#spans.filter(({ until }) => until === 0).map(keyOf));
    for (const [key, { scope, code, detail, since }] of held)
      if (!known.has(key)) this.#spans.push({ scope, code, detail, since, until: 0 });
    if (this.#spans.length > KEPT) this.#spans = this.#spans.slice(-KEPT);
  }
}

const keyOf = ({ scope, code, since }: Pick<HaltSpan, 'scope' | 'code' | 'since'>): string => `${scope} ${code} ${since}`;

export class BlindSpans {
  readonly #spans: BlindSpan[] = [];

  /** Oldest first. */
  get all(): readonly BlindSpan[] {
    return this.#spans;
  }

  /** The bot was heard. */
  status({ time, readAt }: Pick<StatusRow, 'time' | 'readAt'>): void {
    const read = readAt?.prices ?? 0;
    if (read === 0) return;
    if (time - read > BLIND_MS) this.#begin(read, 'the bot read no price');
    else this.#end(read);
  }

  /** The bot is heard, or is not. */
  connection({ state, heardAt, since }: ConnectionRow): void {
    if (state === 'lost' || state === 'stopped')
      this.#begin(heardAt || since, state === 'lost' ? 'the bot was lost' : 'the bot was stopped');
  }

  #begin(from: number, cause: string): void {
    if (this.#spans.at(-1)?.until === 0) return;
    this.#spans.push({ from, until: 0, cause });
    if (this.#spans.length > KEPT) this.#spans.shift();
  }

  /** A price was read at this time. */
  #end(until: number): void {
    const last = this.#spans.at(-1);
    if (last?.until === 0 && until > last.from) this.#spans[this.#spans.length - 1] = { ...last, until };
  }
}
