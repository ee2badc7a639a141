/** Rows of one instrument's market as other instruments have them, on another grid. @hot */
import type { TapeStream } from '../tape/stream.ts';

/** Ratios are whole: ticks and lots of the mirror per tick and lot of the stream's instrument. */
export interface Mirror {
  readonly instrument: number;
  readonly priceRatio: number;
  readonly sizeRatio: number;
}

/** Where a stream's rows go. */
export interface Feed {
  readonly instrument: number;
  readonly mirrors: readonly Mirror[];
}

/** One row as columns. */
export class MirrorRow {
  readonly time = new Float64Array(1);
  readonly price = new Float64Array(1);
  readonly size = new Float64Array(1);
  readonly side = new Uint8Array(1);
  readonly bid = new Float64Array(1);
  readonly bidSize = new Float64Array(1);
  readonly ask = new Float64Array(1);
  readonly askSize = new Float64Array(1);

  setTrade(stream: TapeStream, r: number, m: Mirror): void {
    this.time[0] = stream.time[r]!;
    this.price[0] = stream.price[r]! * m.priceRatio;
    this.size[0] = stream.size[r]! * m.sizeRatio;
    this.side[0] = stream.side[r]!;
  }

  setQuote(stream: TapeStream, r: number, m: Mirror): void {
    this.time[0] = stream.time[r]!;
    this.bid[0] = stream.bid[r]! * m.priceRatio;
    this.bidSize[0] = stream.bidSize[r]! * m.sizeRatio;
    this.ask[0] = stream.ask[r]! * m.priceRatio;
    this.askSize[0] = stream.askSize[r]! * m.sizeRatio;
  }
}
