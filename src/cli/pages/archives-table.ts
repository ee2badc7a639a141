/** The table of public archives in docs/data.md: `npm run docs` writes it between two marks. */
import { ARCHIVE_SOURCES } from '../../run/fetch/sources.ts';

const START = '<!-- sources:start -->\n';
const END = '<!-- sources:end -->';

/** The page with the table of today. */
export function withArchives(page: string): string {
  const [before = '', rest = ''] = page.split(START);
  return `${before}${START}\n${archivesTable()}\n${END}${rest.split(END)[1]}`;
}

function archivesTable(): string {
  const rows = ARCHIVE_SOURCES.flatMap(({ name, address, kinds, symbol, sums, isTried }) =>
    kinds.map(({ market, kind, tape, timeframes, paths, timeUnit }) => {
      const what = kind === 'bars' ? timeframes!.map((one) => `\`${one}\``).join(' ') : `\`${kind}\``;
      const periods = Object.keys(paths).join(', ');
      const url = `${address}${paths.daily ?? paths.monthly}`;
      const sum = sums.kind === 'none' ? 'in the packed file' : 'SHA-256';
      return `| \`${name}\` | ${market} | ${what} | ${tape} | \`${symbol[market].example}\` | ${periods} | ${timeUnit} | ${sum} | ${isTried ? 'yes' : 'untried'} | \`${url}\` |`;
    }),
  );
  const head = '| source | market | kinds | rows | symbol | archives | times | sum | with the vendor | address |';
  return [head, '|---|---|---|---|---|---|---|---|---|---|', ...rows, ''].join('\n');
}
