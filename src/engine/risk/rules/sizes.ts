/** Rules about how much: sizes, values and numbers of orders, of legs and of all legs together. @hot */
import * as codes from '../../../domain/codes.ts';
import { formatLots, formatMoneyShort } from '../../../domain/instrument.ts';
import type { Command } from '../../../domain/orders/command.ts';
import type { InstrumentContext } from '../../state/records/instrument-context.ts';
import type { Leg } from '../../state/records/leg.ts';
import type { TotalValue } from '../../state/account/total-value.ts';
import * as valued from '../../state/account/highest-price.ts';
import type { OrderRequest, RiskRule, RuleRow, RuleSetting } from './rule.ts';

const { CLOSE, MARKET, PLACE_SPOT } = codes;
const { highestPrice } = valued;

/** An opening order is no larger than the limit, and respects the sizes of its instrument. */
class OpenSizeRule implements RiskRule {
  readonly name = 'order-size';
  readonly #most: number;

  constructor({ lots, context }: RuleSetting) {
    this.#most = lots('maxOrderSize', context.instrument.maxSize);
  }

  allows({ command, context }: OrderRequest): boolean {
    const { minSize, minNotional, unitValue } = context.instrument;
    const size = command.size;
    const price = command.price > 0 ? command.price : context.judged.reference;
    return size <= this.#most && size >= minSize && price * size * unitValue >= minNotional;
  }

  why(request: OrderRequest): string {
    return whySize(request, this.#most);
  }

  isTooLarge({ command: { size } }: OrderRequest): boolean {
    return size > this.#most;
  }
}

/**
 * A closing order respects the sizes of its instrument. The configured limit does not apply, because it must not block an exit. A position
 * below the minimum size may be closed whole.
 */
class CloseOrderSizeRule implements RiskRule {
  readonly name = 'order-size';

  allows({ command, context, leg }: OrderRequest): boolean {
    const { minSize, maxSize } = context.instrument;
    const size = command.size;
    return size <= maxSize && (size >= minSize || size === leg.minLots);
  }

  why(request: OrderRequest): string {
    return whySize(request, request.context.instrument.maxSize);
  }
}

function whySize({ command: { size }, context: { instrument } }: OrderRequest, most: number): string {
  // hot-ok: only after a refusal
  if (size > most) return `at most ${formatLots(most, instrument)} an order, asked ${formatLots(size, instrument)}`;
  if (size >= instrument.minSize) return 'the value of the order is below the least the instrument allows';
  return `at least ${formatLots(instrument.minSize, instrument)} an order, asked ${formatLots(size, instrument)}`;
}

/**
 * Limits the live orders per instrument. A replacement does not count twice. A closing market order is always allowed, because it does not
 * rest: orders with a stuck cancel must not block an exit.
 */
class MaxOpenOrdersRule implements RiskRule {
  readonly name = 'max-open-orders';
  readonly #most: number;

  constructor({ number }: RuleSetting) {
    this.#most = number('maxOpenOrders');
  }

  allows({ command, context, old }: OrderRequest): boolean {
    return old !== null || context.orders.live < this.#most || (command.effect === CLOSE && command.type === MARKET);
  }

  why(): string {
    // hot-ok: only after a refusal
    return `at most ${this.#most} live orders per instrument`;
  }
}

/** Nothing is opened on a leg while position reads and proven fills disagree about its size. */
class KnownPositionRule implements RiskRule {
  readonly name = 'known-position';

  allows({ leg, added }: OrderRequest): boolean {
    return !leg.isDoubted || added === 0;
  }

  why({ leg: { minLots, maxLots }, context: { instrument } }: OrderRequest): string {
    // hot-ok: only after a refusal
    const range = `${formatLots(minLots, instrument)} to ${formatLots(maxLots, instrument)}`;
    return `the position is not certain (${range}); opens wait until reads of it agree`;
  }
}

/** A leg never exceeds its limit, even if every live opening order fills. */
class MaxPositionRule implements RiskRule {
  readonly name = 'max-position';
  readonly #most: number;

  constructor({ lots }: RuleSetting) {
    this.#most = lots('maxPosition', Infinity);
  }

  allows({ command, leg, added }: OrderRequest): boolean {
    return leg.maxLots + leg.opening + added <= this.#most || command.kind === PLACE_SPOT;
  }

  why({ leg, added, context: { instrument } }: OrderRequest): string {
    // hot-ok: only after a refusal
    const asked = leg.maxLots + leg.opening + added;
    return `at most ${formatLots(this.#most, instrument)} a leg, ${formatLots(asked, instrument)} if every live order fills`;
  }

  isTooLarge({ command: { size } }: OrderRequest): boolean {
    return size > this.#most;
  }
}

/** The value of an opening order stays below the limit. It is the first that uses the equity, which it updates. */
class MaxNotionalOrderRule implements RiskRule {
  readonly name = 'max-notional-order';
  readonly #total: TotalValue;

  constructor({ total }: RuleSetting) {
    this.#total = total;
  }

  allows({ command, context }: OrderRequest): boolean {
    this.#total.refresh();
    if (context.maxOrderValue === Infinity) return true;
    return orderValue(command, context) <= context.maxOrderValue;
  }

  why({ command, context }: OrderRequest): string {
    return whyValue(context.maxOrderValue, 'an order', orderValue(command, context), context.instrument.quoteCoin);
  }

  isTooLarge({ command, context }: OrderRequest): boolean {
    return isMore(orderValue(command, context), context.maxOrderValue);
  }
}

/** The value of a leg stays below the limit, even if every live order fills. */
class MaxNotionalPositionRule implements RiskRule {
  readonly name = 'max-notional-position';

  allows({ command, context, leg, added }: OrderRequest): boolean {
    if (context.maxLegValue === Infinity || command.kind === PLACE_SPOT) return true;
    return legValue(context, leg, highestPrice(command, context), added) <= context.maxLegValue;
  }

  why({ command, context, leg, added }: OrderRequest): string {
    const value = legValue(context, leg, highestPrice(command, context), added);
    return whyValue(context.maxLegValue, 'a leg', value, context.instrument.quoteCoin);
  }

  isTooLarge({ command, context }: OrderRequest): boolean {
    return isMore(orderValue(command, context), context.maxLegValue);
  }
}

/** The value of all legs stays below a limit, even if every live order fills. */
abstract class AllLegsRule implements RiskRule {
  abstract readonly name: RiskRule['name'];
  protected readonly total: TotalValue;

  constructor({ total }: RuleSetting) {
    this.total = total;
  }

  /** In money; Infinity for no limit. */
  protected abstract get most(): number;

  allows(request: OrderRequest): boolean {
    const { most } = this;
    return most === Infinity || request.command.kind === PLACE_SPOT || totalValue(this.total, request) <= most;
  }

  why(request: OrderRequest): string {
    return whyValue(this.most, 'all legs together', totalValue(this.total, request), request.context.instrument.quoteCoin);
  }
}

class MaxNotionalTotalRule extends AllLegsRule {
  readonly name = 'max-notional-total';

  protected get most(): number {
    return this.total.most;
  }
}

class MaxLeverageRule extends AllLegsRule {
  readonly name = 'max-leverage';

  protected get most(): number {
    return this.total.mostByEquity;
  }
}

function orderValue(command: Command, context: InstrumentContext): number {
  return command.size * highestPrice(command, context) * context.instrument.unitValue;
}

/** Value of all legs if this order and every live opening order fill. */
function totalValue(total: TotalValue, { command, context, added }: OrderRequest): number {
  return total.exposure + added * highestPrice(command, context) * context.instrument.unitValue;
}

/** Value of the leg if every live opening order fills, at the market price or the order's price, whichever is higher. */
function legValue(context: InstrumentContext, leg: Leg, price: number, added: number): number {
  const reference = context.judged.reference;
  return (leg.maxLots + leg.opening + added) * (reference > price ? reference : price) * context.instrument.unitValue;
}

/** False while the price, or the equity of which the limit is a share, is not known. */
function isMore(value: number, most: number): boolean {
  return most >= 0 && value !== Infinity && value > most;
}

function whyValue(most: number, what: string, asked: number, coin: string): string {
  // hot-ok: only after a refusal
  if (most < 0) return 'the limit is a share of the equity, which is not known yet';
  if (asked === Infinity) return 'an order or position has a symbol without a price so far';
  const text = (money: number): string => formatMoneyShort(Math.ceil(money / 1e6) * 1e6);
  return `at most ${text(most)} ${coin} ${what}, ${text(asked)} if every live order fills`;
}

/** Live closing orders together never exceed the position that they close. */
class CloseSizeRule implements RiskRule {
  readonly name = 'close-size';

  allows({ leg, added }: OrderRequest): boolean {
    return leg.closing + added <= leg.minLots;
  }

  why({ leg: { minLots, closing }, added, context: { instrument } }: OrderRequest): string {
    // hot-ok: only after a refusal
    const others = closing === 0 ? '' : ` and live orders ${formatLots(closing, instrument)}`;
    return `the position is ${formatLots(minLots, instrument)}, it would close ${formatLots(added, instrument)}${others}`;
  }
}

export const SIZE_RULES: readonly RuleRow[] = [
  { rule: OpenSizeRule, appliesTo: 'opens' },
  { rule: CloseOrderSizeRule, appliesTo: 'closes' },
  { rule: MaxOpenOrdersRule, appliesTo: 'all', limit: 'maxOpenOrders' },
  { rule: KnownPositionRule, appliesTo: 'opens' },
  { rule: MaxPositionRule, appliesTo: 'opens', limit: 'maxPosition' },
  { rule: MaxNotionalOrderRule, appliesTo: 'opens' },
  { rule: MaxNotionalPositionRule, appliesTo: 'opens' },
  { rule: MaxNotionalTotalRule, appliesTo: 'opens' },
  { rule: MaxLeverageRule, appliesTo: 'opens' },
  { rule: CloseSizeRule, appliesTo: 'closes' },
];
