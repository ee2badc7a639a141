/** The fast driver compared with the naive one, and a proof that no decision depends on later data. */
import fc from 'fast-check';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fillsOf as loggedFills } from '../../support/backtest/fill-columns.ts';
import { outcomeOf, pollsOf, rigOf, runFast, UNLIMITED, type RunSpec } from '../../support/backtest/reference-kit.ts';
import { runNaive } from '../../support/backtest/reference-drive.ts';
import { INSTRUMENTS, openRandomTape, randomStrategy, writeRandomTape } from '../../support/backtest/reference-strategy.ts';
import { withFolder } from '../../support/tape/tape-rows.ts';

const latency = fc.oneof(fc.constant(0), fc.constant(20), fc.nat(60));
const runs = fc.record({
  seed: fc.nat(1_000_000),
  symbols: fc.integer({ min: 1, max: 3 }),
  rows: fc.integer({ min: 1, max: 1500 }),
  stepMs: fc.constantFrom(0, 1, 3, 25),
  hasBook: fc.boolean(),
  upMs: latency,
  downMs: latency,
  jitterMs: fc.constantFrom(0, 0, 7),
  hasReadThrottle: fc.boolean(),
  fillModel: fc.constantFrom('touch' as const, 'through' as const, 'queue' as const),
  everyTick: fc.boolean(),
  quoteMs: fc.constantFrom(10, 50, 250),
  chance: fc.constantFrom(3, 20, 70),
  orders: fc.constantFrom(Infinity, 5),
  fromShare: fc.constantFrom<number[]>(0, 0, 0.3),
  toShare: fc.constantFrom<number[]>(1, 1, 0.7),
  botShare: fc.constantFrom<number[]>(0, 0, 0.2),
  sampleMs: fc.constantFrom(11, 100, 1000),
  hasSpot: fc.boolean(),
});
type Run = typeof runs extends fc.Arbitrary<infer T> ? T : never;

function specOf(run: Run, [from, to]: readonly [number, number]): RunSpec {
  const at = (share: number): number => from + Math.round((to - from) * share);
  return {
    instruments: INSTRUMENTS,
    strategies: [{ strategy: randomStrategy(run.chance), instruments: Array.from({ length: run.symbols }, (_, i) => i) }],
    polls: run.everyTick ? null : pollsOf(run.quoteMs),
    fillModel: run.fillModel,
    upMs: run.upMs,
    downMs: run.downMs,
    jitterMs: run.jitterMs,
    hasReadThrottle: run.hasReadThrottle,
    rates: { ...UNLIMITED, order: run.orders },
    // Without latency a strategy may answer itself for ever at one instant; the flood rule ends that.
    maxIntentsPerSecond: 50,
    seed: run.seed,
    sampleMs: run.sampleMs,
    hasSpot: run.hasSpot,
    ...(run.fromShare > 0 ? { from: at(run.fromShare) } : {}),
    ...(run.toShare < 1 ? { to: at(run.toShare) } : {}),
    ...(run.botShare > 0 ? { botFrom: at(run.botShare) } : {}),
  };
}

describe('the fast driver equals the naive one', () => {
  test('on random tapes, latencies and strategies', async () => {
    const seen = { runs: 0, fills: 0, commands: 0, everyTick: 0 };
    await withFolder((folder) => {
      const path = join(folder, 't');
      fc.assert(
        fc.property(runs, (run) => {
          writeRandomTape(path, run);
          const tape = openRandomTape(path);
          const spec = specOf(run, [tape.manifest.from, tape.manifest.to]);
          const fast = rigOf(tape, spec);
          const naive = rigOf(tape, spec);
          expect(runFast(fast)).toEqual(runNaive(naive.parts, naive.streams));
          const outcome = outcomeOf(fast);
          expect(fast.course.commands).toEqual(naive.course.commands);
          expect(fast.course.words).toEqual(naive.course.words);
          expect(outcome).toEqual(outcomeOf(naive));
          seen.runs++;
          seen.fills += fast.course.fills.length;
          seen.commands += fast.course.commands.length;
          if (run.everyTick) seen.everyTick++;
        }),
        { numRuns: 120 },
      );
    });
    console.info(`${seen.runs} runs (${seen.everyTick} of every tick): ${seen.commands} commands, ${seen.fills} fills`);
    expect(seen.fills).toBeGreaterThan(1000);
  });
});

describe('nothing looks ahead', () => {
  test('a tape cut at any moment changes nothing that was decided or filled before it', async () => {
    const seen = { commands: 0, fills: 0 };
    await withFolder((folder) => {
      const whole = join(folder, 'whole');
      const cut = join(folder, 'cut');
      fc.assert(
        fc.property(runs, fc.double({ min: 0.2, max: 0.95, noNaN: true }), (given, share) => {
          const run = { ...given, rows: given.rows + 100, fromShare: 0, toShare: 1 as const, botShare: 0 };
          writeRandomTape(whole, run);
          const tape = openRandomTape(whole);
          const { from, to } = tape.manifest;
          const until = from + Math.ceil((to - from) * share) + 1;
          writeRandomTape(cut, { ...run, until });
          const shorter = openRandomTape(cut);
          const spec = specOf(run, [0, 0]);
          const full = rigOf(tape, spec);
          const part = rigOf(shorter, spec);
          runFast(full);
          // Work due exactly at the end of the cut tape is done there, while the whole tape continues with rows of that time.
          const { last } = runFast(part);
          const before = <T extends { time: number }>(all: readonly T[]): T[] => all.filter(({ time }) => time < last);
          expect(before(part.course.commands)).toEqual(before(full.course.commands));
          const fillsOf = (rig: typeof full): { time: number; price: number; size: number; order: number }[] => {
            return loggedFills(rig.course.fills).map(({ time, price, size, order }) => ({ time, price, size, order }));
          };
          expect(before(fillsOf(part))).toEqual(before(fillsOf(full)));
          seen.commands += before(part.course.commands).length;
          seen.fills += before(fillsOf(part)).length;
        }),
        { numRuns: 60 },
      );
    });
    console.info(`before the cuts: ${seen.commands} commands, ${seen.fills} fills`);
    expect(seen.fills).toBeGreaterThan(200);
  });
});
