/** What a leg can lose: by its stops at the venue, by its liquidation, or without a bound. */
import { expect, test } from 'vitest';
import { worstLoss, type LossTerms } from '../../../../src/run/bot/answers/worst-loss.ts';

const LONG: LossTerms = { isLong: true, price: 100, liquidationPrice: 60, size: 4, stops: [], unprotected: 4 };
const SHORT: LossTerms = { ...LONG, isLong: false, liquidationPrice: 150 };

test.each<[name: string, terms: LossTerms, loss: number]>([
  ['a long without a stop loses down to its liquidation', LONG, 160],
  ['a short without a stop loses up to its liquidation', SHORT, 200],
  ['a stop of the venue ends the loss', { ...LONG, stops: [{ price: 95, size: 4 }], unprotected: 0 }, 20],
  ['a stop above a short ends the loss', { ...SHORT, stops: [{ price: 103, size: 4 }], unprotected: 0 }, 12],
  ['the part without a stop goes to liquidation', { ...LONG, stops: [{ price: 95, size: 3 }], unprotected: 1 }, 55],
  [
    'of more stops than size the furthest count',
    {
      ...LONG,
      stops: [
        { price: 99, size: 4 },
        { price: 90, size: 4 },
      ],
      unprotected: 0,
    },
    40,
  ],
  ['a stop beyond the price keeps a gain', { ...LONG, stops: [{ price: 104, size: 4 }], unprotected: 0 }, -16],
  [
    'stops of less than the protected size leave the rest to liquidation',
    { ...LONG, stops: [{ price: 95, size: 1 }], unprotected: 0 },
    125,
  ],
  ['a long without liquidation price can lose all its value', { ...LONG, liquidationPrice: 0 }, 400],
  ['a short without liquidation price has no bound', { ...SHORT, liquidationPrice: 0 }, NaN],
  ['a liquidation price that was not read counts as none', { ...LONG, liquidationPrice: NaN }, 400],
  ['also of a short', { ...SHORT, liquidationPrice: NaN }, NaN],
  ['without a price nothing is known', { ...LONG, price: NaN }, NaN],
])('%s', (_, terms, loss) => {
  expect(worstLoss(terms)).toBe(loss);
});
