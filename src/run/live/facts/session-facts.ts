/**
 * What recorded sessions of one bot show, collected while they are replayed: the market as its polls saw it, its commands and their ends, its
 * fills with their fees and profits, funding, and equity. Money is in 10⁻⁸ of the quote coin, prices are ticks, sizes lots.
 */
import { CLOSE, TAKER } from '../../../domain/codes.ts';
import { emptyCommand, type Command } from '../../../domain/orders/command.ts';
import { makesOrder } from '../../../domain/orders/command-traits.ts';
import { feeOf, type Instrument } from '../../../domain/instrument.ts';
import { parseScaled } from '../../../domain/amounts/scale.ts';
import type { AccountReport, OrderReport, PositionReport } from '../../../domain/report.ts';
import { MONEY_DECIMALS } from '../../../domain/amounts/units.ts';
import { ANSWERED } from '../../../ports/venue-event.ts';
import type { JournalRecord } from '../../../ports/store.ts';
import type { PlayWatch } from '../../replay/timeline.ts';
import type { EventEntry, Head } from '../../session/entries.ts';
import { LegBooks } from './leg-books.ts';
import { shareOut, type LiveFill, type LiveStep, type Payment, type SeenQuote, type SeenTrade } from './seen.ts';

interface OrderFacts {
  readonly instrument: number;
  readonly side: number;
  readonly effect: number;
  readonly strategy: string;
  /** Lots that were filled before the first session. */
  readonly before: number;
  /** As the order's own record says; null until one was read. */
  money: { readonly fee: number; readonly realised: number } | null;
}

/** A fill before its order's record was read. */
const UNREAD = { venueTime: 0, seq: 0, belongsTo: 0, fee: 0, realised: 0, liquidity: TAKER, strategy: '' };

export class SessionFacts implements PlayWatch {
  readonly instruments: readonly Instrument[];
  readonly quotes: SeenQuote[] = [];
  readonly trades: SeenTrade[] = [];
  readonly fills: LiveFill[] = [];
  readonly steps: LiveStep[] = [];
  /** Reads of the account's equity (E9). */
  readonly equity: { readonly at: number; readonly equity: number }[] = [];
  /** The first read of the account, by instrument. */
  readonly accounts = new Map<number, AccountReport>();
  /** Funding that was received (positive) or paid, as far as reads of positions showed it. */
  readonly payments: Payment[] = [];
  /** Sizes of the legs before the first event, by leg (2 · instrument + side), with their average price in ticks. */
  readonly startLegs = new Map<number, { readonly lots: number; readonly price: number }>();
  /** The newest read of each leg. */
  readonly legs = new Map<number, PositionReport>();
  /** Orders whose fee and profit no record showed, and which were estimated. */
  estimated = 0;
  #isFirstRead = true;
  readonly #hasSnapshot: boolean;
  readonly #startedAt: number;
  readonly #orders = new Map<number, OrderFacts>();
  readonly #first = new Map<number, SeenQuote>();
  readonly #newest = new Map<number, SeenQuote>();
  readonly #tradeIds = new Map<number, number>();
  readonly #foreign = new Map<string, { readonly at: number; readonly report: OrderReport }>();
  readonly #known = new Set<string>();
  readonly #bot: string;

  constructor(head: Head) {
    this.instruments = head.instruments;
    this.#bot = head.config.bot;
    this.#startedAt = head.startedAt;
    this.#hasSnapshot = head.snapshot !== null;
    for (const { symbol, side, total } of head.snapshot?.legs ?? []) {
      const found = this.#futures(symbol);
      if (found >= 0 && total > 0) this.startLegs.set(2 * found + side, { lots: total, price: 0 });
    }
    for (const { seq, symbol, side, effect, strategy, filled } of head.snapshot?.orders ?? []) {
      this.#orders.set(seq, { instrument: this.#futures(symbol), side, effect, strategy, before: filled, money: null });
    }
  }

  event({ kind, at, answer, venueTime = 0 }: EventEntry): void {
    if (kind !== ANSWERED || !answer) return;
    if (answer.kind === 'quotes') {
      for (const { instrument, bid, bidSize, ask, askSize, venueTime: time } of answer.quotes) {
        this.#quote({ at, venueTime: Math.min(time || venueTime, at), instrument, bid, bidSize, ask, askSize });
      }
    } else if (answer.kind === 'trades') {
      const trades = answer.trades.map((one) => ({ ...one, id: Number(one.tradeId) })).sort((a, b) => a.id - b.id);
      for (const { instrument, id, price, size, aggressor, venueTime: time } of trades) {
        if (id <= (this.#tradeIds.get(instrument) ?? 0)) continue;
        this.#tradeIds.set(instrument, id);
        this.trades.push({ at, venueTime: Math.min(time || venueTime, at), instrument, id, price, size, aggressor });
      }
    } else if (answer.kind === 'account') {
      const { account } = answer;
      this.equity.push({ at, equity: account.equity });
      if (!this.accounts.has(account.instrument)) this.accounts.set(account.instrument, account);
    } else if (answer.kind === 'positions') this.#positions(at, answer.positions);
    else if (answer.kind === 'history') {
      for (const report of answer.orders) this.#record(at, report);
    }
  }

  record({ kind, seq, time, data }: JournalRecord): void {
    switch (kind) {
      case 'command':
        return this.#command(seq, time, data);
      case 'fill':
        return this.#filled(seq, time, Number(data['lots']), Number(data['ticks']));
      case 'ended':
        return void this.steps.push({ kind: 'ended', at: time, seq, how: Number(data['how']) });
      case 'trade':
        return void this.steps.push({ kind: 'trade', at: time, data });
      case 'exit':
        return this.#exit(seq, time, data);
      case 'fee': {
        const order = this.#orders.get(Number(data['order']));
        if (order !== undefined) order.money = { fee: Number(data['fee']), realised: Number(data['profit']) };
        return;
      }
      case 'trigger-fired':
        return void this.#known.add(String(data['venueId']));
    }
  }

  /** Call after the last session: shares out fees and profits. */
  end(): void {
    for (const { at, report } of this.#foreign.values()) if (!this.#known.has(report.venueId)) this.#external(at, report);
    this.fills.sort((a, b) => a.at - b.at);
    const byOrder = new Map<number, LiveFill[]>();
    for (const fill of this.fills) if (fill.seq > 0) byOrder.set(fill.seq, [...(byOrder.get(fill.seq) ?? []), fill]);
    for (const [seq, fills] of byOrder) {
      const order = this.#orders.get(seq)!;
      if (order.money !== null) shareOut(fills, order.before, order.money, this.instruments[order.instrument]!);
    }
    const books = this.books();
    for (const fill of this.fills) this.#book(books, fill, fill.seq > 0 && this.#orders.get(fill.seq)!.money === null);
  }

  get funding(): number {
    return this.payments.reduce((sum, { amount }) => sum + amount, 0);
  }

  /** Mid of the first and of the last quote of an instrument, in ticks; 0 if there is none. */
  firstMid(instrument: number): number {
    return midOf(this.#first.get(instrument));
  }

  lastMid(instrument: number): number {
    return midOf(this.#newest.get(instrument));
  }

  /** Unrealised profit at the start. */
  startValue(): number {
    return this.books().at((k) => this.firstMid(k)).unrealised;
  }

  /** The legs before the first event, to be changed by fills. */
  books(): LegBooks {
    const books = new LegBooks(this.instruments);
    for (const [leg, { lots, price }] of this.startLegs) books.take(leg >> 1, leg & 1, false, price, lots);
    return books;
  }

  #futures(symbol: string): number {
    return this.instruments.findIndex((one) => one.product === 'futures' && one.symbol === symbol);
  }

  #quote(quote: SeenQuote): void {
    const before = this.#newest.get(quote.instrument);
    if (before !== undefined && before.venueTime > quote.venueTime) return;
    if (before === undefined) this.#first.set(quote.instrument, quote);
    this.#newest.set(quote.instrument, quote);
    this.quotes.push(quote);
  }

  /** A leg's own sum of funding starts again once it was flat. */
  #positions(at: number, reports: readonly PositionReport[]): void {
    for (const report of reports) {
      const leg = 2 * report.instrument + report.side;
      const before = this.legs.get(leg);
      const isSame = before !== undefined && before.createdAt === report.createdAt;
      const amount = report.funding - (isSame ? before.funding : 0);
      if (this.#isFirstRead) this.#atStart(leg, report);
      else if (amount !== 0) this.payments.push({ at, instrument: report.instrument, side: report.side, amount });
      this.legs.set(leg, report);
    }
    this.#isFirstRead = false;
  }

  /** Of a bot with a journal, the journal knows what it held: the venue may already show what was filled meanwhile. */
  #atStart(leg: number, { instrument, entryPrice, total }: PositionReport): void {
    const { priceScale, tickStep } = this.instruments[instrument]!;
    const price = Math.round((entryPrice * priceScale) / tickStep);
    const known = this.startLegs.get(leg);
    if (known !== undefined) this.startLegs.set(leg, { lots: known.lots, price });
    else if (!this.#hasSnapshot && total > 0) this.startLegs.set(leg, { lots: total, price });
  }

  #record(at: number, report: OrderReport): void {
    const isOwn = report.clientId.startsWith(`${this.#bot}-`);
    const isTraded = report.status === 'filled' && report.updatedAt >= this.#startedAt;
    if (!isOwn && isTraded && !this.#foreign.has(report.venueId)) this.#foreign.set(report.venueId, { at, report });
  }

  #command(seq: number, at: number, data: JournalRecord['data']): void {
    const { strategy = '', reason = '', symbol: _symbol, ...fields } = data;
    const command: Command = { ...emptyCommand(), ...fields, seq, time: at };
    this.steps.push({ kind: 'command', at, command, strategy: String(strategy), reason: String(reason) });
    if (!makesOrder(command.kind)) return;
    const { instrument, side, effect } = command;
    this.#orders.set(seq, { instrument, side, effect, strategy: String(strategy), before: 0, money: null });
  }

  #filled(seq: number, at: number, lots: number, ticks: number): void {
    const order = this.#orders.get(seq);
    if (order === undefined || this.instruments[order.instrument]?.product !== 'futures') return;
    const { instrument, side, effect, strategy } = order;
    const price = ticks > 0 ? ticks : Math.round(this.lastMid(instrument));
    this.fills.push({ ...UNREAD, at, seq, belongsTo: seq, what: 'order', instrument, side, effect, price, lots, strategy });
  }

  /** A bracket closed lots at the venue. */
  #exit(seq: number, at: number, data: JournalRecord['data']): void {
    const order = this.#orders.get(seq);
    this.#known.add(String(data['venueId']));
    if (order === undefined) return;
    const { instrument, side } = order;
    const lots = Number(data['lots']);
    const price = Number(data['ticks']) || Math.round(this.lastMid(instrument));
    const what = data['what'] === 'stop-loss' ? 'stop-loss' : 'take-profit';
    const strategy = typeof data['strategy'] === 'string' ? data['strategy'] : '';
    const fill: LiveFill = { ...UNREAD, at, belongsTo: seq, what, instrument, side, effect: CLOSE, price, lots, strategy };
    if (typeof data['fee'] === 'string' && typeof data['profit'] === 'string') {
      const money = { fee: parseScaled(data['fee'], MONEY_DECIMALS), realised: parseScaled(data['profit'], MONEY_DECIMALS) };
      shareOut([fill], 0, money, this.instruments[instrument]!);
    } else {
      this.estimated++;
      fill.fee = Number.NaN;
    }
    this.fills.push(fill);
  }

  #external(at: number, { instrument, side, effect, averagePrice, size, fee, realised, updatedAt }: OrderReport): void {
    const { priceScale, tickStep } = this.instruments[instrument]!;
    const price = Math.round((averagePrice * priceScale) / tickStep);
    const fill: LiveFill = { ...UNREAD, at, venueTime: updatedAt, what: 'external', instrument, side, effect, price, lots: size };
    shareOut([fill], 0, { fee, realised }, this.instruments[instrument]!);
    this.fills.push(fill);
  }

  /** Changes the books by the fill; without a record, its profit is that of the books and its fee that of a taker. */
  #book(books: LegBooks, fill: LiveFill, isUnread: boolean): void {
    const { instrument, side, effect, price, lots } = fill;
    const realised = books.take(instrument, side, effect === CLOSE, price, lots);
    if (!isUnread && !Number.isNaN(fill.fee)) return;
    if (isUnread) this.estimated++;
    const { takerFeeRate, unitValue } = this.instruments[instrument]!;
    fill.fee = feeOf(price * lots * unitValue, takerFeeRate);
    fill.realised = realised;
  }
}

function midOf(quote: SeenQuote | undefined): number {
  return quote === undefined ? 0 : (quote.bid + quote.ask) / 2;
}
