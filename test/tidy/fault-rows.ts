/** Holds the rows of docs/faults.md against the ids in test titles. */

const ROW = /^\| `([^`]+)` \|/gm;
const TITLE =
  /\b(?:it|test|describe)(?:\.(?:each|for|skipIf|runIf|concurrent|sequential)(?:<[^(]*>)?\((?:[^()]|\([^()]*\))*\)|\.concurrent|\.sequential)*\(\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1/g;
const ID = /\[((?:outcomes|fault|security) [\w.]+|[NPSDXMH]\d+)\]/g;

/** Row ids of the page, split into those that need a test and those that are struck with a reason. */
export function faultRows(page: string): { readonly live: string[]; readonly struck: string[] } {
  const [rows = '', struck = ''] = page.split(/^## Struck$/m);
  const ids = (text: string): string[] => [...text.matchAll(ROW)].map((match) => match[1]!);
  return { live: ids(rows), struck: ids(struck) };
}

/** The ids that the titles of a test file carry. Tests that are skipped without a condition do not count. */
export function idsInTitles(text: string): string[] {
  return [...text.matchAll(TITLE)].flatMap((title) => [...title[2]!.matchAll(ID)].map((match) => match[1]!));
}
