/**
 * Infers the filled size of an order from its fee: an order record shows fee and average price, but no filled size. A fee rate counts only
 * once a fully filled order has confirmed it. A rate that a later fee contradicts is replaced by the observed one.
 */
import { MARKET } from '../../../domain/codes.ts';
import type { Instrument } from '../../../domain/instrument.ts';
import { ONE } from '../../../domain/amounts/units.ts';
import type { Order } from './order.ts';
import * as force from '../../../domain/orders/time-in-force.ts';

/** Relative tolerance for doubles and for average prices that the venue truncates. */
const SLACK = 1e-7;

interface ObservedRate {
  rate: number;
  isConfirmed: boolean;
}

/** Bounds of the filled size, in lots. */
export interface Range {
  readonly least: number;
  readonly most: number;
}

export class FeeRates {
  readonly #unitValue: number;
  readonly #maker: ObservedRate;
  readonly #taker: ObservedRate;

  constructor({ unitValue, makerFeeRate, takerFeeRate }: Instrument) {
    this.#unitValue = unitValue;
    this.#maker = { rate: makerFeeRate / ONE, isConfirmed: false };
    this.#taker = { rate: takerFeeRate / ONE, isConfirmed: false };
  }

  /** `order` filled completely at this average price (ticks) for this fee. */
  learn(order: Order, average: number, fee: number): void {
    if (!(average > 0)) return;
    const value = average * this.#unitValue * order.size;
    if (order.type === MARKET) learnAs(this.#taker, value, fee, order.size);
    else if (onlyMakes(order, average)) learnAs(this.#maker, value, fee, order.size);
    else {
      for (const seen of [this.#maker, this.#taker]) if (isFeeOf(seen.rate, value, fee, order.size)) seen.isConfirmed = true;
    }
  }

  /** Bounds of the filled size of a partly filled `order`, from its average price (ticks) and fee. */
  range(order: Order, average: number, fee: number): Range {
    if (!(average > 0)) return { least: 0, most: 0 };
    const unit = average * this.#unitValue;
    const paid = Math.abs(fee);
    const [low, high] =
      order.type === MARKET ? [this.#taker, this.#taker] : onlyMakes(order, average) ? [this.#maker, this.#maker] : this.#both();
    let least = 1;
    // All of an order of one lot: what it filled is never a part.
    const all = Math.max(1, order.size - 1);
    let most = all;
    if (high.isConfirmed && high.rate > 0) least = Math.max(least, Math.ceil((paid / (unit * high.rate + 1)) * (1 - SLACK)));
    if (low.isConfirmed && low.rate > 0) most = Math.min(most, Math.floor((paid / (unit * low.rate)) * (1 + SLACK)));
    // An empty range means that the rates are wrong: then only "more than none, less than all" is known.
    return least <= most ? { least, most } : { least: 1, most: all };
  }

  /**
   * True if the fee in the last record of `order` is that of `least` to `most` lots, all of them filled as maker or all as taker. The rates
   * need not be confirmed, because a wrong rate is unlikely to fit.
   */
  fits(order: Order, least: number, most: number): boolean {
    const unit = order.average * this.#unitValue;
    const paid = Math.abs(order.fee);
    const seen = [...(mayMake(order, order.average) ? [this.#maker] : []), ...(!onlyMakes(order, order.average) ? [this.#taker] : [])];
    return seen.some(({ rate }) => {
      if (!(rate > 0)) return paid === 0;
      const from = Math.ceil((paid / (unit * rate + 1)) * (1 - SLACK));
      const to = Math.floor((paid / (unit * rate)) * (1 + SLACK));
      return Math.max(from, least) <= Math.min(to, most);
    });
  }

  /** Maker and taker rate, the lower one first. */
  #both(): readonly [ObservedRate, ObservedRate] {
    return this.#maker.rate <= this.#taker.rate ? [this.#maker, this.#taker] : [this.#taker, this.#maker];
  }
}

/** True if the order may have made at this average price (ticks): a maker's price is that of the order. */
function mayMake(order: Order, average: number): boolean {
  return order.type !== MARKET && Math.abs(average - order.price) < 1e-3;
}

/** True if all that filled of the order made: it is post-only, or it rested before its first fill. */
function onlyMakes(order: Order, average: number): boolean {
  return force.onlyMakes(order.force) || (order.hasRested && mayMake(order, average));
}

function learnAs(seen: ObservedRate, value: number, fee: number, lots: number): void {
  if (isFeeOf(seen.rate, value, fee, lots)) seen.isConfirmed = true;
  else {
    seen.rate = Math.abs(fee) / value;
    seen.isConfirmed = false;
  }
}

/** True if `fee` fits the rate. Each fill rounds its fee up by at most one unit, and no fill is smaller than a lot. */
function isFeeOf(rate: number, value: number, fee: number, lots: number): boolean {
  const exact = value * rate;
  const paid = Math.abs(fee);
  return paid >= exact * (1 - SLACK) - 1 && paid <= exact * (1 + SLACK) + lots;
}
