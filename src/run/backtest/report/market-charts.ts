/** Prices of the traded markets for the chart of a report, read from the tape after the run. */
import { priceOf, type Instrument } from '../../../domain/instrument.ts';
import type { Drawings } from '../../../report/market/drawings.ts';
import { ChartCollector, windowsOf, type ChartedTrade } from '../../../report/market/chart-collector.ts';
import type { ChartLevels } from '../../../report/market/chart-bars.ts';
import type { MarketChart } from '../../../report/market/market-chart.ts';
import type { BarSource } from '../../../tape/bars/finer-bars.ts';
import type { TapeStream } from '../../../tape/file/stream.ts';
import type { Tape } from '../../../tape/tape.ts';

/** Most markets: the first ones of the tape. */
const MARKETS_MAX = 60;

export interface ChartRange {
  /** The first row of the run and the last, milliseconds since 1970. */
  readonly from: number;
  readonly to: number;
  readonly isOnBars: boolean;
  readonly levels: ChartLevels;
  /** What strategies said and drew. */
  readonly drawings: Drawings;
}

/** One chart per traded symbol: of trades, or of the mid where the tape has no trades. */
export function marketCharts(tape: Tape, traded: readonly Instrument[], range: ChartRange, trades: readonly ChartedTrade[]): MarketChart[] {
  const { from, to, isOnBars, levels, drawings } = range;
  const bySymbol = new Map(traded.map((instrument) => [instrument.symbol, instrument]));
  const symbols = [...bySymbol.keys()].slice(0, MARKETS_MAX);
  const windows = windowsOf(
    trades.filter(({ symbol }) => symbols.includes(symbol)),
    levels,
  );
  const collectors = new Map(symbols.map((symbol) => [symbol, new ChartCollector(levels, windows.get(symbol))]));
  const hasTrades = new Set<string>();
  for (const { symbol, source, close } of isOnBars ? tape.bars() : []) {
    const bars = collectors.get(symbol);
    if (bars !== undefined) collectBars(source, bars, from, to);
    close();
  }
  for (const kind of isOnBars ? [] : (['trades', 'quotes'] as const)) {
    for (const stream of tape.open(kind)) {
      if (kind === 'trades') hasTrades.add(stream.symbol);
      const bars = collectors.get(stream.symbol);
      if (bars !== undefined && (kind === 'trades') === hasTrades.has(stream.symbol)) collect(stream, bars, from, to);
      stream.close();
    }
  }
  return symbols.map((symbol) => {
    const instrument = bySymbol.get(symbol)!;
    const chart = collectors.get(symbol)!.chart(symbol, (ticks) => priceOf(ticks, instrument));
    const drawing = drawings.chart(instrument.index);
    return drawing === undefined ? chart : { ...chart, drawing };
  });
}

function collect(stream: TapeStream, bars: ChartCollector, from: number, to: number): void {
  while (stream.next()) {
    const { time, price, bid, ask, length } = stream;
    if (time[0]! > to) return;
    if (time[length - 1]! < from) continue;
    const isTrades = stream.kind === 'trades';
    for (let r = 0; r < length && time[r]! <= to; r++) {
      if (time[r]! >= from) bars.add(time[r]!, isTrades ? price[r]! : (bid[r]! + ask[r]!) / 2);
    }
  }
}

function collectBars(source: BarSource, bars: ChartCollector, from: number, to: number): void {
  while (source.next() && source.bar.start <= to) {
    const { start, open, high, low, close } = source.bar;
    if (start >= from) for (const price of [open, high, low, close]) bars.add(start, price);
  }
}
