/**
 * The log of a recording: rows in the order in which they came, until they are in the files of the streams. A row is its differences from the
 * row before it of the same stream. Frames have a checksum; one that a kill cut off ends the log. Each log can be read alone.
 */
import { crc32 } from 'node:zlib';
import { MEASURES } from '../file/columns.ts';
import { TAPE_KINDS, type RecordingGap, type TapeKind } from '../file/manifest.ts';

/** A stream of rows at fixed decimals. */
export interface LoggedStream {
  readonly symbol: string;
  readonly kind: TapeKind;
  readonly priceDecimals: number;
  readonly sizeDecimals: number;
}

/** What is noted beside rows: the recording began at this time, or rows are missing. */
export type LogNote = { readonly began: number } | { readonly gap: RecordingGap };

export interface LogTaker {
  /** `values` are the columns in order, and the side of a trade; overwritten by the next row. */
  row(stream: LoggedStream, time: number, values: readonly number[]): void;
  note(note: LogNote): void;
  /** All before was written at this time. */
  written(time: number): void;
}

const STREAM = 0;
const NOTE = 1;
/** Tags from here on are rows of the stream of this number. */
const ROWS = 2;
const CHECKSUM_BYTES = 4;

interface Memory {
  readonly stream: LoggedStream;
  readonly number: number;
  time: number;
  readonly values: number[];
}

function memoryOf(stream: LoggedStream, number: number): Memory {
  const columns = MEASURES[stream.kind].length + (stream.kind === 'trades' ? 1 : 0);
  return { stream, number, time: 0, values: Array.from({ length: columns }, () => 0) };
}

/** Packs rows into frames. */
export class LogPacker {
  #bytes = Buffer.alloc(1 << 16);
  #at = 0;
  #streams = new Map<string, Memory>();
  #checksum = 0;
  #writtenAt = 0;

  /** Bytes of the frame that is being filled. */
  get length(): number {
    return this.#at;
  }

  /** `values`: safe integers. */
  row(stream: LoggedStream, time: number, values: readonly number[]): void {
    const memory = this.#memoryOf(stream);
    this.#whole(ROWS + memory.number);
    this.#difference(time - memory.time);
    memory.time = time;
    for (let k = 0; k < memory.values.length; k++) {
      this.#difference(values[k]! - memory.values[k]!);
      memory.values[k] = values[k]!;
    }
  }

  note(note: LogNote): void {
    this.#whole(NOTE);
    this.#text(JSON.stringify(note));
  }

  /** The frame, written at `now`. */
  take(now: number): Buffer {
    const body = Buffer.from(this.#bytes.subarray(0, this.#at));
    this.#at = 0;
    this.#difference(now - this.#writtenAt);
    this.#writtenAt = now;
    const head = Buffer.from(this.#bytes.subarray(0, this.#at));
    this.#at = 0;
    this.#whole(head.length + body.length);
    const length = Buffer.from(this.#bytes.subarray(0, this.#at));
    this.#at = 0;
    const sum = Buffer.alloc(CHECKSUM_BYTES);
    this.#checksum = crc32(body, crc32(head, crc32(length, this.#checksum)));
    sum.writeUInt32LE(this.#checksum);
    return Buffer.concat([length, sum, head, body]);
  }

  #memoryOf(stream: LoggedStream): Memory {
    const { symbol, kind, priceDecimals, sizeDecimals } = stream;
    const key = `${symbol} ${kind}`;
    const known = this.#streams.get(key);
    if (known !== undefined) return known;
    const memory = memoryOf(stream, this.#streams.size);
    this.#streams.set(key, memory);
    this.#whole(STREAM);
    this.#whole(TAPE_KINDS.indexOf(kind));
    this.#whole(priceDecimals);
    this.#whole(sizeDecimals);
    this.#text(symbol);
    return memory;
  }

  /** 0, −1, 1, −2, … as 0, 1, 2, 3, …, without leaving the safe integers: the lowest bit is the sign. */
  #difference(value: number): void {
    const size = value < 0 ? -value - 1 : value;
    this.#room(10);
    const rest = Math.floor(size / 64);
    this.#bytes[this.#at++] = (value < 0 ? 1 : 0) | ((size % 64) << 1) | (rest > 0 ? 128 : 0);
    if (rest > 0) this.#whole(rest);
  }

  #whole(value: number): void {
    this.#room(10);
    let rest = value;
    for (; rest >= 128; rest = Math.floor(rest / 128)) this.#bytes[this.#at++] = (rest % 128) | 128;
    this.#bytes[this.#at++] = rest;
  }

  #text(text: string): void {
    const bytes = Buffer.from(text);
    this.#whole(bytes.length);
    this.#room(bytes.length);
    bytes.copy(this.#bytes, this.#at);
    this.#at += bytes.length;
  }

  #room(bytes: number): void {
    if (this.#at + bytes <= this.#bytes.length) return;
    const larger = Buffer.alloc(Math.max(2 * this.#bytes.length, this.#at + bytes));
    this.#bytes.copy(larger, 0, 0, this.#at);
    this.#bytes = larger;
  }
}

/** Hands over what is in a log, up to the first frame that is not whole. */
export function readLog(bytes: Uint8Array, to: LogTaker): void {
  const reader = new LogReader(bytes);
  const streams: Memory[] = [];
  let checksum = 0;
  let writtenAt = 0;
  while (reader.at < bytes.length) {
    const begin = reader.at;
    const length = reader.whole();
    const body = reader.at + CHECKSUM_BYTES;
    if (!(body + length <= bytes.length)) return;
    checksum = crc32(bytes.subarray(body, body + length), crc32(bytes.subarray(begin, reader.at), checksum));
    if (checksum !== reader.checksum()) return;
    writtenAt += reader.difference();
    while (reader.at < body + length) takeEntry(reader, streams, to);
    to.written(writtenAt);
  }
}

function takeEntry(reader: LogReader, streams: Memory[], to: LogTaker): void {
  const tag = reader.whole();
  if (tag === NOTE) return to.note(JSON.parse(reader.text()) as LogNote);
  if (tag === STREAM) {
    const kind = TAPE_KINDS[reader.whole()]!;
    const [priceDecimals, sizeDecimals] = [reader.whole(), reader.whole()];
    streams.push(memoryOf({ symbol: reader.text(), kind, priceDecimals, sizeDecimals }, streams.length));
    return;
  }
  const memory = streams[tag - ROWS]!;
  memory.time += reader.difference();
  for (let k = 0; k < memory.values.length; k++) memory.values[k]! += reader.difference();
  to.row(memory.stream, memory.time, memory.values);
}

class LogReader {
  at = 0;
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  whole(): number {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      // Beyond the end: a length that was cut off, whose frame does not fit.
      const byte = this.#bytes[this.at++] ?? 0;
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
  }

  difference(): number {
    const byte = this.#bytes[this.at++]!;
    const size = ((byte >> 1) & 63) + (byte >= 128 ? 64 * this.whole() : 0);
    return (byte & 1) === 1 ? -size - 1 : size;
  }

  checksum(): number {
    const view = new DataView(this.#bytes.buffer, this.#bytes.byteOffset, this.#bytes.byteLength);
    const sum = view.getUint32(this.at, true);
    this.at += CHECKSUM_BYTES;
    return sum;
  }

  text(): string {
    const length = this.whole();
    this.at += length;
    return Buffer.from(this.#bytes.subarray(this.at - length, this.at)).toString();
  }
}
