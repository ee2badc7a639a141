/** docs/data.md names existing commands, flags, log lines, files and figures. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { withArchives } from '../../../../src/cli/pages/archives-table.ts';
import { FIGURES } from '../../../../src/tape/statistics/statistics.ts';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const doc = readFileSync(join(root, 'docs/data.md'), 'utf8');
const commands = [...doc.matchAll(/tickwright -- (.+)/g)].map((match) => (match[1] ?? '').split(/\s+#|\s{2,}/)[0]!.replace(/`.*/, ''));

describe('docs/data.md', () => {
  test('names commands and flags that the program has', () => {
    expect(commands.length).toBeGreaterThanOrEqual(8);
    const helps = new Map<string, string>();
    for (const command of commands) {
      const words = command.split(' ');
      const name = words.slice(0, words[0] === 'tape' ? 2 : 1).join(' ');
      if (!helps.has(name)) {
        const { status, stdout } = spawnSync(process.execPath, [join(root, 'src/tickwright.js'), ...name.split(' '), '--help'], {
          encoding: 'utf8',
        });
        expect(status, name).toBe(0);
        helps.set(name, stdout);
      }
      for (const flag of words.filter((word) => word.startsWith('--'))) expect(helps.get(name), command).toContain(`${flag} `);
    }
    expect([...helps.keys()].toSorted()).toEqual([
      'backtest',
      'exchange',
      'run',
      'tape export',
      'tape fetch',
      'tape import',
      'tape info',
      'tape record',
      'tape stats',
      'tape synth',
    ]);
  });

  test('lists the public archives as the program knows them', () => expect(withArchives(doc)).toBe(doc));

  test('shows every figure that tape stats prints', () => {
    for (const [title] of Object.values(FIGURES)) expect(doc).toContain(`\n${title}`);
  });

  test('names existing files and log lines', () => {
    for (const [, path] of doc.matchAll(/\b((?:src|test)\/[\w./-]+\.ts)/g)) expect(existsSync(join(root, path!)), path).toBe(true);
    const code = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => readFileSync(join(root, 'src', file), 'utf8'))
      .join('\n');
    for (const event of [
      'market-slowed',
      'market-off-grid',
      'instrument-differs',
      'market-stale',
      'venue-unreachable',
      'venue-reached',
      'market-gap',
    ]) {
      expect(doc).toContain(event);
      expect(code).toContain(`'${event}'`);
    }
  });
});
