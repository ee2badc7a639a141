/** Quotes with a wider spread than recorded, for a reading with worse prices. */
import type { BlockSource, Column, TapeStream } from './file/stream.ts';

/** Moves bid and ask apart until the spread is `factor` times as wide, rounded up to whole ticks; an odd tick goes to the ask. */
export class WideSource implements BlockSource {
  readonly #inner: BlockSource;
  readonly #factor: number;
  #bid: Column | null = null;
  #ask: Column | null = null;

  constructor(inner: BlockSource, factor: number) {
    this.#inner = inner;
    this.#factor = factor;
  }

  load(stream: TapeStream, block: number): number {
    const rows = this.#inner.load(stream, block);
    if (rows === 0 || stream.kind !== 'quotes') return rows;
    // The columns of a loaded tape are shared with other cursors. A file is read into the columns that the stream has: these, from then on.
    const bid = stream.bid === this.#bid ? this.#bid : stream.bid.slice();
    const ask = stream.ask === this.#ask ? this.#ask : stream.ask.slice();
    for (let r = 0; r < rows; r++) {
      // A side without orders is 0.
      if (bid[r]! <= 0 || ask[r]! <= bid[r]!) continue;
      const more = Math.ceil((ask[r]! - bid[r]!) * (this.#factor - 1));
      bid[r] = Math.max(1, bid[r]! - Math.floor(more / 2));
      ask[r] = ask[r]! + Math.ceil(more / 2);
    }
    stream.bid = this.#bid = bid;
    stream.ask = this.#ask = ask;
    return rows;
  }

  close(): void {
    this.#inner.close();
  }
}
