/** The models of the simulation alone, with numbers by hand. */
import { describe, expect, test } from 'vitest';
import { Random } from '../../../src/base/random.ts';
import { FEE_MODELS } from '../../../src/domain/models/fees.ts';
import { FILL_MODELS } from '../../../src/domain/models/fill.ts';
import { FUNDING_MODELS } from '../../../src/domain/models/funding.ts';
import { IMPACT_MODELS } from '../../../src/domain/models/impact.ts';
import { LATENCY_MODELS, type LatencyModelName, type LatencyTerms } from '../../../src/domain/models/latency.ts';

const DAY = 86_400_000;

describe('latency', () => {
  const TERMS: LatencyTerms = { jitterMs: 4, spikeChance: 0.25, spikeMs: 100, delays: [3, 7, 50] };
  const drawn = (name: LatencyModelName, terms: Partial<LatencyTerms> = {}): number[] => {
    const model = LATENCY_MODELS[name].make({ ...TERMS, ...terms }, new Random(1))!;
    return Array.from({ length: 10_000 }, () => model.next(20));
  };
  const share = (all: readonly number[], is: (ms: number) => boolean): number => all.filter(is).length / all.length;

  test('constant costs no draw', () => {
    expect(LATENCY_MODELS.constant.make()).toBeNull();
  });

  test('jitter is uniform and whole, from the time of the direction on', () => {
    const all = drawn('jitter');
    for (const ms of [20, 21, 22, 23, 24]) expect(share(all, (one) => one === ms)).toBeCloseTo(0.2, 1);
    expect(new Set(all).size).toBe(5);
  });

  test('exponential: 1 - 1/e within the mean, 5 % beyond three times the mean, never less than the time of the direction', () => {
    const all = drawn('exponential', { jitterMs: 1_000 });
    expect(share(all, (ms) => ms < 1_020)).toBeCloseTo(1 - 1 / Math.E, 1);
    expect(share(all, (ms) => ms > 3_020)).toBeCloseTo(Math.exp(-3), 1);
    expect(all.reduce((sum, ms) => sum + ms, 0) / all.length).toBeCloseTo(1_020, -2);
    expect(Math.min(...all)).toBeGreaterThanOrEqual(20);
    expect(all.every(Number.isInteger)).toBe(true);
    expect(new Set(drawn('exponential', { jitterMs: 0 }))).toEqual(new Set([20]));
  });

  test('spikes come in their share of the messages', () => {
    const all = drawn('spikes');
    expect(share(all, (ms) => ms >= 120 && ms <= 124)).toBeCloseTo(0.25, 1);
    expect(share(all, (ms) => ms <= 24)).toBeCloseTo(0.75, 1);
    expect(new Set(drawn('spikes', { spikeChance: 0, jitterMs: 0 }))).toEqual(new Set([20]));
  });

  test('measured delays stand in the place of the configured time, each as likely as any other', () => {
    const all = drawn('measured');
    for (const ms of TERMS.delays) expect(share(all, (one) => one === ms)).toBeCloseTo(1 / 3, 1);
    expect(new Set(all).size).toBe(3);
  });

  test('one seed gives one sequence', () => {
    expect(drawn('spikes')).toEqual(drawn('spikes'));
  });
});

describe('fees by tiers', () => {
  const tiers = [
    { from: 1_000n, maker: 100, taker: 400 },
    { from: 5_000n, maker: -50, taker: 300 },
  ];
  const rates = (model: NonNullable<ReturnType<typeof FEE_MODELS.tiers.make>>, time: number): number[] => [
    model.rate(true, 200, time),
    model.rate(false, 600, time),
  ];

  test('the rates of the instrument hold below the first tier, and the day of a fill changes nothing', () => {
    const model = FEE_MODELS.tiers.make({ tiers, volume: 999n });
    expect(rates(model, 0)).toEqual([200, 600]);
    model.filled(9_000, 1);
    expect(rates(model, DAY - 1)).toEqual([200, 600]);
    // The next day: 999 + 9,000.
    expect(rates(model, DAY)).toEqual([-50, 300]);
  });

  test('a day counts for thirty days', () => {
    const model = FEE_MODELS.tiers.make({ tiers, volume: 0n });
    model.filled(1_000, 10 * DAY);
    expect(rates(model, 11 * DAY)).toEqual([100, 400]);
    expect(rates(model, 40 * DAY)).toEqual([100, 400]);
    expect(rates(model, 41 * DAY)).toEqual([200, 600]);
  });

  test('the volume of before counts as of the day before', () => {
    const model = FEE_MODELS.tiers.make({ tiers, volume: 5_000n });
    expect(rates(model, 100 * DAY)).toEqual([-50, 300]);
    expect(rates(model, 129 * DAY)).toEqual([-50, 300]);
    expect(rates(model, 130 * DAY)).toEqual([200, 600]);
  });

  test('flat has no model', () => {
    expect(FEE_MODELS.flat.make()).toBeNull();
  });
});

describe('impact', () => {
  test('by the square root: 1.5 × 2 % × √(2500 / 1,000,000) of 60,000 ticks are 90', () => {
    const model = IMPACT_MODELS['square-root'].make({ coefficient: 1.5, volatility: 0.02, turnover: 1_000_000 });
    expect(model.ticks(2_500, 60_000)).toBe(90);
    // Four times the value, twice the impact; a part of a tick is a whole one.
    expect(model.ticks(10_000, 60_000)).toBe(180);
    expect(model.ticks(2_500, 60_001)).toBe(91);
    expect(model.ticks(1, 1)).toBe(1);
    expect(IMPACT_MODELS.none.make()).toBeNull();
  });
});

describe('funding', () => {
  const market = { symbol: 'BTCUSDT', configured: 10_000, mark: 1_000, slow: 1_000 };
  const at = { everyMs: 3_600_000, recorded: [] };

  test('is constant at the multiples of its interval', () => {
    const model = FUNDING_MODELS.constant.make(at);
    expect([model.after(0), model.after(3_600_000 - 1), model.after(3_600_000)]).toEqual([3_600_000, 3_600_000, 7_200_000]);
    expect(model.rate({ ...market, mark: 2_000 })).toBe(10_000);
  });

  test('follows the premium beyond a band of 0.05 %, up to 0.75 %', () => {
    const { rate } = FUNDING_MODELS.premium.make(at);
    // A premium of 0.1 % is drawn 0.05 % towards 0.01 %; one of 1 % is held at 0.75 %.
    expect([rate({ ...market, mark: 1_001 }), rate({ ...market, mark: 1_010 })]).toEqual([50_000, 750_000]);
    expect([rate(market), rate({ ...market, slow: 0 })]).toEqual([10_000, 10_000]);
  });

  test('is paid at the recorded moments, at the rate of the symbol', () => {
    const recorded = [
      { symbol: 'BTCUSDT', time: 500, rate: 7 },
      { symbol: 'ETHUSDT', time: 500, rate: -9 },
      { symbol: 'ETHUSDT', time: 200, rate: 3 },
    ];
    const model = FUNDING_MODELS.recorded.make({ everyMs: 1_000, recorded });
    expect([0, 199, 200, 499].map((time) => model.after(time))).toEqual([200, 200, 500, 500]);
    expect(model.after(500)).toBe(Number.MAX_SAFE_INTEGER);
    const rates = ['BTCUSDT', 'ETHUSDT'].map((symbol) => [200, 500].map((time) => model.rate({ ...market, symbol }, time)));
    expect(rates).toEqual([
      [0, 7],
      [3, -9],
    ]);
  });
});

describe('a probabilistic queue', () => {
  test('loses cancelled lots before and behind an order in proportion, in whole lots', () => {
    const { cancelledAhead } = FILL_MODELS['prob-queue'];
    expect([cancelledAhead(10, 16, 40), cancelledAhead(4, 6, 24), cancelledAhead(3, 1, 4), cancelledAhead(20, 20, 20)]).toEqual([
      4, 1, 0, 20,
    ]);
  });
});
