/**
 * Accounts that trade with each other, compared with a naive model: no trade at a worse price than a better resting order, no money created
 * or lost.
 */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Random } from '../../../src/base/random.ts';
import { BUY, CLOSE, LIMIT, LONG, MAKER, MARKET, OPEN, SELL, SHORT } from '../../../src/domain/codes.ts';
import { CANCELLED, WORKING } from '../../../src/domain/orders/order.ts';
import { VenueSim } from '../../../src/sim/core/venue-core.ts';
import type { SimFill } from '../../../src/sim/state/types.ts';
import { NaiveCrossing, type NaiveFill } from '../../support/sim/naive-crossing.ts';
import { RandomFlow } from '../../support/sim/sim-flow.ts';
import { BTC, instrumentsOf, order, Recorder, SPOT_BTC, specOf } from '../../support/sim/sim-kit.ts';

const ACCOUNTS = 4;
const MID = 6_000;

/** Four rich accounts on one instrument with a simple grid: a tick is 1 USDT, a lot 0.001 BTC. */
function venue(product: 'futures' | 'spot', log: Recorder): VenueSim {
  const spec = {
    ...(product === 'spot' ? SPOT_BTC : BTC),
    tickSize: '1',
    lotSize: '0.001',
    minSize: '0.001',
    minNotional: '0',
    maxSize: '1000',
  };
  const accounts = Array.from({ length: ACCOUNTS }, (_, k) => ({
    name: `a${k}`,
    futures: '10000000',
    spot: { USDT: '10000000', BTC: '1000' },
  }));
  return new VenueSim(specOf(instrumentsOf(spec), { accounts, crossing: true, historyLimit: 10_000 }), log);
}

interface Scene {
  readonly product: 'futures' | 'spot';
  readonly sim: VenueSim;
  readonly log: Recorder;
  readonly naive: NaiveCrossing;
}

/** One event on both venues. Prices are within a few ticks, so that most orders meet something. */
function step({ product, sim, naive }: Scene, r: Random, time: number, opensOnly: boolean): void {
  const dice = r.below(100);
  if (dice < 18) {
    const bid = MID - 3 + r.below(5);
    const ask = bid + 1 + r.below(4);
    const [bidSize, askSize] = [r.below(6), r.below(6)];
    sim.quote(0, bid, bidSize, ask, askSize, time);
    naive.quote(bid, bidSize, ask, askSize);
  } else if (dice < 24) {
    const [price, size] = [MID - 4 + r.below(9), 1 + r.below(8)];
    sim.trade(0, price, size, r.below(2), time, time);
    naive.trade(price, size);
  } else if (dice < 40) {
    const no = Math.max(1, naive.working[r.below(Math.max(1, naive.working.length))]?.no ?? 1);
    const account = sim.order(no)?.account ?? 0;
    const isDone = product === 'spot' ? sim.cancelSpot(account, no, time) : sim.cancel(account, no, time);
    if (isDone) naive.cancel(no);
  } else {
    const isSell = r.below(2) === 1;
    const isMarket = r.below(7) === 0;
    const account = r.below(ACCOUNTS);
    const size = 1 + r.below(9);
    const price = isMarket ? 0 : MID - 5 + r.below(11);
    const effect = product === 'futures' && !opensOnly && r.below(2) === 0 ? CLOSE : OPEN;
    const side = product === 'spot' ? (isSell ? SELL : BUY) : isSell === (effect === CLOSE) ? LONG : SHORT;
    const command = order({ side, effect, type: isMarket ? MARKET : LIMIT, price, size });
    // The number is known before the fills are reported, so the naive venue can run afterwards.
    const no = product === 'spot' ? sim.placeSpot(account, command, 0, time) : sim.place(account, command, 0, time);
    if (no > 0) naive.arrive({ no, account, isSell, price: isMarket ? null : price, left: size, isTaking: false });
  }
}

const shown = (fill: SimFill): NaiveFill => [fill.orderNo, fill.price, fill.size, fill.liquidity === MAKER];

describe('accounts that trade with each other', () => {
  for (const product of ['futures', 'spot'] as const) {
    test(`fill by price and time as a naive venue fills (${product})`, () => {
      let crossed = 0;
      const property = fc.property(fc.integer({ min: 0, max: 0xffff_ffff }), fc.integer({ min: 1, max: 220 }), (seed, steps) => {
        const r = new Random(seed);
        const log = new Recorder();
        const scene: Scene = { product, log, sim: venue(product, log), naive: new NaiveCrossing() };
        scene.sim.quote(0, MID, 3, MID + 2, 3, 999);
        scene.naive.quote(MID, 3, MID + 2, 3);
        for (let k = 0; k < steps; k++) {
          const from = log.fills.length;
          step(scene, r, 1_000 + k, true);
          expect(log.fills.slice(from).map(shown)).toEqual(scene.naive.fills.slice(from));
        }
        const working = Array.from({ length: ACCOUNTS }, (_, a) => scene.sim.pending(a, 0)).flat();
        const byNo = (x: readonly [number, number], y: readonly [number, number]): number => x[0] - y[0];
        expect(working.map((one): [number, number] => [one.no, one.size - one.filled]).sort(byNo)).toEqual(
          scene.naive.working.map((one): [number, number] => [one.no, one.left]).sort(byNo),
        );
        scene.sim.audit();
        crossed += pairsOf(log.fills).length;
      });
      fc.assert(property, { numRuns: 1_500 });
      expect(crossed).toBeGreaterThan(5_000);
    });
  }

  test('never trade at a worse price than a better resting order', () => {
    const r = new Random(11);
    const log = new Recorder();
    const scene: Scene = { product: 'futures', log, sim: venue('futures', log), naive: new NaiveCrossing() };
    let looked = 0;
    const { sim } = scene;
    log.fill = (fill: SimFill): void => {
      const taker = sim.order(fill.orderNo)!;
      if (fill.liquidity === MAKER) return;
      for (let a = 0; a < ACCOUNTS; a++) {
        for (const other of sim.pending(a, 0)) {
          if (a === fill.account || other.type === MARKET || other.direction === taker.direction || other.status !== WORKING) continue;
          looked++;
          const isBetter = taker.direction === BUY ? other.price < fill.price : other.price > fill.price;
          expect(isBetter, `order ${fill.orderNo} at ${fill.price} beside ${other.no} at ${other.price}`).toBe(false);
        }
      }
    };
    for (let k = 0; k < 20_000; k++) step(scene, r, 1_000 + k, false);
    expect(looked).toBeGreaterThan(2_000);
  });

  for (const product of ['futures', 'spot'] as const) {
    test(`make and lose nothing but the fees (${product})`, () => {
      const r = new Random(5);
      const log = new Recorder();
      const sim = venue(product, log);
      // The recorded market is far away and never trades: all fills are between accounts.
      sim.quote(0, MID - 1_000, 0, MID + 1_000, 0, 999);
      const scene: Scene = { product, log, sim, naive: new NaiveCrossing() };
      const accounts = Array.from({ length: ACCOUNTS }, (_, a) => a);
      const coins = (coin: string): number =>
        accounts.flatMap((a) => sim.balances(a)).reduce((sum, one) => sum + (one.coin === coin ? one.free + one.locked : 0), 0);
      const money = (): number => (product === 'spot' ? coins('USDT') : accounts.reduce((sum, a) => sum + sim.equity(a), 0));
      const lots = (side: number): number =>
        accounts.flatMap((a) => sim.positions(a, 0)).reduce((sum, one) => sum + (one.side === side ? one.total : 0), 0);
      const before = [money(), coins('BTC')];
      let fees = 0;
      let told = 0;
      for (let k = 0; k < 6_000; k++) {
        const dice = 24 + r.below(76);
        step(scene, { below: (n: number) => (n === 100 ? dice : r.below(n)) } as Random, 1_000 + k, false);
        for (; told < log.fills.length; told++) fees += log.fills[told]!.fee;
        expect([money() + fees, coins('BTC')]).toEqual(before);
        if (product === 'futures') expect(lots(LONG)).toBe(lots(SHORT));
        sim.audit();
      }
      expect(log.fills.length).toBeGreaterThan(4_000);
      expect(pairsOf(log.fills)).toHaveLength(log.fills.length / 2);
    });
  }

  test('the whole random flow stays consistent, with margin, triggers, liquidations and spot', () => {
    let pairs = 0;
    for (const fillModel of ['touch', 'through', 'queue'] as const) {
      for (let seed = 1; seed <= 3; seed++) {
        const flow = new RandomFlow({ seed, fillModel, crossing: true });
        for (let k = 0; k < 6_000; k++) {
          flow.step();
          flow.sim.audit();
        }
        pairs += pairsOf(flow.log.fills).length;
      }
    }
    expect(pairs).toBeGreaterThan(300);
  });
});

/** Two consecutive fills of different accounts, maker and taker, at one price and size: a trade between accounts. */
function pairsOf(fills: readonly SimFill[]): SimFill[][] {
  const pairs: SimFill[][] = [];
  for (const [k, taker] of fills.entries()) {
    const maker = fills[k - 1];
    if (maker === undefined || maker.liquidity !== MAKER || taker.liquidity === MAKER || maker.account === taker.account) continue;
    if (maker.price === taker.price && maker.size === taker.size && maker.time === taker.time) pairs.push([maker, taker]);
  }
  return pairs;
}

describe('one trade between two accounts', () => {
  const two = (given: object = {}): { sim: VenueSim; log: Recorder } => {
    const log = new Recorder();
    const accounts = ['a', 'b', 'c'].map((name) => ({ name, futures: '100000', spot: {} }));
    const sim = new VenueSim(specOf(instrumentsOf(BTC), { accounts, crossing: true, ...given }), log);
    sim.quote(0, 599_990, 50, 600_010, 50, 1);
    return { sim, log };
  };
  const sell = (price: number, size = 10) => order({ side: SHORT, price, size });
  const buy = (price: number, size = 10) => order({ price, size });

  test('happens inside the spread, the resting order as maker and the arriving one as taker', () => {
    const { sim, log } = two();
    sim.place(0, sell(600_000), 0, 2);
    sim.place(1, buy(600_005, 4), 0, 3);
    // 4 lots at 60,000.0 are worth 240; 0.0002 of it is 0.048, 0.0006 is 0.144.
    expect(log.fills).toMatchObject([
      { account: 0, price: 600_000, size: 4, liquidity: MAKER, fee: 4_800_000 },
      { account: 1, price: 600_000, size: 4, fee: 14_400_000 },
    ]);
    expect(sim.order(1)).toMatchObject({ filled: 4, status: WORKING });
    expect(sim.equity(0) + sim.equity(1)).toBe(200_000e8 - 19_200_000);
  });

  test('precedes the book at the same price, and the rest of the order meets the book', () => {
    const { sim, log } = two();
    sim.place(0, sell(600_010, 10), 0, 2);
    sim.place(1, buy(600_020, 15), 0, 3);
    expect(log.fills.map((fill) => [fill.account, fill.price, fill.size])).toEqual([
      [0, 600_010, 10],
      [1, 600_010, 10],
      [1, 600_010, 5],
    ]);
  });

  test('does not precede a better book', () => {
    const { sim, log } = two();
    sim.place(0, sell(600_020), 0, 2);
    sim.place(1, buy(600_030, 15), 0, 3);
    expect(log.fills.map((fill) => [fill.account, fill.price])).toEqual([[1, 600_010]]);
    // The book has moved away: the order that still takes meets the other account first.
    sim.place(2, buy(600_040, 40), 0, 4);
    sim.quote(0, 600_000, 50, 600_030, 50, 5);
    expect(log.fills.slice(-3).map((fill) => [fill.account, fill.price, fill.size])).toEqual([
      [2, 600_010, 35],
      [0, 600_020, 5],
      [2, 600_020, 5],
    ]);
  });

  test('cancels a resting order of the same account in its way and continues behind it', () => {
    const { sim, log } = two();
    const own = sim.place(0, sell(600_000), 0, 2);
    sim.place(1, sell(600_005), 0, 3);
    sim.place(0, buy(600_006), 0, 4);
    expect(log.ends[0]).toEqual({ orderNo: own, how: CANCELLED });
    expect(log.fills.map((fill) => [fill.account, fill.price])).toEqual([
      [1, 600_005],
      [0, 600_005],
    ]);
    sim.audit();
  });

  test('is refused for a POST_ONLY order', () => {
    const { sim } = two();
    sim.place(0, sell(600_000), 0, 2);
    expect(sim.place(1, { ...buy(600_000), force: 1 }, 0, 3)).toBe(0);
    expect(sim.refusal).toBe('would-take');
    const rests = sim.place(1, { ...buy(599_999), force: 1 }, 0, 3);
    expect(rests).toBeGreaterThan(0);
    expect(sim.modify(1, rests, order({ price: 600_000, size: 0 }), 0, 4)).toBe(0);
    expect(sim.refusal).toBe('price-invalid');
  });

  test('does not happen unless enabled', () => {
    const { sim, log } = two({ crossing: false });
    sim.place(0, sell(600_000), 0, 2);
    sim.place(1, buy(600_005), 0, 3);
    expect(log.fills).toEqual([]);
    expect([sim.pending(0, 0).length, sim.pending(1, 0).length]).toEqual([1, 1]);
  });
});
