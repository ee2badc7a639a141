/** The inputs of indicators: numbers, bars, pairs of numbers, quotes, trades; and a kernel class for each kind of input. */
import { Part } from './part.ts';

/** A bar of any timeframe. Volume is wanted by volume indicators alone, `start` (ms) by those that begin again each session. */
export interface Candle {
  /** First price. */
  readonly open: number;
  /** Highest price. */
  readonly high: number;
  /** Lowest price. */
  readonly low: number;
  /** Last price. */
  readonly close: number;
  /** Base coin. */
  readonly volume?: number;
  /** Milliseconds. */
  readonly start?: number;
}

/** Best bid and ask with their sizes. */
export interface TopOfBook {
  /** Best bid. */
  readonly bid: number;
  /** Best ask. */
  readonly ask: number;
  /** Size at the best bid. */
  readonly bidSize: number;
  /** Size at the best ask. */
  readonly askSize: number;
}

/** A public trade; `side` is the side of the order that took. */
export interface TradePrint {
  /** In quote coin. */
  readonly price: number;
  /** In base coin. */
  readonly size: number;
  /** Side of the order that took. */
  readonly side: 'BUY' | 'SELL';
}

/** `bar` has prices; `volumeBar` has volume too; `timedBar` also has `start`. */
export type InputKind = 'value' | 'bar' | 'volumeBar' | 'timedBar' | 'pair' | 'quote' | 'trade';

/** The arithmetic of an indicator. `value` is the first output, NaN until `isReady`; further outputs are fields of their own. */
export abstract class Kernel extends Part {
  isReady = false;
  value = Number.NaN;
}

export abstract class ValueKernel extends Kernel {
  abstract step(x: number): void;
}

export abstract class BarKernel extends Kernel {
  abstract step(bar: Candle): void;
}

export abstract class PairKernel extends Kernel {
  abstract step(x: number, y: number): void;
}

export abstract class QuoteKernel extends Kernel {
  abstract step(quote: TopOfBook): void;
}

export abstract class TradeKernel extends Kernel {
  abstract step(trade: TradePrint): void;
}

export interface KernelOf {
  readonly value: ValueKernel;
  readonly bar: BarKernel;
  readonly volumeBar: BarKernel;
  readonly timedBar: BarKernel;
  readonly pair: PairKernel;
  readonly quote: QuoteKernel;
  readonly trade: TradeKernel;
}
