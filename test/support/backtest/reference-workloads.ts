/**
 * The workloads of the benchmarks, implemented slowly and simply: no kernel, no simulator, no port; objects, arrays sorted on access,
 * money in BigInt. A speed counts only if the program's fills equal these.
 */
import { Books, rowsInOrder, TICKS_PER_COIN, type LegName, type ReferenceRun, type TapeRow } from './reference-books.ts';

interface RestingOrder {
  readonly leg: LegName;
  readonly isOpen: boolean;
  readonly isBuy: boolean;
  readonly price: number;
  left: number;
}

/** A buy closes a short position if that is large enough, else it opens long; a sell the other way round. */
function legFor(isBuy: boolean, freeShort: number, freeLong: number, size: number): { leg: LegName; isOpen: boolean } {
  if (isBuy) return freeShort >= size ? { leg: 'SHORT', isOpen: false } : { leg: 'LONG', isOpen: true };
  return freeLong >= size ? { leg: 'LONG', isOpen: false } : { leg: 'SHORT', isOpen: true };
}

/**
 * W1: averages of the last 50 and 200 trade prices. When they cross, the resting order is cancelled and a limit order rests a tick inside.
 * No latency. It fills at its own price, up to the size of a trade at or beyond it.
 */
export function referenceW1(tapeFolder: string, lots = 1): ReferenceRun {
  const books = new Books();
  const prices: number[] = [];
  let fast = 0;
  let slow = 0;
  let seen = 0;
  let above = 0;
  let commands = 0;
  let resting: RestingOrder | null = null;
  for (const row of rowsInOrder(tapeFolder)) {
    if (!row.isTrade) continue;
    if (resting !== null && (resting.isBuy ? row.price <= resting.price : row.price >= resting.price)) {
      const size = Math.min(resting.left, row.size);
      books.fill(row.time, resting.leg, resting.isOpen, resting.price, size, true);
      resting.left -= size;
      if (resting.left === 0) resting = null;
    }
    // Signals are doubles, so that the sums round as the strategy's do.
    const price = row.price / TICKS_PER_COIN;
    fast += price;
    slow += price;
    if (seen >= 50) fast -= prices[prices.length - 50]!;
    if (seen >= 200) slow -= prices[prices.length - 200]!;
    prices.push(price);
    if (prices.length > 4096) prices.splice(0, 2048);
    seen++;
    if (seen < 200) continue;
    const now = fast * 4 > slow ? 1 : -1;
    if (now === above) continue;
    if (above !== 0) {
      if (resting !== null) commands++;
      commands++;
      const isBuy = now > 0;
      resting = { ...legFor(isBuy, books.total.SHORT, books.total.LONG, lots), isBuy, price: row.price - now, left: lots };
    }
    above = now;
  }
  return books.run(commands);
}

/** The exponential average after each value: seeded by the mean of the first `period`, NaN before. */
function averagesOf(values: readonly number[], period: number): number[] {
  let average = Number.NaN;
  let sum = 0;
  return values.map((value, k) => {
    if (k >= period) average += (2 / (period + 1)) * (value - average);
    else sum += value;
    if (k === period - 1) average = sum / period;
    return average;
  });
}

/** W4: long while the average of the last 10 mids is at least that of 30, else short. Market orders of one lot, no latency. */
export function referenceW4(tapeFolder: string): ReferenceRun {
  const books = new Books();
  const rows = [...rowsInOrder(tapeFolder)].filter(({ isTrade }) => !isTrade);
  const mids = rows.map(({ bid, ask }) => (bid / TICKS_PER_COIN + ask / TICKS_PER_COIN) / 2);
  const [fast, slow] = [averagesOf(mids, 10), averagesOf(mids, 30)];
  let commands = 0;
  for (const [k, { time, bid, ask }] of rows.entries()) {
    if (Number.isNaN(slow[k])) continue;
    const isLong = fast[k]! >= slow[k]!;
    const [leg, other] = isLong ? (['LONG', 'SHORT'] as const) : (['SHORT', 'LONG'] as const);
    if (books.total[leg] > 0) continue;
    const price = isLong ? ask : bid;
    if (books.total[other] > 0) books.fill(time, other, false, price, 1, false);
    commands += books.fills.length > 0 ? 2 : 1;
    books.fill(time, leg, true, price, 1, false);
  }
  return books.run(commands);
}

interface Quoted extends RestingOrder {
  readonly no: number;
  readonly size: number;
  state: 'sent' | 'working' | 'moving' | 'cancelling' | 'ended';
  /** The fills that the bot knows. */
  hasTraded: boolean;
  /** State at the venue: whether it still takes, and the lots of others before it; null = not known yet. */
  takes: boolean;
  ahead: number | null;
}

interface Message {
  readonly due: number;
  readonly what: 'place' | 'move' | 'cancel' | 'accepted' | 'refused' | 'done';
  readonly order: Quoted;
  /** For a modify: the order that `order` replaces. */
  readonly old?: Quoted | undefined;
}

/** One of the two quotes: its desired price, whether that is still to be sent, and its order. */
interface Slot {
  readonly isBuy: boolean;
  price: number;
  isPending: boolean;
  /** True after the venue refused to modify it: it is cancelled, and another is placed. */
  isStuck: boolean;
  order: Quoted | null;
}

export interface W2Options {
  readonly lots?: number;
  readonly latencyMs?: number;
  /** Intents in any second, as the bot's flood rule counts them: orders and cancels that were sent. */
  readonly maxIntentsPerSecond?: number;
}

/**
 * W2: at every quote both own quotes are moved to the best prices. They are placed if there is none, left alone at an unchanged price, and
 * otherwise replaced by modify order (E14). A partly filled one cannot be modified, so it is cancelled and placed again. A quote has one
 * command at a time: a price change meanwhile waits for the outcome. Messages take 20 ms each way; fills and ends are known at once. Orders
 * that arrive across the spread take the displayed size; others wait behind it.
 */
export function referenceW2(tapeFolder: string, options: W2Options = {}): ReferenceRun {
  const run = new QuotingRun(options);
  for (const row of rowsInOrder(tapeFolder)) run.row(row);
  return run.books.run(run.commands);
}

class QuotingRun {
  readonly books = new Books();
  commands = 0;
  readonly #lots: number;
  readonly #latencyMs: number;
  readonly #maxIntents: number;
  readonly #up: Message[] = [];
  readonly #down: Message[] = [];
  readonly #intents: number[] = [];
  /** Orders sent and not ended, and those of them that have reached the venue. */
  #live: Quoted[] = [];
  #atVenue: Quoted[] = [];
  #book = { bid: 0, bidSize: 0, bidLeft: 0, ask: 0, askSize: 0, askLeft: 0 };
  readonly #slots: readonly Slot[] = [true, false].map((isBuy) => ({ isBuy, price: 0, isPending: false, isStuck: false, order: null }));
  #lastNo = 0;
  #now = 0;

  constructor({ lots = 10, latencyMs = 20, maxIntentsPerSecond = Infinity }: W2Options) {
    this.#lots = lots;
    this.#latencyMs = latencyMs;
    this.#maxIntents = maxIntentsPerSecond;
  }

  row(row: TapeRow): void {
    this.#deliver((due) => due < row.time);
    this.#now = row.time;
    if (row.isTrade) this.#trade(row);
    else {
      this.#quote(row);
      this.#settle();
      for (const slot of this.#slots) {
        slot.price = slot.isBuy ? row.bid : row.ask;
        slot.isPending = true;
        this.#say(slot);
      }
    }
    this.#settle();
    this.#deliver((due) => due <= row.time);
  }

  /** Submits the desired quotes whose orders rest or have ended. */
  #settle(): void {
    for (const slot of this.#slots) if (slot.isPending) this.#say(slot);
  }

  #say(slot: Slot): void {
    const { order } = slot;
    if (order === null) {
      slot.isPending = false;
      slot.order = this.#place(slot);
      return;
    }
    if (order.state !== 'working') return;
    if (order.price === slot.price && !slot.isStuck) {
      slot.isPending = false;
    } else if (slot.isStuck || order.hasTraded) {
      order.state = 'cancelling';
      this.#send('cancel', order);
    } else {
      slot.isPending = false;
      if (this.#isFlood()) return;
      const next = this.#make(order, slot.price);
      order.state = 'moving';
      slot.order = next;
      this.#send('move', next, order);
    }
  }

  #place(slot: Slot): Quoted | null {
    const free = (leg: LegName): number => {
      const closing = this.#live.filter((o) => o.leg === leg && !o.isOpen).reduce((sum, o) => sum + o.left, 0);
      return this.books.total[leg] - closing;
    };
    const leg = legFor(slot.isBuy, free('SHORT'), free('LONG'), this.#lots);
    if (this.#isFlood()) return null;
    const order = this.#make({ ...leg, isBuy: slot.isBuy }, slot.price);
    this.#send('place', order);
    return order;
  }

  #isFlood(): boolean {
    const oldest = this.#intents.at(-this.#maxIntents);
    return oldest !== undefined && this.#now - oldest < 1000;
  }

  #make({ leg, isOpen, isBuy }: Pick<RestingOrder, 'leg' | 'isOpen' | 'isBuy'>, price: number): Quoted {
    const size = this.#lots;
    const order: Quoted = {
      leg,
      isOpen,
      isBuy,
      price,
      size,
      left: size,
      no: ++this.#lastNo,
      state: 'sent',
      hasTraded: false,
      takes: false,
      ahead: 0,
    };
    this.#live.push(order);
    return order;
  }

  #send(what: 'place' | 'move' | 'cancel', order: Quoted, old?: Quoted): void {
    this.commands++;
    if (this.#maxIntents !== Infinity) this.#intents.push(this.#now);
    if (this.#intents.length > 4 * this.#maxIntents) this.#intents.splice(0, 2 * this.#maxIntents);
    this.#up.push({ due: this.#now + this.#latencyMs, what, order, old });
  }

  /** Delivers all due messages in order of time; at equal times those to the venue first. */
  #deliver(isDue: (due: number) => boolean): void {
    for (;;) {
      const up = this.#up[0]?.due ?? Infinity;
      const down = this.#down[0]?.due ?? Infinity;
      if (!isDue(Math.min(up, down))) return;
      this.#now = Math.max(this.#now, Math.min(up, down));
      const { what, order, old } = (up <= down ? this.#up : this.#down).shift()!;
      const due = Math.min(up, down) + this.#latencyMs;
      if (what === 'place') {
        this.#arrive(order);
        this.#down.push({ due, what: 'accepted', order });
      } else if (what === 'move') {
        const isTaken = old !== undefined && old.state !== 'ended' && !old.hasTraded;
        if (isTaken) {
          this.#end(old);
          this.#arrive(order);
        }
        this.#down.push({ due, what: isTaken ? 'accepted' : 'refused', order, old });
      } else if (what === 'cancel') {
        if (order.state !== 'ended') this.#end(order);
        this.#down.push({ due, what: 'done', order });
      } else if (what === 'accepted' && order.state === 'sent') {
        order.state = 'working';
      } else if (what === 'refused') {
        this.#refused(order, old!);
      }
      this.#settle();
    }
  }

  /** The modify came too late, after a fill: the rest of the old order is cancelled, and another is placed. */
  #refused(order: Quoted, old: Quoted): void {
    const slot = this.#slots.find((one) => one.order === order)!;
    this.#end(order);
    const isAlive = old.state !== 'ended';
    if (isAlive) old.state = 'working';
    slot.order = isAlive ? old : null;
    slot.isStuck = isAlive;
    slot.isPending = true;
  }

  #arrive(order: Quoted): void {
    const { bid, bidSize, ask, askSize } = this.#book;
    this.#atVenue.push(order);
    if (this.#crosses(order)) {
      order.takes = true;
      this.#take(order);
    } else {
      const [best, size] = order.isBuy ? [bid, bidSize] : [ask, askSize];
      if (order.price === best) order.ahead = size;
      else order.ahead = order.isBuy === order.price > best ? 0 : null;
    }
  }

  #crosses(order: Quoted): boolean {
    return order.isBuy ? order.price >= this.#book.ask : order.price <= this.#book.bid;
  }

  #take(order: Quoted): void {
    this.#fillFromQuote(order, order.isBuy ? this.#book.ask : this.#book.bid, false);
  }

  /** Fills up to the remaining size of the opposite quote. */
  #fillFromQuote(order: Quoted, price: number, isMaker: boolean): void {
    const book = this.#book;
    const size = Math.min(order.left, order.isBuy ? book.askLeft : book.bidLeft);
    if (size === 0) return;
    if (order.isBuy) book.askLeft -= size;
    else book.bidLeft -= size;
    this.#fill(order, price, size, isMaker);
  }

  #fill(order: Quoted, price: number, size: number, isMaker: boolean): void {
    this.books.fill(this.#now, order.leg, order.isOpen, price, size, isMaker);
    order.left -= size;
    order.hasTraded = true;
    if (order.left === 0) this.#end(order);
  }

  #end(order: Quoted): void {
    order.state = 'ended';
    const slot = this.#slots.find((one) => one.order === order);
    if (slot !== undefined) {
      slot.order = null;
      slot.isStuck = false;
    }
    this.#live = this.#live.filter((o) => o !== order);
    this.#atVenue = this.#atVenue.filter((o) => o !== order);
  }

  /** The venue's orders of one direction: better price first, then older first. */
  #ranked(isBuy: boolean): Quoted[] {
    const own = this.#atVenue.filter((o) => o.isBuy === isBuy);
    return own.sort((a, b) => (isBuy ? b.price - a.price : a.price - b.price) || a.no - b.no);
  }

  #quote({ bid, bidSize, ask, askSize }: TapeRow): void {
    const old = this.#book;
    const bidLeft = bid === old.bid && bidSize === old.bidSize ? old.bidLeft : bidSize;
    const askLeft = ask === old.ask && askSize === old.askSize ? old.askLeft : askSize;
    this.#book = { bid, bidSize, bidLeft, ask, askSize, askLeft };
    for (const isBuy of [true, false]) {
      for (const order of this.#ranked(isBuy)) {
        if (!order.takes) continue;
        if (this.#crosses(order)) this.#take(order);
        else order.takes = false;
      }
    }
    for (const isBuy of [true, false]) {
      const [best, size] = isBuy ? [bid, bidSize] : [ask, askSize];
      for (const order of this.#ranked(isBuy)) {
        if (order.takes) continue;
        if (this.#crosses(order)) {
          order.ahead = 0;
          this.#fillFromQuote(order, order.price, true);
        } else if (order.price === best) order.ahead = Math.min(order.ahead ?? size, size);
        else if (isBuy === order.price > best) order.ahead = 0;
      }
    }
  }

  #trade({ price, size, sells }: TapeRow): void {
    let left = size;
    for (const isBuy of [true, false]) {
      let passed = 0; // lots of others at this price that this trade has used up
      for (const order of this.#ranked(isBuy)) {
        if (order.takes) continue;
        const isBeyond = isBuy ? order.price > price : order.price < price;
        const isQueued = order.price === price && sells === isBuy && order.ahead !== null;
        if (!isBeyond && !isQueued) continue;
        if (isBeyond && left > 0) order.ahead = 0;
        if (isQueued) {
          const ahead = order.ahead ?? 0;
          const used = Math.min(left, Math.max(0, ahead - passed));
          passed += used;
          left -= used;
          order.ahead = Math.max(0, ahead - passed);
        }
        const filled = Math.min(order.left, left);
        left -= filled;
        if (filled > 0) this.#fill(order, order.price, filled, true);
      }
    }
  }
}
