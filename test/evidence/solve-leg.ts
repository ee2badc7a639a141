/**
 * Facts of one leg as rows between integers, and what they leave possible.
 *
 * A *point* is one thing that is known of how much an order had filled: its amount `x` from a moment `since` until a moment `until`, of
 * which only the latest `since` and the earliest `until` are known. Fills only grow, so one rule orders all points of an order: if a point
 * surely began before another one surely ended, it has at most that other one's amount. Creation, fills, ends, reads of the position and
 * now are all points. Each read of the position adds one row: the points of all orders at it sum up to its total.
 */
import { IntegerSystem, type Range, type Term } from './integer-system.ts';
import { CLOSE, OPEN, type Choice, type Fact, type Flat, type LegFacts, type OrderRecord, type PositionRecord } from './facts.ts';
import { livesOf, sizeOf, type Life } from './lives.ts';

/** Half a millisecond: a moment inside of a millisecond is after its start and before its end. */
const INSIDE = 0.5;

interface Point {
  readonly amount: number;
  /** The amount held at this moment or before. */
  readonly since: number;
  /** The amount was held until this moment at least. */
  readonly until: number;
}

export interface Solution {
  readonly isPossible: boolean;
  /** Lots that each order has filled by now. */
  readonly fills: readonly Range[];
  readonly position: Range;
}

/** What the facts leave possible if nobody else trades on the leg. `budget`: steps of search for each end of each range. */
export function solveLeg(leg: LegFacts, budget: number): Solution {
  const system = new IntegerSystem();
  const points = new Points(system, leg);
  const position = points.now();
  const isPossible = system.settle() && system.isSolvable(budget) !== false;
  const rangeOf = (variable: number): Range =>
    isPossible ? system.range(variable, budget) : { lo: Number.NaN, hi: Number.NaN, isExact: false };
  return { isPossible, fills: points.last.map(rangeOf), position: rangeOf(position) };
}

class Points {
  readonly #system: IntegerSystem;
  readonly #leg: LegFacts;
  readonly #points: Point[][];
  readonly #lives: Life[];
  /** By order: the most lots that it may have. */
  readonly #sizes: readonly number[];
  readonly #ended: { order: number; amount: number; isEnded: number }[] = [];
  /** By order: the variable with what it filled before it came to be, and after its end (−1 if that is not known). */
  readonly #none: number[] = [];
  readonly #final: number[] = [];
  /** By order: the variable with what it has filled by now. */
  readonly last: number[] = [];

  constructor(system: IntegerSystem, leg: LegFacts) {
    this.#system = system;
    this.#leg = leg;
    this.#points = leg.orders.map(() => []);
    this.#sizes = leg.orders.map((order, k) => sizeOf(order, k, leg.facts));
    this.#lives = livesOf(leg);
    for (const [k, { createdBy, createdFrom, endedBy }] of this.#lives.entries()) {
      // What had to come to be by a time and had not, never will.
      this.#add(k, 0, 0, -Infinity, createdFrom > createdBy ? leg.now + 1 : createdFrom);
      this.#none.push(this.#system.variable(0, 0));
      this.#final.push(endedBy < Infinity ? this.#add(k, 0, this.#sizes[k]!, endedBy + INSIDE, Infinity) : -1);
    }
    for (const fact of leg.facts) this.#take(fact);
  }

  /** Adds the present. Returns the variable with the position. */
  now(): number {
    const { now } = this.#leg;
    const { position, amounts } = this.#moment(now + INSIDE, now + 1);
    this.last.push(...amounts);
    // What had ended filled no more.
    for (const { order, amount, isEnded } of this.#ended) {
      const size = this.#sizes[order]!;
      this.#system.row([[1, amounts[order]!], [-1, amount], [size, isEnded]], -Infinity, size); // prettier-ignore
    }
    for (const choice of this.#leg.choices ?? []) this.#choose(choice);
    for (const [k, points] of this.#points.entries()) this.#chain(points, this.#sizes[k]!);
    return position;
  }

  /** One of these trigger orders became the order: it filled nothing of its own. */
  #choose({ triggers }: Choice): void {
    const system = this.#system;
    const isOne = triggers.map(() => system.variable(0, 1));
    system.row(
      isOne.map((one): Term => [1, one]),
      1,
      1,
    );
    for (const [i, k] of triggers.entries()) {
      const size = this.#sizes[k]!;
      system.row([[1, this.last[k]!], [size, isOne[i]!]], -Infinity, size); // prettier-ignore
    }
  }

  #take(fact: Fact): void {
    if (fact.kind === 'order') this.#record(fact, this.#sizes[fact.order]!);
    else if (fact.kind === 'position') this.#position(fact);
    else if (fact.kind === 'flat') this.#flat(fact);
    else if (fact.kind === 'cancelled') this.#add(fact.order, 0, this.#sizes[fact.order]! - 1, fact.answered + INSIDE, Infinity);
    else if (fact.kind === 'untouched') this.#add(fact.order, 0, 0, -Infinity, fact.answered);
  }

  #record(record: OrderRecord, size: number): void {
    const { lag } = this.#leg;
    const { updatedAt, since = updatedAt } = record;
    const all = record.size ?? size;
    if (record.status === 'filled') {
      const amount = this.#add(record.order, all, all, updatedAt + INSIDE, Infinity);
      return this.#before(record.order, amount, updatedAt);
    }
    const least = record.isTraded ? Math.max(1, record.least ?? 1) : 0;
    const most = record.isTraded ? Math.min(all - 1, record.most ?? all) : 0;
    if (record.status === 'cancelled') return void this.#add(record.order, least, most, since + INSIDE, Infinity);
    if (record.status === 'replaced') return void this.#add(record.order, least, most, since + INSIDE, updatedAt);
    const amount = this.#add(record.order, least, most, since + INSIDE, Math.max(this.#heldTo(updatedAt), record.answered - lag));
    // Another update than a fill is none: the first record with this fee is that of a fill.
    if (record.isTraded && since > record.createdAt && record.createdAt > -Infinity) this.#before(record.order, amount, since);
  }

  /** What a record of this update time shows was held until then at least: another change may have followed in the same millisecond. */
  #heldTo(updatedAt: number): number {
    return this.#leg.isWhole === true ? updatedAt + INSIDE : updatedAt;
  }

  /** The order filled at `time` and had `amount` then: earlier it had less. */
  #before(order: number, amount: number, time: number): void {
    const less = this.#add(order, 0, this.#sizes[order]!, Infinity, time);
    this.#system.row([[1, less], [-1, amount]], -Infinity, -1); // prettier-ignore
  }

  #position(record: PositionRecord): void {
    const system = this.#system;
    const { lag } = this.#leg;
    const until = Math.max(this.#heldTo(record.updatedAt), record.answered - lag);
    const { position, amounts } = this.#moment(record.updatedAt + INSIDE, until);
    system.row([[1, position]], record.total, record.total);
    // Right before the position was made, the leg was flat, and right after it held something.
    if (record.createdAt > this.#leg.begun) {
      const before = this.#moment(record.createdAt + INSIDE, record.createdAt);
      const after = this.#moment(record.createdAt + INSIDE, record.createdAt);
      system.row([[1, before.position]], 0, 0);
      system.row([[1, after.position]], 1, Infinity);
      for (const [k, amount] of amounts.entries()) {
        system.atMost(before.amounts[k]!, after.amounts[k]!);
        system.atMost(after.amounts[k]!, amount);
      }
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
    const { position } = this.#moment(answered + 1, first - this.#leg.lag);
    this.#system.row([[1, position]], 0, 0);
  }

  /** A point of each order at one moment, and the position there. */
  #moment(since: number, until: number): { position: number; amounts: number[] } {
    const { orders, start, within } = this.#leg;
    const amounts = this.#sizes.map((size, k) => this.#at(k, size, since, until));
    const most = orders.reduce((sum, { effect }, k) => (effect === OPEN ? sum + this.#sizes[k]! : sum), start);
    const position = this.#system.variable(0, most, true);
    this.#system.row([[-1, position], ...amounts.map((amount, k): Term => [orders[k]!.effect, amount])], -start, -start);
    if (within !== undefined) {
      const inner = within.inner.map((k): Term => [1, amounts[k]!]);
      this.#system.row([...inner, ...within.outer.map((k): Term => [-1, amounts[k]!])], -Infinity, within.more);
    }
    return { position, amounts };
  }

  /** What the order had filled at one moment: one variable for all moments after its end. */
  #at(order: number, size: number, since: number, until: number): number {
    const { createdBy, createdFrom, endedBy } = this.#lives[order]!;
    if (this.#final[order]! >= 0 && Math.min(since, until) >= endedBy + INSIDE) return this.#final[order]!;
    if (Math.max(since, until) <= createdFrom && createdFrom <= createdBy) return this.#none[order]!;
    return this.#add(order, 0, size, since, until);
  }

  #add(order: number, lo: number, hi: number, since: number, until: number): number {
    const amount = this.#system.variable(lo, hi);
    this.#points[order]!.push({ amount, since, until });
    return amount;
  }

  /**
   * Orders the points through the amounts at the moments that they name: a point has at most what the order had at its `since`, and at
   * least what it had at its `until`.
   */
  #chain(points: readonly Point[], size: number): void {
    const system = this.#system;
    const times = [...new Set(points.flatMap(({ since, until }) => [since, until]))].toSorted((a, b) => a - b);
    const at = new Map<number, number>();
    let before = -1;
    for (const time of times) {
      if (time === -Infinity || time === Infinity) continue;
      const amount = system.variable(0, size, true);
      if (before >= 0) system.atMost(before, amount);
      at.set(time, (before = amount));
    }
    for (const { amount, since, until } of points) {
      if (since === -Infinity) system.atMost(amount, system.variable(0, 0));
      else if (since < Infinity) system.atMost(amount, at.get(since)!);
      if (until > -Infinity) system.atMost(until === Infinity ? before : at.get(until)!, amount);
    }
  }
}
