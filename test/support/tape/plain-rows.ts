/** The rows of a stream of any kind with numbers as people write them. */
import { rateOf } from '../../../src/tape/file/funding-rates.ts';
import type { TapeStream } from '../../../src/tape/file/stream.ts';

export function plainRows(stream: TapeStream): (number | string)[][] {
  const rows: (number | string)[][] = [];
  const { priceDecimals, sizeDecimals } = stream.scale;
  const price = (value: number): number => value / 10 ** priceDecimals;
  const size = (value: number): number => value / 10 ** sizeDecimals;
  stream.rewind();
  while (stream.next()) {
    for (let i = 0; i < stream.length; i++) rows.push([stream.time[i]!, ...cells(stream, i, price, size)]);
  }
  stream.close();
  return rows;
}

function cells(stream: TapeStream, i: number, price: (v: number) => number, size: (v: number) => number): (number | string)[] {
  switch (stream.kind) {
    case 'trades':
      return [stream.id[i] ?? 0, price(stream.price[i]!), size(stream.size[i]!), stream.side[i] === 0 ? 'BUY' : 'SELL'];
    case 'quotes':
      return [price(stream.bid[i]!), size(stream.bidSize[i]!), price(stream.ask[i]!), size(stream.askSize[i]!)];
    case 'bars':
      return [...[stream.open, stream.high, stream.low, stream.last].map((column) => price(column[i]!)), size(stream.volume[i]!)];
    case 'marks':
      return [price(stream.mark[i]!)];
    case 'funding':
      return [rateOf(stream.rate[i]!) / 1e12];
  }
}
