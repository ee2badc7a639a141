/** The symbols that strategies chose over time, how fast they changed, and what was left out and why. */
import { counted, firstOf } from '../../../base/text/figures.ts';
import { LACKS } from '../../../domain/universe.ts';
import { type ExcludedSymbol, type ReportedChoice, type ReportedUniverse, turnoverOf } from '../../universe-choices.ts';
import type { Section, Table } from '../document.ts';
import { moment, percent, whole } from '../figures.ts';
import { numbers, words } from '../text-table.ts';

/** Rows and names that are shown, at most; the JSON has all. */
const MOST_ROWS = 20;
const MOST_NAMES = 8;

export function universeSection(universes: readonly ReportedUniverse[] = []): Section[] {
  return universes.map((universe) => ({
    id: `universe-${universe.strategy}`,
    link: 'Universe',
    title: `Universe of ${universe.strategy}`,
    words: summary(universe),
    blocks: universe.excluded.length === 0 ? [choicesOf(universe)] : [choicesOf(universe), excludedOf(universe)],
  }));
}

/** Choices that chose something. Before the first of them no candidate had its bars, which is no news of a market. */
function madeOf({ choices }: ReportedUniverse): readonly ReportedChoice[] {
  return choices.filter(({ symbols }) => symbols.length > 0);
}

function summary(universe: ReportedUniverse): string {
  const made = madeOf(universe);
  const later = made.slice(1);
  const turnover = later.reduce((sum, choice) => sum + turnoverOf(choice), 0) / Math.max(1, later.length);
  const replaced = later.length === 0 ? '' : `; each after the first replaced ${percent(turnover)} of the symbols on average`;
  const shown = made.length > MOST_ROWS ? `; the newest ${MOST_ROWS} are shown` : '';
  const empty = universe.choices.length - made.length;
  const none = empty === 0 ? '' : `; ${counted(empty, 'more choice')} found nothing: no candidate had the bars that it is ranked by`;
  return `${counted(made.length, 'choice')}${replaced}${shown}${none}`;
}

function choicesOf(universe: ReportedUniverse): Table {
  const columns = [
    words('chosen for'),
    words('in, best first'),
    words('joined'),
    words('left'),
    ...['turnover', 'not ranked'].map(numbers),
  ];
  const rows = madeOf(universe).map((choice) => [
    moment(choice.at),
    list(choice.symbols),
    list(choice.joined),
    list(choice.left),
    percent(turnoverOf(choice)),
    whole(choice.excluded),
  ]);
  return { kind: 'table', columns, rows: rows.slice(-MOST_ROWS) };
}

/** One row for all symbols that lacked the same; first what most of them did. */
function excludedOf({ excluded }: ReportedUniverse): Table {
  const columns = [words('left out'), words('choices'), words('why')];
  const groups = [...Map.groupBy(excluded, ({ lack, why }) => lack ?? why).values()].sort((a, b) => b.length - a.length);
  const rows = groups.map((own) => [list(own.map(({ symbol }) => symbol)), times(own.map(({ choices }) => choices)), reasonOf(own)]);
  return { kind: 'table', title: 'Could not be chosen', columns, rows: rows.slice(0, MOST_ROWS) };
}

function reasonOf([first, ...others]: readonly ExcludedSymbol[]): string {
  const { lack, why } = first!;
  if (lack === undefined || others.length === 0) return why;
  return lack === 'rules' ? 'their rules (tick, lot, fees) are not known' : LACKS[lack];
}

/** How often the symbols of one reason were left out. */
function times(choices: readonly (number | null)[]): string {
  if (choices.includes(null)) return 'all';
  const counts = choices.map(Number);
  const [least, most] = [Math.min(...counts), Math.max(...counts)];
  return least === most ? whole(least) : `${whole(least)} to ${whole(most)}`;
}

function list(symbols: readonly string[]): string {
  return firstOf(symbols, MOST_NAMES, ' ') || '–';
}
