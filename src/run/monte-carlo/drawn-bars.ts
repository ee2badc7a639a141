/**
 * A market of bars, drawn again: its bars in blocks (the stationary bootstrap), each bar with the shape that it had beside the close before it.
 * What bars next to each other have in common is kept within a block; the same bars are drawn for all symbols of equal length, which keeps what
 * the symbols have in common.
 */
import { Random } from '../../base/random.ts';
import { blockLength, stationaryIndices } from '../../statistics/bootstrap.ts';
import type { LoadedRows } from '../../tape/tape.ts';

type Stream = LoadedRows['streams'][number];

/** Columns of bars: open, high, low, close, volume. */
const PRICES = 4;
const CLOSE = 3;

/** Draws `rows` with other bars, by a seed; the times are those of the tape. Prices stay in ticks, at least 1. */
export function barDraws(rows: LoadedRows): (seed: number) => LoadedRows {
  const draws = rows.streams.map((stream) => (stream.info.kind === 'bars' ? drawsOf(stream) : (): Stream => stream));
  return (seed) => ({ ...rows, streams: draws.map((draw) => draw(seed)) });
}

function drawsOf(stream: Stream): (seed: number) => Stream {
  const bars = joined(stream);
  const close = bars[CLOSE]!;
  const moves = Float64Array.from({ length: close.length - 1 }, (_, k) => Math.abs(Math.log(close[k + 1]! / close[k]!)));
  const length = blockLength(moves);
  return (seed) => {
    // For each bar after the first, the bar that is drawn for it, both counted from the second one.
    const places = new Uint32Array(moves.length);
    stationaryIndices(places, length, new Random(seed));
    return divided(stream, drawn(bars, places));
  };
}

function drawn(bars: readonly Float64Array[], places: Uint32Array): Float64Array[] {
  const made = bars.map((column) => Float64Array.from(column));
  const close = bars[CLOSE]!;
  let before = close[0]!;
  for (const [k, place] of places.entries()) {
    const row = k + 1;
    const from = place + 1;
    const scale = before / close[from - 1]!;
    for (let column = 0; column < PRICES; column++) made[column]![row] = Math.max(1, Math.round(bars[column]![from]! * scale));
    for (let column = PRICES; column < bars.length; column++) made[column]![row] = bars[column]![from]!;
    before = made[CLOSE]![row]!;
  }
  return made;
}

/** The columns of all blocks, one after the other. */
function joined({ info, blocks }: Stream): Float64Array[] {
  const columns = (blocks[0]?.columns ?? []).map(() => new Float64Array(info.rows));
  let at = 0;
  for (const block of blocks) {
    for (const [k, values] of block.columns.entries()) columns[k]!.set(values.subarray(0, block.rows), at);
    at += block.rows;
  }
  return columns;
}

/** The stream with other columns, divided into its blocks again. */
function divided(stream: Stream, columns: readonly Float64Array[]): Stream {
  let at = 0;
  const blocks = stream.blocks.map((block) => {
    const part = columns.map((values) => values.slice(at, at + block.rows));
    at += block.rows;
    return { ...block, columns: part };
  });
  return { ...stream, blocks };
}
