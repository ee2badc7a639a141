/** The table of commands: each row can run, its words and flags are its own, and docs/reference/commands.md is made of it. */
import { readFileSync } from 'node:fs';
import { describe, expect, it, test } from 'vitest';
import { EXIT_CODES } from '../../../src/base/failure/exit-codes.ts';
import { commandsPage } from '../../../src/cli/pages/commands-page.ts';
import { COMMANDS } from '../../../src/cli/table/command-rows.ts';

test('docs/reference/commands.md is up to date (if not: npm run docs)', async () => {
  expect(readFileSync(new URL('../../../docs/reference/commands.md', import.meta.url), 'utf8') === (await commandsPage())).toBe(true);
});

test('names are unique, and a command of two words stands below one of the first', () => {
  const names = COMMANDS.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const [k, name] of names.entries()) if (name.includes(' ')) expect(names.slice(0, k)).toContain(name.split(' ')[0]);
});

describe.each(COMMANDS.map((row) => [row.name, row] as const))('%s', (_name, row) => {
  it('loads what runs it, or has commands below it', async () => {
    const run = await row.run?.();
    if (run === undefined) expect(COMMANDS.some(({ name }) => name.startsWith(`${row.name} `))).toBe(true);
    else expect(run).toBeTypeOf('function');
  });

  it('has no flag twice, names known exit codes, and a command that runs can end well and with a wrong command line', () => {
    const flags = (row.options ?? []).flatMap(({ options }) => options).flatMap((one) => one.flags.replace(/ .*<.*| <.*/, '').split(', '));
    expect(new Set(flags).size).toBe(flags.length);
    const exits = Object.keys(row.exits ?? {});
    for (const name of exits) expect(Object.keys(EXIT_CODES)).toContain(name);
    if (row.run !== undefined) expect(exits).toEqual(expect.arrayContaining(['done', 'usage']));
  });
});
