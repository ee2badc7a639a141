/** What strategies say and draw: the strategy of docs/monitor.md in a backtest, and bounds for one that notes every quote. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { synthTape } from '../../../../src/tape/synth/synth.ts';
import { defaultConfig } from '../../../../src/config/defaults.ts';
import { CHECKS } from '../../../../src/engine/why/ladder.ts';
import { unpackedPoints } from '../../../support/tape/unpacked.ts';
import { Drawings, type DrawnLine } from '../../../../src/report/market/drawings.ts';
import { synthSymbols } from '../../../../src/run/market/synthetic.ts';
import { instrumentsOf } from '../../../../src/run/setup/instruments/instruments.ts';
import { backtest, configWith } from '../../../support/backtest/reference-backtest.ts';
import { pushedRig } from '../../../support/engine/engine-kit.ts';

const page = readFileSync(join(import.meta.dirname, '../../../../docs/monitor.md'), 'utf8');
let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'monitor-page-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('the strategy of the page draws its line and its notes on the chart, and its funnel is in the report', async () => {
  const file = join(folder, 'says-why.ts');
  writeFileSync(file, /```ts\n([^]*?)```/.exec(page)?.[1] ?? '');
  const tape = join(folder, 'tape');
  const symbols = synthSymbols(instrumentsOf(defaultConfig().instruments)).slice(0, 1);
  synthTape(tape, { symbols, seconds: 3600, seed: 7, start: 1_700_000_000_000 });
  const report = await backtest(tape, file, { config: configWith() });
  expect(report.failed).toEqual([]);
  const { drawing, barMs } = report.market[0]!;
  expect(drawing?.lines.map(({ name }) => name)).toEqual(['ema(20) 1m', 'slow']);
  const [{ time, value } = { time: [], value: [] }] = drawing?.lines ?? [];
  expect(time.length).toBeGreaterThan(20);
  expect(time.every((at) => at % barMs === 0)).toBe(true);
  expect(value.length).toBe(time.length);
  expect(new Set(drawing?.notes.map(({ text }) => text))).toEqual(new Set(['above its average', 'below its average: waits']));
  const [funnel] = report.strategyFunnels ?? [];
  expect(funnel).toMatchObject({ strategy: 'says-why', signals: 0, intents: 0, filled: 0 });
  expect(funnel!.bars).toBeGreaterThan(20);
});

test('the page names every check', () => {
  for (const { name } of CHECKS) expect(page, name).toContain(`\`${name}\``);
  expect(page).toContain(`first of ${CHECKS.length} checks`);
});

test('a strategy that notes every quote costs bounded lines and memory, and the log says so', () => {
  let k = 0;
  const r = pushedRig({
    onQuote(_market, ctx) {
      ctx.note(`quote ${k}`);
      for (let line = 0; line < 30; line++) ctx.plot(`line ${line}`, k);
    },
  });
  for (k = 1; k <= 1_000; k++) r.kernel.inbox.onQuote(0, 10_000 + (k % 7), 5_000, 10_010 + (k % 7), 5_000);
  const count = (event: string): number => r.log.lines.filter((line) => line.event === event).length;
  expect([count('strategy-note'), count('strategy-plot'), count('notes-left-out'), count('lines-left-out')]).toEqual([10, 20, 1, 1]);
});

test('of many notes a part is kept, evenly spread, with their number; of a line the last value of each bar', () => {
  const drawings = new Drawings({ barMs: 60_000, finerMs: 10_000, leastMs: 1_000 }, false);
  const line = drawings.line('one', 0, 'line');
  for (let k = 0; k < 100_000; k++) {
    drawings.note(k, 'one', 0, `note ${k}`);
    line.add(k, k);
  }
  const { lines, notes, notesOf } = drawings.chart(0)!;
  expect(notesOf).toBe(100_000);
  expect(notes.length).toBeLessThan(1_000);
  expect(notes.length).toBeGreaterThan(400);
  const steps = new Set(notes.slice(1).map(({ time }, k) => time - notes[k]!.time));
  expect(steps.size).toBe(1);
  // A value at the end of a bar belongs to it; the first one ended a bar before the start.
  const [{ time, value, finer }] = lines as [DrawnLine];
  expect([time, value]).toEqual([
    [-60_000, 0, 60_000],
    [0, 60_000, 99_999],
  ]);
  const points = unpackedPoints(finer!, finer!.barMs);
  expect(points.time).toEqual(Array.from({ length: 11 }, (_, k) => (k - 1) * 10_000));
  expect(points.value).toEqual([0, ...Array.from({ length: 9 }, (_, k) => (k + 1) * 10_000), 99_999]);
  expect(drawings.chart(1)).toBeUndefined();
});
