/** The command that lists indicators, as a process. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { INDICATORS } from '../../../src/indicators/table.ts';

const PROGRAM = join(import.meta.dirname, '../../../src/tickwright.js');

function indicators(...words: string[]): { status: number | null; out: string; error: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [PROGRAM, 'indicators', ...words], { encoding: 'utf8' });
  return { status, out: stdout, error: stderr };
}

describe('tickwright indicators', () => {
  test('names each indicator of the table, in lines of a terminal', () => {
    const { status, out } = indicators();
    expect(status).toBe(0);
    const words = new Set(out.split(/[\s,]+/));
    expect(INDICATORS.map(({ row }) => row.name).filter((name) => !words.has(name))).toEqual([]);
    expect(out.split('\n').filter((line) => line.length > 80)).toEqual([]);
  });

  test('finds by words of name, title and family; a name alone is that indicator', () => {
    const { out } = indicators('band', 'volatility');
    expect(out).toMatch(/^name .*\naccbands .*\nbbands .*\n\n2 indicators; /);
    expect(indicators('Band', 'accel').out).toMatch(/^name +accbands: /);
    expect(indicators('MACD').out).toMatch(/^name +macd: /);
  });

  test('describes one: parameters with their bounds, outputs, formula, and what to write', () => {
    const { out } = indicators('bbands');
    expect(out).toContain('period = 20 (integer, 2 to 100000)');
    expect(out).toMatch(/outputs +upper, middle, lower/);
    expect(out).toContain('19 updates before the first value');
    expect(out).toContain('import { bbands } from \'tickwright\'; bbands(20, 2, 2, "sma")');
  });

  test('as JSON, for other programs', () => {
    const { indicators: found } = JSON.parse(indicators('ema', '--json').out) as { indicators: unknown[] };
    expect(found).toMatchObject([{ name: 'ema', outputs: ['value'], lookback: 29, params: [{ name: 'period', initial: 30 }] }]);
  });

  test('a word that fits nothing: exit code 2, and what was meant', () => {
    const { status, error } = indicators('rsj');
    expect(status).toBe(2);
    expect(error).toContain('did you mean "rsi"?');
  });
});
