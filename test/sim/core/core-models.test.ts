/** The models of the simulation at work in the venue, with numbers by hand. */
import { describe, expect, test } from 'vitest';
import { CLOSE, SELL } from '../../../src/domain/codes.ts';
import { FEE_MODELS } from '../../../src/domain/models/fees.ts';
import { VenueSim } from '../../../src/sim/core/venue-core.ts';
import type { SimSpec } from '../../../src/sim/state/types.ts';
import { BTC, instrumentsOf, order, specOf, venueOf, type Recorder } from '../../support/sim/sim-kit.ts';

/** Bid 100, ask 105, 20 lots each. */
function quoted(given: Partial<SimSpec> = {}): { sim: VenueSim; log: Recorder } {
  const venue = venueOf(given);
  venue.sim.quote(0, 100, 20, 105, 20, 1);
  return venue;
}

describe('the probabilistic queue', () => {
  /** An order of 5 lots behind 20, at the best bid of 100; then rows of the book, and trades against it. */
  function filled(fillModel: 'queue' | 'prob-queue', hasRestart = false): number {
    const { sim: first, log } = quoted({ fillModel });
    const no = first.place(0, order({ price: 100, size: 5 }), 1, 2);
    first.quote(0, 100, 16, 105, 20, 3);
    first.quote(0, 100, 40, 105, 20, 4);
    first.quote(0, 100, 30, 105, 20, 5);
    first.trade(0, 100, 6, SELL, 6, 1);
    let sim = first;
    if (hasRestart) {
      sim = new VenueSim(specOf(instrumentsOf(BTC), { fillModel }), log);
      sim.restore(JSON.parse(JSON.stringify(first.snapshot())));
    }
    sim.quote(0, 100, 20, 105, 20, 7);
    sim.trade(0, 100, 8, SELL, 8, 2);
    return sim.order(no)!.filled;
  }

  test('moves an order up by its share of what is cancelled: 20, 16, 12, 6 and 5 lots ahead, then 3 of 8 are its own', () => {
    expect(filled('prob-queue')).toBe(3);
    // Cancelled lots behind the order: 20, 16, 16, 10 and 10 ahead.
    expect(filled('queue')).toBe(0);
  });

  test('goes on after a snapshot', () => {
    expect(filled('prob-queue', true)).toBe(3);
  });

  test('counts from the row at which an order joins, not from an older one of the same price', () => {
    const { sim } = quoted({ fillModel: 'prob-queue' });
    const early = sim.place(0, order({ price: 100, size: 5 }), 1, 2);
    sim.cancel(0, early, 2);
    // Nobody of ours is here when the level becomes smaller.
    sim.quote(0, 100, 10, 105, 20, 3);
    const no = sim.place(0, order({ price: 100, size: 5 }), 2, 4);
    sim.quote(0, 100, 10, 105, 20, 5);
    sim.trade(0, 100, 12, SELL, 6, 1);
    expect(sim.order(no)!.filled).toBe(2);
  });
});

describe('the square-root impact', () => {
  // 10 lots at 105 are worth 10,500,000, a quarter of the turnover: 105 × 10 % × √¼ = 5.25 ticks, so 6.
  const impact = { model: 'square-root', coefficient: 1, volatility: 0.1, turnover: 42_000_000 } as const;

  test('makes an order that takes pay more, and get less', () => {
    const { sim, log } = quoted({ impact });
    sim.place(0, order({ size: 10 }), 1, 2);
    sim.quote(0, 100, 20, 105, 20, 3);
    // 100 × 10 % × √(10,000,000 / 42,000,000) = 4.88, so 5.
    sim.place(0, order({ effect: CLOSE, size: 10 }), 2, 4);
    expect(log.fills.map(({ price }) => price)).toEqual([111, 95]);
    sim.audit();
  });

  test('grows with what the order has filled so far', () => {
    const { sim, log } = quoted({ impact });
    // 20 lots at 105: 7.42 ticks. The next 20 are worth as much again: 10.5 ticks, not 7.42 once more.
    sim.place(0, order({ size: 40 }), 1, 2);
    sim.quote(0, 100, 20, 105, 21, 3);
    expect(log.fills.map(({ price, size }) => [price, size])).toEqual([
      [113, 20],
      [116, 20],
    ]);
    sim.audit();
  });

  test('has the terms of the symbol where they differ', () => {
    const bySymbol = { [BTC.symbol]: { ...impact, volatility: 0.2 } };
    const { sim, log } = quoted({ impact: { ...impact, bySymbol } });
    // Twice 5.25.
    sim.place(0, order({ size: 10 }), 1, 2);
    expect(log.fills.map(({ price }) => price)).toEqual([116]);
  });

  test('never goes beyond the limit of the order, and a maker pays none', () => {
    const { sim, log } = quoted({ impact });
    sim.place(0, order({ price: 108, size: 10 }), 1, 2);
    sim.place(0, order({ price: 103, size: 10 }), 2, 3);
    sim.trade(0, 103, 50, SELL, 4, 1);
    expect(log.fills.map(({ price }) => price)).toEqual([108, 103]);
  });
});

test('fees follow the tier of the day before, each account its own', () => {
  const tiers = [{ from: 10_500_000n, maker: 0, taker: 100_000 }];
  const accounts = ['one', 'two'].map((name) => ({ name, futures: '100000', spot: {} }));
  const { sim, log } = quoted({ accounts, fees: () => FEE_MODELS.tiers.make({ tiers, volume: 0n }) });
  const take = (account: number, tag: number, time: number): void => {
    sim.quote(0, 100, 20, 105, 20 + tag, time);
    sim.place(account, order({ size: 10 }), tag, time);
  };
  const day = 86_400_000;
  take(0, 1, 2);
  take(0, 2, day);
  take(1, 3, day + 1);
  const own = log.fills[0]!.fee;
  // 10,500,000 × 0.1 %.
  expect(log.fills.map(({ fee }) => fee)).toEqual([own, 10_500, own]);
  expect(own).not.toBe(10_500);
  sim.audit();
});

test('recorded funding is paid at its moments, and not between them', () => {
  const funding = {
    model: 'recorded',
    everyMs: 1_000,
    rate: '0.0001',
    recorded: [{ symbol: 'BTCUSDT', time: 3_000, rate: 100_000 }],
  } as const;
  const { sim, log } = quoted({ funding });
  sim.trade(0, 105, 1, SELL, 1, 1);
  sim.place(0, order({ size: 10 }), 1, 2);
  sim.advance(10_000);
  const paid = log.moves.filter(({ why }) => why === 'funding');
  const value = 10 * sim.markPrice(0) * 10_000;
  expect(paid.map(({ amount }) => amount)).toEqual([-Math.ceil(value / 1_000)]);
});
