/** Writes a tape as CSV, a file for each symbol and kind, in the form that the import reads: digit for digit the same tape again. */
import { closeSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { DIRECTIONS } from '../../domain/codes.ts';
import { formatScaledShort } from '../../domain/scale.ts';
import { TapeError } from '../error.ts';
import { rateOf } from '../funding.ts';
import type { TapeKind } from '../manifest.ts';
import { readManifest } from '../read.ts';
import { streamsOf } from '../streams-of.ts';
import type { TapeStream } from '../stream.ts';

export interface ExportedFile {
  readonly file: string;
  readonly symbol: string;
  readonly kind: TapeKind;
  readonly rows: number;
}

const HEADERS: Readonly<Record<TapeKind, string>> = {
  trades: 'symbol,tradeId,price,size,side,ts',
  quotes: 'symbol,bidPrice,bidQty,askPrice,askQty,ts',
  bars: 'symbol,ts,open,high,low,close,volume',
  marks: 'symbol,ts,markPrice',
  funding: 'symbol,ts,fundingRate',
};
const TEXT_AT_ONCE = 1 << 18;

/** @throws TapeError as readManifest, and exists | unwritable; a file is whole or not there */
export function exportCsv(tape: string, folder: string): ExportedFile[] {
  const manifest = readManifest(tape);
  try {
    mkdirSync(folder, { recursive: true });
    return streamsOf(tape, manifest, () => true, true).map((stream) => {
      const file = join(folder, `${stream.symbol}.${stream.kind}.csv`);
      const part = `${file}.partial`;
      try {
        writeStream(stream, part);
        renameSync(part, file);
      } catch (error) {
        rmSync(part, { force: true });
        throw error;
      }
      return { file, symbol: stream.symbol, kind: stream.kind, rows: stream.rows };
    });
  } catch (error) {
    if (error instanceof TapeError) throw error;
    throw new TapeError(
      'unwritable',
      `files were expected to be written, found ${String(error)}`,
      folder,
      'check the path and the space on the disk',
      { cause: error },
    );
  }
}

function writeStream(stream: TapeStream, path: string): void {
  const file = openSync(path, 'w');
  try {
    let text = `${HEADERS[stream.kind]}\n`;
    while (stream.next()) {
      for (let row = 0; row < stream.length; row++) {
        text += `${stream.symbol},${fieldsOf(stream, row)}\n`;
        if (text.length < TEXT_AT_ONCE) continue;
        writeSync(file, text);
        text = '';
      }
    }
    writeSync(file, text);
  } finally {
    closeSync(file);
    stream.close();
  }
}

function fieldsOf(stream: TapeStream, row: number): string {
  const { priceDecimals, sizeDecimals } = stream.scale;
  const price = (value: number | undefined): string => formatScaledShort(value!, priceDecimals);
  const size = (value: number | undefined): string => formatScaledShort(value!, sizeDecimals);
  const time = stream.time[row]!;
  switch (stream.kind) {
    case 'trades':
      return `${stream.id[row]},${price(stream.price[row])},${size(stream.size[row])},${DIRECTIONS[stream.side[row]!]},${time}`;
    case 'quotes':
      return `${price(stream.bid[row])},${size(stream.bidSize[row])},${price(stream.ask[row])},${size(stream.askSize[row])},${time}`;
    case 'bars':
      return `${time},${price(stream.open[row])},${price(stream.high[row])},${price(stream.low[row])},${price(stream.last[row])},${size(stream.volume[row])}`;
    case 'marks':
      return `${time},${price(stream.mark[row])}`;
    case 'funding':
      return `${time},${formatScaledShort(rateOf(stream.rate[row]!), 12)}`;
  }
}
