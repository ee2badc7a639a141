/** Backtests of a strategy that chooses its symbols: the example of docs/strategies.md, a delisted symbol, and no look-ahead. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadConfig } from '../../../src/config/load.ts';
import type { BotConfig } from '../../../src/config/model.ts';
import type { BacktestReport } from '../../../src/report/backtest-report.ts';
import { runBacktest } from '../../../src/run/backtest/backtest.ts';
import { importFiles } from '../../../src/tape/import/import.ts';
import { runDocument } from '../../../src/report/document/run/run-document.ts';
import { documentText } from '../../../src/report/document/document-text.ts';
import { BTCUSDT } from '../../support/specs.ts';

const page = readFileSync(join(import.meta.dirname, '../../../docs/strategies.md'), 'utf8');
const HOUR = 3_600_000;
const START = Date.UTC(2024, 0, 1);
const DAYS = 60;
const SYMBOLS = ['AAAUSDT', 'BBBUSDT', 'CCCUSDT', 'DDDUSDT'];
/** EEEUSDT has rules and no bars, HHHUSDT the opposite. */
const RULES = [...SYMBOLS, 'EEEUSDT'].map((symbol) => ({ ...BTCUSDT, symbol, tickSize: '0.01', maxSize: '1000000' }));
/** DDDUSDT rises more than all others until it is delisted. */
const DELISTED = 45 * 24;

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'universe-'));
  writeFileSync(join(folder, 'instruments.json'), JSON.stringify(RULES));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Hourly bars; from `changedFrom` on, all prices of AAAUSDT are others. */
async function tapeOf(name: string, changedFrom = Infinity): Promise<string> {
  const files = [...SYMBOLS, 'HHHUSDT'].map((symbol, k) => {
    const rows = ['time,open,high,low,close,volume'];
    let price = 100;
    const hours = symbol === 'DDDUSDT' ? DELISTED : DAYS * 24;
    for (let h = 0; h < hours; h++) {
      const open = price;
      price *= 1 + (symbol === 'DDDUSDT' ? 0.002 : 0.001 * Math.sin(h / 80 + 2 * k));
      if (symbol === 'AAAUSDT' && h >= changedFrom) price *= h % 2 === 0 ? 1.02 : 1.01;
      const [low, high] = [Math.min(open, price), Math.max(open, price)];
      rows.push([START + h * HOUR, ...[open, high, low, price].map((one) => one.toFixed(2)), 1000 + k].join(','));
    }
    const file = join(folder, `${symbol}.csv`);
    writeFileSync(file, `${rows.join('\n')}\n`);
    return file;
  });
  const tape = join(folder, name);
  await importFiles(files, tape, { overwrite: true });
  return tape;
}

/** The example of the page with its universe, of two symbols. */
function configOf(changes: string): BotConfig {
  const code = [...page.matchAll(/```ts\n([^]*?)```/g)].map(([, one = '']) => one).find((one) => one.includes('onUniverse'));
  const yaml = /```yaml\n(strategies:[^]*?universe: [^]*?)```/.exec(page)?.[1] ?? '';
  writeFileSync(join(folder, 'rotation.ts'), code!);
  const stated = join(folder, 'bot.yaml');
  const limits = ['maxOrderSize', 'maxPosition', 'maxNotionalOrder', 'maxNotionalPosition', 'maxNotionalTotal'];
  const risk = `risk: { ${limits.map((key) => `${key}: "10000000"`).join(', ')} }`;
  writeFileSync(
    stated,
    `instruments: instruments.json\n${risk}\n${yaml.replace('window: 1d', `window: 7d, minAge: 30d, ${changes}`).replace('top: 20', 'top: 2').replace('top-ranks.ts', 'rotation.ts')}`,
  );
  return loadConfig({ file: stated, env: {}, set: [] }).config;
}

function run(tape: string, config: BotConfig, to?: number): Promise<BacktestReport> {
  return runBacktest({ strategies: config.strategies, tape, config, everyTick: false, speed: 1, seed: 1, to });
}

test('the example holds what ranks high; a delisted symbol is named, and so is what could not be chosen', async () => {
  const report = await run(await tapeOf('whole'), configOf('leave: close'));
  expect(report.failed).toEqual([]);
  expect(report.threw).toEqual([]);
  expect(new Set(report.fills.map(({ symbol }) => symbol))).toContain('DDDUSDT');
  expect(report.trades.length).toBeGreaterThan(2);
  const notes = report.notes.join('\n');
  expect(notes).toContain('top-ranks chose 2 of 4 candidates by momentum over 7d, 30 times, first for 2024-02-01 00:00.');
  expect(notes).toContain(' A choice needs 720 bars of 1h before it; the first bar of a tape is none of them, ');
  expect(notes).toContain('delisted, or silent at a choice: DDDUSDT (no trade since 2024-02-15 00:00)');
  expect(notes).toContain('rules are not known: HHHUSDT');
  expect(notes).toContain('what this tape does not have: EEEUSDT');
  expect(notes, 'a choice, and what left it, have their own words').not.toMatch(/logged .*(universe-chosen|symbol-halted|halt-lifted)/);
  expect(notes, 'a symbol that nobody can trade').not.toContain('HHHUSDT: not configured');
  const { choices, excluded } = report.universes![0]!;
  expect(choices[0]).toMatchObject({ left: [], joined: choices[0]!.symbols });
  expect(
    choices.every(({ joined, symbols }, k) =>
      joined.every((symbol) => symbols.includes(symbol) && !choices[k - 1]?.symbols.includes(symbol)),
    ),
  ).toBe(true);
  expect(excluded.map(({ symbol, choices: n, why }) => [symbol, n === null, why])).toContainEqual([
    'HHHUSDT',
    true,
    'its rules (tick, lot, fees) are not known',
  ]);
  expect(excluded.filter(({ symbol }) => symbol === 'DDDUSDT').map(({ why }) => why)).toContain(
    'it has not traded since 2024-02-15 00:00 UTC, as if it were delisted',
  );
  const shown = documentText(runDocument(report), 100);
  expect(shown).toContain('Universe of top-ranks');
  expect(shown).toContain('Could not be chosen');
  expect(shown.replaceAll(/\s+/g, ' ')).toMatch(
    /30 choices; each after the first replaced \d+\.\d+ % of the symbols on average; the newest 20 are shown; 31 more choices found nothing: no/,
  );
});

test('other prices after a choice change nothing before it', async () => {
  const config = configOf('leave: close');
  const changedAt = START + 40 * 24 * HOUR;
  const both = [await run(await tapeOf('as-it-was'), config), await run(await tapeOf('changed', 40 * 24), config)];
  const [before, changed] = both.map(({ fills }) => fills.filter(({ time }) => time <= changedAt));
  expect(before!.length).toBeGreaterThan(2);
  expect(changed).toEqual(before);
  expect(both[0]!.fills).not.toEqual(both[1]!.fills);
});
