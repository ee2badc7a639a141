/**
 * Backtests in which the model shadows the simulator: three strategies on real recordings and on a synthetic market, every fill model, with
 * and without latency. Every answer, fill, end and cash line must be equal, and so must the accounts, to the last digit.
 * TICKWRIGHT_SECONDS=40 npx vitest run test/model/differential.test.ts a slice from the middle of the recordings
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { defaultConfig } from '../../src/config/defaults.ts';
import type { StrategySetup } from '../../src/engine/strategy/definition/setup.ts';
import { instrumentsFor } from '../../src/run/setup/instruments/instruments.ts';
import type { FillModel, SimSpec } from '../../src/sim/state/types.ts';
import { openTape, readManifest } from '../../src/tape/read.ts';
import emaCross from '../../strategies/ema-cross.ts';
import quoter from '../../strategies/quoter.ts';
import { HAS_RECORDINGS, recordingTape } from '../support/backtest/reference-backtest.ts';
import { rigOf, runFast } from '../support/backtest/reference-kit.ts';
import { writeRandomTape } from '../support/backtest/reference-strategy.ts';
import { everythingStrategy } from './everything-strategy.ts';
import { ShadowedVenue } from './shadow.ts';

const SECONDS = Number(process.env['TICKWRIGHT_SECONDS'] ?? 344);
const MODELS = ['touch', 'through', 'queue'] as const satisfies FillModel[];
const STRATEGIES: readonly Omit<StrategySetup, 'instruments'>[] = [
  { strategy: quoter, params: { spread: '0.2', size: '0.05', maxInventory: '0.5' } },
  { strategy: emaCross, params: { bar: '300ms', fast: '3', slow: '8', size: '0.5', stop: '0.0005' } },
  { strategy: everythingStrategy(60) },
];
const CASES = STRATEGIES.flatMap((setup) =>
  MODELS.flatMap((fillModel) => [0, 20].map((latencyMs) => [setup.strategy.name, fillModel, latencyMs, setup] as const)),
);

/** Additional terms for the random strategy. */
const TERMS: Partial<SimSpec> = { funding: { model: 'premium', everyMs: 5_000, rate: '0.0003' }, bracketsBy: 'mark', leverage: 100 };

const folder = mkdtempSync(join(tmpdir(), 'differential-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Played {
  readonly rows: number;
  readonly fills: number;
  readonly commands: number;
  /** Number of ledger lines about funding, and about liquidation steps. */
  readonly funding: number;
  readonly steps: number;
}

/** A backtest of `seconds` from the middle of the tape. @throws Divergence */
function play(tape: string, fillModel: FillModel, latencyMs: number, setup: Omit<StrategySetup, 'instruments'>, seconds: number): Played {
  const manifest = readManifest(tape);
  const { instruments } = instrumentsFor(manifest, defaultConfig().instruments);
  const opened = openTape(tape, { gridOf: (symbol) => instruments.find((x) => x.symbol === symbol && x.product === 'futures') });
  const from = (manifest.from + manifest.to - seconds * 1_000) / 2;
  const isAnything = setup.strategy.name === 'anything';
  let venue: ShadowedVenue | null = null;
  const rig = rigOf(opened, {
    instruments,
    strategies: [{ ...setup, instruments: instruments.map((x) => x.index) }],
    polls: null,
    fillModel,
    upMs: latencyMs,
    downMs: latencyMs,
    deposit: isAnything ? '3000' : '40000',
    hasSpot: isAnything,
    from,
    to: from + seconds * 1_000,
    simOf: (spec, sink) => (venue = new ShadowedVenue(isAnything ? { ...spec, ...TERMS } : spec, sink)),
  });
  const shadowed = venue as ShadowedVenue | null;
  if (shadowed === null) throw new Error('the run has made no venue');
  shadowed.follow(rig.parts.kernel);
  const { rows } = runFast(rig);
  shadowed.compareAll();
  expect(shadowed.rows).toBeGreaterThanOrEqual(rows);
  const { fills, told } = shadowed.model.world;
  const funding = told.filter((line) => line.includes(' funding ')).length;
  const steps = told.filter((line) => line.startsWith('step')).length;
  return { rows, fills, commands: shadowed.commands, funding, steps };
}

function tell(what: string, { rows, fills, commands, funding, steps }: Played): void {
  console.info(`${what}: ${rows} rows, ${commands} commands, ${fills} fills, ${funding} of funding, ${steps} of liquidation, the same`);
}

describe.skipIf(!HAS_RECORDINGS)('on recordings of BTCUSDT and ETHUSDT the simulator equals the model', () => {
  let tape = '';
  beforeAll(async () => {
    tape = await recordingTape(join(folder, 'recordings'), ['BTCUSDT', 'ETHUSDT']);
  });

  test.each(CASES)('%s, %s, %i ms', { timeout: 300_000 * Math.max(1, SECONDS / 20) }, (name, fillModel, latencyMs, setup) => {
    const played = play(tape, fillModel, latencyMs, setup, SECONDS);
    tell(`${name}, ${fillModel}, ${latencyMs} ms`, played);
    expect(played.fills).toBeGreaterThan(SECONDS / 4);
  });
});

describe('on a synthetic market the simulator equals the model', () => {
  const tape = join(folder, 'synthetic');
  beforeAll(() => writeRandomTape(tape, { seed: 7, rows: 6_000, symbols: 2, stepMs: 20 }));

  test.each(CASES)('%s, %s, %i ms', (name, fillModel, latencyMs, setup) => {
    const played = play(tape, fillModel, latencyMs, setup, 3_600);
    tell(`${name}, ${fillModel}, ${latencyMs} ms`, played);
    expect(played.fills).toBeGreaterThan(20);
  });
});
