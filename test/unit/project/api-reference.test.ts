/** docs/reference/api.md and the schemas of --json are what the types say, and every exported name says what it is. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { apiEntries, apiReference, type ApiEntry } from '../../../scripts/api-reference.ts';
import { inProject } from '../../../scripts/in-project.ts';
import { outputSchemas } from '../../../scripts/output-schemas.ts';
import { storedSchemas, type Schemas } from '../../../src/cli/outputs/output-schema.ts';
import * as door from '../../../src/index.ts';
import * as research from '../../../src/research.ts';
import * as testing from '../../../src/testing.ts';

let entries: ApiEntry[] = [];
let schemas: Schemas | null = null;
beforeAll(
  () =>
    inProject((project) => {
      entries = apiEntries(project);
      schemas = outputSchemas(project);
    }),
  120_000,
);

test('the schemas of what commands print are what their types say', () => {
  expect(storedSchemas()).toEqual(schemas);
});

test('docs/reference/api.md is current', () => {
  expect(readFileSync(join(import.meta.dirname, '../../../docs/reference/api.md'), 'utf8')).toBe(apiReference(entries));
});

test('what the modules export at run time is among the entries', () => {
  const names = new Set(entries.map(({ name }) => name));
  expect([door, testing, research].flatMap((one) => Object.keys(one)).filter((name) => !names.has(name))).toEqual([]);
  expect(entries.length).toBeGreaterThan(300);
});

test('every exported name, every member of an interface, and every kind of parameter and state has a docstring', () => {
  const own = entries.filter(({ isIndicator }) => !isIndicator);
  expect(own.filter(({ doc }) => doc === '').map(({ name }) => name)).toEqual([]);
  expect(own.flatMap(({ name, undocumented }) => undocumented.map((member) => `${name}.${member}`))).toEqual([]);
  expect(own.filter(({ declaration }) => declaration === '' || declaration.includes('import(')).map(({ name }) => name)).toEqual([]);
});

test('a name in no section, or in two, is an error', () => {
  const [one] = entries.filter(({ isIndicator }) => !isIndicator);
  expect(() => apiReference([...entries, { ...one!, name: 'newcomer' }])).toThrow('found otherwise: newcomer');
  expect(() => apiReference(entries.filter(({ name }) => name !== 'param'))).toThrow('in one section');
});
