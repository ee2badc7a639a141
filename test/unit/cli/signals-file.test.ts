/** `backtest --signals`: what the file may be, and when a strategy hears it. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Failure } from '../../../src/base/failure/failure.ts';
import { readSignals } from '../../../src/cli/backtest/signals-file.ts';
import { defaultConfig } from '../../../src/config/defaults.ts';
import { runBacktest } from '../../../src/run/backtest/backtest.ts';
import type { SignalGiven } from '../../../src/run/setup/options.ts';
import { writeRows, type MarketRow } from '../../../src/run/testing/written-rows.ts';
import { strategyFile } from '../../support/backtest/reference-backtest.ts';

const START = Date.UTC(2024, 0, 1);
let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'signals-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function read(text: string): readonly SignalGiven[] {
  const file = join(folder, 'signals');
  writeFileSync(file, text);
  return readSignals(file);
}

function problemsOf(text: string): readonly string[] {
  try {
    read(text);
  } catch (error) {
    expect(error).toBeInstanceOf(Failure);
    return (error as Failure).problems.map(({ what, where = '' }) => `${where.slice(folder.length + 1)} ${what}`);
  }
  return expect.fail('it was read');
}

test('CSV and JSON lines are read, in the order of time', () => {
  const buy = { at: START + 60_000, strategy: 'one', text: '{"action":"buy","symbol":"BTCUSDT"}' };
  const raw = { at: START, strategy: '', text: 'go, "now"' };
  expect(read('\uFEFFtime,strategy,action,symbol\r\n2024-01-01T00:01,one,buy,BTCUSDT\r\n')).toEqual([buy]);
  expect(read('time,text\n2024-01-01T00:00:00Z,"go, ""now"""\n\n')).toEqual([raw]);
  const lines = [
    { time: START + 60_000, strategy: 'one', action: 'buy', symbol: 'BTCUSDT' },
    { time: '2024-01-01', text: raw.text },
  ];
  expect(read(lines.map((line) => JSON.stringify(line)).join('\n'))).toEqual([raw, buy]);
});

test.each<[string, readonly string[]]>([
  ['', ['signals:1 expected a column "time" in the first line, found nothing']],
  ['when,text\n1,a', ['signals:1 expected a column "time" in the first line, found when, text']],
  ['time,text\n', ['signals expected at least one signal, found none']],
  [
    'time,text\nnoon,a\n2024-01-01,b,c\n,d',
    ['signals:2 Expected milliseconds', 'signals:3 expected 2 columns, found 3', 'signals:4 "time" is missing'],
  ],
  ['time,text\n2024-01-01,"a', ['signals:2 expected a quote that ends the cell']],
  ['{"time":1704067200000,"text":"a","action":"buy"}', ['signals:1 expected "text" or other fields, found both: action']],
  ['{"time":1704067200000,"text":5}\n{"time":', ['signals:1 "text": expected a text', 'signals:2 ']],
])('%j is refused with its lines', (text, expected) => {
  expect(problemsOf(text)).toEqual(expected.map((one) => expect.stringContaining(one) as string));
});

const HEARS = `    return {
      onQuote() {},
      onSignal({ text }: any, ctx: any) { ctx.log('signal', { text, mid: ctx.market('BTCUSDT').mid }); },
    };`;

async function heard(
  rows: readonly MarketRow[],
  signals: readonly SignalGiven[],
  times: { readonly from?: number; readonly to?: number } = {},
): Promise<{ told: unknown[]; notes: readonly string[] }> {
  const tape = join(folder, 'tape');
  writeRows(tape, { rows, symbol: 'BTCUSDT', start: START, barMs: 60_000 });
  const told: unknown[] = [];
  const report = await runBacktest({
    strategies: [{ file: strategyFile(folder, HEARS), params: {}, symbols: [] }],
    tape,
    config: defaultConfig(),
    everyTick: true,
    speed: 1,
    seed: 1,
    signals,
    ...times,
    strategyLog: (time, { says, mid }) => void (says === 'signal' && told.push([time - START, mid])),
  });
  return { told, notes: report.notes.filter((note) => note.includes('signals')) };
}

const at = (ms: number, strategy = ''): SignalGiven => ({ at: START + ms, strategy, text: 'x' });

test('a signal is heard at its time, with the market up to then and nothing later', async () => {
  const rows = [0, 1_000, 2_000, 3_000].map((time, k) => ({ at: time, bid: 1_000 + k, ask: 1_002 + k }));
  const { told, notes } = await heard(rows, [at(1_999), at(2_500), at(9_000)]);
  expect(told).toEqual([
    [1_999, 1_002],
    [2_500, 1_003],
  ]);
  expect(notes).toEqual(['2 of 3 signals were given to their strategy; the others are outside of the time of the run.']);
});

test('a signal from before the run, or from after it, is not heard', async () => {
  const rows = [0, 1_000, 2_000, 3_000].map((time, k) => ({ at: time, bid: 1_000 + k, ask: 1_002 + k }));
  const times = { from: START + 1_000, to: START + 2_500 };
  const { told, notes } = await heard(rows, [at(999), at(1_000), at(2_499), at(2_500)], times);
  expect(told.map((one) => (one as number[])[0])).toEqual([1_000]);
  expect(notes).toEqual(['1 of 4 signals were given to their strategy; the others are outside of the time of the run.']);
});

test('a signal for a strategy that does not run is refused', async () => {
  await expect(heard([{ at: 0, bid: 100, ask: 101 }], [at(0, 'other')])).rejects.toThrow('expected a strategy of this run, found "other"');
});
