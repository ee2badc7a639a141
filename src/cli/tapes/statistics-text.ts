/** Prints statistics of one or two tapes as a table: one column per symbol and tape, the same symbols side by side. */
import { FIGURES, type FigureKey, type SymbolStatistics } from '../../run/market/tapes.ts';
import { numbers, table } from '../../report/document/text-table.ts';
import { safeText } from '../terminal/terminal.ts';

export interface TapeFigures {
  readonly folder: string;
  readonly symbols: readonly SymbolStatistics[];
}

/** Most symbols in a table. */
const SHOWN = 8;

export function statisticsText(tapes: readonly TapeFigures[]): string {
  const names = [...new Set(tapes.flatMap(({ symbols }) => symbols.map(({ symbol }) => symbol)))];
  const columns = names.slice(0, SHOWN).flatMap((name) =>
    tapes.flatMap(({ symbols }, k) => {
      const found = symbols.find(({ symbol }) => symbol === name);
      return found === undefined ? [] : [{ title: tapes.length === 1 ? name : `${name} ${LETTERS[k]}`, figures: found.figures }];
    }),
  );
  const rows = (Object.keys(FIGURES) as FigureKey[]).map((key) => {
    const [title, unit] = FIGURES[key];
    return [title, unit, ...columns.map(({ figures }) => figure(figures[key]))];
  });
  const heads = [{ title: '' }, { title: '' }, ...columns.map(({ title }) => numbers(title))];
  const legend = tapes.length === 1 ? '' : `\n${tapes.map(({ folder }, k) => `${LETTERS[k]}  ${folder}\n`).join('')}`;
  const more = names.length > SHOWN ? `… and ${names.length - SHOWN} symbols more; --json lists all\n` : '';
  return safeText(table(heads, rows) + more + legend);
}

const LETTERS = ['A', 'B'] as const;

/** Three significant digits; "–" for no value. */
function figure(value: number): string {
  if (!Number.isFinite(value)) return '–';
  const size = Math.abs(value);
  if (size === 0) return '0';
  if (size >= 100) return String(Math.round(value));
  return value.toFixed(Math.max(0, 2 - Math.floor(Math.log10(size))));
}
