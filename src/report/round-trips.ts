/** Fills → trades: one trade is one leg of one instrument from flat to flat. */
import { CLOSE, SIDES } from '../domain/codes.ts';
import { formatLots, formatMoney, type Instrument } from '../domain/instrument.ts';
import type { FillLog } from './fill-log.ts';

/** A closed trade. Amounts are decimal strings; `net` = `pnl` − `fees`. Average prices are statistics. */
export interface RoundTrip {
  readonly symbol: string;
  readonly positionSide: string;
  readonly openedAt: number;
  readonly closedAt: number;
  /** Largest size held. */
  readonly size: string;
  readonly entryPrice: number;
  readonly exitPrice: number;
  readonly pnl: string;
  readonly fees: string;
  readonly net: string;
}

interface Leg {
  openedAt: number;
  size: number;
  largest: number;
  entryLots: number;
  entryTicks: number;
  exitLots: number;
  exitTicks: number;
  pnl: number;
  fees: number;
}

export interface RoundTrips {
  readonly trades: readonly RoundTrip[];
  readonly wins: number;
  readonly losses: number;
}

/** Walks the fills once, in order. A leg still open at the end is no trade yet. */
export function roundTrips(fills: FillLog, instruments: readonly Instrument[]): RoundTrips {
  const legs = new Map<number, Leg>();
  const trades: RoundTrip[] = [];
  let wins = 0;
  let losses = 0;
  for (let k = 0; k < fills.length; k++) {
    const instrument = instruments[fills.instrument[k]!];
    if (instrument === undefined || instrument.product !== 'futures') continue;
    const side = fills.side[k]!;
    const key = instrument.index * 2 + side;
    let leg = legs.get(key);
    if (leg === undefined) {
      leg = { openedAt: fills.time[k]!, size: 0, largest: 0, entryLots: 0, entryTicks: 0, exitLots: 0, exitTicks: 0, pnl: 0, fees: 0 };
      legs.set(key, leg);
    }
    const size = fills.size[k]!;
    leg.fees += fills.fee[k]!;
    leg.pnl += fills.realised[k]!;
    if (fills.effect[k] === CLOSE) {
      leg.size -= size;
      leg.exitLots += size;
      leg.exitTicks += size * fills.price[k]!;
    } else {
      leg.size += size;
      leg.largest = Math.max(leg.largest, leg.size);
      leg.entryLots += size;
      leg.entryTicks += size * fills.price[k]!;
    }
    if (leg.size > 0) continue;
    legs.delete(key);
    const net = leg.pnl - leg.fees;
    if (net > 0) wins++;
    else losses++;
    trades.push({
      symbol: instrument.symbol,
      positionSide: SIDES[side] ?? 'LONG',
      openedAt: leg.openedAt,
      closedAt: fills.time[k]!,
      size: formatLots(leg.largest, instrument),
      entryPrice: average(leg.entryTicks, leg.entryLots, instrument),
      exitPrice: average(leg.exitTicks, leg.exitLots, instrument),
      pnl: formatMoney(leg.pnl),
      fees: formatMoney(leg.fees),
      net: formatMoney(net),
    });
  }
  return { trades, wins, losses };
}

function average(ticks: number, lots: number, instrument: Instrument): number {
  return lots === 0 ? 0 : ((ticks / lots) * instrument.tickStep) / instrument.priceScale;
}
