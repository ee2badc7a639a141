/** Bars in backtests: the same with history before `--from` as in a run over the whole tape. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { BacktestOptions } from '../../src/run/setup/options.ts';
import { backtest, strategyFile } from '../support/reference-backtest.ts';
import { TAPE_START, writeRandomTape } from '../support/reference-strategy.ts';

let folder = '';
let tape = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'bars-'));
  tape = join(folder, 'tape');
  writeRandomTape(tape, { seed: 5, rows: 30_000, symbols: 1, stepMs: 20 });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Seen = [end: number, timeframe: string, closes: number[]];
const results = globalThis as unknown as { seenBars?: Seen[] };

/** What a strategy sees at each bar: the closes of the last bars. */
async function seen(needs: string, given: Partial<BacktestOptions>): Promise<{ bars: Seen[]; notes: readonly string[] }> {
  const bars: Seen[] = [];
  results.seenBars = bars;
  const body = `return { needs: ${needs}, onBar(bar: any, market: any) {
    (globalThis as any).seenBars.push([bar.end, bar.timeframe, [...market.bars(bar.timeframe).close]]);
  } };`;
  const { notes } = await backtest(tape, strategyFile(folder, body), given);
  return { bars, notes };
}

describe.each([true, false])('with every tick %s', (everyTick) => {
  test.each(['1s', '5s', 'ha:2s'])('%s bars after --from equal those of the whole tape', async (timeframe) => {
    const needs = `{ bars: { '${timeframe}': 12 } }`;
    const whole = await seen(needs, { everyTick });
    const from = TAPE_START + 90_123;
    const part = await seen(needs, { everyTick, from });
    expect(part.bars.length).toBeGreaterThan(10);
    const digits = (bars: Seen[]): unknown[] =>
      bars.map(([end, , closes]) => [end, closes.map((close) => close.toPrecision(timeframe === 'ha:2s' ? 6 : 15))]);
    expect(digits(part.bars)).toEqual(digits(whole.bars.filter(([end]) => end > from)));
  });

  test('without history a strategy waits for its bars, and a run that is too short says so', async () => {
    const { bars } = await seen(`{ bars: { '5s': 4 } }`, { everyTick });
    expect(bars[0]![2]).toHaveLength(4);
    const short = await seen(`{ bars: { '1h': 3 } }`, { everyTick });
    expect(short.bars).toEqual([]);
    expect(short.notes[0]).toMatch(/^scripted never started, because it waits for bars: it had 0 of 3 1h bars of BTCUSDT/);
  });
});
