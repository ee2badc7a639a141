/** The code of docs/strategies.md runs and trades, and the page names what exists. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { synthTape } from '../../../src/tape/synth/synth.ts';
import { defaultConfig } from '../../../src/config/defaults.ts';
import { synthSymbols } from '../../../src/run/market/synthetic.ts';
import { instrumentsOf } from '../../../src/run/setup/instruments/instruments.ts';
import { backtest, configWith } from '../../support/backtest/reference-backtest.ts';

const root = join(import.meta.dirname, '../../..');
const page = readFileSync(join(root, 'docs/strategies.md'), 'utf8');
let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'strategies-page-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('the strategy of the page trades, and all its trades end as they should', async () => {
  const file = join(folder, 'guided.ts');
  writeFileSync(file, /```ts\n([^]*?)```/.exec(page)?.[1] ?? '');
  const tape = join(folder, 'tape');
  const symbols = synthSymbols(instrumentsOf(defaultConfig().instruments)).slice(0, 1);
  synthTape(tape, { symbols, seconds: 1800, seed: 7, start: 1_700_000_000_000 });
  const report = await backtest(tape, file, { config: configWith() });
  expect(report.failed).toEqual([]);
  expect(report.trades.length).toBeGreaterThan(3);
  const reasons = new Set(report.fills.map(({ reason }) => reason));
  expect([...reasons].filter((reason) => ['target', 'trailing-stop', 'stop-loss', 'time'].includes(reason)).length).toBeGreaterThan(0);
});

const BLOCKS = [...page.matchAll(/```ts\n([^]*?)```/g)].map(([, code = '']) => [/name: '([a-z-]+)'/.exec(code)?.[1] ?? '', code] as const);

// The one with a universe runs in universe-backtest.test.ts.
test.each(BLOCKS.slice(1).filter(([, code]) => !code.includes('onUniverse')))(
  'the strategy %s of the page runs and trades',
  async (name, code) => {
    const file = join(folder, `${name}.ts`);
    writeFileSync(file, code);
    const tape = join(folder, `tape-${name}`);
    const symbols = synthSymbols(instrumentsOf(defaultConfig().instruments)).slice(0, 1);
    synthTape(tape, { symbols, seconds: 600, seed: 7, start: 1_700_000_000_000 });
    const report = await backtest(tape, file, { config: configWith() });
    expect(report.failed).toEqual([]);
    expect(report.notes.join('\n')).not.toMatch(/threw|refused/);
    expect(report.fills.length).toBeGreaterThan(1);
  },
);
