/** Collects the prices of one market for its chart: bars of the whole run, and finer ones around trades. */
import { BarCollector, barLengthFor, joinedBars, type ChartLevels, type PackedBars } from './chart-bars.ts';
import type { MarketChart } from './market-chart.ts';
import { packedBars } from './packed-bars.ts';

/** A trade whose bars are wanted. */
export interface ChartedTrade {
  readonly symbol: string;
  readonly openedAt: number;
  readonly closedAt: number;
}

/** The time around a trade, and the length of its bars. */
export interface TradeWindow {
  readonly from: number;
  readonly to: number;
  readonly barMs: number;
}

/** Most bars around one of the first trades, around another one, and around all trades of a run together. */
const WINDOW_MOST = 100;
const SMALL_MOST = 40;
const WINDOWS_MOST = 36_000;
/** So many trades are the first ones. */
const FIRST = 150;
/** A window is this many times as long as its trade, which is in its middle. A short trade counts as so many bars. */
const TIMES = 2.5;
const SHORT_BARS = 8;

/** By symbol, in order of time: the windows of the first of `trades` that have room. A trade that the bars of the whole run show as well has none. */
export function windowsOf(trades: readonly ChartedTrade[], { finerMs, leastMs }: ChartLevels): ReadonlyMap<string, TradeWindow[]> {
  const windows = new Map<string, TradeWindow[]>();
  let bars = 0;
  for (const [k, { symbol, openedAt, closedAt }] of trades.entries()) {
    const held = Math.max(closedAt - openedAt, SHORT_BARS * leastMs);
    const barMs = barLengthFor(TIMES * held, k < FIRST ? WINDOW_MOST : SMALL_MOST, leastMs);
    if (barMs >= finerMs) continue;
    bars += Math.ceil((TIMES * held) / barMs);
    if (bars > WINDOWS_MOST) break;
    const middle = (openedAt + closedAt) / 2;
    const [from, to] = [middle - (TIMES * held) / 2, middle + (TIMES * held) / 2];
    const own = windows.get(symbol) ?? [];
    windows.set(symbol, own);
    own.push({ from: Math.floor(from / barMs) * barMs, to: Math.ceil(to / barMs) * barMs, barMs });
  }
  for (const own of windows.values()) own.sort((a, b) => a.from - b.from);
  return windows;
}

interface OpenWindow extends TradeWindow {
  readonly bars: BarCollector;
}

export class ChartCollector {
  readonly #levels: ChartLevels;
  readonly #bars: BarCollector;
  readonly #windows: readonly OpenWindow[];
  #next = 0;
  #open: OpenWindow[] = [];
  /** Before this time no window takes a price. */
  #wakeAt: number;

  constructor(levels: ChartLevels, windows: readonly TradeWindow[] = []) {
    this.#levels = levels;
    this.#bars = new BarCollector(levels.finerMs);
    this.#windows = windows.map((one) => ({ ...one, bars: new BarCollector(one.barMs) }));
    this.#wakeAt = windows[0]?.from ?? Infinity;
  }

  /** Prices come in order of time. */
  add(time: number, price: number): void {
    this.#bars.add(time, price);
    if (time >= this.#wakeAt) this.#toWindows(time, price);
  }

  /** `priceOf` turns what `add` got into prices. */
  chart(symbol: string, priceOf: (price: number) => number): MarketChart {
    const { barMs, finerMs } = this.#levels;
    const finer = this.#bars.bars(priceOf);
    const whole = { from: finer.time[0] ?? 0, to: (finer.time.at(-1) ?? 0) + finerMs };
    const windows = this.#windows.map(({ from, to, bars }): PackedBars => packedBars(bars.bars(priceOf), from, to));
    return {
      symbol,
      ...(barMs === finerMs ? finer : joinedBars(finer, barMs)),
      ...(barMs === finerMs ? {} : { finer: packedBars(finer, whole.from, whole.to) }),
      ...(windows.length === 0 ? {} : { windows }),
    };
  }

  #toWindows(time: number, price: number): void {
    while (this.#next < this.#windows.length && this.#windows[this.#next]!.from <= time) this.#open.push(this.#windows[this.#next++]!);
    let isOver = false;
    for (const one of this.#open) {
      if (time < one.to) one.bars.add(time, price);
      else isOver = true;
    }
    if (isOver) this.#open = this.#open.filter(({ to }) => time < to);
    this.#wakeAt = this.#open.length > 0 ? -Infinity : (this.#windows[this.#next]?.from ?? Infinity);
  }
}
