/** The two places blocks come from: a file, decoded as it is read, and memory, where they were decoded once. */
import { resolve } from 'node:path';
import { BlockReader, REDO, type BlockHead } from './file/block.ts';
import { BLOCK_ROWS, decodeColumn } from './file/codec.ts';
import { ColumnReader, MEASURES, type Scaling } from './file/columns.ts';
import { TapeError } from './file/error.ts';
import type { StreamInfo } from './file/manifest.ts';
import type { BlockSource, Column, TapeStream } from './file/stream.ts';

/** How rows are read: with times start + floor((time − from) / speed), and with the ids of trades or without. */
export interface Reading {
  readonly from: number;
  readonly speed: number;
  readonly start: number;
  readonly hasIds: boolean;
}

const reader = new ColumnReader();

/** Blocks of a file, each decoded into the same arrays. */
export class DiskSource implements BlockSource {
  readonly #info: StreamInfo;
  readonly #scaling: Scaling;
  readonly #reading: Reading;
  readonly #blocks: BlockReader;
  #row = 0;

  constructor(folder: string, info: StreamInfo, scaling: Scaling, reading: Reading) {
    this.#info = info;
    this.#scaling = scaling;
    this.#reading = reading;
    this.#blocks = new BlockReader(resolve(folder, info.file), info);
  }

  load(stream: TapeStream, block: number): number {
    if (block >= this.#info.blocks) {
      this.#blocks.close();
      return 0;
    }
    if (block === 0) this.#row = 0;
    const { head, columns } = readBlock(this.#blocks, this.#info, block, this.#row);
    // Blocks of a stream are of one length, but for the last, which may be shorter.
    if (stream.time.length < head.rows) this.#allocate(stream, head.rows);
    reader.start(head, columns);
    reader.column(stream.time, 'plain', this.#scaling, this.#row);
    if (this.#info.kind === 'trades') {
      if (this.#reading.hasIds) reader.column(stream.id, 'plain', this.#scaling, this.#row);
      else reader.skip();
      reader.column(stream.price, 'price', this.#scaling, this.#row);
      reader.column(stream.size, 'size', this.#scaling, this.#row);
      reader.bits(stream.side);
    } else if (this.#info.kind !== 'quotes') {
      this.#rest(stream);
    } else {
      reader.column(stream.bid, 'price', this.#scaling, this.#row);
      reader.column(stream.bidSize, 'size', this.#scaling, this.#row);
      reader.column(stream.ask, 'price', this.#scaling, this.#row);
      reader.column(stream.askSize, 'size', this.#scaling, this.#row);
    }
    this.#blocks.release();
    if (!isAsRecorded(this.#reading)) retime(stream, stream.time, head.rows, this.#reading);
    this.#row += head.rows;
    return head.rows;
  }

  close(): void {
    this.#blocks.close();
  }

  /** Bars, mark prices and funding rates. */
  #rest(stream: TapeStream): void {
    const columns = columnsOf(stream);
    for (const [k, measure] of MEASURES[this.#info.kind].entries()) reader.column(columns[k]!, measure, this.#scaling, this.#row);
  }

  #allocate(stream: TapeStream, rows: number): void {
    stream.time = new Float64Array(rows);
    if (this.#info.kind === 'trades') {
      if (this.#reading.hasIds) stream.id = new Float64Array(rows);
      stream.price = this.#scaling.column('price', rows);
      stream.size = this.#scaling.column('size', rows);
      stream.side = new Uint8Array(rows);
    } else if (this.#info.kind === 'bars') {
      for (const name of ['open', 'high', 'low', 'last'] as const) stream[name] = this.#scaling.column('price', rows);
      stream.volume = this.#scaling.column('size', rows);
    } else if (this.#info.kind === 'marks') {
      stream.mark = this.#scaling.column('price', rows);
    } else if (this.#info.kind === 'funding') {
      stream.rate = new Float64Array(rows);
    } else {
      stream.bid = this.#scaling.column('price', rows);
      stream.bidSize = this.#scaling.column('size', rows);
      stream.ask = this.#scaling.column('price', rows);
      stream.askSize = this.#scaling.column('size', rows);
    }
  }
}

/**
 * A block in memory that threads share. `times` of quotes count from `first` where that fits 32 bits, for 20 bytes a row; ids stay coded,
 * as they nearly always count up by one.
 */
export interface ResidentBlock {
  readonly rows: number;
  readonly first: number;
  readonly times: Uint32Array | Float64Array;
  readonly ids: Uint8Array;
  readonly columns: readonly Column[];
  readonly sides: Uint8Array;
}

/** Reads every block of a stream into memory. */
export function loadBlocks(folder: string, info: StreamInfo, scaling: Scaling): ResidentBlock[] {
  const blocks: ResidentBlock[] = [];
  const file = new BlockReader(resolve(folder, info.file), info);
  const time = new Float64Array(Math.min(info.rows, BLOCK_ROWS));
  const trades = info.kind === 'trades';
  try {
    for (let number = 0, row = 0; number < info.blocks; number++) {
      const { head, columns } = readBlock(file, info, number, row);
      reader.start(head, columns);
      reader.column(time, 'plain', scaling, row);
      const ids = trades ? reader.coded() : new Uint8Array(0);
      const values: Column[] = [];
      for (const measure of MEASURES[info.kind]) {
        if (measure === 'plain') continue;
        const column = scaling.sharedColumn(measure, head.rows);
        reader.column(column, measure, scaling, row);
        values.push(column);
      }
      const sides = new Uint8Array(new SharedArrayBuffer(trades ? head.rows : 0));
      if (trades) reader.bits(sides);
      blocks.push({
        rows: head.rows,
        first: head.first,
        times: info.kind === 'quotes' ? offsets(time, head) : sharedTimes(time, head.rows),
        ids,
        columns: values,
        sides,
      });
      row += head.rows;
      file.release();
    }
  } finally {
    file.close();
  }
  return blocks;
}

/** Holds every checksum of a stream against its bytes, and the stream against what the tape says of it; nothing is unpacked. */
export function checkBlocks(folder: string, info: StreamInfo): void {
  const file = new BlockReader(resolve(folder, info.file), info);
  try {
    for (let block = 0, row = 0; block < info.blocks; block++) {
      const { rows } = file.skim(block);
      checkPlace(file, info, block, row + rows);
      row += rows;
    }
  } finally {
    file.close();
  }
}

/** Blocks of memory, handed out as they are where they can be; otherwise times and ids are spread into arrays of the cursor's own. */
export class ResidentSource implements BlockSource {
  readonly #info: StreamInfo;
  readonly #blocks: readonly ResidentBlock[];
  readonly #reading: Reading;
  #time = new Float64Array(0);

  constructor(info: StreamInfo, blocks: readonly ResidentBlock[], reading: Reading) {
    this.#info = info;
    this.#blocks = blocks;
    this.#reading = reading;
  }

  load(stream: TapeStream, number: number): number {
    const block = this.#blocks[number];
    if (block === undefined) return 0;
    const trades = this.#info.kind === 'trades';
    const { times } = block;
    stream.time = times instanceof Float64Array && isAsRecorded(this.#reading) ? times : this.#spread(stream, block);
    if (trades && this.#reading.hasIds && stream.id.length < block.rows) stream.id = new Float64Array(block.rows);
    const [a, b, c, d, e] = block.columns;
    if (this.#info.kind === 'bars') {
      stream.open = a!;
      stream.high = b!;
      stream.low = c!;
      stream.last = d!;
      stream.volume = e!;
    } else if (trades) {
      if (this.#reading.hasIds) {
        const view = viewOf(block.ids);
        decodeColumn(view, block.ids, 0, block.rows, stream.id, view.getFloat64(8, true));
      }
      stream.price = a!;
      stream.size = b!;
      stream.side = block.sides;
    } else {
      stream.bid = a!;
      stream.bidSize = b!;
      stream.ask = c!;
      stream.askSize = d!;
    }
    return block.rows;
  }

  close(): void {}

  #spread(stream: TapeStream, { times, first, rows }: ResidentBlock): Float64Array {
    if (this.#time.length < rows) this.#time = new Float64Array(rows);
    const time = this.#time;
    if (times instanceof Float64Array) time.set(times);
    else for (let i = 0; i < rows; i++) time[i] = first + times[i]!;
    if (!isAsRecorded(this.#reading)) retime(stream, time, rows, this.#reading);
    return time;
  }
}

function columnsOf(stream: TapeStream): readonly Column[] {
  if (stream.kind === 'bars') return [stream.open, stream.high, stream.low, stream.last, stream.volume];
  return stream.kind === 'marks' ? [stream.mark] : [stream.rate];
}

/** Reads a block and holds it against what the tape says of itself. */
function readBlock(file: BlockReader, info: StreamInfo, block: number, row: number): { head: BlockHead; columns: Buffer } {
  const read = file.read(block);
  checkPlace(file, info, block, row + read.head.rows);
  return read;
}

/** `rows` is how many there are up to the end of `block`, which was read last. */
function checkPlace(file: BlockReader, info: StreamInfo, block: number, rows: number): void {
  const last = block === info.blocks - 1;
  if (last ? rows !== info.rows || file.checksum !== info.checksum : rows >= info.rows) {
    throw new TapeError('corrupt', `the file was expected to be the one that tape.json describes, found another one`, file.path, REDO);
  }
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function offsets(time: Float64Array, head: BlockHead): Uint32Array | Float64Array {
  if (head.last - head.first > 0xffffffff) return sharedTimes(time, head.rows);
  const out = new Uint32Array(new SharedArrayBuffer(head.rows * 4));
  for (let i = 0; i < head.rows; i++) out[i] = time[i]! - head.first;
  return out;
}

function sharedTimes(time: Float64Array, rows: number): Float64Array {
  const out = new Float64Array(new SharedArrayBuffer(rows * 8));
  out.set(time.subarray(0, rows));
  return out;
}

function isAsRecorded({ from, speed, start }: Reading): boolean {
  return speed === 1 && start === from;
}

/** Replaces the times in `time`, and keeps those of the recording for the order of rows. */
function retime(stream: TapeStream, time: Float64Array, rows: number, { from, speed, start }: Reading): void {
  if (stream.recorded.length < rows) stream.recorded = new Float64Array(time.length);
  stream.recorded.set(time.subarray(0, rows));
  for (let i = 0; i < rows; i++) time[i] = start + Math.floor((time[i]! - from) / speed);
}
