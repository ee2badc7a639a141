/** Measured delays of orders and of reads are drawn from their own lists, and neither waits for the other. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { defaultConfig } from '../../../src/config/defaults.ts';
import { readDelays } from '../../../src/config/files/model-files.ts';
import type { Delays } from '../../../src/domain/models/latency.ts';
import type { RunReport } from '../../../src/report/run-report.ts';
import { runBacktest } from '../../../src/run/backtest/backtest.ts';
import { writeRows } from '../../../src/run/testing/written-rows.ts';

const folder = mkdtempSync(join(tmpdir(), 'tickwright-delays-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('slow orders on fast reads pay for their own delay alone, on a market that rises by 100 a second', async () => {
  const tape = join(folder, 'tape');
  const rows = Array.from({ length: 3_000 }, (_, k) => ({ at: 10 * k, bid: 60_000 + k, ask: `${60_000 + k}.1`, bidSize: 5, askSize: 5 }));
  writeRows(tape, { rows, symbol: 'BTCUSDT', start: Date.UTC(2026, 0, 1), barMs: 60_000 });
  const run = (delays: Delays | readonly number[]): Promise<RunReport> => {
    const file = join(folder, 'delays.json');
    writeFileSync(file, JSON.stringify(delays));
    const { simulation, ...config } = defaultConfig();
    const latency = { ...simulation.latency, model: 'measured' as const, file };
    const strategies = [{ file: 'test/e2e/strategies/adder.ts', params: {}, symbols: [] }];
    return runBacktest({
      strategies,
      tape,
      config: { ...config, simulation: { ...simulation, latency } },
      everyTick: false,
      speed: 1,
      seed: 1,
    });
  };
  const none = { up: [0], down: [0] };
  const fast = await run({ orders: none, reads: none });
  const slow = await run({ orders: { up: [2_000], down: [1_000] }, reads: none });
  const late = await run({ orders: none, reads: { up: [0], down: [150] } });
  const first = (report: RunReport): readonly [number, number] => [report.fills[0]!.time, Number(report.fills[0]!.price)];
  const [time, price] = first(fast);
  expect(first(slow)).toEqual([time + 2_000, price + 200]);
  // Quotes that arrive 150 ms late make the order 150 ms late; the order itself takes no time.
  expect(first(late)).toEqual([time + 150, price + 15]);
  expect(first(await run([0]))).toEqual([time, price]);
});

it('a file of delays names what is wrong in it', () => {
  const bad = (content: unknown, message: RegExp): void => {
    const file = join(folder, 'bad.json');
    writeFileSync(file, JSON.stringify(content));
    expect(() => readDelays(file)).toThrow(message);
  };
  bad({ orders: { up: [1] } }, /expected a list of measured delays, or \{ orders, reads \} with lists up and down/);
  bad({ orders: { up: [1], down: [1] }, reads: { up: [1], down: [1.5] } }, /expected whole milliseconds from 0 to 60000, found 1\.5/);
  bad([], /expected a list of measured delays/);
});
