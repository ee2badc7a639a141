/** One bar of the past in ticks and lots. */
import { type Instrument, priceOf, sizeOf } from '../../domain/instrument.ts';
import type { BarRow } from './series.ts';

export interface PastBar {
  readonly start: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly lots: number;
}

export function pastBar(start: number, open: number, high: number, low: number, close: number, lots: number): PastBar {
  return { start, open, high, low, close, lots };
}

/** Joins two parts of one bar. */
export function joined(earlier: PastBar, later: PastBar): PastBar {
  return {
    start: earlier.start,
    open: earlier.open,
    high: Math.max(earlier.high, later.high),
    low: Math.min(earlier.low, later.low),
    close: later.close,
    lots: earlier.lots + later.lots,
  };
}

export function fromRow([start, open, high, low, close, volume]: BarRow, instrument: Instrument): PastBar {
  const ticks = (price: number): number => Math.round(price / priceOf(1, instrument));
  return pastBar(start, ticks(open), ticks(high), ticks(low), ticks(close), Math.round(volume / sizeOf(1, instrument)));
}

export function toRow({ start, open, high, low, close, lots }: PastBar, instrument: Instrument): BarRow {
  const price = (ticks: number): number => priceOf(ticks, instrument);
  return [start, price(open), price(high), price(low), price(close), sizeOf(lots, instrument)];
}
