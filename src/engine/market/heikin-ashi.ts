/**
 * Heikin-Ashi bars from any others: close = (open + high + low + close) / 4, open = the mean of the last bar's open and close, high and low
 * include both. The first open is the mean of the plain bar's open and close.
 */
import type { Instrument } from '../../domain/instrument.ts';
import type { Timeframe } from '../../domain/time/timeframe.ts';
import { type BarRow, rowOf } from './series.ts';
import { type Bar, type BarBuilder, type BarSink, type ClosedBar, MutableBar } from './bar.ts';

/** Plain bars that are kept until the history is known. */
const MOST_KEPT = 10_000;

export class HeikinAshi implements BarBuilder, BarSink {
  readonly timeframe: Timeframe;
  readonly done: MutableBar;
  /** Makes the plain bars. */
  readonly inner: BarBuilder;
  readonly #sink: BarSink;
  #open = Number.NaN;
  #close = Number.NaN;
  /** Plain bars from before the history is known. */
  readonly #plain: BarRow[] = [];
  #isKeeping = true;

  /** `inner` makes the plain bars and passes them to the sink that it is given. */
  constructor(timeframe: Timeframe, sink: BarSink, inner: (sink: BarSink) => BarBuilder) {
    this.timeframe = timeframe;
    this.#sink = sink;
    this.done = new MutableBar(timeframe.name);
    this.inner = inner(this);
  }

  get instrument(): Instrument {
    return this.inner.instrument;
  }
  get late(): number {
    return this.inner.late;
  }

  trade(price: number, lots: number, venueTime: number): void {
    this.inner.trade(price, lots, venueTime);
  }

  shorter(bar: ClosedBar): void {
    this.inner.shorter(bar);
  }

  /** All bars in Heikin-Ashi form, after plain bars of the past became known. */
  past(rows: readonly BarRow[]): BarRow[] {
    const plain = [...rows, ...this.#plain];
    this.#plain.length = 0;
    this.#isKeeping = false;
    this.#open = Number.NaN;
    return plain.map(([start, open, high, low, close, volume]) => {
      this.#next(open, high, low, close);
      return [start, this.#open, Math.max(high, this.#open, this.#close), Math.min(low, this.#open, this.#close), this.#close, volume];
    });
  }

  end(): void {
    this.inner.end?.();
  }

  endBy(time: number): void {
    this.inner.endBy(time);
  }

  gap(): void {
    this.inner.gap();
  }

  caughtUp(now: number): void {
    this.inner.caughtUp(now);
  }

  bar({ done: plain }: BarBuilder): void {
    const { done } = this;
    const { open, high, low, close } = plain;
    if (this.#isKeeping) this.#keep(plain);
    done.set(plain);
    done.timeframe = this.timeframe.name;
    this.#next(open, high, low, close);
    done.open = this.#open;
    done.close = this.#close;
    done.high = Math.max(high, this.#open, this.#close);
    done.low = Math.min(low, this.#open, this.#close);
    this.#sink.bar(this);
  }

  #keep(bar: Bar): void {
    this.#plain.push(rowOf(bar));
    this.#isKeeping = this.#plain.length < MOST_KEPT;
  }

  #next(open: number, high: number, low: number, close: number): void {
    this.#open = Number.isNaN(this.#open) ? (open + close) / 2 : (this.#open + this.#close) / 2;
    this.#close = (open + high + low + close) / 4;
  }
}
