/**
 * Collects what recorded sessions of one bot show while they are replayed: the market as its polls saw it, its commands and their ends, its
 * fills with their fees and profits, funding, and equity. Money is in 10⁻⁸ of the quote coin, prices are ticks, sizes lots.
 * size: one class, every fact of the same books as they are replayed
 */
import { CLOSE, MODIFY, OPEN, PLACE, TAKER } from '../../../domain/codes.ts';
import { emptyCommand, parseClientId, type Command } from '../../../domain/orders/command.ts';
import { makesOrder, productOf } from '../../../domain/orders/command-traits.ts';
import { CANCELLED, FILLED, isEnded } from '../../../domain/orders/order.ts';
import { feeOf, type Instrument } from '../../../domain/instrument.ts';
import { parseScaled } from '../../../domain/amounts/scale.ts';
import type { AccountReport, OrderReport, PositionReport } from '../../../domain/report.ts';
import { MONEY_DECIMALS } from '../../../domain/amounts/units.ts';
import { ANSWERED } from '../../../ports/venue-event.ts';
import type { JournalRecord } from '../../../ports/store.ts';
import type { SavedLeg, SavedOrder } from '../../../engine/state/records/saved.ts';
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
  /** Lots that are filled by now, and their value in ticks × lots. */
  filled: number;
  worth: number;
  hasEnded: boolean;
  /** Start of the session whose start state no longer has it, while nothing shows how it ended; 0 for other orders. */
  lostAt: number;
  /** As the order's own record says; null until one was read. */
  money: { readonly fee: number; readonly realised: number } | null;
}

/** A filled order without our name. "unrecorded": a start state contains it, so it may have been an own bracket. */
interface Foreign {
  readonly at: number;
  readonly report: OrderReport;
  readonly what: 'external' | 'unrecorded';
}

/** Lots of a leg by the journal. */
interface LegCheck {
  readonly at: number;
  readonly leg: number;
  readonly lots: number;
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
  /** Changes of the journal's legs for which there is no fill: they are estimated. */
  guessed = 0;
  /** Orders whose command no recording has. */
  placedBetween = 0;
  #isFirstRead = true;
  readonly #isSaved: ReadonlySet<number>;
  /** What the fills must give at the start of each later session, and lots of each leg by its last record. */
  readonly #checks: LegCheck[] = [];
  readonly #journaled = new Map<number, number>();
  #endedAt: number;
  /** Starts of the sessions after the first, and the foreign orders that the last start state contains. */
  readonly #restarts: number[] = [];
  #contained: ReadonlySet<string> = new Set();
  readonly #startedAt: number;
  readonly #orders = new Map<number, OrderFacts>();
  readonly #first = new Map<number, SeenQuote>();
  readonly #newest = new Map<number, SeenQuote>();
  readonly #tradeIds = new Map<number, number>();
  readonly #foreign = new Map<string, Foreign>();
  readonly #known = new Set<string>();
  readonly #bot: string;

  constructor(head: Head) {
    this.instruments = head.instruments;
    this.#bot = head.config.bot;
    this.#startedAt = head.startedAt;
    this.#endedAt = head.startedAt;
    const legs = (head.snapshot?.legs ?? []).map((saved) => ({ leg: this.#legOf(saved), lots: saved.total }));
    this.#isSaved = new Set(legs.map(({ leg }) => leg));
    for (const { leg, lots } of legs) if (leg >= 0 && lots > 0) this.startLegs.set(leg, { lots, price: 0 });
    for (const order of head.snapshot?.orders ?? []) this.#orders.set(order.seq, this.#factsOf(order, order.filled));
  }

  /**
   * A later session begins. Its start state is that of the journal, which a kill leaves complete: what the recording before it lacks is taken
   * from there, and from the order history that is read then.
   */
  continues({ startedAt: at, snapshot }: Head): void {
    if (snapshot === null) return;
    this.#restarts.push(at);
    this.#contained = new Set((snapshot.explained ?? []).map(([venueId]) => venueId));
    for (const order of snapshot.orders) if (order.seq > 0) this.#saved(at, order);
    const isKept = new Set(snapshot.orders.map(({ seq }) => seq));
    for (const [seq, order] of this.#orders) if (!order.hasEnded && !isKept.has(seq)) order.lostAt ||= at;
    for (const saved of snapshot.legs ?? []) {
      const leg = this.#legOf(saved);
      if (leg < 0) continue;
      // A record that is read later explains the change whose cause was still being read.
      this.#checks.push({ at, leg, lots: saved.total - (saved.unexplained ?? 0) });
      this.#journaled.set(leg, saved.total);
    }
    for (const [strategy, trades] of Object.entries(snapshot.trades ?? {}))
      for (const trade of trades) this.steps.push({ kind: 'trade', at, data: { strategy, trade } });
  }

  event({ kind, at, answer, venueTime = 0 }: EventEntry): void {
    this.#endedAt = Math.max(this.#endedAt, at);
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
    this.#endedAt = Math.max(this.#endedAt, time);
    switch (kind) {
      case 'command':
        return this.#command(seq, time, data);
      case 'fill':
        return this.#filled(seq, time, Number(data['lots']), Number(data['ticks']), Number(data['worth'] ?? 0));
      case 'ended':
        return this.#ended(seq, time, Number(data['how']));
      case 'leg': {
        const leg = this.#legOf(data as unknown as SavedLeg);
        if (leg >= 0) this.#journaled.set(leg, Number(data['total']));
        return;
      }
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

  /** Call after the last session: adds the fills that no recording has, and shares out fees and profits. */
  end(): void {
    for (const one of this.#foreign.values()) if (!this.#known.has(one.report.venueId)) this.#external(one);
    this.fills.sort((a, b) => a.at - b.at);
    this.#addUnrecorded();
    const byOrder = new Map<number, LiveFill[]>();
    for (const fill of this.fills) if (fill.seq > 0) byOrder.set(fill.seq, [...(byOrder.get(fill.seq) ?? []), fill]);
    for (const [seq, fills] of byOrder) {
      const order = this.#orders.get(seq)!;
      if (order.money !== null) shareOut(fills, order.before, order.money, this.instruments[order.instrument]!);
    }
    const books = this.books();
    for (const fill of this.fills) this.#book(books, fill, fill.seq > 0 && this.#orders.get(fill.seq)!.money === null);
  }

  /** Orders that ended between two recordings, and of which no record shows how. */
  get lost(): number {
    return [...this.#orders.values()].filter(({ lostAt }) => lostAt > 0).length;
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
    for (const [leg, { lots, price }] of this.startLegs)
      books.take(leg >> 1, leg & 1, false, price || Math.round(this.firstMid(leg >> 1)), lots);
    return books;
  }

  /** −1 if the symbol has no instrument. */
  #indexOf(symbol: string, kind: number): number {
    const product = productOf(kind);
    return this.instruments.findIndex((one) => one.product === product && one.symbol === symbol);
  }

  /** Negative if the symbol has no instrument. */
  #legOf({ symbol, side }: Pick<SavedLeg, 'symbol' | 'side'>): number {
    const index = this.#indexOf(symbol, PLACE);
    return index < 0 ? -1 : 2 * index + side;
  }

  #factsOf({ symbol, kind, side, effect, strategy, worth = 0, state }: SavedOrder, filled: number): OrderFacts {
    const instrument = this.#indexOf(symbol, kind);
    return { instrument, side, effect, strategy, before: filled, filled, worth, hasEnded: isEnded(state), lostAt: 0, money: null };
  }

  /** An order in the start state of a later session. */
  #saved(at: number, order: SavedOrder): void {
    const { seq, symbol, strategy, filled, worth = 0, booked, replaces, repeats = 0, state, createdAt: time, endedAt = at } = order;
    const { side, effect, type, price, size, force, marginMode } = order;
    const [kind, target] = replaces > 0 ? [MODIFY, replaces] : [order.kind, repeats];
    const instrument = this.#indexOf(symbol, order.kind);
    if (!this.#orders.has(seq))
      this.#placed({ kind, target, seq, instrument, side, effect, type, price, size, force, marginMode, time }, strategy);
    const known = this.#orders.get(seq)!;
    this.#known.add(order.venueId);
    this.#fills(seq, at, filled, worth);
    if (booked !== undefined) known.money ??= { fee: booked.fee, realised: booked.profit };
    if (isEnded(state) && !known.hasEnded) this.#ended(seq, endedAt, state);
  }

  /** A record of an own order in a later session: if it ended between the recordings, it shows how. */
  #late({ clientId, instrument, side, effect, type, price, size, averagePrice, filled, ...report }: OrderReport): void {
    const { seq } = parseClientId(this.#bot, clientId);
    const { status, createdAt: time, updatedAt, fee, realised } = report;
    const known = this.#orders.get(seq);
    const at = known?.lostAt || this.#restartAfter(updatedAt);
    const isMissing = known === undefined ? seq > 0 && updatedAt >= this.#startedAt && at > 0 : known.lostAt > 0;
    if (!isMissing) return;
    const isFilled = status === 'filled';
    const lots = isFilled ? size : (filled ?? (averagePrice > 0 ? Number.NaN : 0));
    if (Number.isNaN(lots) || !(isFilled || status === 'cancelled')) return;
    if (known === undefined) this.#placed({ kind: PLACE, seq, instrument, side, effect, type, price, size, time }, '');
    const order = this.#orders.get(seq)!;
    const { priceScale, tickStep } = this.instruments[instrument]!;
    this.#fills(seq, at, lots, ((averagePrice * priceScale) / tickStep) * lots);
    order.money = { fee, realised };
    order.lostAt = 0;
    this.#ended(seq, at, isFilled ? FILLED : CANCELLED);
  }

  /** Start of the first later session after this time; 0 if there is none. */
  #restartAfter(time: number): number {
    return this.#restarts.find((one) => one >= time) ?? 0;
  }

  /** An order whose command no recording has. */
  #placed(fields: Partial<Command> & Pick<Command, 'seq' | 'time'>, strategy: string): void {
    this.placedBetween++;
    this.#command(fields.seq, fields.time, { ...fields, strategy });
  }

  /** So many lots of an order are filled by now, worth this many ticks × lots (0: unknown). */
  #fills(seq: number, at: number, filled: number, worth: number): void {
    const known = this.#orders.get(seq)!;
    const lots = filled - known.filled;
    if (lots > 0) this.#filled(seq, at, lots, worth > known.worth ? Math.round((worth - known.worth) / lots) : 0, worth);
  }

  /** Where a leg of the journal is not what the fills give, the rest is a fill that no recording has. */
  #addUnrecorded(): void {
    const books = this.books();
    const last = [...this.#journaled].map(([leg, lots]): LegCheck => ({ at: this.#endedAt, leg, lots }));
    const known = [...this.fills];
    let next = 0;
    for (const { at, leg, lots } of [...this.#checks, ...last]) {
      for (; next < known.length && known[next]!.at <= at; next++) {
        const { instrument, side, effect, price, lots: size } = known[next]!;
        books.take(instrument, side, effect === CLOSE, price, size);
      }
      const missing = Math.max(0, lots) - books.lotsOf(leg);
      if (missing === 0) continue;
      const [instrument, side, effect] = [leg >> 1, leg & 1, missing > 0 ? OPEN : CLOSE];
      const price = Math.round(this.midAt(instrument, at)) || books.averageOf(leg);
      books.take(instrument, side, effect === CLOSE, price, Math.abs(missing));
      this.fills.push({ ...UNREAD, at, what: 'unrecorded', instrument, side, effect, price, lots: Math.abs(missing), fee: Number.NaN });
      this.guessed++;
    }
    this.fills.sort((a, b) => a.at - b.at);
  }

  /** Mid of the last quote by that time, else of the first one, in ticks; 0 if there is none. */
  midAt(instrument: number, time: number): number {
    const quote = this.quotes.findLast((one) => one.instrument === instrument && one.at <= time);
    return midOf(quote ?? this.#first.get(instrument));
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
    else if (!this.#isSaved.has(leg) && total > 0) this.startLegs.set(leg, { lots: total, price });
  }

  #record(at: number, report: OrderReport): void {
    const { venueId, clientId, status, updatedAt } = report;
    if (clientId.startsWith(`${this.#bot}-`)) return this.#late(report);
    if (status !== 'filled' || updatedAt < this.#startedAt || this.#foreign.has(venueId)) return;
    const restart = this.#contained.has(venueId) ? this.#restartAfter(updatedAt) : 0;
    this.#foreign.set(venueId, { at: restart || at, report, what: restart > 0 ? 'unrecorded' : 'external' });
  }

  #command(seq: number, at: number, data: JournalRecord['data']): void {
    const { strategy = '', reason = '', symbol: _symbol, ...fields } = data;
    const command: Command = { ...emptyCommand(), ...fields, seq, time: at };
    this.steps.push({ kind: 'command', at, command, strategy: String(strategy), reason: String(reason) });
    if (!makesOrder(command.kind)) return;
    const { instrument, side, effect } = command;
    const none = { before: 0, filled: 0, worth: 0, hasEnded: false, lostAt: 0, money: null };
    this.#orders.set(seq, { instrument, side, effect, strategy: String(strategy), ...none });
  }

  #ended(seq: number, at: number, how: number): void {
    const order = this.#orders.get(seq);
    if (order !== undefined) order.hasEnded = true;
    this.steps.push({ kind: 'ended', at, seq, how });
  }

  /** `worth`: value of all its fills so far in ticks × lots; 0 if that is not known. */
  #filled(seq: number, at: number, lots: number, ticks: number, worth: number): void {
    const order = this.#orders.get(seq);
    if (order === undefined) return;
    order.filled += lots;
    order.worth = worth > 0 ? worth : order.worth + lots * ticks;
    if (this.instruments[order.instrument]?.product !== 'futures') return;
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

  #external({ at, what, report }: Foreign): void {
    const { instrument, side, effect, averagePrice, size, fee, realised, updatedAt } = report;
    const { priceScale, tickStep } = this.instruments[instrument]!;
    const price = Math.round((averagePrice * priceScale) / tickStep);
    const fill: LiveFill = { ...UNREAD, at, venueTime: updatedAt, what, instrument, side, effect, price, lots: size };
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
