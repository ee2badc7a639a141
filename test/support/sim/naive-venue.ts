/**
 * The slow, obvious venue: futures on cross margin with LIMIT, MARKET, POST_ONLY, cancel and modify. It uses plain objects in arrays that
 * are filtered and sorted again at every row, and money in BigInt. It shares no code with the simulator except the numbers of an
 * instrument.
 */
import type { Command } from '../../../src/domain/orders/command.ts';
import type { Instrument } from '../../../src/domain/instrument.ts';
import type { FillModel } from '../../../src/sim/state/types.ts';

interface NaiveOrder {
  no: number;
  account: number;
  instrument: number;
  isLong: boolean;
  isOpen: boolean;
  isBuy: boolean;
  isMarket: boolean;
  isPostOnly: boolean;
  price: number;
  size: number;
  left: number;
  takes: boolean;
  /** null if not known yet. */
  ahead: number | null;
  marginPrice: number;
  isLive: boolean;
}

interface NaiveLeg {
  total: number;
  entryValue: bigint;
}

export interface NaiveFill {
  account: number;
  orderNo: number;
  price: number;
  size: number;
  fee: number;
  liquidity: number;
  realised: number;
}

interface NaiveMarket {
  book: { bid: number; bidSize: number; bidLeft: number; ask: number; askSize: number; askLeft: number } | null;
  last: number;
}

const RATE = 100_000_000n;
const ceilDiv = (a: bigint, b: bigint): bigint => (a + b - 1n) / b;

export class NaiveVenue {
  readonly fills: NaiveFill[] = [];
  readonly #instruments: readonly Instrument[];
  readonly #model: FillModel;
  readonly #leverage: bigint;
  readonly #orders: NaiveOrder[] = [];
  readonly #legs = new Map<string, NaiveLeg>();
  readonly #markets: NaiveMarket[];
  readonly #cash: bigint[];
  #lastNo = 0;

  constructor(instruments: readonly Instrument[], deposits: readonly bigint[], model: FillModel, leverage: number) {
    this.#instruments = instruments;
    this.#model = model;
    this.#leverage = BigInt(leverage);
    this.#markets = instruments.map(() => ({ book: null, last: 0 }));
    this.#cash = [...deposits];
  }

  quote(i: number, bid: number, bidSize: number, ask: number, askSize: number): void {
    const old = this.#markets[i]!.book;
    const bidLeft = old !== null && old.bid === bid && old.bidSize === bidSize ? old.bidLeft : bidSize;
    const askLeft = old !== null && old.ask === ask && old.askSize === askSize ? old.askLeft : askSize;
    this.#markets[i]!.book = { bid, bidSize, bidLeft, ask, askSize, askLeft };
    for (const o of this.#ranked(i)) if (o.takes) this.#takeOrSettle(o);
    for (const o of this.#ranked(i)) if (o.isLive && !o.takes) this.#meetQuote(o);
  }

  trade(i: number, price: number, size: number, aggressor: number): void {
    const market = this.#markets[i]!;
    market.last = price;
    if (market.book === null) for (const o of this.#ranked(i)) if (o.takes) this.#takeOrSettle(o);
    let left = size;
    for (const isBuy of [true, false]) {
      const isHit = isBuy === (aggressor === 1);
      left = this.#tradeAgainst(i, isBuy, price, left, isHit);
    }
  }

  place(account: number, c: Command): number {
    const isBuy = (c.side === 0) === (c.effect === 0);
    const draft: NaiveOrder = {
      no: 0,
      account,
      instrument: c.instrument,
      isLong: c.side === 0,
      isOpen: c.effect === 0,
      isBuy,
      isMarket: c.type === 1,
      isPostOnly: c.force === 1,
      price: c.type === 1 ? 0 : c.price,
      size: c.size,
      left: c.size,
      takes: false,
      ahead: 0,
      marginPrice: 0,
      isLive: true,
    };
    if (!this.#isAdmissible(draft)) return 0;
    if (draft.isPostOnly && (draft.isMarket || this.#crosses(draft))) return 0;
    return this.#enter(draft);
  }

  cancel(account: number, no: number): boolean {
    const order = this.#orders.find((o) => o.no === no && o.account === account && o.isLive);
    if (order === undefined) return false;
    order.isLive = false;
    return true;
  }

  modify(account: number, no: number, c: Command): number {
    const old = this.#orders.find((o) => o.no === no && o.account === account && o.isLive);
    if (old === undefined || old.left !== old.size) return 0;
    if (c.price === 0 && c.size === 0) return 0;
    if (c.price > 0 && old.isMarket) return 0;
    const size = c.size > 0 ? c.size : old.size;
    const draft = { ...old, price: c.price > 0 ? c.price : old.price, size, left: size, takes: false, ahead: 0, isLive: true };
    if (draft.isPostOnly && this.#crosses(draft)) return 0;
    old.isLive = false;
    if (!this.#isAdmissible(draft)) {
      old.isLive = true;
      return 0;
    }
    return this.#enter(draft);
  }

  equity(account: number): bigint {
    return this.#cash[account]! + this.#unrealised(account);
  }

  total(account: number, i: number, side: number): number {
    return this.#leg(account, i, side === 0).total;
  }

  #enter(draft: NaiveOrder): number {
    const order = { ...draft, no: ++this.#lastNo, marginPrice: this.#marginPrice(draft) };
    this.#orders.push(order);
    if (this.#crosses(order)) {
      this.#take(order);
      order.takes = order.isLive;
    } else order.ahead = this.#aheadOf(order);
    return order.no;
  }

  #isAdmissible(o: NaiveOrder): boolean {
    const x = this.#instruments[o.instrument]!;
    const leg = this.#leg(o.account, o.instrument, o.isLong);
    const own = this.#orders.filter((other) => other.isLive && other.account === o.account);
    const same = own.filter((other) => other.instrument === o.instrument && other.isLong === o.isLong && other.isOpen === o.isOpen);
    if (!o.isOpen && leg.total === 0) return false;
    if (o.size > x.maxSize || o.size <= 0 || (o.isOpen && o.size < x.minSize)) return false;
    if (!o.isMarket && o.price <= 0) return false;
    if (!o.isOpen) return o.size <= leg.total - same.reduce((sum, other) => sum + other.left, 0);
    const price = this.#marginPrice(o);
    if (price === 0) return false;
    const wanted = leg.total + o.size + same.reduce((sum, other) => sum + other.left, 0);
    if (this.#value(o.instrument, price, wanted) > 2n ** 51n) return false;
    let available = this.equity(o.account);
    for (const other of own) if (other.isOpen) available -= this.#margin(this.#value(other.instrument, other.marginPrice, other.left));
    for (const [key, held] of this.#legs) if (key.startsWith(`${o.account}/`)) available -= this.#margin(held.entryValue);
    return this.#margin(this.#value(o.instrument, price, o.size)) <= available;
  }

  /** The price of its margin: a buy at its limit, a market order at the opposite quote, a sell at the higher of the two; 0 if unknown. */
  #marginPrice(o: NaiveOrder): number {
    if (o.isBuy && !o.isMarket) return o.price;
    const { book } = this.#markets[o.instrument]!;
    const opposite = book === null ? 0 : o.isBuy ? book.ask : book.bid;
    const market = opposite > 0 ? opposite : this.#mark(o.instrument);
    return o.isMarket || market === 0 ? market : Math.max(market, o.price);
  }

  #crosses(o: NaiveOrder): boolean {
    const { book, last } = this.#markets[o.instrument]!;
    if (o.isMarket) return true;
    const opposite = book === null ? last : o.isBuy ? book.ask : book.bid;
    return opposite > 0 && (o.isBuy ? o.price >= opposite : o.price <= opposite);
  }

  #take(o: NaiveOrder): void {
    const { book, last } = this.#markets[o.instrument]!;
    if (book === null) {
      if (last > 0) this.#fill(o, last, o.left, 1);
      return;
    }
    const price = o.isBuy ? book.ask : book.bid;
    const size = Math.min(o.left, o.isBuy ? book.askLeft : book.bidLeft);
    if (price === 0 || size === 0) return;
    if (o.isBuy) book.askLeft -= size;
    else book.bidLeft -= size;
    this.#fill(o, price, size, 1);
  }

  #takeOrSettle(o: NaiveOrder): void {
    if (this.#crosses(o)) return this.#take(o);
    o.takes = false;
    o.ahead = 0;
  }

  #meetQuote(o: NaiveOrder): void {
    const book = this.#markets[o.instrument]!.book!;
    const [opposite, best, bestSize] = o.isBuy ? [book.ask, book.bid, book.bidSize] : [book.bid, book.ask, book.askSize];
    const better = (a: number, b: number): boolean => (o.isBuy ? a > b : a < b);
    const isReached = opposite > 0 && (better(o.price, opposite) || (o.price === opposite && this.#model !== 'through'));
    if (isReached) {
      o.ahead = 0;
      const size = Math.min(o.left, o.isBuy ? book.askLeft : book.bidLeft);
      if (size === 0) return;
      if (o.isBuy) book.askLeft -= size;
      else book.bidLeft -= size;
      this.#fill(o, o.price, size, 0);
      return;
    }
    if (best === 0 || better(o.price, best)) o.ahead = 0;
    else if (o.price === best) o.ahead = o.ahead === null ? bestSize : Math.min(o.ahead, bestSize);
  }

  #tradeAgainst(i: number, isBuy: boolean, price: number, size: number, isHit: boolean): number {
    let left = size;
    let eaten = 0;
    for (const o of this.#ranked(i).filter((x) => x.isBuy === isBuy && !x.takes)) {
      const isBeyond = isBuy ? o.price > price : o.price < price;
      if (o.price !== price && !isBeyond) continue;
      if (isBeyond || this.#model === 'touch') {
        const fill = Math.min(o.left, left);
        if (left > 0) o.ahead = 0;
        left -= fill;
        if (fill > 0) this.#fill(o, o.price, fill, 0);
      } else if (this.#model === 'queue' && isHit && o.ahead !== null && (left > 0 || eaten > 0)) {
        const eat = Math.min(left, Math.max(0, o.ahead - eaten));
        eaten += eat;
        left -= eat;
        o.ahead = Math.max(0, o.ahead - eaten);
        const fill = Math.min(o.left, left);
        left -= fill;
        if (fill > 0) this.#fill(o, o.price, fill, 0);
      }
    }
    return left;
  }

  #aheadOf(o: NaiveOrder): number | null {
    const { book } = this.#markets[o.instrument]!;
    if (book === null) return 0;
    const [best, size] = o.isBuy ? [book.bid, book.bidSize] : [book.ask, book.askSize];
    if (o.price === best) return size;
    return best === 0 || (o.isBuy ? o.price > best : o.price < best) ? 0 : null;
  }

  /** Open orders of an instrument: buys, then sells, each best first, market orders before all. */
  #ranked(i: number): NaiveOrder[] {
    const rank = (o: NaiveOrder): number => (o.isMarket ? -Infinity : o.isBuy ? -o.price : o.price);
    const live = this.#orders.filter((o) => o.isLive && o.instrument === i);
    return live.toSorted((a, b) => Number(b.isBuy) - Number(a.isBuy) || (rank(a) < rank(b) ? -1 : rank(a) > rank(b) ? 1 : a.no - b.no));
  }

  #fill(o: NaiveOrder, price: number, size: number, liquidity: number): void {
    const x = this.#instruments[o.instrument]!;
    const value = this.#value(o.instrument, price, size);
    const fee = ceilDiv(value * BigInt(liquidity === 1 ? x.takerFeeRate : x.makerFeeRate), RATE);
    const leg = this.#leg(o.account, o.instrument, o.isLong);
    let realised = 0n;
    if (o.isOpen) {
      leg.total += size;
      leg.entryValue += value;
    } else {
      const released = (leg.entryValue * BigInt(size)) / BigInt(leg.total);
      realised = o.isLong ? value - released : released - value;
      leg.total -= size;
      leg.entryValue -= released;
    }
    this.#cash[o.account]! += realised - fee;
    o.left -= size;
    if (o.left === 0) o.isLive = false;
    this.fills.push({ account: o.account, orderNo: o.no, price, size, fee: Number(fee), liquidity, realised: Number(realised) });
  }

  #unrealised(account: number): bigint {
    let sum = 0n;
    for (const [i] of this.#instruments.entries()) {
      for (const isLong of [true, false]) {
        const leg = this.#leg(account, i, isLong);
        const value = this.#value(i, this.#mark(i), leg.total);
        sum += isLong ? value - leg.entryValue : leg.entryValue - value;
      }
    }
    return sum;
  }

  /** The mid price: in the second before the venue's first check there is no slow mid price. */
  #mark(i: number): number {
    const { book, last } = this.#markets[i]!;
    if (book === null || (book.bid === 0 && book.ask === 0)) return last;
    if (book.bid === 0 || book.ask === 0) return book.bid + book.ask;
    return Math.floor((book.bid + book.ask) / 2);
  }

  #value(i: number, price: number, size: number): bigint {
    return BigInt(price) * BigInt(size) * BigInt(this.#instruments[i]!.unitValue);
  }

  #margin(value: bigint): bigint {
    return ceilDiv(value, this.#leverage);
  }

  #leg(account: number, i: number, isLong: boolean): NaiveLeg {
    const key = `${account}/${i}/${isLong}`;
    const known = this.#legs.get(key) ?? { total: 0, entryValue: 0n };
    this.#legs.set(key, known);
    return known;
  }
}
