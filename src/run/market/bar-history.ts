/** Bars of the past from recorded trades, for strategies that need some before they start. */
import type { BarRow } from '../../engine/market/series.ts';
import type { BarsWanted } from '../../engine/strategy/bars/bar-feed.ts';
import { PastBars } from '../../engine/strategy/bars/past-bars.ts';
import type { TapeStream } from '../../tape/file/stream.ts';
import type { Tape } from '../../tape/tape.ts';

export interface BarHistory {
  readonly instrument: number;
  readonly timeframe: string;
  /** Oldest first. The last one may not be over at `until`. */
  readonly rows: readonly BarRow[];
  /** Every trade before this time is in them. */
  readonly until: number;
}

/** Time that is read before the wanted bars: a flat bar needs a price before it. */
const SPARE_BARS = 10;
const SPARE_MS = 3_600_000;

/** The bars of trades before `until`, or of shorter bars if `isOnBars`. `tape` was opened on the instruments' grids. */
export function barHistory(
  tape: Pick<Tape, 'open' | 'bars'>,
  wanted: readonly BarsWanted[],
  until: number,
  isOnBars: boolean,
): BarHistory[] {
  const past = wanted.map((one) => new PastBars(one, until));
  for (const { symbol, source, close } of isOnBars ? tape.bars() : []) {
    const own = past.filter(({ wanted: { instrument } }) => instrument.symbol === symbol && instrument.product === 'futures');
    while (own.length > 0 && source.next() && source.bar.end <= until) for (const one of own) one.shorter(source.bar);
    close();
  }
  for (const stream of isOnBars ? [] : tape.open('trades')) {
    const own = past.filter(({ wanted: { instrument } }) => instrument.symbol === stream.symbol && instrument.product === 'futures');
    if (own.length > 0) feed(stream, own, until);
    stream.close();
  }
  return past.map((one) => ({ instrument: one.wanted.instrument.index, timeframe: one.wanted.timeframe.name, rows: one.rows(), until }));
}

function feed(stream: TapeStream, past: readonly PastBars[], until: number): void {
  const from = Math.min(...past.map(({ since, wanted }) => since - SPARE_BARS * wanted.timeframe.size - SPARE_MS));
  while (stream.next()) {
    const { time, price, size, length } = stream;
    if (time[0]! >= until) return;
    if (time[length - 1]! < from) continue;
    for (let r = 0; r < length && time[r]! < until; r++) {
      if (time[r]! < from) continue;
      for (const one of past) one.trade(price[r]!, size[r]!, time[r]!);
    }
  }
}
