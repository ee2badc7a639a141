/** The simulator of a backtest has the rules of `exchange` that decide about the orders of one account. */
import { expect, test } from 'vitest';
import { defaultConfig } from '../../src/config/defaults.ts';
import { modelNotes } from '../../src/run/backtest/model-notes.ts';
import type { RunFacts } from '../../src/run/backtest/run-facts.ts';
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

test('settings of the paper exchange that a backtest does not have are in its notes', () => {
  const config = defaultConfig();
  const facts = (exchange: Partial<typeof config.exchange>): RunFacts =>
    ({
      options: { config: { ...config, exchange: { ...config.exchange, ...exchange } } },
      instruments: [],
      impact: null,
      sampleMs: 1000,
    }) as unknown as RunFacts;
  const said = (exchange: Partial<typeof config.exchange>): string[] =>
    modelNotes(facts(exchange)).filter((note) => note.includes('exchange.'));
  expect(said({ modify: 'cancel-first', bracketsBy: 'mark', blockedExits: 'replace' })).toEqual([]);
  expect(said({ lagPositions: 400, reference: 'reference.json' })).toEqual([
    'exchange.lagPositions, exchange.reference: settings of the paper exchange that a backtest does not have.',
  ]);
});
