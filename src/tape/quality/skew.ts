/**
 * Measures how far the clock of the trades is from the clock of the book. A trade happens at the touch far more often than not, so the
 * share of trades at the touch, as a function of a shift of their times, is greatest at the true shift.
 */
import { firstIndex } from '../../base/collections/first-index.ts';
import { BUY } from '../../domain/codes.ts';
import type { TapeStream } from '../file/stream.ts';
import type { Skew } from '../file/data-quality.ts';

/** Trades that are looked at, rows that are read for them, and the fewest that tell anything. */
const SAMPLE = 4000;
const QUOTES_MAX = 1_000_000;
const TRADES_MIN = 200;
/** The farthest shift, and the steps from coarse to fine. */
const FAR_MS = 5000;
const STEPS = [50, 5, 1];
/** So much more of the trades must be at the touch, and the shift so large. */
const CLEAR_SHARE = 0.1;
const CLEAR_MS = 20;

interface Book {
  readonly time: Float64Array;
  readonly bid: Float64Array;
  readonly ask: Float64Array;
  readonly rows: number;
}

export function measureSkew(trades: TapeStream, quotes: TapeStream): Skew | null {
  const book = bookOf(quotes);
  const from = (book.time[0] ?? Infinity) + FAR_MS;
  const to = (book.time[book.rows - 1] ?? -Infinity) - FAR_MS;
  const sample = sampleOf(trades, from, to);
  if (sample.length < TRADES_MIN) return null;
  const shareAt = (shift: number): number => {
    let hits = 0;
    for (const { time, price, side } of sample) {
      const row = rowAt(book, time + shift);
      if (row >= 0 && price === (side === BUY ? book.ask[row] : book.bid[row])) hits++;
    }
    return hits / sample.length;
  };
  let best = 0;
  const atTouch = shareAt(0);
  let share = atTouch;
  let reach = FAR_MS;
  for (const step of STEPS) {
    const middle = best;
    for (let shift = middle - reach; shift <= middle + reach; shift += step) {
      const found = shareAt(shift);
      if (found <= share) continue;
      share = found;
      best = shift;
    }
    reach = step;
  }
  const isClear = share - atTouch > CLEAR_SHARE && Math.abs(best) >= CLEAR_MS;
  return { trades: sample.length, atTouch: round(atTouch), atTouchShifted: round(share), shiftMs: best, isClear };
}

function bookOf(quotes: TapeStream): Book {
  const size = Math.min(quotes.rows, QUOTES_MAX);
  const book = { time: new Float64Array(size), bid: new Float64Array(size), ask: new Float64Array(size) };
  let rows = 0;
  quotes.rewind();
  while (rows < size && quotes.next()) {
    for (let row = 0; row < quotes.length && rows < size; row++, rows++) {
      book.time[rows] = quotes.time[row]!;
      book.bid[rows] = quotes.bid[row]!;
      book.ask[rows] = quotes.ask[row]!;
    }
  }
  quotes.close();
  return { ...book, rows };
}

interface Print {
  readonly time: number;
  readonly price: number;
  readonly side: number;
}

/** About SAMPLE trades between two times, evenly over the rows there. */
function sampleOf(trades: TapeStream, from: number, to: number): Print[] {
  const found: Print[] = [];
  let every = 1;
  let seen = 0;
  trades.rewind();
  while (trades.next()) {
    if (trades.time[0]! > to) break;
    for (let row = 0; row < trades.length; row++) {
      const time = trades.time[row]!;
      if (time < from || time > to || seen++ % every !== 0) continue;
      found.push({ time, price: trades.price[row]!, side: trades.side[row]! });
      if (found.length < 2 * SAMPLE) continue;
      // Every second one goes, so that the rest lies evenly.
      for (let k = 0; k < SAMPLE; k++) found[k] = found[2 * k]!;
      found.length = SAMPLE;
      every *= 2;
    }
  }
  trades.close();
  return found;
}

/** The last quote at or before a time, or −1. */
function rowAt(book: Book, time: number): number {
  return firstIndex(0, book.rows, (row) => book.time[row]! > time) - 1;
}

function round(share: number): number {
  return Math.round(share * 1000) / 1000;
}
