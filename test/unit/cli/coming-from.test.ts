/** docs/coming-from.md: each name of ours that it gives to newcomers exists. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { COMMANDS } from '../../../src/cli/table/command-rows.ts';
import * as door from '../../../src/index.ts';

const text = (path: string): string => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
const page = text('docs/coming-from.md');
const types = text('docs/reference/api.md');
const known = COMMANDS.map(({ name }) => name.split(' ')[0]);

/** What stands in code marks in the last column of the tables. */
const ours = page
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.includes('---'))
  .flatMap((line) => [...(line.split(' | ').at(-1) ?? '').matchAll(/`([^`]+)`/g)].map(([, code = '']) => code));

test('every method of the context, handler and field is in the types', () => {
  const names = ours.flatMap((code) => [...code.matchAll(/\b(?:ctx|market|bar)\.(\w+)/g)].map(([, name = '']) => name));
  const handlers = ours.filter((code) => /^(on[A-Z]\w*|save|restore|needs|barMs|stopLoss|takeProfit|trailing|maxHoldMs)$/.test(code));
  expect(names.length).toBeGreaterThan(25);
  for (const name of [...names, ...handlers]) expect(types, name).toMatch(new RegExp(`\\b${name}\\??[(:<]`));
});

test('every command is one of the program', () => {
  const commands = ours.flatMap((code) => [...code.matchAll(/^tickwright ([\w-]+)/g)].map(([, name = '']) => name));
  expect(commands.length).toBeGreaterThan(12);
  for (const name of commands) expect(known).toContain(name);
});

test('every function is exported', () => {
  for (const name of ['defineStrategy', 'track', 'param', 'rsi']) expect(door).toHaveProperty(name);
});
