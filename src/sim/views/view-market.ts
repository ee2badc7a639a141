/** Market data as integers: tickers (E6), book tickers (E7) and trades (E8). */
import { type Lots, type Millis, type Ticks, ONE } from '../../domain/amounts/units.ts';
import type { SimBookTicker, SimTicker, SimTrade, TradesRequest } from '../state/types.ts';
import { FARTHEST } from '../state/resting.ts';
import type { SimState } from '../state/state.ts';
import { BUCKET_MS, BUCKETS, type DayStats } from '../state/market/stats.ts';

const CENTS = 1_000_000;

export function bookTicker(s: SimState, i: number): SimBookTicker | null {
  const market = s.markets[i];
  if (market === undefined || !market.hasBook) return null;
  return {
    instrument: i,
    bid: market.bid as Ticks,
    bidSize: market.bidSize as Lots,
    ask: (market.ask === FARTHEST ? 0 : market.ask) as Ticks,
    askSize: market.askSize as Lots,
    bidLeft: market.bidLeft as Lots,
    askLeft: market.askLeft as Lots,
    time: market.quoteTime as Millis,
  };
}

/** Builds a trade record; the arguments are the fields of SimTrade. */
export type MakeTrade<T> = (id: number, price: Ticks, size: Lots, aggressor: number, time: Millis) => T;

export const makeTrade: MakeTrade<SimTrade> = (id, price, size, aggressor, time) => ({ id, price, size, aggressor, time });

/** Trades, newest first. */
export function trades<T>(s: SimState, i: number, request: TradesRequest, make: MakeTrade<T>): T[] {
  const ring = s.markets[i]?.ring ?? null;
  const out: T[] = [];
  if (ring === null) return out;
  const { limit, before = Infinity, last = Number.NaN, start = -Infinity, end = Infinity } = request;
  const kept = Math.min(ring.seen, ring.size);
  for (let back = 0; back < kept && out.length < limit; back++) {
    const k = (ring.seen - 1 - back) % ring.size;
    const id = ring.id[k]!;
    const time = ring.time[k]!;
    if (id >= before || time > end) continue;
    if (time < start) break;
    out.push(make(id, ring.price[k]! as Ticks, ring.lots[k]! as Lots, ring.aggressor[k]!, time as Millis));
    if (id === last) break;
  }
  return out;
}

/** The oldest trade that is kept, and whether older ones were dropped; null before the first. */
export function oldestTrade(s: SimState, i: number): { readonly id: number; readonly time: number; readonly hasDropped: boolean } | null {
  const ring = s.markets[i]?.ring ?? null;
  if (ring === null || ring.seen === 0) return null;
  const k = ring.seen > ring.size ? ring.seen % ring.size : 0;
  return { id: ring.id[k]!, time: ring.time[k]!, hasDropped: ring.seen > ring.size };
}

export function ticker(s: SimState, i: number): SimTicker | null {
  const market = s.markets[i];
  const day = market?.day ?? null;
  if (market === undefined || day === null) return null;
  const closeTime = market.hasBook ? Math.max(day.lastTime, market.quoteTime) : day.lastTime;
  day.store();
  const sum = sumOf(day, Math.floor(closeTime / BUCKET_MS));
  const last = market.last;
  const open = sum.open === 0 ? last : sum.open;
  const x = market.instrument;
  const pricePoint = (x.tickStep / x.priceScale) * ONE;
  return {
    instrument: i,
    last: last as Ticks,
    lastSize: day.lastSize as Lots,
    open: open as Ticks,
    high: (sum.high === 0 ? last : sum.high) as Ticks,
    low: (sum.low === FARTHEST ? last : sum.low) as Ticks,
    change: last - open,
    changePercent: Math.round(((last - open) * 100_000) / open),
    weightedPrice: Math.round((sum.volume > 0 ? sum.value / sum.volume : last) * pricePoint),
    volume: sum.volume as Lots,
    quoteVolume: Math.floor((sum.value * market.unitValue) / CENTS),
    openTime: Math.min(sum.openTime, closeTime) as Millis,
    closeTime: closeTime as Millis,
    firstId: sum.firstId,
    lastId: day.lastId,
    count: sum.count,
  };
}

/** Sums the buckets of the window, from the oldest with a trade to the current one. */
function sumOf(
  day: DayStats,
  now: number,
): {
  open: number;
  high: number;
  low: number;
  volume: number;
  value: number;
  count: number;
  firstId: number;
  openTime: number;
} {
  const sum = { open: 0, high: 0, low: FARTHEST, volume: 0, value: 0, count: 0, firstId: 0, openTime: Infinity };
  for (let bucket = Math.max(0, now - BUCKETS + 1); bucket <= now; bucket++) {
    const k = bucket % BUCKETS;
    if (day.bucket[k] !== bucket) continue;
    if (sum.open === 0) {
      sum.open = day.open[k]!;
      sum.firstId = day.firstId[k]!;
      sum.openTime = day.firstTime[k]!;
    }
    sum.high = Math.max(sum.high, day.high[k]!);
    sum.low = Math.min(sum.low, day.low[k]!);
    sum.volume += day.volume[k]!;
    sum.value += day.value[k]!;
    sum.count += day.trades[k]!;
  }
  return sum;
}
