/** Compares the rows of docs/promises.md with the ids in the titles of tests that run in CI. */
import type { Source } from './source.ts';
import { titlesInCi } from './titles.ts';

const ROW = /^\| `([^`]+)` \|/gm;
const ID = /\[((?:outcomes|fault|security) [\w.]+|[NPSDXMH]\d+)\]/g;

/** Row ids of the page, split into those that need a test and those dropped with a reason. */
export function faultRows(page: string): { readonly live: string[]; readonly dropped: string[] } {
  const [rows = '', dropped = ''] = page.split(/^## Dropped rows$/m);
  const ids = (text: string): string[] => [...text.matchAll(ROW)].map((match) => match[1]!);
  return { live: ids(rows), dropped: ids(dropped) };
}

/** The ids in a file's titles of tests that run in CI. */
export function idsInTitles(source: Source): string[] {
  return titlesInCi(source).flatMap((title) => [...title.matchAll(ID)].map((match) => match[1]!));
}
