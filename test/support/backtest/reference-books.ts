/** What the slow workloads share: the rows of a tape in order, and the books of an account. Objects, and money in BigInt. */
import { FillLog } from '../../../src/report/fills/fill-log.ts';
import { openTape } from '../../../src/tape/read.ts';
import type { TapeStream } from '../../../src/tape/file/stream.ts';

export interface ReferenceRun {
  readonly fills: FillLog;
  readonly digest: string;
  /** 10^-8 of the quote coin. */
  readonly realised: bigint;
  readonly fees: bigint;
  /** Orders and cancels that were sent to the venue. */
  readonly commands: number;
}

/** The contract of the workloads: ticks of 0.1, lots of 0.001, so one lot at one tick is worth 0.0001 of the quote coin. */
const GRID = { priceDecimals: 1, tickStep: 1, sizeDecimals: 3, lotStep: 1 };
export const TICKS_PER_COIN = 10;
const UNIT = 10_000n;
const MAKER_RATE = 20_000n; // 0.0002
const TAKER_RATE = 60_000n; // 0.0006
const ONE = 100_000_000n;

export interface TapeRow {
  readonly isTrade: boolean;
  readonly time: number;
  /** A trade's price, size and whether its aggressor sold. */
  readonly price: number;
  readonly size: number;
  readonly sells: boolean;
  readonly bid: number;
  readonly bidSize: number;
  readonly ask: number;
  readonly askSize: number;
}

function* rowsOf(stream: TapeStream): Generator<TapeRow> {
  const isTrade = stream.kind === 'trades';
  while (stream.next()) {
    for (let k = 0; k < stream.length; k++) {
      const at = (column: ArrayLike<number>): number => column[k] ?? 0;
      const { price, size, side, bid, bidSize, ask, askSize } = stream;
      yield {
        isTrade,
        time: at(stream.time),
        price: at(price),
        size: at(size),
        sells: at(side) === 1,
        bid: at(bid),
        bidSize: at(bidSize),
        ask: at(ask),
        askSize: at(askSize),
      };
    }
  }
}

/** All rows of the tape by time; rows of one millisecond stream by stream, trades first. */
export function* rowsInOrder(folder: string): Generator<TapeRow> {
  const streams = openTape(folder, { gridOf: () => GRID }).open();
  const heads = streams.map((stream) => {
    const rows = rowsOf(stream);
    return { rows, next: rows.next() };
  });
  for (;;) {
    let first: (typeof heads)[number] | null = null;
    for (const head of heads) {
      if (head.next.done === true) continue;
      if (first === null || head.next.value.time < (first.next.value as TapeRow).time) first = head;
    }
    if (first === null) break;
    yield first.next.value as TapeRow;
    first.next = first.rows.next();
  }
  for (const stream of streams) stream.close();
}

export type LegName = 'LONG' | 'SHORT';

/** Both position sides of the one account, and every fill. */
export class Books {
  readonly fills = new FillLog();
  readonly total = { LONG: 0, SHORT: 0 };
  realised = 0n;
  fees = 0n;
  readonly #entry = { LONG: 0n, SHORT: 0n };

  fill(time: number, leg: LegName, isOpen: boolean, price: number, size: number, isMaker: boolean): void {
    const value = BigInt(price) * BigInt(size) * UNIT;
    const fee = (value * (isMaker ? MAKER_RATE : TAKER_RATE) + ONE - 1n) / ONE;
    let realised = 0n;
    if (isOpen) {
      this.#entry[leg] += value;
      this.total[leg] += size;
    } else {
      const released = (this.#entry[leg] * BigInt(size)) / BigInt(this.total[leg]);
      realised = leg === 'LONG' ? value - released : released - value;
      this.#entry[leg] -= released;
      this.total[leg] -= size;
    }
    this.realised += realised;
    this.fees += fee;
    this.fills.add(time, 0, leg === 'LONG' ? 0 : 1, isOpen ? 0 : 1, price, size, Number(fee), Number(realised), isMaker ? 0 : 1, 0);
  }

  run(commands: number): ReferenceRun {
    return { fills: this.fills, digest: this.fills.digest(), realised: this.realised, fees: this.fees, commands };
  }
}
