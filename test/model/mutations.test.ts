/** Each mutant must still fit the source, or it would change nothing. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { MUTANTS, placesOf } from './mutations.ts';

it.each(MUTANTS)('%s: the text occurs once in %s', (_name, path, from, to) => {
  const source = readFileSync(new URL(`../../src/${path}`, import.meta.url), 'utf8');
  expect(placesOf(source, from)).toBe(1);
  expect(to).not.toBe(from);
});
