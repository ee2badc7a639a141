/** The simulator of a backtest has the rules of `exchange` that decide about the orders of one account. */
import { expect, test } from 'vitest';
import { defaultConfig } from '../../../src/config/defaults.ts';
import type { ExchangeConfig } from '../../../src/config/model.ts';
import type { Command } from '../../../src/domain/orders/command.ts';
import { modelNotes } from '../../../src/run/backtest/report/model-notes.ts';
import type { RunFacts } from '../../../src/run/backtest/report/run-facts.ts';
import { simFor } from '../../../src/run/backtest/venue/venue-of-run.ts';
import type { VenueSim } from '../../../src/sim/core/venue-core.ts';
import type { SimState } from '../../../src/sim/state/state.ts';
import { btc } from '../../support/engine/engine-kit.ts';
import { order } from '../../support/sim/sim-kit.ts';

/** The simulator of a backtest with these settings of `exchange`. */
function simWith(rules: Partial<ExchangeConfig>): VenueSim {
  const config = defaultConfig();
  const options = { config: { ...config, exchange: { ...config.exchange, ...rules } } } as Parameters<typeof simFor>[0];
  const market = { impact: null, venueRows: { marks: [], funding: [] }, sees: 'polls', paths: [] } as unknown as Parameters<
    typeof simFor
  >[3];
  return simFor(options, [btc()], null as unknown as Parameters<typeof simFor>[2], market);
}

test('brackets and modifies follow the configured exchange', () => {
  const sim = simWith({ blockedExits: 'replace', bracketsBy: 'mark', modify: 'cancel-first' });
  const { s } = sim as unknown as { s: SimState };
  expect(s).toMatchObject({ bracketsReplaceCloses: true, cancelsToModify: true });
  expect(s.markets[0]!.bracketsByMark).toBe(true);
});

test.each(['checked', 'any'] as const)('a bracket on the wrong side of its entry, exchange.bracketSide "%s"', (bracketSide) => {
  const sim = simWith({ bracketSide });
  sim.quote(0, 1_000_000, 100_000, 1_000_010, 100_000, 1);
  const isPlaced = (given: Partial<Command>): boolean => sim.place(0, order({ size: 10, ...given }), 0, 2) > 0;
  expect(isPlaced({ stopLoss: 999_990, takeProfit: 1_000_020 })).toBe(true);
  expect(isPlaced({ stopLoss: 1_000_010 })).toBe(bracketSide === 'any');
  if (bracketSide === 'checked') expect(sim.refusal).toBe('price-invalid');
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
  expect(said({ modify: 'cancel-first', bracketsBy: 'mark', blockedExits: 'replace', bracketSide: 'any' })).toEqual([]);
  expect(said({ lagPositions: 400, reference: 'reference.json' })).toEqual([
    'exchange.lagPositions, exchange.reference: settings of the paper exchange that a backtest does not have.',
  ]);
});
