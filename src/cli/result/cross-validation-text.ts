/** The result of a cross-validation as text for a terminal. */
import type { CrossValidationResult, Quartiles } from '../../report/research/cross-validation-result.ts';
import { figureCell } from './figure-cell.ts';
import { table } from '../../report/document/text-table.ts';
import { safeText } from '../terminal/terminal.ts';

const percent = (value: number | null): string => (value === null ? '–' : `${(100 * value).toFixed(0)} %`);

export function crossValidationText(result: CrossValidationResult): string {
  const { strategy, objectives, splits, trials, runs, paths, losingPaths, overfitting, searched, judged, isComplete } = result;
  const name = objectives[0]?.figure ?? '';
  const figure = (value: number | null | undefined): string => figureCell(name, value);
  const right = 'right' as const;
  const columns = [
    { title: 'judged on' },
    { title: 'parameters', flows: true as const },
    { title: `${name} searched`, align: right },
    { title: 'judged', align: right },
    { title: 'better than', align: right },
  ];
  const rows = splits.map(({ groups, chosen }) => [
    groups.map((group) => group + 1).join(', '),
    Object.entries(chosen?.params ?? {})
      .map(([key, value]) => `${key}=${value}`)
      .join(' '),
    figure(chosen?.searched[name]),
    figure(chosen?.judged[name]),
    percent(chosen?.rank ?? null),
  ]);
  const three = (one: Quartiles | null): string => (one === null ? '–' : one.map(figure).join(' / '));
  const totals = [
    [`${name} where chosen`, `${three(searched)} (quarter, median, three quarters of ${splits.length} splits)`],
    ['where judged', three(judged)],
    ['overfitting', `in ${percent(overfitting)} of the splits the chosen one is at most the median of all where it is judged`],
    ['paths', `${percent(losingPaths)} of ${paths.length} paths through the tape lose`],
    ['backtests', `${trials} sets of parameters, ${runs} runs`],
  ];
  const head = `Cross-validation of ${strategy}${isComplete ? '' : ' (interrupted)'}\n`;
  const splitRows = table(
    columns,
    rows.map((row) => row.map(safeText)),
  );
  return `${head}${splitRows}\n${table([{ title: '' }, { title: '', flows: true }], totals)}`;
}
