/** Turns fills into trades. A trade is one leg (position side) from flat to flat, or a spot holding from its purchase to its sale. */
import { CLOSE, SELL, SHORT, SIDES } from '../../domain/codes.ts';
import { Holding } from '../../domain/holding.ts';
import { formatLots, formatMoney, priceOf, type Instrument } from '../../domain/instrument.ts';
import { mulDivFloor } from '../../domain/amounts/scale.ts';
import type { FillLog, LoggedFill } from '../fills/fill-log.ts';
import type { OrderBrackets } from '../fills/order-brackets.ts';
import type { TradeColumns } from '../metrics/facts.ts';
import { RowPages, type RowReader } from '../fills/row-pages.ts';
import { TripColumns } from './trip-columns.ts';
import { exitOf, LegExits, TripExits, type TripExit } from './trip-exits.ts';

/** Side code of a spot holding, besides LONG and SHORT. */
const SPOT = 2;
const SIDE_CODES = 3;

/** Places of the numbers of a trade in its row. */
const KEY = 0;
const OPENED_AT = 1;
const CLOSED_AT = 2;
const LARGEST = 3;
const ENTRY_LOTS = 4;
const ENTRY_TICKS = 5;
const EXIT_LOTS = 6;
const EXIT_TICKS = 7;
const PNL = 8;
const FEES = 9;
const LABEL = 10;
const LAST_LABEL = 11;
const ORDER = 12;
/** Number of its exits in TripExits; 0 if orders of one label closed it. */
const EXITS = 13;
const STRIDE = 14;

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
  /** Its exits by reason, in the order of their first fills. Absent in reports of older versions. */
  readonly exits?: readonly TripExit[];
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

/** One leg, with the trade that is open on it. Trades follow one another in the same object. */
class Leg {
  openedAt = 0;
  size = 0;
  largest = 0;
  entryLots = 0;
  entryTicks = 0;
  exitLots = 0;
  exitTicks = 0;
  pnl = 0;
  fees = 0;
  /** Label number of its first fill, and the number of its order (0 if the bot did not place it). */
  label = 0;
  order = 0;
  readonly exits = new LegExits();

  begin(openedAt: number, label: number, order: number): void {
    this.openedAt = openedAt;
    this.size = 0;
    this.largest = 0;
    this.entryLots = 0;
    this.entryTicks = 0;
    this.exitLots = 0;
    this.exitTicks = 0;
    this.pnl = 0;
    this.fees = 0;
    this.label = label;
    this.order = order;
    this.exits.reset();
  }
}

/** What is known of trades beside their fills. */
export interface KnownOfTrades {
  readonly brackets?: OrderBrackets | undefined;
  /** Worst and best price of each trade in ticks, see market-watch.ts. */
  readonly excursions?: RowPages | undefined;
}

/** Closed trades, from fills that are added in order. A leg that is open at the end is not a trade. */
export class RoundTrips {
  wins = 0;
  losses = 0;
  /** Realised profit minus fees, in money (10⁻⁸), by label of the fills. */
  readonly nets: number[];
  /** The trades by label of the fill that opened them: how many, those with a profit, and their realised profit minus fees. */
  readonly opened: Readonly<Record<'trades' | 'wins' | 'nets', number[]>>;
  readonly #labels: FillLog['labels'];
  readonly #instruments: readonly Instrument[];
  readonly #brackets: OrderBrackets | undefined;
  readonly #excursions: RowReader | null;
  readonly #legs: (Leg | undefined)[] = [];
  readonly #holdings: (Holding | undefined)[] = [];
  readonly #rows: RowPages;
  readonly #exits: TripExits;
  readonly #columns: TripColumns;

  constructor(fills: FillLog, instruments: readonly Instrument[], { brackets, excursions }: KnownOfTrades) {
    this.#labels = fills.labels;
    const zeros = (): number[] => fills.labels.all.map(() => 0);
    this.nets = zeros();
    this.opened = { trades: zeros(), wins: zeros(), nets: zeros() };
    this.#instruments = instruments;
    this.#brackets = brackets;
    this.#excursions = excursions?.reader() ?? null;
    this.#rows = new RowPages(STRIDE, fills.openStore);
    this.#exits = new TripExits(fills.labels, fills.openStore);
    this.#columns = new TripColumns(fills.openStore);
  }

  get count(): number {
    return this.#rows.length;
  }

  add({ instrument: index, side, effect, time, price, size, fee, realised, label, order }: LoggedFill): void {
    const instrument = this.#instruments[index];
    if (instrument === undefined) return;
    if (instrument.product === 'futures') {
      return this.#piece(index * SIDE_CODES + side, effect === CLOSE, time, price, size, fee, realised, label, order);
    }
    const holding = (this.#holdings[index] ??= new Holding(instrument.unitValue));
    const key = index * SIDE_CODES + SPOT;
    const isSell = side === SELL;
    // A sell larger than the holding ends one trade and begins another.
    const closing = holding.closes(isSell, size);
    const profit = holding.take(isSell, price, size);
    const closingFee = mulDivFloor(fee, closing, size);
    if (closing > 0) this.#piece(key, true, time, price, closing, closingFee, profit, label, order);
    const opening = size - closing;
    if (opening > 0) this.#piece(key, false, time, price, opening, fee - closingFee, 0, label, order);
  }

  /** A fill, or one of the two parts of one. */
  #piece(
    key: number,
    isClose: boolean,
    time: number,
    price: number,
    size: number,
    fee: number,
    realised: number,
    label: number,
    order: number,
  ): void {
    const leg = (this.#legs[key] ??= new Leg());
    if (leg.size <= 0) leg.begin(time, label, order);
    this.nets[label]! += realised - fee;
    leg.fees += fee;
    leg.pnl += realised;
    if (isClose) {
      leg.size -= size;
      leg.exitLots += size;
      leg.exitTicks += size * price;
      leg.exits.add(label, size, realised, fee);
    } else {
      leg.size += size;
      leg.largest = Math.max(leg.largest, leg.size);
      leg.entryLots += size;
      leg.entryTicks += size * price;
    }
    if (leg.size <= 0) this.#end(key, leg, time, label);
  }

  #end(key: number, leg: Leg, closedAt: number, last: number): void {
    const net = leg.pnl - leg.fees;
    if (net > 0) this.wins++;
    else this.losses++;
    const { opened } = this;
    opened.trades[leg.label]!++;
    opened.nets[leg.label]! += net;
    if (net > 0) opened.wins[leg.label]!++;
    const rows = this.#rows;
    const { page, at } = rows;
    page[at + KEY] = key;
    page[at + OPENED_AT] = leg.openedAt;
    page[at + CLOSED_AT] = closedAt;
    page[at + LARGEST] = leg.largest;
    page[at + ENTRY_LOTS] = leg.entryLots;
    page[at + ENTRY_TICKS] = leg.entryTicks;
    page[at + EXIT_LOTS] = leg.exitLots;
    page[at + EXIT_TICKS] = leg.exitTicks;
    page[at + PNL] = leg.pnl;
    page[at + FEES] = leg.fees;
    page[at + LABEL] = leg.label;
    page[at + LAST_LABEL] = last;
    page[at + ORDER] = leg.order;
    page[at + EXITS] = this.#exits.add(leg.exits, leg.fees);
    rows.added();
    this.#addColumns(key, leg, closedAt);
  }

  /** Excursions are those of the trade that ends now, NaN if unknown. A short one has its prices below 0. */
  #addColumns(key: number, { openedAt, entryTicks, entryLots, pnl, fees }: Leg, closedAt: number): void {
    const known = this.#excursions;
    let mae = Number.NaN;
    let mfe = Number.NaN;
    if (known !== null && known.next() && entryLots > 0) {
      const entry = entryTicks / entryLots;
      const worst = known.page[known.at]!;
      const best = known.page[known.at + 1]!;
      const signed = worst < 0 ? -entry : entry;
      mae = Math.max(0, signed - worst) / entry;
      mfe = Math.max(0, best - signed) / entry;
    }
    this.#columns.add(pnl - fees, key % SIDE_CODES === SHORT ? -1 : 1, closedAt - openedAt, mae, mfe);
  }

  /** The newest trades, at most `most`, with names and amounts in words; by default all. */
  newest(most = Infinity): RoundTrip[] {
    const from = Math.max(0, this.count - most);
    const exitsOf = this.#exits.reader(this.#exitsFrom(from));
    const reader = this.#rows.reader(from);
    const maes = this.#columns.reader('mae', from);
    const mfes = this.#columns.reader('mfe', from);
    const trades: RoundTrip[] = [];
    while (reader.next() && maes.next() && mfes.next()) {
      const row = reader.page.subarray(reader.at, reader.at + STRIDE);
      const exits = exitsOf(row[EXITS]!, this.#instruments[Math.floor(row[KEY]! / SIDE_CODES)]!);
      trades.push(this.#named(row, exits, maes.page[maes.at]!, mfes.page[mfes.at]!));
    }
    return trades;
  }

  /** Number of exits in TripExits of trade `from` and the later ones. */
  #exitsFrom(from: number): number {
    let exits = 0;
    for (const reader = this.#rows.reader(from); reader.next();) exits += reader.page[reader.at + EXITS]!;
    return exits;
  }

  #named(row: Float64Array, exits: readonly TripExit[], mae: number, mfe: number): RoundTrip {
    const key = row[KEY]!;
    const instrument = this.#instruments[Math.floor(key / SIDE_CODES)]!;
    const side = key % SIDE_CODES;
    const labels = this.#labels.all;
    const { strategy, reason: entryReason } = labels[row[LABEL]!]!;
    const { reason } = labels[row[LAST_LABEL]!]!;
    return {
      symbol: instrument.symbol,
      positionSide: side === SPOT ? 'SPOT' : (SIDES[side] ?? 'LONG'),
      openedAt: row[OPENED_AT]!,
      closedAt: row[CLOSED_AT]!,
      size: formatLots(row[LARGEST]!, instrument),
      entryPrice: average(row[ENTRY_TICKS]!, row[ENTRY_LOTS]!, instrument),
      exitPrice: average(row[EXIT_TICKS]!, row[EXIT_LOTS]!, instrument),
      pnl: formatMoney(row[PNL]!),
      fees: formatMoney(row[FEES]!),
      net: formatMoney(row[PNL]! - row[FEES]!),
      strategy,
      entryReason,
      reason,
      exits: exits.length > 0 ? exits : [exitOf(reason, { size: row[EXIT_LOTS]!, pnl: row[PNL]!, fees: row[FEES]! }, instrument)],
      mae: Number.isNaN(mae) ? null : mae,
      mfe: Number.isNaN(mfe) ? null : mfe,
      stopLoss: bracketPrice(this.#brackets?.stopLoss(row[ORDER]!), instrument),
      takeProfit: bracketPrice(this.#brackets?.takeProfit(row[ORDER]!), instrument),
    };
  }

  /** The trades in columns, which of a long run are read part by part. */
  get columns(): TradeColumns {
    return this.#columns.all;
  }
}

function bracketPrice(ticks: number | undefined, instrument: Instrument): number | null {
  return ticks === undefined || ticks === 0 ? null : priceOf(ticks, instrument);
}

function average(ticks: number, lots: number, instrument: Instrument): number {
  return lots === 0 ? 0 : priceOf(ticks / lots, instrument);
}
