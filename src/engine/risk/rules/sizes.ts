/** Rules about how much: sizes, values and numbers of orders, of legs and of all legs together. @hot */
import * as codes from '../../../domain/codes.ts';
import { formatLots, formatMoneyShort } from '../../../domain/instrument.ts';
import type { InstrumentContext } from '../../state/records/instrument-context.ts';
import type { Leg } from '../../state/records/leg.ts';
import type { TotalValue } from '../../state/account/total-value.ts';
import * as valued from '../../state/account/highest-price.ts';
import type { Asked, RiskRule, RuleRow, RuleSetting } from './rule.ts';

const { CLOSE, MARKET, PLACE_SPOT } = codes;
const { highestPrice } = valued;

/** An opening order is no larger than the limit, and respects the sizes of its instrument. */
class OpenSizeRule implements RiskRule {
  readonly name = 'order-size';
  readonly #most: number;

  constructor({ lots, context }: RuleSetting) {
    this.#most = lots('maxOrderSize', context.instrument.maxSize);
  }

  allows({ command, context }: Asked): boolean {
    const { minSize, minNotional, unitValue } = context.instrument;
    const size = command.size;
    const price = command.price > 0 ? command.price : context.judged.reference;
    return size <= this.#most && size >= minSize && price * size * unitValue >= minNotional;
  }

  why(asked: Asked): string {
    return whySize(asked, this.#most);
  }
}

/**
 * A closing order respects the sizes of its instrument. The configured limit does not apply, because it must not block an exit. A position
 * below the minimum size may be closed whole.
 */
class CloseOrderSizeRule implements RiskRule {
  readonly name = 'order-size';

  allows({ command, context, leg }: Asked): boolean {
    const { minSize, maxSize } = context.instrument;
    const size = command.size;
    return size <= maxSize && (size >= minSize || size === leg.least);
  }

  why(asked: Asked): string {
    return whySize(asked, asked.context.instrument.maxSize);
  }
}

function whySize({ command: { size }, context: { instrument } }: Asked, most: number): string {
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

  allows({ command, context, old }: Asked): boolean {
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

  allows({ leg, added }: Asked): boolean {
    return !leg.isDoubted || added === 0;
  }

  why({ leg: { least, most }, context: { instrument } }: Asked): string {
    // hot-ok: only after a refusal
    const range = `${formatLots(least, instrument)} to ${formatLots(most, instrument)}`;
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

  allows({ command, leg, added }: Asked): boolean {
    return leg.most + leg.opening + added <= this.#most || command.kind === PLACE_SPOT;
  }

  why({ leg, added, context: { instrument } }: Asked): string {
    // hot-ok: only after a refusal
    const asked = leg.most + leg.opening + added;
    return `at most ${formatLots(this.#most, instrument)} a leg, ${formatLots(asked, instrument)} if every live order fills`;
  }
}

/** The value of an opening order, of its leg and of all legs stays below the limits, even if every live order fills. */
class MaxNotionalRule implements RiskRule {
  readonly name = 'max-notional';
  readonly #total: TotalValue;

  constructor({ total }: RuleSetting) {
    this.#total = total;
  }

  allows({ command, context, leg, added }: Asked): boolean {
    const total = this.#total;
    total.refresh();
    if (context.maxOrderValue === Infinity && context.maxLegValue === Infinity && total.most === Infinity) return true;
    const unitValue = context.instrument.unitValue;
    const price = highestPrice(command, context);
    if (command.size * price * unitValue > context.maxOrderValue) return false;
    if (command.kind === PLACE_SPOT) return true;
    if (context.maxLegValue !== Infinity && legValue(context, leg, price, added) > context.maxLegValue) return false;
    return total.most === Infinity || total.exposure + added * price * unitValue <= total.most;
  }

  why({ command, context, leg, added }: Asked): string {
    const { unitValue, quoteCoin } = context.instrument;
    const total = this.#total;
    const price = highestPrice(command, context);
    const asked = command.size * price * unitValue;
    if (asked > context.maxOrderValue) return whyValue(context.maxOrderValue, 'an order', asked, quoteCoin);
    const ofLeg = legValue(context, leg, price, added);
    if (ofLeg > context.maxLegValue) return whyValue(context.maxLegValue, 'a leg', ofLeg, quoteCoin);
    return whyValue(total.most, 'all legs together', total.exposure + added * price * unitValue, quoteCoin);
  }
}

/** Value of the leg if every live opening order fills, at the market price or the order's price, whichever is higher. */
function legValue(context: InstrumentContext, leg: Leg, price: number, added: number): number {
  const reference = context.judged.reference;
  return (leg.most + leg.opening + added) * (reference > price ? reference : price) * context.instrument.unitValue;
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

  allows({ leg, added }: Asked): boolean {
    return leg.closing + added <= leg.least;
  }

  why({ leg: { least, closing }, added, context: { instrument } }: Asked): string {
    // hot-ok: only after a refusal
    return `the position is ${formatLots(least, instrument)}, live orders would close ${formatLots(closing + added, instrument)}`;
  }
}

export const SIZE_RULES: readonly RuleRow[] = [
  { rule: OpenSizeRule, judges: 'opens' },
  { rule: CloseOrderSizeRule, judges: 'closes' },
  { rule: MaxOpenOrdersRule, judges: 'all', limit: 'maxOpenOrders' },
  { rule: KnownPositionRule, judges: 'opens' },
  { rule: MaxPositionRule, judges: 'opens', limit: 'maxPosition' },
  { rule: MaxNotionalRule, judges: 'opens' },
  { rule: CloseSizeRule, judges: 'closes' },
];
