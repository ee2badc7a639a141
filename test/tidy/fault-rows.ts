/** Compares the rows of docs/faults.md with the ids in the titles of tests that run in CI. */
import type { Source } from './source.ts';
import { titlesInCi } from './titles.ts';

const ROW = /^\| `([^`]+)` \|/gm;
const ID = /\[((?:outcomes|fault|security) [\w.]+|[NPSDXMH]\d+)\]/g;

/** Row ids of the page, split into those that need a test and those struck with a reason. */
export function faultRows(page: string): { readonly live: string[]; readonly struck: string[] } {
  const [rows = '', struck = ''] = page.split(/^## Struck$/m);
  const ids = (text: string): string[] => [...text.matchAll(ROW)].map((match) => match[1]!);
  return { live: ids(rows), struck: ids(struck) };
}

/** The ids in a file's titles of tests that run in CI. */
export function idsInTitles(source: Source): string[] {
  return titlesInCi(source).flatMap((title) => [...title.matchAll(ID)].map((match) => match[1]!));
}
