/**
 * Facts of one leg as rows between integers, and what they leave possible.
 *
 * A *point* is one thing that is known of how much an order had filled: its amount from a moment `since` until a moment `until`, of which
 * only the latest `since` and the earliest `until` are known. Fills only grow, so one rule orders all points of an order: if a point surely
 * began before another one surely ended, it has at most that other one's amount. Records and moments are points: a moment is a read of the
 * position, the creation of the position, or now. Each read of the position adds one row: the amounts of all orders at it sum up to its
 * total. Most amounts are known without any row: nothing before the order came to be, and the same at all moments after its end.
 */
import { constant, IntegerSystem, type Range, type Term } from './integer-system.ts';
import { CLOSE, OPEN, type Choice, type Fact, type Flat, type LegFacts, type OrderRecord, type PositionRecord } from './facts.ts';
import { livesOf, sizeOf, type Life } from './lives.ts';

/** Half a millisecond: a moment inside of a millisecond is after its start and before its end. */
const INSIDE = 0.5;
/** With more undecided orders than this, no range is searched for: that costs more than it tells. */
const MOST_SEARCHED = 16;

interface Span {
  /** The amount held at this moment or before. */
  readonly since: number;
  /** The amount was held until this moment at least. */
  readonly until: number;
}

interface Point extends Span {
  readonly amount: number;
}

interface Moment extends Span {
  /** By order. */
  readonly amounts: readonly number[];
  readonly position: number;
}

/** What an order has filled after its end. */
interface Final {
  since: number;
  lo: number;
  hi: number;
}

export interface Solution {
  readonly isPossible: boolean;
  /** Lots that each order has filled by now. */
  readonly fills: readonly Range[];
  readonly position: Range;
  /** True if there were too many undecided orders to search. */
  readonly isCapped: boolean;
  /** Terms of rows that were looked at. */
  readonly work: number;
}

/** What the facts leave possible if nobody else trades on the leg. `budget`: steps of search for each end of each range. */
export function solveLeg(leg: LegFacts, budget: number): Solution {
  const system = new IntegerSystem();
  const { amounts, position } = new Points(system, leg).now();
  const isSettled = system.settle();
  const isCapped = isSettled && amounts.filter((amount) => system.lo(amount) < system.hi(amount)).length > MOST_SEARCHED;
  const steps = isCapped ? 0 : budget;
  const isPossible = isSettled && system.isSolvable(steps) !== false;
  const rangeOf = (variable: number): Range =>
    isPossible ? system.range(variable, steps) : { lo: Number.NaN, hi: Number.NaN, isExact: false };
  return { isPossible, fills: amounts.map(rangeOf), position: rangeOf(position), isCapped, work: system.work };
}

class Points {
  readonly #system: IntegerSystem;
  readonly #leg: LegFacts;
  readonly #lives: Life[];
  /** By order: the most lots that it may have. */
  readonly #sizes: readonly number[];
  /** By order: it had filled nothing until this moment. */
  readonly #noneUntil: number[];
  readonly #finals: (Final | null)[];
  /** The same as points, and records of what had filled before the end. */
  readonly #ends: (Point | null)[];
  readonly #records: Point[][];
  /** By order: at this time it filled up to this amount, so it had less before. */
  readonly #fills: { readonly amount: number; readonly time: number }[][];
  readonly #moments: Moment[] = [];
  /** By creation time of the position: right before it, and right after. */
  readonly #creations = new Map<number, readonly [before: Moment, after: Moment]>();
  readonly #ended: { order: number; amount: number; isEnded: number }[] = [];

  constructor(system: IntegerSystem, leg: LegFacts) {
    this.#system = system;
    this.#leg = leg;
    this.#sizes = leg.orders.map((order, k) => sizeOf(order, k, leg.facts));
    this.#lives = livesOf(leg);
    // What had to come to be by a time and had not, never will.
    this.#noneUntil = this.#lives.map(({ createdBy, createdFrom }) => (createdFrom > createdBy ? leg.now + 1 : createdFrom));
    this.#finals = this.#lives.map(({ endedBy }, k) =>
      endedBy < Infinity ? { since: endedBy + INSIDE, lo: 0, hi: this.#sizes[k]! } : null,
    );
    this.#records = leg.orders.map(() => []);
    this.#fills = leg.orders.map(() => []);
    for (const fact of leg.facts) this.#bound(fact);
    this.#ends = this.#finals.map((final, k) => (final === null ? null : this.#end(k, final)));
    for (const fact of leg.facts) if (fact.kind === 'order') this.#record(fact);
    for (const points of this.#records) for (const one of points) for (const other of points) this.#order(one, other);
    for (const fact of leg.facts) {
      if (fact.kind === 'position') this.#position(fact);
      else if (fact.kind === 'flat') this.#flat(fact);
    }
  }

  /** Adds the present, and all that ties moments together. */
  now(): Moment {
    const { now } = this.#leg;
    const moment = this.#moment(now + INSIDE, now + 1);
    // What had ended filled no more.
    for (const { order, amount, isEnded } of this.#ended) {
      const size = this.#sizes[order]!;
      this.#system.row([[1, moment.amounts[order]!], [-1, amount], [size, isEnded]], -Infinity, size); // prettier-ignore
    }
    for (const choice of this.#leg.choices ?? []) this.#choose(choice, moment);
    this.#chain();
    return moment;
  }

  /** One of these trigger orders became the order: it filled nothing of its own. */
  #choose({ triggers }: Choice, { amounts }: Moment): void {
    const system = this.#system;
    const isOne = triggers.map(() => system.variable(0, 1));
    system.row(
      isOne.map((one): Term => [1, one]),
      1,
      1,
    );
    for (const [i, k] of triggers.entries()) {
      const size = this.#sizes[k]!;
      system.row([[1, amounts[k]!], [size, isOne[i]!]], -Infinity, size); // prettier-ignore
    }
  }

  /** What the fact says of the time before the first fill, and of that after the end. */
  #bound(fact: Fact): void {
    if (!('order' in fact)) return;
    const { order } = fact;
    const size = this.#sizes[order]!;
    if (fact.kind === 'cancelled') this.#final(order, fact.answered + INSIDE, 0, size - 1);
    else if (fact.kind === 'untouched') this.#none(order, fact.answered);
    else if (fact.kind === 'order') {
      const { status, updatedAt, since = updatedAt } = fact;
      const { least, most } = this.#lotsOf(fact);
      if (status === 'filled') this.#final(order, updatedAt + INSIDE, most, most);
      else if (status === 'cancelled') this.#final(order, since + INSIDE, least, most);
      else if (!fact.isTraded) this.#none(order, this.#untilOf(fact));
    }
  }

  #none(order: number, until: number): void {
    this.#noneUntil[order] = Math.max(this.#noneUntil[order]!, until);
  }

  #final(order: number, since: number, lo: number, hi: number): void {
    const final = (this.#finals[order] ??= { since, lo, hi });
    final.since = Math.min(final.since, since);
    final.lo = Math.max(final.lo, lo);
    final.hi = Math.min(final.hi, hi);
  }

  #end(order: number, { hi, lo, since }: Final): Point {
    const most = since <= this.#noneUntil[order]! ? Math.min(0, hi) : hi;
    return { amount: this.#system.variable(lo, most), since, until: Infinity };
  }

  /** Least and most lots that the record says had filled. */
  #lotsOf({ isTraded, least = 1, most, order, size, status }: OrderRecord): { readonly least: number; readonly most: number } {
    const all = size ?? this.#sizes[order]!;
    if (status === 'filled') return { least: all, most: all };
    return isTraded ? { least: Math.max(1, least), most: Math.min(all - 1, most ?? all) } : { least: 0, most: 0 };
  }

  /** How long what the record shows was held at least. */
  #untilOf({ answered, status, updatedAt }: OrderRecord): number {
    return status === 'replaced' ? updatedAt : Math.max(this.#heldTo(updatedAt), answered - this.#leg.lag);
  }

  /** A fill that a record shows: what had filled by then, and that there was less before. */
  #record(record: OrderRecord): void {
    const { createdAt, isTraded, order, status, updatedAt, since = updatedAt } = record;
    if (status === 'filled') this.#fills[order]!.push({ amount: this.#ends[order]!.amount, time: updatedAt });
    if (status === 'filled' || status === 'cancelled' || !isTraded) return;
    const { least, most } = this.#lotsOf(record);
    const until = this.#untilOf(record);
    const point = { ...this.#at(order, since + INSIDE, until, least, most), since: since + INSIDE, until };
    this.#records[order]!.push(point);
    // Another update than a fill is none: the first record with this fee is that of a fill.
    if (status === 'new' && since > createdAt && createdAt > -Infinity) this.#fills[order]!.push({ amount: point.amount, time: since });
  }

  /** What a record of this update time shows was held until then at least: another change may have followed in the same millisecond. */
  #heldTo(updatedAt: number): number {
    return this.#leg.isWhole === true ? updatedAt + INSIDE : updatedAt;
  }

  #position(record: PositionRecord): void {
    const system = this.#system;
    const { lag } = this.#leg;
    const { createdAt, total } = record;
    const until = Math.max(this.#heldTo(record.updatedAt), record.answered - lag);
    const { amounts } = this.#moment(record.updatedAt + INSIDE, until, total, total);
    // Right before the position was made, the leg was flat, and right after it held something.
    if (createdAt > this.#leg.begun) {
      let creation = this.#creations.get(createdAt);
      if (creation === undefined) {
        const before = this.#moment(createdAt + INSIDE, createdAt, 0, 0);
        const after = this.#moment(createdAt + INSIDE, createdAt, 1);
        this.#creations.set(createdAt, (creation = [before, after]));
        for (const [k, amount] of before.amounts.entries()) system.atMost(amount, after.amounts[k]!);
      }
      for (const [k, amount] of creation[1].amounts.entries()) system.atMost(amount, amounts[k]!);
    }
    const from = Math.max(record.updatedAt, record.answered - lag);
    if (record.locked >= 0) this.#left(CLOSE, amounts, from, record.answered, record.locked);
    if (record.opening >= 0) this.#left(OPEN, amounts, from, record.answered, record.opening);
  }

  /** At one moment from `from` to `to`, at which the orders had these amounts, those of one effect had `lots` left in all. */
  #left(effect: number, amounts: readonly number[], from: number, to: number, lots: number): void {
    const system = this.#system;
    const terms: Term[] = [];
    let sum = lots;
    for (const [k, { effect: own }] of this.#leg.orders.entries()) {
      if (own !== effect) continue;
      const size = this.#sizes[k]!;
      const { createdFrom, createdBy, endedFrom, endedBy, isSure } = this.#lives[k]!;
      if (createdFrom > to || endedBy < from) continue;
      const isThere = isSure && createdBy < from;
      if (isThere && endedFrom > to) {
        sum -= size;
        terms.push([-1, amounts[k]!]);
        continue;
      }
      // Not at the venue yet, alive, or ended by then.
      const amount = amounts[k]!;
      const isAlive = system.variable(0, 1);
      const isEnded = system.variable(0, endedFrom > to ? 0 : 1);
      const left = system.variable(0, size);
      system.row([[1, isAlive], [1, isEnded]], isThere ? 1 : 0, 1); // prettier-ignore
      system.row([[1, amount], [-size, isAlive], [-size, isEnded]], -Infinity, 0); // prettier-ignore
      system.row([[1, left], [-size, isAlive]], -Infinity, 0); // prettier-ignore
      system.row([[1, left], [1, amount]], -Infinity, size); // prettier-ignore
      system.row([[1, left], [1, amount], [-size, isAlive]], 0, Infinity); // prettier-ignore
      terms.push([1, left]);
      this.#ended.push({ order: k, amount, isEnded });
    }
    system.row(terms, sum, sum);
  }

  /** At one moment from first − lag to answered the leg was flat. */
  #flat({ first, answered }: Flat): void {
    this.#moment(answered + 1, first - this.#leg.lag, 0, 0);
  }

  /** A point of each order at one moment, and the position there: from `least` to `most` lots. */
  #moment(since: number, until: number, least = 0, most = Infinity): Moment {
    const { orders, start, within } = this.#leg;
    const amounts = this.#sizes.map((size, k) => this.#at(k, since, until, 0, size).amount);
    const all = orders.reduce((sum, { effect }, k) => (effect === OPEN ? sum + this.#sizes[k]! : sum), start);
    const position = this.#system.variable(least, Math.min(most, all), true);
    this.#system.row([[-1, position], ...amounts.map((amount, k): Term => [orders[k]!.effect, amount])], -start, -start);
    if (within !== undefined) {
      const inner = within.inner.map((k): Term => [1, amounts[k]!]);
      this.#system.row([...inner, ...within.outer.map((k): Term => [-1, amounts[k]!])], -Infinity, within.more);
    }
    const moment = { since, until, amounts, position };
    this.#moments.push(moment);
    return moment;
  }

  /** What the order had filled from `since` until `until`, from `lo` to `hi` lots. */
  #at(order: number, since: number, until: number, lo: number, hi: number): Pick<Point, 'amount'> {
    const system = this.#system;
    const end = this.#ends[order]!;
    const isEnded = end !== null && until >= end.since;
    const isNone = since <= this.#noneUntil[order]!;
    if (!isEnded && isNone && lo === 0) return { amount: constant(0) };
    const amount = isEnded && lo === 0 && hi === this.#sizes[order] ? end.amount : system.variable(lo, isNone ? Math.min(0, hi) : hi);
    const point = { amount, since, until };
    if (isEnded && isNone) system.atMost(amount, constant(0));
    if (isEnded) system.atMost(end.amount, amount);
    for (const record of this.#records[order]!) {
      this.#order(point, record);
      this.#order(record, point);
    }
    for (const fill of this.#fills[order]!) if (since <= fill.time) system.atMost(amount, fill.amount, 1);
    return { amount };
  }

  /** The first has at most the amount of the second, if it surely began before that ended. */
  #order(first: Point, second: Point): void {
    if (first.since <= second.until) this.#system.atMost(first.amount, second.amount);
  }

  /** Orders all moments: each pair that no third one between them orders. */
  #chain(): void {
    const moments = this.#moments;
    const isBefore = moments.map(({ since }) => moments.map(({ until }) => since <= until));
    const isBetween = (c: number, a: number, b: number): boolean =>
      isBefore[a]![c]! && isBefore[c]![b]! && !isBefore[c]![a]! && !isBefore[b]![c]!;
    for (const [a, one] of moments.entries())
      for (const [b, other] of moments.entries()) {
        if (a === b || !isBefore[a]![b]! || moments.some((_, c) => isBetween(c, a, b))) continue;
        for (const [k, amount] of one.amounts.entries()) this.#system.atMost(amount, other.amounts[k]!);
      }
  }
}
