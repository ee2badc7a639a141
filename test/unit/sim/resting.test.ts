/** The resting orders of one side compared with a plain sorted array, over many operations and with many orders at each key. */
import { describe, expect, test } from 'vitest';
import { Random } from '../../../src/base/random.ts';
import { Account, type Leg } from '../../../src/sim/state/account.ts';
import { MarketState } from '../../../src/sim/state/market-state.ts';
import type { Order } from '../../../src/sim/state/order.ts';
import { OrderPool } from '../../../src/sim/state/order-pool.ts';
import { FAR, Resting } from '../../../src/sim/state/resting.ts';
import { BTC, instrumentsOf } from '../../support/sim/sim-kit.ts';

const RULES = { bracketsByMark: false, fundingRate: 0, baseCoin: -1, quoteCoin: -1, coinUnit: 0 };
const market = new MarketState(instrumentsOf(BTC)[0]!, RULES, { now: 0 });
const account = new Account({ index: 0, name: 'a', deposits: 0, markets: [market], leverages: [{ long: 10, short: 10 }], coins: 0 });
const leg: Leg = account.pairs[0]!.long;

/** A side, the same orders in a sorted array (worst first), and a source of chance. */
class Twin {
  readonly side: Resting;
  readonly sign: number;
  readonly pool = new OrderPool();
  readonly random: Random;
  plain: Order[] = [];
  #no = 0;

  constructor(sign: number, seed: number) {
    this.sign = sign;
    this.side = new Resting(sign);
    this.random = new Random(seed);
  }

  insert(key: number): void {
    const order = this.pool.claim(++this.#no, account, market, leg);
    order.key = key;
    this.side.insert(order);
    const at = this.plain.findIndex((other) => (other.key - key) * this.sign >= 0);
    this.plain.splice(at < 0 ? this.plain.length : at, 0, order);
  }

  remove(at: number): void {
    const [order] = this.plain.splice(at, 1);
    this.side.removeAt(this.side.placeOf(order!), order!);
  }

  /** The answers of the side that are not those of the sorted array. */
  differences(): string[] {
    const { side, plain } = this;
    const visited: Order[] = [];
    side.forEach((order) => visited.push(order));
    const isSame = (orders: readonly Order[]): boolean => orders.length === plain.length && orders.every((one, k) => one === plain[k]);
    return [...(isSame(side.list()) ? [] : ['list']), ...(isSame(visited) ? [] : ['forEach']), ...this.quickDifferences()];
  }

  /** The same of those that read few orders. */
  quickDifferences(): string[] {
    const { side, plain, random, sign } = this;
    const first = plain.length - side.count;
    const answers: Record<string, boolean> = {
      size: side.size === plain.length,
      top: side.top === (plain.at(-1)?.key ?? side.none),
      count: side.count > 0 || plain.length === 0,
    };
    if (plain.length > 0) {
      const at = random.below(plain.length);
      const key = plain.at(-1)!.key - sign * random.below(3);
      answers['placeOf'] = side.placeOf(plain[at]!) === (at < first ? FAR : at - first);
      answers['orders'] = [0, random.below(side.count), side.count - 1].every((k) => side.orders[k] === plain[first + k]);
      answers['isFirst'] = side.isFirst(plain.at(-1)!, key) === (plain.length === 1 || (key - plain.at(-2)!.key) * sign > 0);
    }
    return Object.keys(answers).filter((name) => !answers[name]);
  }

  /** True if the array has all orders at the key or better afterwards. */
  reaches(key: number): boolean {
    const { side, plain, sign } = this;
    side.reach(key);
    return side.count >= plain.filter((order) => (order.key - key) * sign >= 0).length;
  }
}

describe.each([1, -1])('resting orders of sign %i are those of a sorted array', (sign) => {
  test.each([1, 2, 3])('over 100,000 inserts and removals, reads, walks and loads (seed %i)', (seed) => {
    const twin = new Twin(sign, seed);
    const { random } = twin;
    for (let n = 0; n < 100_000; n++) {
      // Grows, shrinks to nothing and grows again.
      const isGrowing = Math.floor(n / 6_000) % 2 === 0;
      const { length } = twin.plain;
      const what = random.below(100);
      if (what < (isGrowing ? 60 : 20)) twin.insert(1_000 + random.below(random.below(3) === 0 ? 2_000 : 40));
      else if (what < 90 && length > 0) twin.remove(random.below(2) === 0 ? length - 1 : random.below(length));
      else if (what === 90 && random.below(20) === 0) twin.side.load(twin.plain.slice());
      else if (what === 91) expect(twin.reaches(1_000 + random.below(2_000))).toBe(true);
      else if (what === 92 && random.below(20) === 0) twin.side.reachAll();
      if (n % 10 === 0) expect(twin.quickDifferences()).toEqual([]);
      if (n % 2_000 === 0) expect(twin.differences()).toEqual([]);
    }
    while (twin.plain.length > 0) twin.remove(twin.plain.length - 1);
    expect(twin.differences()).toEqual([]);
  });

  test('inserted ever farther from the best, ever nearer, and removed from the far end', () => {
    const twin = new Twin(sign, 1);
    for (let k = 0; k < 3_000; k++) twin.insert(10_000 - sign * k);
    expect(twin.differences()).toEqual([]);
    for (let k = 0; k < 3_000; k++) twin.insert(10_000 + sign * k);
    expect(twin.differences()).toEqual([]);
    while (twin.plain.length > 300) twin.remove(0);
    expect(twin.differences()).toEqual([]);
    while (twin.plain.length > 0) {
      twin.remove(twin.plain.length - 1);
      expect(twin.quickDifferences()).toEqual([]);
    }
  });

  test('a far order is moved within one block, however many rest', () => {
    const twin = new Twin(sign, 1);
    for (let k = 0; k < 5_000; k++) twin.insert(10_000 - sign * k);
    expect(twin.side.count).toBeLessThanOrEqual(256);
    expect(twin.side.far.count).toBe(5_000 - twin.side.count);
  });
});
