/** An indicator for each kind of input: what it checks, and what it hands to its kernel. */
import { IndicatorObject, type Facts, type Parts } from './indicator.ts';
import type { BarKernel, Candle, InputKind, PairKernel, QuoteKernel, TopOfBook, TradeKernel, TradePrint, ValueKernel } from './inputs.ts';

class ValueIndicator extends IndicatorObject {
  declare kernel: ValueKernel;

  override advance(input: unknown, second?: unknown): void {
    let x: number;
    const source = this.sources[0];
    if (source !== undefined) {
      if (!this.isFed(source, input, second)) return;
      x = source.grid.newest;
    } else {
      x = typeof input === 'number' ? input : closeOf(input);
      if (x - x !== 0) throw new RangeError(`${this.name} takes finite numbers or bars, found ${shown(input)}: leave such a value out`);
      const { grid } = this;
      if (grid.isOn) x = grid.ofPrice(x);
    }
    this.kernel.step(x);
    this.record();
  }
}

function closeOf(input: unknown): number {
  const close = typeof input === 'object' && input !== null ? (input as Candle).close : Number.NaN;
  return typeof close === 'number' ? close : Number.NaN;
}

class BarIndicator extends IndicatorObject {
  declare kernel: BarKernel;

  override advance(input: unknown): void {
    const bar = input as Candle;
    checkBar(this.name, bar);
    const { grid } = this;
    this.kernel.step(grid.isOn ? grid.ofBar(bar) : bar);
    this.record();
  }
}

class VolumeBarIndicator extends IndicatorObject {
  declare kernel: BarKernel;

  override advance(input: unknown): void {
    const bar = input as Candle;
    checkBar(this.name, bar);
    if (!(Number.isFinite(bar.volume) && bar.volume! >= 0)) {
      throw new RangeError(`${this.name} takes bars with a volume of at least 0, found ${shown(bar.volume)}`);
    }
    const { grid } = this;
    this.kernel.step(grid.isOn ? grid.ofVolumeBar(bar) : bar);
    this.record();
  }
}

class TimedBarIndicator extends VolumeBarIndicator {
  override advance(input: unknown): void {
    const start = (input as Candle | undefined)?.start;
    if (!Number.isFinite(start)) throw new RangeError(`${this.name} takes bars with a start in milliseconds, found ${shown(start)}`);
    super.advance(input);
  }
}

function checkBar(name: string, bar: Candle): void {
  if (isBar(bar)) return;
  throw new RangeError(`${name} takes bars of finite open, high, low and close with high ≥ low, found ${shown(bar)}: leave such a bar out`);
}

function isBar(bar: Candle | null | undefined): boolean {
  if (typeof bar !== 'object' || bar === null || !(bar.high >= bar.low)) return false;
  return Number.isFinite(bar.open) && Number.isFinite(bar.high) && Number.isFinite(bar.low) && Number.isFinite(bar.close);
}

class PairIndicator extends IndicatorObject {
  declare kernel: PairKernel;

  override advance(input: unknown, second?: unknown): void {
    const [left, right] = this.sources;
    let x = input as number;
    let y = second as number;
    if (left !== undefined && right !== undefined) {
      const isLeftFed = this.isFed(left, input, second);
      if (!this.isFed(right, input, second) || !isLeftFed) return;
      x = left.grid.newest;
      y = right.grid.newest;
    } else if (!(Number.isFinite(x) && Number.isFinite(y))) {
      throw new RangeError(`${this.name} takes two finite numbers, found ${shown(input)} and ${shown(second)}: leave such a pair out`);
    }
    this.kernel.step(x, y);
    this.record();
  }
}

class QuoteIndicator extends IndicatorObject {
  declare kernel: QuoteKernel;

  override advance(input: unknown): void {
    const quote = input as TopOfBook;
    if (!isQuote(quote)) {
      throw new RangeError(`${this.name} takes quotes of finite bid, ask, bidSize ≥ 0 and askSize ≥ 0, found ${shown(input)}`);
    }
    const { grid } = this;
    this.kernel.step(grid.isOn ? grid.ofQuote(quote) : quote);
    this.record();
  }
}

function isQuote(quote: TopOfBook | null | undefined): boolean {
  if (typeof quote !== 'object' || quote === null || !(quote.bidSize >= 0 && quote.askSize >= 0)) return false;
  return Number.isFinite(quote.bid) && Number.isFinite(quote.ask) && Number.isFinite(quote.bidSize) && Number.isFinite(quote.askSize);
}

class TradeIndicator extends IndicatorObject {
  declare kernel: TradeKernel;

  override advance(input: unknown): void {
    const trade = input as TradePrint;
    if (!isTrade(trade)) {
      throw new RangeError(`${this.name} takes trades of finite price, size ≥ 0 and side BUY or SELL, found ${shown(input)}`);
    }
    const { grid } = this;
    this.kernel.step(grid.isOn ? grid.ofTrade(trade) : trade);
    this.record();
  }
}

function isTrade(trade: TradePrint | null | undefined): boolean {
  if (typeof trade !== 'object' || trade === null || !(trade.side === 'BUY' || trade.side === 'SELL')) return false;
  return Number.isFinite(trade.price) && Number.isFinite(trade.size) && trade.size >= 0;
}

/** Numbers as they are, NaN too, which JSON would make null. */
function shown(value: unknown): string {
  if (typeof value === 'number') return String(value);
  return JSON.stringify(value, (_, one: unknown) => (typeof one === 'number' ? String(one) : one)) ?? 'undefined';
}

/** The class for each kind of input. */
export const CLASSES = {
  value: ValueIndicator,
  bar: BarIndicator,
  volumeBar: VolumeBarIndicator,
  timedBar: TimedBarIndicator,
  pair: PairIndicator,
  quote: QuoteIndicator,
  trade: TradeIndicator,
} as const satisfies Record<
  InputKind,
  new (facts: Facts, params: Readonly<Record<string, number | string>>, parts: Parts) => IndicatorObject
>;
