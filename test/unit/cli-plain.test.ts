/** Command lines that are parsed without commander give the same result as with commander; all others are passed to it. */
import { Command } from 'commander';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BACKTEST_OPTIONS } from '../../src/cli/backtest/backtest.ts';
import { addOptions } from '../../src/cli/shell/help.ts';
import { readPlainly } from '../../src/cli/shell/plain.ts';

/** Parses the words with commander. Returns null if it reports an error. */
function byCommander(args: readonly string[]): unknown {
  const command = addOptions(new Command('backtest'), BACKTEST_OPTIONS).exitOverride().allowExcessArguments(false);
  command.configureOutput({ writeOut: () => undefined, writeErr: () => undefined });
  try {
    return command.parse(args, { from: 'user' }).opts();
  } catch {
    return null;
  }
}

const read = (line: string): unknown => readPlainly(line.split(' '), BACKTEST_OPTIONS);

describe('a simple valid command line', () => {
  test('flags, values after a space or an equals sign, short names, repetitions', () => {
    expect(read('--tape t -s a.ts --strategy=b.ts --param x=1 -p y=a=b --every-tick --bot-from 1700000000000 --json')).toEqual({
      tape: 't',
      strategy: ['a.ts', 'b.ts'],
      param: { x: '1', y: 'a=b' },
      everyTick: true,
      speed: 1,
      bracket: true,
      botFrom: 1_700_000_000_000,
      json: true,
    });
  });

  test('anything else is passed to commander', () => {
    for (const line of [
      '--help',
      '-h',
      '--tapes t',
      't',
      '--tape',
      '--tape -s',
      '--json=yes',
      '--seed x',
      '-p x',
      '-ptx',
      '-- t',
      '--tape ',
    ])
      expect(read(line), line).toBeNull();
  });

  test('is parsed as commander parses it, whatever the words are', () => {
    const names = BACKTEST_OPTIONS.flatMap(({ options }) => options.flatMap(({ flags }) => flags.replace(/ <.*/, '').split(', ')));
    const value = fc.constantFrom(
      'a.ts',
      'x=1',
      'y=',
      '=',
      '',
      '-1',
      '--',
      '0.5',
      '7',
      '1e3',
      ' ',
      '2024-08-08',
      '1700000000000',
      '--json',
    );
    const name = fc.constantFrom(...names, '--help', '--tap', '--every-ticks');
    const word = fc.oneof(
      name,
      value,
      fc.tuple(name, value).map(([a, b]) => `${a}=${b}`),
      fc.string({ maxLength: 4 }),
    );
    let plain = 0;
    fc.assert(
      fc.property(fc.array(fc.oneof(word, fc.tuple(name, value)), { maxLength: 6 }), (words) => {
        const args = words.flat();
        const flags = readPlainly(args, BACKTEST_OPTIONS);
        if (flags === null) return;
        plain++;
        expect(flags).toEqual(byCommander(args));
      }),
      { numRuns: 3000 },
    );
    expect(plain).toBeGreaterThan(200);
  });
});
