/**
 * Compares what a bot recorded with the ledger of the paper exchange that it traded on: every order, its fills, fee, profit and end, the
 * position of each leg, and every read of the balance. Neither side is computed from the other.
 */
import { PLACE_SPOT, PLACE_TRIGGER, SIDES } from '../../../domain/codes.ts';
import { CANCELLED, ORDER_STATES, REPLACED } from '../../../domain/orders/order.ts';
import { formatLots, formatMoney, type Instrument } from '../../../domain/instrument.ts';
import { endText, filledText, orderText } from './audit-text.ts';
import { isNowhere, type Filled, type OwnExit, type OwnOrder } from './own-orders.ts';
import type { VenueCash, VenueOrder, VenueOrders } from './venue-orders.ts';

export const SUBJECTS = ['order', 'fills', 'fee', 'profit', 'end', 'position', 'balance'] as const;
export type Subject = (typeof SUBJECTS)[number];

/** `not recorded`: the recording does not have it, for the reason that is named. */
export const VERDICTS = ['agrees', 'differs', 'not recorded'] as const;
export type Verdict = (typeof VERDICTS)[number];

export interface AuditLine {
  /** Time when the order was created, or the read was answered, in milliseconds. */
  readonly time: number;
  readonly what: Subject;
  /** Client id of the order, id of the venue's order, leg, or coin. */
  readonly id: string;
  /** Number of the line of the ledger; 0 for none. */
  readonly line: number;
  readonly verdict: Verdict;
  readonly recorded: string;
  readonly ledger: string;
  /** Why it was not recorded; "" otherwise. */
  readonly why: string;
}

/** The equity without the profit of open positions, as a read of the account (E9) showed it. */
export interface BalanceRead {
  /** Time of the venue in the answer. */
  readonly time: number;
  readonly coin: string;
  readonly amount: number;
}

export interface OwnSide {
  /** Begin of the client ids of the bot. */
  readonly bot: string;
  readonly instruments: readonly Instrument[];
  /** By client id. */
  readonly orders: ReadonlyMap<string, OwnOrder>;
  readonly exits: ReadonlyMap<string, OwnExit>;
  /** Lots at the end, by 2 · instrument + side. */
  readonly legs: ReadonlyMap<number, number>;
  readonly balances: readonly BalanceRead[];
  readonly from: number;
  /** What the venue did later may be missing in the last reads of the recording: when they began, less the lag that lists may have. */
  readonly to: number;
  /** Times that no recording has: a process was killed, and the next one had not begun. */
  readonly gaps: readonly (readonly [from: number, to: number])[];
}

export interface Compared {
  readonly lines: readonly AuditLine[];
  /** Orders of others on the account, and of the bot before the recording. */
  readonly others: number;
  readonly before: number;
}

/** Lines in order of time. Instruments of the ledger have the numbers of `own.instruments`. */
export function compare(own: OwnSide, venue: VenueOrders): Compared {
  return new Comparison(own, venue).all();
}

type Facts = Pick<AuditLine, 'time' | 'id' | 'line'>;

class Comparison {
  readonly #own: OwnSide;
  readonly #venue: VenueOrders;
  readonly #lines: AuditLine[] = [];
  /** Orders that the venue made of another one, by the number of that. */
  readonly #children = new Map<number, VenueOrder[]>();
  #others = 0;
  #before = 0;

  constructor(own: OwnSide, venue: VenueOrders) {
    this.#own = own;
    this.#venue = venue;
  }

  all(): Compared {
    const byId = new Map<string, VenueOrder>();
    for (const order of this.#venue.orders.values()) this.#venueOrder(order, byId);
    for (const [id, order] of this.#own.orders) this.#order(id, order, byId.get(id));
    const venueIds = new Set([...this.#venue.orders.values()].map(({ order }) => order['orderId']));
    for (const [id, exit] of this.#own.exits)
      if (!venueIds.has(id)) this.#add({ time: exit.at, id, line: 0 }, 'order', 'differs', exit.what, 'no order');
    this.#positions();
    this.#balances();
    this.#lines.sort((a, b) => a.time - b.time || a.line - b.line);
    return { lines: this.#lines, others: this.#others, before: this.#before };
  }

  /** Sorts an order of the ledger: one of the bot, an exit of one of its brackets, part of a trigger order, or somebody else's. */
  #venueOrder(one: VenueOrder, byId: Map<string, VenueOrder>): void {
    const { order, line, at } = one;
    const id = typeof order['clientOid'] === 'string' ? order['clientOid'] : '';
    if (order['byVenue'] === true) {
      const parent = Number(order['parent']);
      this.#children.set(parent, [...(this.#children.get(parent) ?? []), one]);
      return this.#byVenue(one);
    }
    if (!id.startsWith(`${this.#own.bot}-`)) return void this.#others++;
    if (byId.has(id)) return this.#add({ time: at, id, line }, 'order', 'differs', 'one order', 'a second order with this id');
    byId.set(id, one);
    if (this.#own.orders.has(id)) return;
    if (at < this.#own.from) return void this.#before++;
    this.#missing({ time: at, id, line }, this.#orderText(order));
  }

  /** The order of a trigger that fired counts for its parent. The exit of a bracket is compared with what the bot noticed of it. */
  #byVenue(one: VenueOrder): void {
    const { order, line, at, lots } = one;
    const parent = this.#venue.orders.get(Number(order['parent']));
    const own = parent === undefined ? undefined : this.#own.orders.get(String(parent.order['clientOid']));
    if (parent === undefined || own === undefined) return void this.#others++;
    if (own.kind === PLACE_TRIGGER || lots === 0) return;
    const facts = { time: at, id: String(order['orderId']), line };
    const exit = this.#own.exits.get(facts.id);
    if (exit === undefined) return this.#missing(facts, this.#orderText(order), one.changedAt);
    this.#add(facts, 'order', 'agrees', exit.what, exit.what);
    this.#filled(facts, exit, one, this.#own.to);
    this.#money(facts, exit, one);
  }

  /** An order of the ledger that the bot has not recorded. */
  #missing(facts: Facts, ledger: string, changedAt = facts.time): void {
    const isInGap = this.#own.gaps.some(([from, to]) => facts.time >= from && facts.time <= to);
    const why = isInGap ? 'in a gap of the recording' : changedAt > this.#own.to ? 'after the last read' : '';
    if (why !== '') return this.#add(facts, 'order', 'not recorded', '', ledger, why);
    this.#add(facts, 'order', 'differs', 'no order', ledger);
  }

  #order(id: string, own: OwnOrder, one: VenueOrder | undefined): void {
    const facts = { time: one?.at ?? own.at, id, line: one?.line ?? 0 };
    if (one === undefined) return this.#nowhere(facts, own);
    if (isNowhere(own)) return this.#add(facts, 'order', 'differs', endText(own), this.#orderText(one.order));
    const [recorded, ledger] = [this.#ownText(own), this.#orderText(one.order, own)];
    this.#add(facts, 'order', recorded === ledger ? 'agrees' : 'differs', recorded, ledger);
    if (own.kind === PLACE_SPOT) return;
    const whole = own.kind === PLACE_TRIGGER ? this.#withChildren(one) : one;
    const until = own.isLost ? -Infinity : this.#own.to;
    this.#filled(facts, own, whole, until);
    this.#money(facts, own, whole);
    this.#end(facts, own, whole, until);
  }

  #nowhere(facts: Facts, own: OwnOrder): void {
    if (isNowhere(own)) return this.#add(facts, 'order', 'agrees', endText(own), 'no order');
    if (own.outcome === 'accepted' || own.lots > 0) return this.#add(facts, 'order', 'differs', this.#ownText(own), 'no order');
    if (own.ended !== null) return this.#add(facts, 'order', 'agrees', 'never arrived', 'no order');
    this.#add(
      facts,
      'order',
      'not recorded',
      this.#ownText(own),
      'no order',
      own.outcome === 'unknown' ? 'its outcome was never known' : 'before its answer',
    );
  }

  /** The bot learns averages, so a price is known to half a tick. */
  #filled(facts: Facts, own: Filled, one: VenueOrder, until: number): void {
    const instrument = this.#instrument(one);
    const [recorded, ledger] = [filledText(own, instrument), filledText(one, instrument)];
    const isSame = own.lots === one.lots && (own.worth === null || Math.abs(own.worth - one.worth) <= own.lots / 2);
    this.#judge(
      { ...facts, line: one.lastLine },
      'fills',
      isSame,
      recorded,
      ledger,
      one.changedAt > until && own.lots < one.lots ? 'after the last read of it' : '',
    );
  }

  #money(facts: Facts, { money, lots }: Pick<OwnOrder, 'money' | 'lots'>, one: VenueOrder): void {
    if (one.lots === 0 && money === null) return;
    const at = { ...facts, line: one.lastLine };
    const { makerFeeRate } = this.#instrument(one);
    // Venues differ in the sign of fees. If makers are paid a rebate, the sign is kept.
    const fee = (amount: number): number => (makerFeeRate < 0 ? amount : Math.abs(amount));
    const unread = money === null ? 'never read' : lots < one.lots ? 'after the last read of it' : '';
    const texts = (recorded: number | undefined, ledger: number): readonly [boolean, string, string] => [
      recorded === ledger,
      recorded === undefined ? '' : formatMoney(recorded),
      formatMoney(ledger),
    ];
    this.#judge(at, 'fee', ...texts(money === null ? undefined : fee(money.fee), fee(one.fee)), unread);
    this.#judge(at, 'profit', ...texts(money?.profit, one.profit), unread);
  }

  /**
   * A read shows an order that a modify replaced as cancelled. The bot may have read that before it learned that the modify had landed. What
   * replaced it is compared as an order of its own.
   */
  #end(facts: Facts, own: OwnOrder, one: VenueOrder, until: number): void {
    const text = (state: number | null): string => (state === null ? 'open' : own.kind === PLACE_TRIGGER ? 'ended' : ORDER_STATES[state]!);
    const why = own.ended === null && one.changedAt > until ? 'after the last read of it' : '';
    const isReplaced = own.ended === CANCELLED && one.ended === REPLACED;
    const isSame = isReplaced || text(own.ended) === text(one.ended);
    this.#judge({ ...facts, line: one.lastLine }, 'end', isSame, text(own.ended), text(one.ended), why);
  }

  /** The position that the bot had last must be one that the ledger shows since the reads behind it. */
  #positions(): void {
    const { legs, to, instruments } = this.#own;
    const all = new Set([...legs.keys(), ...this.#venue.fills.map(({ leg }) => leg)]);
    for (const leg of [...all].sort((a, b) => a - b)) {
      const instrument = instruments[leg >> 1];
      if (instrument === undefined) continue;
      const known = legs.get(leg) ?? 0;
      let lots = 0;
      let line = 0;
      let isShown = false;
      const fills = this.#venue.fills.filter((fill) => fill.leg === leg);
      for (const [k, fill] of fills.entries()) {
        lots += fill.lots;
        line = fill.line;
        if ((fills[k + 1]?.at ?? Infinity) >= to && lots === known) isShown = true;
      }
      if (known === 0 && (fills[0]?.at ?? Infinity) >= to) isShown = true;
      const id = `${instrument.symbol} ${SIDES[leg & 1]}`;
      this.#judge({ time: to, id, line }, 'position', isShown, formatLots(known, instrument), formatLots(lots, instrument), '');
    }
  }

  /** Each read must show a sum of the ledger at its time. Money that a line moves has the time between its neighbours. */
  #balances(): void {
    const coins = new Map<string, VenueCash[]>();
    for (const one of this.#venue.cash) coins.set(one.coin, [...(coins.get(one.coin) ?? []), one]);
    for (const [coin, cash] of coins) {
      let k = 0;
      let sum = 0;
      for (const { time, amount } of this.#own.balances.filter((one) => one.coin === coin).toSorted((a, b) => a.time - b.time)) {
        while (k < cash.length && cash[k]!.to < time) sum += cash[k++]!.amount;
        let shown = sum;
        let at = k;
        for (; at < cash.length && cash[at]!.from <= time && shown !== amount; at++) shown += cash[at]!.amount;
        const facts = { time, id: coin, line: cash[Math.max(0, at - 1)]?.line ?? 0 };
        this.#judge(facts, 'balance', shown === amount, formatMoney(amount), formatMoney(shown), '');
      }
    }
  }

  #withChildren(parent: VenueOrder): VenueOrder {
    return (this.#children.get(parent.order.no) ?? []).reduce((all, one) => {
      const { lots, worth, fee, profit, ended, changedAt, lastLine } = one;
      const sums = { lots: all.lots + lots, worth: all.worth + worth, fee: all.fee + fee, profit: all.profit + profit };
      return { ...all, ...sums, ended, changedAt, lastLine };
    }, parent);
  }

  #instrument({ order }: Pick<VenueOrder, 'order'>): Instrument {
    return this.#own.instruments[Number(order['instrument'])]!;
  }

  #ownText({ instrument, side, effect, type, price, size, trigger, bracket, kind }: OwnOrder): string {
    return orderText(
      this.#own.instruments[instrument]!,
      { side, effect, type, price, size, trigger, bracket: bracket ?? [0, 0] },
      kind === PLACE_SPOT,
    );
  }

  /** Beside `own`: only what is known of that. */
  #orderText(order: VenueOrder['order'], own?: OwnOrder): string {
    if (Number(order['instrument']) < 0) return 'an order in a symbol that the recording does not have';
    const number = (key: string): number => Number(order[key] ?? 0);
    const facts = {
      side: number('side'),
      effect: number('effect'),
      type: number('type'),
      price: number('price'),
      size: number('size'),
      trigger: number('trigger'),
      bracket: own?.bracket === null ? ([0, 0] as const) : ([number('takeProfit'), number('stopLoss')] as const),
    };
    return orderText(this.#instrument({ order }), facts, own?.kind === PLACE_SPOT);
  }

  #judge(facts: Facts, what: Subject, isSame: boolean, recorded: string, ledger: string, why: string): void {
    this.#add(facts, what, isSame ? 'agrees' : why === '' ? 'differs' : 'not recorded', recorded, ledger, isSame ? '' : why);
  }

  #add(facts: Facts, what: Subject, verdict: Verdict, recorded: string, ledger: string, why = ''): void {
    this.#lines.push({ ...facts, what, verdict, recorded, ledger, why });
  }
}
