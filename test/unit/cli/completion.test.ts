/** `tickwright completion`: each script is run by its shell, which then completes every command and flag of the table. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { bashScript } from '../../../src/cli/completion/bash.ts';
import { completedCommands } from '../../../src/cli/completion/completed-command.ts';
import { fishScript } from '../../../src/cli/completion/fish.ts';
import { zshScript } from '../../../src/cli/completion/zsh.ts';
import { COMMANDS } from '../../../src/cli/table/command-rows.ts';

const ALL = completedCommands(COMMANDS);
const folder = mkdtempSync(join(tmpdir(), 'tickwright-completion-'));
afterAll(() => rmSync(folder, { recursive: true }));

function runIn(shell: string, script: string, then: string): string {
  const file = join(folder, `script.${shell}`);
  writeFileSync(file, `${script}\n${then}\n`);
  const { status, stdout, stderr } = spawnSync(shell, [file], { cwd: folder, encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
  return stdout;
}

function isThere(shell: string): boolean {
  const found = spawnSync(shell, ['--version']).status === 0;
  if (!found) console.warn(`${shell} is not on PATH: its completion is not tried`);
  return found;
}

describe.skipIf(!isThere('bash'))('bash', () => {
  const complete = (lines: readonly (readonly string[])[]): string[] => {
    const then = lines.map(
      (words) => `COMP_WORDS=(tickwright ${words.map((one) => `'${one}'`).join(' ')})
COMP_CWORD=${words.length}; compopt() { :; }; _tickwright; echo "\${COMPREPLY[*]}"`,
    );
    return runIn('bash', bashScript(ALL), then.join('\n')).split('\n').slice(0, -1);
  };

  test('offers all flags of each command', () => {
    const offered = complete(ALL.map(({ name }) => [...name.split(' '), '-']));
    const flags = ALL.map((one) => one.flags.flatMap(({ words }) => words).join(' '));
    expect(offered).toEqual(flags);
  });

  test('offers commands, the words of a value, and paths', () => {
    writeFileSync(join(folder, 'mine.ts'), '');
    const offered = complete([
      ['stat'],
      ['tape', 'imp'],
      ['report', 'aud'],
      ['completion', ''],
      ['help', 'sta'],
      ['status', '--state', ''],
      ['backtest', '--strategy', 'mi'],
    ]);
    expect(offered).toEqual(['status', 'import', 'audit', 'bash zsh fish --quiet -h --help', 'start status', '', 'mine.ts']);
  });
});

describe.skipIf(!isThere('fish'))('fish', () => {
  test('offers all long flags of each command', () => {
    const then = ALL.map(({ name }) => `echo (complete -C 'tickwright ${name} --' | string replace -r '\\t.*' '')`).join('\n');
    const offered = runIn('fish', fishScript(ALL), then).split('\n');
    for (const [k, { name, flags }] of ALL.entries()) {
      const words = flags.flatMap((flag) => flag.words.filter((word) => word.startsWith('--')));
      expect([
        name,
        ...offered[k]!.split(' ')
          .filter((word) => word !== '')
          .sort(),
      ]).toEqual([name, ...words.sort()]);
    }
  });
});

describe.skipIf(!isThere('zsh'))('zsh', () => {
  test('reads the script', () => {
    expect(runIn('zsh', 'setopt noexec', zshScript(ALL))).toBe('');
  });
});
