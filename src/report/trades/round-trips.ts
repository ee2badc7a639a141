/** Turns fills into trades. A trade is one leg (position side) from flat to flat, or a spot holding from its purchase to its sell. */
import { CLOSE, SELL, SHORT } from '../../domain/codes.ts';
import { Holding } from '../../domain/holding.ts';
import { formatLots, formatMoney, type Instrument } from '../../domain/instrument.ts';
import { mulDivFloor } from '../../domain/amounts/scale.ts';
import { SPOT } from '../../domain/attribution.ts';
import { joined } from '../../statistics/samples/columns.ts';
import type { FillLog, LoggedFill } from '../fills/fill-log.ts';
import type { OrderBrackets } from '../fills/order-brackets.ts';
import type { TradeColumns } from '../metrics/facts.ts';
import { RowPages, type RowReader } from '../fills/row-pages.ts';
import { TripColumns } from './trip-columns.ts';
import { average, bracketOf, Leg, openTradeOf, SIDE_CODES, sideOf } from './open-trade.ts';
import type { TradeRows } from './trade-rows.ts';
import type { OpenTrade, RoundTrip, TradeParts } from './trade.ts';
import { exitOf, TripExits, type Exits } from './trip-exits.ts';

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

/** What is known of trades beside their fills. */
export interface KnownOfTrades {
  readonly brackets?: OrderBrackets | undefined;
  /** Worst and best price of each trade in ticks, see market-watch.ts. */
  readonly excursions?: RowPages | undefined;
}

/** Closed trades, from fills that are added in order. A leg that is open at the end is none of them. */
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
    return [...this.#chosen(Math.max(0, this.count - most), () => true)];
  }

  /** What is open at the end. */
  open(): OpenTrade[] {
    return this.#legs.flatMap((leg, key) => {
      const instrument = this.#instruments[Math.floor(key / SIDE_CODES)]!;
      return leg === undefined || leg.size <= 0 ? [] : [openTradeOf(key, leg, instrument, this.#labels, this.#brackets)];
    });
  }

  /** The trades from place `from` on whose place is chosen. */
  *#chosen(from: number, isChosen: (place: number) => boolean): Generator<RoundTrip> {
    const exitsOf = this.#exits.reader(this.#exitsFrom(from));
    const reader = this.#rows.reader(from);
    const maes = this.#columns.reader('mae', from);
    const mfes = this.#columns.reader('mfe', from);
    for (let place = from; reader.next() && maes.next() && mfes.next(); place++) {
      const row = reader.page.subarray(reader.at, reader.at + STRIDE);
      const exits = exitsOf(row[EXITS]!);
      if (isChosen(place)) yield this.#named(row, exits, maes.page[maes.at]!, mfes.page[mfes.at]!);
    }
  }

  /** Number of exits in TripExits of trade `from` and the later ones. */
  #exitsFrom(from: number): number {
    if (from === 0) return this.#exits.count;
    let exits = 0;
    for (const reader = this.#rows.reader(from); reader.next();) exits += reader.page[reader.at + EXITS]!;
    return exits;
  }

  /** What each trade has in common with others. */
  *parts(): Generator<TradeParts> {
    const exitsOf = this.#exits.reader(this.#exits.count);
    const labels = this.#labels.all;
    for (const reader = this.#rows.reader(); reader.next();) {
      const { page, at } = reader;
      const key = page[at + KEY]!;
      const { strategy, reason: entryReason } = labels[page[at + LABEL]!]!;
      const [pnl, fees] = [page[at + PNL]!, page[at + FEES]!];
      const exits = exitsOf(page[at + EXITS]!);
      yield {
        symbol: this.#instruments[Math.floor(key / SIDE_CODES)]!.symbol,
        positionSide: sideOf(key),
        openedAt: page[at + OPENED_AT]!,
        net: pnl - fees,
        fees,
        strategy,
        entryReason,
        exits: exits ?? [[labels[page[at + LAST_LABEL]!]!.reason, { size: page[at + EXIT_LOTS]!, pnl, fees }]],
      };
    }
  }

  /** The trades as columns. */
  rows(): TradeRows {
    const { net, side, heldMs, mae, mfe } = this.#columns.all;
    const symbols: string[] = [];
    for (const reader = this.#rows.reader(); reader.next();)
      symbols.push(this.#instruments[Math.floor(reader.page[reader.at + KEY]! / SIDE_CODES)]!.symbol);
    return {
      net: joined(net),
      side: joined(side),
      heldMs: joined(heldMs),
      mae: joined(mae),
      mfe: joined(mfe),
      symbols,
      named: (places) => {
        const inOrder = [...places].sort((a, b) => a - b);
        const trades = this.#chosen(inOrder[0] ?? this.count, (place) => places.has(place));
        return new Map(inOrder.map((place) => [place, trades.next().value as RoundTrip]));
      },
    };
  }

  #named(row: Float64Array, exits: Exits | null, mae: number, mfe: number): RoundTrip {
    const key = row[KEY]!;
    const instrument = this.#instruments[Math.floor(key / SIDE_CODES)]!;
    const labels = this.#labels.all;
    const { strategy, reason: entryReason } = labels[row[LABEL]!]!;
    const { reason } = labels[row[LAST_LABEL]!]!;
    return {
      symbol: instrument.symbol,
      positionSide: sideOf(key),
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
      exits: (exits ?? [[reason, { size: row[EXIT_LOTS]!, pnl: row[PNL]!, fees: row[FEES]! }] as const]).map(([why, sums]) =>
        exitOf(why, sums, instrument),
      ),
      mae: Number.isNaN(mae) ? null : mae,
      mfe: Number.isNaN(mfe) ? null : mfe,
      ...bracketOf(row[ORDER]!, this.#brackets, instrument),
    };
  }

  /** The trades in columns, which of a long run are read part by part. */
  get columns(): TradeColumns {
    return this.#columns.all;
  }
}
