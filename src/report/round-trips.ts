/** Turns fills into trades. A trade is one leg (position side) from flat to flat, or a spot holding from its purchase to its sale. */
import { CLOSE, SELL, SIDES } from '../domain/codes.ts';
import { Holding } from '../domain/holding.ts';
import { formatLots, formatMoney, priceOf, type Instrument } from '../domain/instrument.ts';
import { mulDivFloor } from '../domain/scale.ts';
import type { FillLabel } from './fill-labels.ts';
import type { FillLog } from './fill-log.ts';
import type { OrderBrackets } from './order-brackets.ts';

/** A closed trade; `positionSide` is LONG, SHORT or SPOT. Amounts are decimal strings; `net` = `pnl` − `fees`. Average prices are statistics. */
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
  /** The strategy that opened it, the reason of its first order, and that of its last. */
  readonly strategy: string;
  readonly entryReason: string;
  readonly reason: string;
  /**
   * Maximum adverse and favourable excursion: how far the price went against the average entry price and in its favour, as shares of it.
   * Null if nobody watched the market.
   */
  readonly mae: number | null;
  readonly mfe: number | null;
  /** Prices of the bracket that its first order was placed with; null for none. */
  readonly stopLoss: number | null;
  readonly takeProfit: number | null;
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
  /** Label number of its first fill, and the number of its order (0 if the bot did not place it). */
  label: number;
  order: number;
}

export interface RoundTrips {
  readonly trades: readonly RoundTrip[];
  readonly wins: number;
  readonly losses: number;
  /** Realised profit minus fees, in money (10⁻⁸), by label of the fills. */
  readonly nets: ReadonlyMap<number, number>;
}

/** What is known of trades beside their fills. */
interface KnownOfTrades {
  readonly brackets?: OrderBrackets | undefined;
  /** Worst and best price of each trade in ticks, see market-watch.ts. */
  readonly excursions?: Float64Array | undefined;
}

/** Reads the fills once, in order. A leg that is open at the end is not a trade. */
export function roundTrips(fills: FillLog, instruments: readonly Instrument[], known: KnownOfTrades = {}): RoundTrips {
  const trips = new Trips(fills.labels.all, known);
  const holdings = new Map<number, Holding>();
  for (let k = 0; k < fills.length; k++) {
    const instrument = instruments[fills.instrument[k]!];
    if (instrument === undefined) continue;
    const [side, time, price, size] = [fills.side[k]!, fills.time[k]!, fills.price[k]!, fills.size[k]!];
    const [fee, label, order] = [fills.fee[k]!, fills.label[k]!, fills.order[k]!];
    if (instrument.product === 'futures') {
      const isClose = fills.effect[k] === CLOSE;
      trips.add(instrument, side, { isClose, time, price, size, fee, realised: fills.realised[k]!, label, order });
      continue;
    }
    const holding = holdings.get(instrument.index) ?? new Holding(instrument.unitValue);
    holdings.set(instrument.index, holding);
    const isSell = side === SELL;
    // A sell larger than the holding ends one trade and begins another.
    const closing = holding.closes(isSell, size);
    const realised = holding.take(isSell, price, size);
    const closingFee = mulDivFloor(fee, closing, size);
    if (closing > 0) trips.add(instrument, SPOT, { isClose: true, time, price, size: closing, fee: closingFee, realised, label, order });
    const opening = size - closing;
    if (opening > 0)
      trips.add(instrument, SPOT, { isClose: false, time, price, size: opening, fee: fee - closingFee, realised: 0, label, order });
  }
  return trips;
}

/** Side code of a spot holding, besides LONG and SHORT. */
const SPOT = 2;

interface Piece {
  readonly isClose: boolean;
  readonly time: number;
  readonly price: number;
  readonly size: number;
  readonly fee: number;
  readonly realised: number;
  readonly label: number;
  readonly order: number;
}

class Trips implements RoundTrips {
  readonly trades: RoundTrip[] = [];
  wins = 0;
  losses = 0;
  readonly nets = new Map<number, number>();
  readonly #legs = new Map<number, Leg>();
  readonly #labels: readonly FillLabel[];
  readonly #known: KnownOfTrades;

  constructor(labels: readonly FillLabel[], known: KnownOfTrades) {
    this.#labels = labels;
    this.#known = known;
  }

  add(instrument: Instrument, side: number, { isClose, time, price, size, fee, realised, label, order }: Piece): void {
    const key = instrument.index * 3 + side;
    let leg = this.#legs.get(key);
    if (leg === undefined) {
      leg = { openedAt: time, size: 0, largest: 0, entryLots: 0, entryTicks: 0, exitLots: 0, exitTicks: 0, pnl: 0, fees: 0, label, order };
      this.#legs.set(key, leg);
    }
    this.nets.set(label, (this.nets.get(label) ?? 0) + realised - fee);
    leg.fees += fee;
    leg.pnl += realised;
    if (isClose) {
      leg.size -= size;
      leg.exitLots += size;
      leg.exitTicks += size * price;
    } else {
      leg.size += size;
      leg.largest = Math.max(leg.largest, leg.size);
      leg.entryLots += size;
      leg.entryTicks += size * price;
    }
    if (leg.size > 0) return;
    this.#legs.delete(key);
    this.#end(instrument, side, leg, time, label);
  }

  #end(instrument: Instrument, side: number, leg: Leg, closedAt: number, last: number): void {
    const net = leg.pnl - leg.fees;
    const { brackets } = this.#known;
    if (net > 0) this.wins++;
    else this.losses++;
    this.trades.push({
      symbol: instrument.symbol,
      positionSide: side === SPOT ? 'SPOT' : (SIDES[side] ?? 'LONG'),
      openedAt: leg.openedAt,
      closedAt,
      size: formatLots(leg.largest, instrument),
      entryPrice: average(leg.entryTicks, leg.entryLots, instrument),
      exitPrice: average(leg.exitTicks, leg.exitLots, instrument),
      pnl: formatMoney(leg.pnl),
      fees: formatMoney(leg.fees),
      net: formatMoney(net),
      strategy: this.#labels[leg.label]!.strategy,
      entryReason: this.#labels[leg.label]!.reason,
      reason: this.#labels[last]!.reason,
      ...this.#excursionsOf(leg),
      stopLoss: bracketPrice(brackets?.stopLoss(leg.order), instrument),
      takeProfit: bracketPrice(brackets?.takeProfit(leg.order), instrument),
    });
  }

  /** Excursions of the trade that ends now. A short one has its prices below 0. */
  #excursionsOf({ entryTicks, entryLots }: Leg): Pick<RoundTrip, 'mae' | 'mfe'> {
    const { excursions } = this.#known;
    const at = 2 * this.trades.length;
    if (excursions === undefined || at >= excursions.length || entryLots === 0) return { mae: null, mfe: null };
    const entry = entryTicks / entryLots;
    const [worst, best] = [excursions[at]!, excursions[at + 1]!];
    const signed = worst < 0 ? -entry : entry;
    return { mae: Math.max(0, signed - worst) / entry, mfe: Math.max(0, best - signed) / entry };
  }
}

function bracketPrice(ticks: number | undefined, instrument: Instrument): number | null {
  return ticks === undefined || ticks === 0 ? null : priceOf(ticks, instrument);
}

function average(ticks: number, lots: number, instrument: Instrument): number {
  return lots === 0 ? 0 : priceOf(ticks / lots, instrument);
}
