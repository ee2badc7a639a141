/** The short form of `npm run soak`: minutes of a volatile market with every event that can happen to an account. */
import { describe, expect, test } from 'vitest';
import { soak, type SoakSpec } from '../../support/sim/soak.ts';

const SPEC: SoakSpec = { seed: 5, seconds: 600, symbols: 50, accounts: 20, fundingMs: 60_000, rate: 3, pace: 0.8, wildness: 300 };

const MUST_OCCUR = [
  'orders',
  'maker fills',
  'taker fills',
  'cash: realised',
  'cash: fee',
  'cash: funding',
  'cash: spot',
  'cash: liquidation',
  'cash: insurance',
  'cash: deposit',
  'liquidation: cancel',
  'liquidation: reduce',
  'liquidation: close',
];

describe('50 symbols, 20 accounts, ten minutes of a volatile market', () => {
  test('money is conserved at every second, and a restart in the middle changes nothing', () => {
    const first = soak(SPEC);
    for (const what of MUST_OCCUR) expect(first.counts.get(what) ?? 0, what).toBeGreaterThan(3);
    expect(first.accepted).toBeGreaterThan(3_000);
    const second = soak({ ...SPEC, restoreAt: 291 });
    expect(second).toEqual(first);
    expect(soak({ ...SPEC, seed: 6, seconds: 60 }).hash).not.toBe(soak({ ...SPEC, seconds: 60 }).hash);
  });
});
