/** The runtime's flags apply to a whole process: a program that uses this one as a library keeps its own. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { TapeWriter } from '../../../src/tape/write.ts';

const folder = mkdtempSync(join(tmpdir(), 'flags-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const root = new URL('../../../', import.meta.url);

function tape(): string {
  const path = join(folder, 'tape');
  const writer = new TapeWriter(path);
  const scale = { priceDecimals: 1, sizeDecimals: 3 };
  const prints = writer.stream('BTCUSDT', 'trades', scale);
  const book = writer.stream('BTCUSDT', 'quotes', scale);
  for (let k = 0; k < 20; k++) {
    book.quote(1_700_000_000_000 + k * 100, 600_000, 2000, 600_002, 2000);
    prints.trade(1_700_000_000_050 + k * 100, k + 1, 600_001, 5, 0);
  }
  writer.finish();
  return path;
}

/** Flags that are set after `code` has run, counting `v8.setFlagsFromString`. */
function flagsOf(code: string): unknown {
  const script = `
    import v8 from 'node:v8';
    import { syncBuiltinESMExports } from 'node:module';
    const flags = [];
    v8.setFlagsFromString = (flag) => void flags.push(flag);
    syncBuiltinESMExports();
    ${code}
    process.stdout.write(JSON.stringify(flags));`;
  return JSON.parse(execFileSync(process.execPath, ['--input-type=module', '-e', script], { cwd: root, encoding: 'utf8' }));
}

const BACKTEST = (path: string): string => `
    const { runBacktest } = await import('./src/run/backtest/backtest.ts');
    const { defaultConfig } = await import('./src/config/defaults.ts');
    const report = await runBacktest({
      strategies: [{ file: './strategies/ema-cross.ts', params: {}, symbols: [] }],
      tape: ${JSON.stringify(path)}, config: defaultConfig(), everyTick: true, speed: 1, seed: 1,
    });
    if (report.tape.rows !== 40) throw new Error('no backtest ran');`;

test('no flag is set by the library, not by a backtest either', () => {
  expect(flagsOf(`await import('./src/index.ts');${BACKTEST(tape())}`)).toEqual([]);
});

test('the program sets them', () => {
  expect(flagsOf("(await import('./src/run/backtest/runtime-flags.ts')).setRuntimeFlags();")).toHaveLength(4);
});
