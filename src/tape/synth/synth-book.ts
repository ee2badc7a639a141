/**
 * One synthetic symbol: when something happens next, and what. Events excite more events (Hawkes, 1971, with two exponential
 * memories), orders lean to one side for long runs (Lillo, Mike and Farmer, "Theory for long memory in supply and demand", 2005),
 * and an order that finds more than the touch walks the book: it prints at the touch and beyond, the spread opens, and quotes
 * close it again. Prices in ticks, sizes in lots, times in milliseconds. @hot
 */
import type { Random } from '../../base/random.ts';
import { BUY, SELL } from '../../domain/codes.ts';
import { pow10 } from '../../domain/amounts/scale.ts';
import { decay, exponential, negativeLog, pareto } from './chance.ts';
import { Activity, type CommonFactor } from './busy-times.ts';
import type { SynthProfile } from './profile.ts';
import type { Grid } from '../file/columns.ts';

/** Decay of the two memories, per millisecond. */
const FAST = 1 / 0.9;
const SLOW = 1 / 60;
/** How much of the heat of orders is left after an event. */
const COOLING = 0.9;
/** Most trades of one order. */
const TRADES_MAX = 400;
/** A new level empties and is gone so often when a change would take more than is there. */
const VANISHING = 0.02;
/** A level strives for more than what is seen: much of what is seen is on its way there. */
const AIM = 1.25;
/** So many of the orders that rest at the touch are as small as the trades seen; the others are as the touch changes by. */
const SMALL = 0.3;
/** About so many orders walk the book. */
const WALKING = 0.13;
/** A move of the common price is followed once it is this many typical walks. */
const FOLLOW_AT = 0.5;

export interface BookSpec {
  readonly grid: Grid;
  /** Where the price begins, in ticks: at least 2. */
  readonly price: number;
  readonly profile: SynthProfile;
  readonly start: number;
  readonly lastId: number;
  readonly season: boolean;
  /** Share of the variance of returns that all symbols have in common, 0 … 1. */
  readonly shared: number;
}

export class SynthBook {
  bid: number;
  ask: number;
  bidSize = 1;
  askSize = 1;
  /** Time of the next event, as rows show it. */
  time: number;
  /** The next event is a market order. */
  isOrder = false;
  /** The trades of the order that `event` made: how many, and side, prices and sizes. The quote after them is told by `bid` … `askSize`. */
  trades = 0;
  side = BUY;
  readonly prices = new Float64Array(TRADES_MAX);
  readonly sizes = new Float64Array(TRADES_MAX);
  lastId: number;

  readonly #random: Random;
  readonly #profile: SynthProfile;
  readonly #activity: Activity;
  readonly #factor: CommonFactor;
  /** Lots of the profile's unit of size; its unit of distance as a share of the price. */
  readonly #lots: number;
  readonly #reach: number;
  /** Long-run rate of events that nothing brought on. */
  readonly #calm: number;
  /** Chance that an event that another brought on is an order, when no order was before it. */
  readonly #orders: number;
  #due: number;
  #fast = 0;
  #slow = 0;
  #heat = 0;
  #isFirst = true;
  /** Time when the last quote was told: an order waits for the millisecond after it, as a tape has trades before quotes. */
  #quotedAt: number;
  #runSide = BUY;
  #runLeft = 0;
  /** Common price that was followed. */
  #followed: number;
  #bidAim = 1;
  #askAim = 1;
  /** Where the bid will be when the spread has closed: never below the bid, and always below the ask. */
  #settled: number;

  constructor(spec: BookSpec, random: Random, factor: CommonFactor) {
    const { grid, profile, price, start } = spec;
    const tick = grid.tickStep / pow10(grid.priceDecimals);
    const lot = grid.lotStep / pow10(grid.sizeDecimals);
    this.#random = random;
    this.#profile = profile;
    this.#factor = factor;
    this.#followed = factor.level;
    this.#activity = new Activity(random.fork(), start, spec.season);
    this.#lots = profile.unit / (price * tick * lot);
    this.#reach = profile.step * profile.walkScale * Math.sqrt(1 - spec.shared);
    const calm = 1 - excited(profile);
    this.#calm = (profile.events / 1000) * calm;
    this.#orders = (profile.orders - calm * profile.calmOrders) / (1 - calm) - (profile.orders * profile.heat) / (1 - COOLING);
    this.lastId = spec.lastId;
    this.bid = price;
    this.ask = price + 1;
    this.#settled = price;
    this.time = start;
    this.#due = start;
    this.#quotedAt = start - 1;
    this.#newBid(price);
    this.#newAsk(price + 1);
    this.#runSide = random.uint32() >>> 31;
  }

  /** Makes what was due. */
  event(): void {
    this.trades = 0;
    if (this.#isFirst) this.#isFirst = false;
    else if (this.isOrder) this.#order();
    else this.#change();
    this.#quotedAt = this.time;
  }

  /** Draws when the next event is due, and whether it is an order. */
  wait(): void {
    const random = this.#random;
    const { heat, calmOrders } = this.#profile;
    const calm = exponential(random) / (this.#calm * this.#activity.level);
    const gap = Math.min(calm, waited(this.#fast, FAST, random), waited(this.#slow, SLOW, random));
    this.#fast *= decay(gap * FAST);
    this.#slow *= decay(gap * SLOW);
    this.#due += gap;
    this.#activity.advance(this.#due);
    this.isOrder = random.uniform() < (gap === calm ? calmOrders : this.#orders + this.#heat);
    this.#heat = this.#heat * COOLING + (this.isOrder ? heat : 0);
    const time = Math.max(this.time, Math.floor(this.#due));
    this.time = this.isOrder ? Math.max(time, this.#quotedAt + 1) : time;
  }

  /** This event brings on others. */
  #excite(kick: number): void {
    const { fast, slow } = this.#profile;
    this.#fast += kick * fast * FAST;
    this.#slow += kick * slow * SLOW;
  }

  #order(): void {
    const random = this.#random;
    const profile = this.#profile;
    this.#factor.advance(this.time);
    const pull = (this.#factor.level - this.#followed) * this.bid;
    const typical = profile.walk.mid * this.#reach * this.bid;
    if (Math.abs(pull) >= Math.max(1, FOLLOW_AT * typical)) {
      const ticks = Math.round(pull);
      this.#followed += ticks / this.bid;
      this.side = ticks > 0 ? BUY : SELL;
      this.#walk(Math.abs(ticks), false);
      return;
    }
    if (this.#runLeft-- <= 0) {
      this.#runSide = random.uint32() >>> 31;
      this.#runLeft = Math.floor(profile.run * pareto(random));
    }
    const withRun = (1 + profile.lean) / 2;
    const isWith = random.uniform() < withRun;
    this.side = isWith ? this.#runSide : 1 - this.#runSide;
    const touch = this.side === BUY ? this.askSize : this.bidSize;
    const size = this.#sized(profile.order.draw(random));
    // An order of the side of the run walks the book less often, so that runs do not move the price on average.
    const walks = size >= touch && (!isWith || random.uniform() < (1 - withRun) / withRun);
    const ticks = walks ? this.#distance() : 0;
    if (ticks > 0) this.#walk(ticks, random.uniform() < profile.reversion);
    else this.#hit(Math.min(size, touch));
  }

  /** A walk in ticks: what lies between two is one or the other by chance. */
  #distance(): number {
    const random = this.#random;
    const exact = this.#profile.walk.draw(random) * this.#reach * this.bid * Math.sqrt(this.#activity.level);
    return Math.floor(exact + random.uniform());
  }

  /** An order no larger than the touch. If it takes all of it, the same price is offered again. */
  #hit(size: number): void {
    const price = this.side === BUY ? this.ask : this.bid;
    this.#split(price, size);
    if (this.side === BUY) {
      this.askSize -= size;
      if (this.askSize === 0) this.#newAsk(price);
    } else {
      this.bidSize -= size;
      if (this.bidSize === 0) this.#newBid(price);
    }
    this.#excite(this.#profile.orderKick);
  }

  /** An order through the touch: all of it is taken, trades print up to `ticks` beyond it, and the level there is the new touch. */
  #walk(ticks: number, isTakenBack: boolean): void {
    const random = this.#random;
    const { density, fill, walkKick } = this.#profile;
    const buys = this.side === BUY;
    const touch = buys ? this.ask : this.bid;
    const far = buys ? ticks : Math.min(ticks, this.bid - 1);
    this.#split(touch, buys ? this.askSize : this.bidSize);
    const count = Math.min(TRADES_MAX - this.trades, 1 + Math.floor(far * density * 2 * random.uniform()));
    for (let i = 1; i <= count; i++) {
      const away = Math.ceil((far * i) / count);
      this.prices[this.trades] = buys ? touch + away : touch - away;
      this.sizes[this.trades++] = this.#sized(fill.draw(random));
    }
    if (buys) this.#newAsk(touch + far);
    else this.#newBid(touch - far);
    if (!isTakenBack) this.#settled += buys ? far : -far;
    this.#excite(walkKick);
  }

  /** Trades of one price that add up to `size`: the orders that were resting there. */
  #split(price: number, size: number): void {
    const { change, fill } = this.#profile;
    const random = this.#random;
    let left = size;
    const most = TRADES_MAX >> 1;
    while (left > 0) {
      const resting = random.uniform() < SMALL ? fill : change;
      const part = this.trades === most - 1 ? left : Math.min(left, this.#sized(resting.draw(random)));
      this.prices[this.trades] = price;
      this.sizes[this.trades++] = part;
      left -= part;
    }
  }

  /** A change of the book without a trade: an open spread closes, or the size at the touch changes. */
  #change(): void {
    const random = this.#random;
    this.#excite(1);
    if (this.ask - this.bid > 1 && random.uniform() < this.#profile.closing) return this.#close();
    const word = random.uint32();
    const isBid = word >>> 31 === 0;
    const size = isBid ? this.bidSize : this.askSize;
    const aim = isBid ? this.#bidAim : this.#askAim;
    const delta = Math.min(this.#sized(this.#profile.change.draw(random)), 2 * size + this.#sized(8));
    const missing = Math.max(-1, Math.min(1, (aim - size) / aim));
    const grows = (word & 0xffff) / 0x10000 < 0.5 + 0.35 * missing;
    let left = grows ? size + delta : size - delta;
    if (left <= 0 && size > 1 && random.uniform() >= VANISHING) left = Math.max(1, Math.floor(size * random.uniform()));
    if (left > 0) {
      if (isBid) this.bidSize = left;
      else this.askSize = left;
      return;
    }
    const gone = random.uint32() >>> 31;
    if (isBid && this.bid > 1) {
      this.#newBid(this.bid - 1);
      this.#settled -= gone;
    } else {
      this.#newAsk(this.ask + 1);
      this.#settled += gone;
    }
  }

  /** The side that is off comes nearer, in a third of the times all the way. */
  #close(): void {
    const random = this.#random;
    const isBid = this.bid < this.#settled && (this.ask === this.#settled + 1 || random.uint32() >>> 31 === 0);
    const open = isBid ? this.#settled - this.bid : this.ask - this.#settled - 1;
    const by = random.uniform() < 0.35 ? open : Math.min(open, 1 + Math.floor(open * random.uniform()));
    if (isBid) this.#newBid(this.bid + by);
    else this.#newAsk(this.ask - by);
  }

  #newBid(price: number): void {
    const { fresh, depth } = this.#profile;
    this.bid = price;
    this.bidSize = this.#sized(fresh.draw(this.#random));
    this.#bidAim = this.#sized(AIM * depth.draw(this.#random));
  }

  #newAsk(price: number): void {
    const { fresh, depth } = this.#profile;
    this.ask = price;
    this.askSize = this.#sized(fresh.draw(this.#random));
    this.#askAim = this.#sized(AIM * depth.draw(this.#random));
  }

  #sized(units: number): number {
    return Math.max(1, Math.round(units * this.#lots));
  }
}

/** Wait for the next event of an intensity that decays: Infinity when it dies away without one. */
function waited(intensity: number, rate: number, random: Random): number {
  if (intensity < 1e-6) return Infinity;
  const share = (exponential(random) * rate) / intensity;
  return share < 1 ? negativeLog(share) / rate : Infinity;
}

/** Share of events that others brought on, below 1. */
function excited(profile: SynthProfile): number {
  const { fast, slow, orders, orderKick, walkKick } = profile;
  return Math.min(0.95, (fast + slow) * (1 + orders * (orderKick - 1 + WALKING * (walkKick - orderKick))));
}
