/** The workloads of the benchmarks, on tapes of the same generator: the program's fills equal those of independent code. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { generateMarket, generateQuotes, generateTrades } from '../../bench/generate.ts';
import emaQuotes from '../../bench/strategies/ema-quotes.ts';
import mmBook from '../../bench/strategies/mm-book.ts';
import smaTick from '../../bench/strategies/sma-tick.ts';
import { createInstrument } from '../../src/domain/instrument.ts';
import type { FillLog } from '../../src/report/fills/fill-log.ts';
import { openTape } from '../../src/tape/read.ts';
import { fillsOf } from '../support/backtest/fill-columns.ts';
import { rigOf, runFast, type Rig, type RunSpec } from '../support/backtest/reference-kit.ts';
import type { ReferenceRun } from '../support/backtest/reference-books.ts';
import { referenceW1, referenceW2, referenceW4 } from '../support/backtest/reference-workloads.ts';
import { BTC } from '../support/sim/sim-kit.ts';

const folder = mkdtempSync(join(tmpdir(), 'workloads-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const instruments = [createInstrument(BTC, 0)];
const W1: RunSpec = {
  instruments,
  strategies: [{ strategy: smaTick, instruments: [0] }],
  polls: null,
  fillModel: 'touch',
  upMs: 0,
  downMs: 0,
  deposit: '80000000',
};
const W2: RunSpec = {
  ...W1,
  strategies: [{ strategy: mmBook, instruments: [0] }],
  fillModel: 'queue',
  upMs: 20,
  downMs: 20,
  maxOpenOrders: 10_000,
};

function engineRun(tape: string, spec: RunSpec): Rig {
  const rig = rigOf(openTape(tape, { gridOf: () => instruments[0] }), spec);
  runFast(rig);
  rig.parts.sim.audit();
  return rig;
}

function expectSame(rig: Rig, reference: ReferenceRun): void {
  const { fills, commands } = rig.course;
  const rowsOf = (log: FillLog): number[][] =>
    fillsOf(log).map(({ time, side, effect, price, size, fee, liquidity }) => [time, side, effect, price, size, fee, liquidity]);
  const theirs = rowsOf(reference.fills);
  rowsOf(fills).forEach((ours, k) => {
    if (k < theirs.length && ours.join() !== theirs[k]!.join()) expect(ours, `fill ${k}`).toEqual(theirs[k]);
  });
  expect(fills.length).toBe(theirs.length);
  expect(fills.digest()).toBe(reference.digest);
  expect(commands.length).toBe(reference.commands);
  const { realised, fees } = rig.parts.sim.totals(0);
  expect([BigInt(realised), BigInt(fees)]).toEqual([reference.realised, reference.fees]);
}

describe('W1, averages over trade ticks', () => {
  test.each([1, 2, 3])('seed %i, 200,000 rows', (seed) => {
    const tape = join(folder, `w1-${seed}`);
    generateTrades(tape, { rows: 200_000, seed });
    const reference = referenceW1(tape);
    expectSame(engineRun(tape, W1), reference);
    expect(reference.fills.length).toBeGreaterThan(500);
  });
});

describe('W4, averages over quotes, at market', () => {
  test.each([1, 2])('seed %i, 50,000 rows', (seed) => {
    const tape = join(folder, `w4-${seed}`);
    generateQuotes(tape, { rows: 50_000, seed });
    const reference = referenceW4(tape);
    expectSame(engineRun(tape, { ...W1, strategies: [{ strategy: emaQuotes, instruments: [0] }] }), reference);
    expect(reference.fills.length).toBeGreaterThan(1000);
  });
});

describe('W2, both quotes moved at every book ticker', () => {
  test.each([
    [1, 20],
    [2, 20],
    [3, 0],
    [4, 57],
  ])('seed %i, %i ms, 200,000 rows', (seed, latencyMs) => {
    const tape = join(folder, `w2-${seed}`);
    generateMarket(tape, { rows: 100_000, seed });
    const reference = referenceW2(tape, { latencyMs });
    expectSame(engineRun(tape, { ...W2, upMs: latencyMs, downMs: latencyMs }), reference);
    const { fills } = reference;
    let parts = 0;
    let takers = 0;
    fills.each(({ size, liquidity }) => {
      if (size < 10) parts++;
      takers += liquidity;
    });
    // Makes the comparison meaningful: partial fills, and with latency, orders that arrive across the spread.
    expect(fills.length).toBeGreaterThan(10_000);
    expect(parts).toBeGreaterThan(1000);
    expect(takers > 100).toBe(latencyMs > 0);
  });

  test('with the flood rule of a live bot', () => {
    const tape = join(folder, 'w2-flood');
    generateMarket(tape, { rows: 20_000, seed: 5 });
    expectSame(engineRun(tape, { ...W2, maxIntentsPerSecond: 50 }), referenceW2(tape, { maxIntentsPerSecond: 50 }));
  });
});
