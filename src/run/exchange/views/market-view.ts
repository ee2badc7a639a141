/** One market for the exchange's page: its candles by the minute, and its depth: the quote of the market and the orders that rest here. */
import { BUY } from '../../../domain/codes.ts';
import { formatLots, formatTicks, type Instrument } from '../../../domain/instrument.ts';
import type { PastTrades } from '../../market/past-trades.ts';
import { TRIGGER } from '../../../sim/state/kinds.ts';
import type { VenueSim } from '../../../sim/core/venue-core.ts';

export interface MarketSources {
  readonly sim: VenueSim;
  readonly instruments: readonly Instrument[];
  readonly past: Pick<PastTrades, 'bars'>;
}

/** Prices and sizes are decimal strings. The best price comes first. */
export interface Level {
  readonly price: string;
  /** What the market shows at this price; "" for nothing. */
  readonly market: string;
  /** What accounts of this exchange have resting there; "" for nothing. */
  readonly own: string;
}

const BARS = 300;
const LEVELS = 10;

/** Null if there is no such futures market. */
export function marketView({ sim, instruments, past }: MarketSources, symbol: string): object | null {
  const instrument = instruments.find((one) => one.symbol === symbol && one.product === 'futures');
  if (instrument === undefined) return null;
  const price = (ticks: number): string => formatTicks(ticks, instrument);
  const bars = past.bars(instrument.index, BARS).map(([time, ...prices]) => [time, ...prices.map(price)]);
  return { symbol, bars, ...depthOf({ sim, instruments }, instrument), lotSize: instrument.lotSize, tickSize: instrument.tickSize };
}

function depthOf(
  { sim, instruments }: Pick<MarketSources, 'sim' | 'instruments'>,
  instrument: Instrument,
): { readonly bids: readonly Level[]; readonly asks: readonly Level[] } {
  const { index } = instrument;
  const book = sim.bookTicker(index);
  const own = [new Map<number, number>(), new Map<number, number>()] as const;
  const wanted = instruments.map((one) => one.index === index);
  for (const { direction, filled, kind, price, size } of sim.overview(wanted, Infinity, 0).orders.newest) {
    if (kind === TRIGGER || price === 0) continue;
    const levels = direction === BUY ? own[0] : own[1];
    levels.set(price, (levels.get(price) ?? 0) + size - filled);
  }
  const levelsOf = (levels: ReadonlyMap<number, number>, best: number, shown: number, sign: number): Level[] =>
    [...new Set([...levels.keys(), ...(best === 0 ? [] : [best])])]
      .sort((a, b) => sign * (a - b))
      .slice(0, LEVELS)
      .map((ticks) => {
        const lots = levels.get(ticks) ?? 0;
        return {
          price: formatTicks(ticks, instrument),
          market: ticks === best ? formatLots(shown, instrument) : '',
          own: lots === 0 ? '' : formatLots(lots, instrument),
        };
      });
  return {
    bids: levelsOf(own[0], book?.bid ?? 0, book?.bidLeft ?? 0, -1),
    asks: levelsOf(own[1], book?.ask ?? 0, book?.askLeft ?? 0, 1),
  };
}
