/**
 * Whose lots a leg (position side) has. Every strategy holds its lots at its own average cost, while the venue has one average for the leg and
 * books profit by it. So a close gives its strategy what its own cost says beyond the venue's figure, and netting the opposite. A strategy
 * that closes lots of others is short against them; what is left of that ends at the price at which the leg becomes flat. Then netting is 0.
 * Sizes and costs are Decimals, and all parts add up to the leg to the last digit.
 */
import { Decimal } from '../../../domain/amounts/decimal.ts';
import { EXTERNAL } from '../../../domain/strategy-name.ts';

/** Decimals of money. */
const DECIMALS = 8;

/** Size and cost of one holder, as decimal strings. A size below 0: it closed lots that others had opened. */
export type SavedHeld = readonly [holder: string, size: string, cost: string];

/** The leg as a whole, its holders, and the shares of those who held it before it became flat, or closed it last from outside. */
export interface SavedLeg {
  readonly all: readonly [size: string, cost: string];
  readonly held: readonly SavedHeld[];
  readonly before: readonly SavedShare[];
  readonly closed: readonly SavedShare[];
}

type SavedShare = readonly [holder: string, size: string];

/** A part of a size. */
interface Share {
  readonly holder: string;
  readonly size: Decimal;
}

/** Part of a holder in a fill: lots, and profit beyond what the venue's average cost gives. */
export interface Taken extends Share {
  readonly moved: Decimal;
}

/** Whose lots an order without a strategy closes first: an own one those of strategies, another party's its own, a liquidation all alike. */
export type Closes = 'own-first' | 'others-first' | 'all-alike';

class Held {
  size: Decimal;
  cost: Decimal;

  constructor(size = '0', cost = '0') {
    this.size = new Decimal(size);
    this.cost = new Decimal(cost);
  }

  /** Books `change` lots, below 0 for a close. Returns what they earned in a LONG leg. */
  take(change: Decimal, price: Decimal): Decimal {
    const held = this.size.abs();
    const closing = this.size.s === change.s || held.isZero() ? new Decimal(0) : Decimal.min(held, change.abs());
    const released = closing.eq(held) ? this.cost : closing.times(this.cost).dividedBy(held).toDecimalPlaces(DECIMALS, Decimal.ROUND_DOWN);
    const value = price.times(closing);
    const earned = this.size.isNegative() ? released.minus(value) : value.minus(released);
    this.cost = this.cost.minus(released).plus(price.times(change.abs().minus(closing)));
    this.size = this.size.plus(change);
    return earned;
  }

  /** What all of it would earn at this price in a LONG leg. */
  earns(price: Decimal): Decimal {
    const value = price.times(this.size.abs());
    return this.size.isNegative() ? this.cost.minus(value) : value.minus(this.cost);
  }
}

export class LegBook {
  readonly #sign: 1 | -1;
  readonly #all: Held;
  readonly #held: Map<string, Held>;
  /** What the holders had before the leg became flat: what comes late is theirs. */
  #before: readonly Share[];
  /** Whose lots the last close without an own order took. */
  #closed: readonly Share[];

  constructor(side: string, saved: SavedLeg = { all: ['0', '0'], held: [], before: [], closed: [] }) {
    const shares = (all: readonly SavedShare[]): Share[] => all.map(([holder, size]) => ({ holder, size: new Decimal(size) }));
    this.#sign = side === 'SHORT' ? -1 : 1;
    this.#all = new Held(...saved.all);
    this.#held = new Map(saved.held.map(([holder, size, cost]) => [holder, new Held(size, cost)]));
    this.#before = shares(saved.before);
    this.#closed = shares(saved.closed);
  }

  saved(): SavedLeg {
    const shares = (all: readonly Share[]): SavedShare[] => all.map(({ holder, size }) => [holder, size.toFixed()]);
    return {
      all: [this.#all.size.toFixed(), this.#all.cost.toFixed()],
      held: [...this.#held].map(([holder, { size, cost }]) => [holder, size.toFixed(), cost.toFixed()]),
      before: shares(this.#before),
      closed: shares(this.#closed),
    };
  }

  /** Everyone with lots, and their profit at `price` by their own cost; null without a price. */
  holders(price: Decimal | null): { readonly holder: string; readonly size: Decimal; readonly unrealised: Decimal | null }[] {
    const some = [...this.#held].filter(([, { size }]) => !size.isZero());
    return some.map(([holder, held]) => ({
      holder,
      size: held.size,
      unrealised: price === null ? null : held.earns(price).times(this.#sign),
    }));
  }

  /** Of the leg as a whole. */
  get size(): Decimal {
    return this.#all.size;
  }

  /** Of the leg as a whole, at the venue's average cost. */
  unrealised(price: Decimal): Decimal {
    return this.#all.earns(price).times(this.#sign);
  }

  sizeOf(holder: string): Decimal {
    return this.#held.get(holder)?.size ?? new Decimal(0);
  }

  /** The holder opened lots. Without a price they cost what makes the average of the leg `entry`, or what it is. */
  opened(holder: string, size: Decimal, price: Decimal | null, entry: Decimal | null = null): Taken[] {
    return [this.#take({ holder, size }, size, price ?? this.#priceBy(size, entry))];
  }

  /** The holder's own order closed lots. */
  closed(holder: string, size: Decimal, price: Decimal | null): Taken[] {
    this.#remember();
    const at = price ?? this.#average();
    return [this.#take({ holder, size }, size.negated(), at), ...this.#settle(at)];
  }

  /** An order without a strategy closed lots; `decimals` are those of sizes. What nobody is known to hold is external. */
  closedFor(closes: Closes, size: Decimal, price: Decimal | null, decimals: number): Taken[] {
    this.#remember();
    const at = price ?? this.#average();
    const shares = this.#sharesOf(closes, size, decimals);
    if (closes !== 'own-first') this.#closed = shares;
    return [...shares.map((share) => this.#take(share, share.size.negated(), at)), ...this.#settle(at)];
  }

  /** Whose lots the last close without an own order took. */
  lastClosed(): readonly Share[] {
    return this.#closed;
  }

  /** What everyone holds, with its sign, or held before the leg became flat: funding follows it. */
  weights(): readonly Share[] {
    const isHeld = this.#all.size.isPositive() && !this.#all.size.isZero();
    return isHeld ? [...this.#held].map(([holder, { size }]) => ({ holder, size })) : this.#before;
  }

  /** Those whose lots an own order without a strategy closes, or closed: the strategies with lots now, or before the leg became flat. */
  owners(): readonly Share[] {
    const own = (shares: readonly Share[]): Share[] => shares.filter(({ holder }) => holder !== EXTERNAL);
    const held = own(positive(this.#held));
    return held.length > 0 ? held : own(this.#before);
  }

  /** Shares a close out among the holders. */
  #sharesOf(closes: Closes, size: Decimal, decimals: number): readonly Share[] {
    const held = positive(this.#held);
    const own = held.filter(({ holder }) => holder !== EXTERNAL);
    const others = held.filter(({ holder }) => holder === EXTERNAL);
    const groups = { 'own-first': [own, others], 'others-first': [others, own], 'all-alike': [held] }[closes];
    const shares: Share[] = [];
    let left = size;
    for (const group of groups) {
      const total = group.reduce((sum, one) => sum.plus(one.size), new Decimal(0));
      const closing = Decimal.min(left, total);
      shares.push(...shareOut(closing, group, decimals).filter((one) => !one.size.isZero()));
      left = left.minus(closing);
    }
    return left.isZero() ? shares : [...shares, { holder: EXTERNAL, size: left }];
  }

  /** Of a leg that is flat: ends what holders have against each other. Their lots add up to none, and what they earn to the netting before. */
  #settle(price: Decimal): Taken[] {
    if (!this.#all.size.isZero()) return [];
    const left = [...this.#held].map(([holder, held]): Taken => {
      return { holder, size: new Decimal(0), moved: held.take(held.size.negated(), price).times(this.#sign) };
    });
    this.#held.clear();
    return left;
  }

  #take(share: Share, change: Decimal, price: Decimal): Taken {
    let held = this.#held.get(share.holder);
    if (held === undefined) this.#held.set(share.holder, (held = new Held()));
    const own = held.take(change, price);
    const moved = own.minus(this.#all.take(change, price)).times(this.#sign);
    if (held.size.isZero() && held.cost.isZero()) this.#held.delete(share.holder);
    return { ...share, moved };
  }

  #remember(): void {
    const held = positive(this.#held);
    if (held.some(({ holder }) => holder !== EXTERNAL) || this.#before.length === 0) this.#before = held;
  }

  #average(): Decimal {
    return this.#all.size.isZero() ? new Decimal(0) : this.#all.cost.dividedBy(this.#all.size.abs()).toDecimalPlaces(DECIMALS);
  }

  #priceBy(size: Decimal, entry: Decimal | null): Decimal {
    if (entry === null || this.#all.size.isNegative()) return this.#average();
    const price = entry.times(this.#all.size.plus(size)).minus(this.#all.cost).dividedBy(size).toDecimalPlaces(DECIMALS);
    return price.isPositive() ? price : entry;
  }
}

function positive(held: ReadonlyMap<string, Held>): Share[] {
  const some = [...held].filter(([, { size }]) => size.isPositive() && !size.isZero());
  return some.map(([holder, { size }]) => ({ holder, size })).sort((a, b) => (a.holder < b.holder ? -1 : 1));
}

/** Shares an amount out by size. The parts are rounded so that they add up. */
export function shareOut(amount: Decimal, by: readonly Share[], decimals = DECIMALS): Share[] {
  const total = by.reduce((sum, one) => sum.plus(one.size), new Decimal(0));
  let until = new Decimal(0);
  let given = new Decimal(0);
  return by.map(({ holder, size }) => {
    until = until.plus(size);
    const next = amount.times(until).dividedBy(total).toDecimalPlaces(decimals, Decimal.ROUND_DOWN);
    const part = next.minus(given);
    given = next;
    return { holder, size: part };
  });
}
