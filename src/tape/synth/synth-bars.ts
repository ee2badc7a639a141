/**
 * Bars of a synthetic market without its trades and quotes: how far and how busily each symbol moves follows from the same figures as in synth-book.ts,
 * in steps of five seconds. Bars of any length from one seed are of one path: those of an hour are made of those of a minute. @hot
 */
import type { Random } from '../../base/random.ts';
import { pow10 } from '../../domain/amounts/scale.ts';
import { Activity, type CommonFactor } from './busy-times.ts';
import { exponential, normal } from './chance.ts';
import type { BookSpec } from './synth-book.ts';
import type { Grid } from '../file/columns.ts';

/** Bars are whole multiples of this. */
export const STEP_MS = 5_000;
const STEP_SECONDS = STEP_MS / 1_000;
/** Deviation of a symbol's own returns, as a share of what its walks would give if none were taken back or met by orders of the other side. */
const OWN = 0.18;

/** Takes bars: prices in units of the last decimal place, as on a tape. A StreamWriter is one. */
export interface BarSink {
  bar(time: number, open: number, high: number, low: number, close: number, volume: number): void;
}

/** One symbol. */
export class BarBook {
  readonly #random: Random;
  readonly #activity: Activity;
  readonly #factor: CommonFactor;
  readonly #grid: Grid;
  /** Deviation of its own returns in a step, and lots traded in one, at an activity of 1. */
  readonly #deviation: number;
  readonly #value: number;
  readonly #lotTicks: number;
  /** In ticks, with fractions. */
  #price: number;
  #common: number;
  /** Of the bar in hand; the open is the close of the bar before. */
  #open: number;
  #high: number;
  #low: number;
  #lots = 0;

  constructor({ grid, price, profile, start, season, shared }: BookSpec, random: Random, factor: CommonFactor) {
    this.#random = random;
    this.#grid = grid;
    this.#factor = factor;
    this.#common = factor.level;
    this.#activity = new Activity(random.fork(), start, season);
    const orders = profile.events * profile.orders;
    const walk = profile.step * profile.walkScale * Math.sqrt(profile.walk.moment(2));
    this.#deviation = OWN * walk * Math.sqrt(orders * (1 - shared) * STEP_SECONDS);
    this.#value = orders * profile.order.moment(1) * profile.unit * STEP_SECONDS;
    this.#lotTicks = (grid.tickStep / pow10(grid.priceDecimals)) * (grid.lotStep / pow10(grid.sizeDecimals));
    this.#price = this.#open = this.#high = this.#low = price;
  }

  /** Takes the step that ends at `time`, after the common factor. */
  step(time: number): void {
    this.#activity.advance(time);
    const { level } = this.#activity;
    const common = this.#factor.level;
    const moved = 1 + (common - this.#common) + this.#deviation * level * normal(this.#random);
    this.#common = common;
    const price = this.#price * (moved > 0.5 ? moved : 0.5);
    this.#price = price > 2 ? price : 2;
    const ticks = Math.round(this.#price);
    if (ticks > this.#high) this.#high = ticks;
    if (ticks < this.#low) this.#low = ticks;
    this.#lots += (this.#value * level * exponential(this.#random)) / (this.#price * this.#lotTicks);
  }

  /** Writes the bar that began at `time`, and begins the next. */
  end(time: number, writer: BarSink): void {
    const { tickStep, lotStep } = this.#grid;
    const close = Math.round(this.#price);
    // What is less than a lot goes to the next bar.
    const lots = Math.floor(this.#lots);
    this.#lots -= lots;
    writer.bar(time, this.#open * tickStep, this.#high * tickStep, this.#low * tickStep, close * tickStep, lots * lotStep);
    this.#open = this.#high = this.#low = close;
  }
}

/** Writes the bar of each symbol that begins at `start`. The factor goes ahead of them. */
export function writeBars(
  books: readonly BarBook[],
  factor: Pick<CommonFactor, 'advance'>,
  start: number,
  barMs: number,
  writers: readonly BarSink[],
): void {
  const end = start + barMs;
  for (let time = start + STEP_MS; time <= end; time += STEP_MS) {
    factor.advance(time);
    for (let k = 0; k < books.length; k++) books[k]!.step(time);
  }
  for (let k = 0; k < books.length; k++) books[k]!.end(start, writers[k]!);
}
