/** The simulator of a backtest has the rules of `exchange` that decide about the orders of one account. */
import { expect, test } from 'vitest';
import { defaultConfig } from '../../src/config/defaults.ts';
import { simFor } from '../../src/run/backtest/venue-of-run.ts';
import type { SimState } from '../../src/sim/state/state.ts';
import { btc } from '../support/engine-kit.ts';

test('brackets and modifies follow the configured exchange', () => {
  const config = defaultConfig();
  const rules = { blockedExits: 'replace', bracketsBy: 'mark', modify: 'cancel-first' } as const;
  const options = { config: { ...config, exchange: { ...config.exchange, ...rules } } } as Parameters<typeof simFor>[0];
  const market = { impact: null, venueRows: { marks: [], funding: [] }, sees: 'polls', paths: [] } as unknown as Parameters<
    typeof simFor
  >[3];
  const sim = simFor(options, [btc()], null as unknown as Parameters<typeof simFor>[2], market);
  const { s } = sim as unknown as { s: SimState };
  expect(s).toMatchObject({ bracketsReplaceCloses: true, cancelsToModify: true });
  expect(s.markets[0]!.bracketsByMark).toBe(true);
});
