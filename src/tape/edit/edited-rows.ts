/** Rows from the streams of a tape to the writer of another. */
import { pow10 } from '../../domain/amounts/scale.ts';
import type { SymbolInfo } from '../file/manifest.ts';
import type { TapeStream } from '../file/stream.ts';
import type { StreamScale } from '../write/assemble.ts';
import type { TapeWriter } from '../write.ts';
import type { StreamWriter } from '../write/stream-writer.ts';

/** Writes rows of tapes whose decimals are at most those of the writer. */
export class RowCopier {
  readonly #writer: StreamWriter;
  readonly #stream: TapeStream;
  readonly #price: number;
  readonly #size: number;

  constructor(stream: TapeStream, writer: StreamWriter) {
    this.#stream = stream;
    this.#writer = writer;
    this.#price = pow10(writer.priceDecimals - stream.scale.priceDecimals);
    this.#size = pow10(writer.sizeDecimals - stream.scale.sizeDecimals);
  }

  /** Copies row `i` of the current block; `id` instead of the id of a trade. @throws TapeError order | range | unwritable */
  copy(i: number, id = this.#stream.id[i]!): void {
    const stream = this.#stream;
    const writer = this.#writer;
    const p = this.#price;
    const s = this.#size;
    const time = stream.time[i]!;
    switch (stream.kind) {
      case 'trades':
        return writer.trade(time, id, stream.price[i]! * p, stream.size[i]! * s, stream.side[i]!);
      case 'quotes':
        return writer.quote(time, stream.bid[i]! * p, stream.bidSize[i]! * s, stream.ask[i]! * p, stream.askSize[i]! * s);
      case 'bars': {
        const { open, high, low, last, volume } = stream;
        return writer.bar(time, open[i]! * p, high[i]! * p, low[i]! * p, last[i]! * p, volume[i]! * s);
      }
      case 'marks':
        return writer.single(time, stream.mark[i]! * p);
      case 'funding':
        return writer.single(time, stream.rate[i]!);
    }
  }
}

/** Finishes the tape that `body` writes, or leaves nothing behind. */
export function written<T>(writer: TapeWriter, body: () => T): T {
  try {
    return body();
  } catch (error) {
    writer.abort();
    throw error;
  }
}

/** Decimals as the source of a tape wrote them. */
export function writtenScale({ writtenPriceDecimals, writtenSizeDecimals }: SymbolInfo): StreamScale {
  return { priceDecimals: writtenPriceDecimals, sizeDecimals: writtenSizeDecimals };
}
