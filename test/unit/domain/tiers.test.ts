/** Tiers of maintenance margin: the requirement computed by hand, its continuity, and invalid configurations. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createInstrument } from '../../../src/domain/instrument.ts';
import { createTiers, maintenanceMargin, tierOf, valueLimit, type TierSpec } from '../../../src/domain/tiers.ts';
import { BTC } from '../../support/sim/sim-kit.ts';

const SPECS: readonly TierSpec[] = [
  { upTo: '50000', maintenanceRate: '0.004', maxLeverage: 125 },
  { upTo: '250000', maintenanceRate: '0.005', maxLeverage: 100 },
  { maintenanceRate: '0.01', maxLeverage: 50 },
];
const TIERS = createTiers('X', SPECS);
const COIN = 100_000_000;

describe('the requirement', () => {
  test.each([
    // 40,000 · 0.004 = 160; 50,000 · 0.004 = 200; 60,000 · 0.005 − 50 = 250; 250,000 · 0.005 − 50 = 1,200; 300,000 · 0.01 − 1,300 = 1,700.
    [40_000, 0, 160],
    [50_000, 0, 200],
    [60_000, 1, 250],
    [250_000, 1, 1_200],
    [300_000, 2, 1_700],
  ])('of a position worth %i', (value, tier, margin) => {
    expect(tierOf(TIERS, value * COIN)).toBe(tier);
    expect(maintenanceMargin(TIERS, value * COIN)).toBe(margin * COIN);
  });

  test('is rounded up', () => {
    expect(maintenanceMargin(TIERS, 1)).toBe(1);
    expect(maintenanceMargin(TIERS, 50_000 * COIN + 1)).toBe(200 * COIN + 1);
  });

  test('is continuous, and grows with the value', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 600_000 * COIN }), fc.integer({ min: 0, max: 1_000 }), (value, more) => {
        const step = maintenanceMargin(TIERS, value + more) - maintenanceMargin(TIERS, value);
        expect(step).toBeGreaterThanOrEqual(0);
        expect(step).toBeLessThanOrEqual(Math.ceil(more * 0.01) + 1);
      }),
      { seed: 3 },
    );
  });

  test('a leverage is allowed up to the last tier that has it', () => {
    expect([125, 101, 100, 51, 50, 1].map((leverage) => valueLimit(TIERS, leverage) / COIN)).toEqual([
      50_000,
      50_000,
      250_000,
      250_000,
      Infinity,
      Infinity,
    ]);
  });
});

describe('configuration', () => {
  const [first, second, last] = SPECS as [TierSpec, TierSpec, TierSpec];
  test.each<[string, readonly TierSpec[], RegExp]>([
    ['none', [], /at least one was expected/],
    ['a last tier with an end', [first, second], /entry 2: upTo: none in the last tier was expected, found "250000"/],
    ['an end missing before', [{ ...first, upTo: undefined }, last], /entry 1: upTo: a value was expected, found "none"/],
    ['falling ends', [second, { ...first, maintenanceRate: '0.006', maxLeverage: 90 }, last], /entry 2: upTo: more than 250000/],
    ['falling rates', [first, { ...second, maintenanceRate: '0.003' }, last], /entry 2: maintenanceRate: no less than in the tier below/],
    ['growing leverage', [first, { ...second, maxLeverage: 126 }, last], /entry 2: maxLeverage: no more than in the tier below/],
    ['half a leverage', [{ ...last, maxLeverage: 2.5 }], /maxLeverage: a whole number of at least 1/],
    ['a requirement above the initial margin', [{ ...last, maintenanceRate: '0.02' }], /less than the initial margin at 50×/],
    ['a step that is not exact', [{ ...first, upTo: '0.00000001' }, last], /entry 2: maintenanceRate: a step that/],
  ])('with %s is refused', (_what, specs, why) => {
    expect(() => createTiers('X', specs)).toThrow(why);
  });

  test('one rate is one tier, and is not allowed together with tiers', () => {
    expect(createInstrument(BTC, 0).tiers).toEqual([{ upTo: Infinity, rate: 500_000, maxLeverage: 100, deduction: 0 }]);
    expect(() => createInstrument({ ...BTC, tiers: SPECS }, 0)).toThrow(/stand in each of the tiers/);
    const { maxLeverage: _leverage, maintenanceRate: _rate, ...bare } = BTC;
    expect(createInstrument({ ...bare, tiers: SPECS }, 0).maxLeverage).toBe(125);
  });
});
