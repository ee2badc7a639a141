/** The result of a walk-forward as text for a terminal. */
import type { WalkForwardFold, WalkForwardResult } from '../../report/research/walk-forward-result.ts';
import { unitText } from '../../report/document/figures.ts';
import { figureCell } from './figure-cell.ts';
import { table } from '../../report/document/text-table.ts';
import { safeText } from '../terminal/terminal.ts';

const date = (ms: number): string => new Date(ms).toISOString().slice(0, 16).replace('T', ' ');
const percent = (value: number | null | undefined): string => unitText('share', value);

export function walkForwardText(result: WalkForwardResult): string {
  const name = result.objectives[0]?.figure ?? '';
  const figure = (value: number | null | undefined): string => figureCell(name, value);
  const right = 'right' as const;
  const begins = [...new Set(result.folds.map(({ searched }) => date(searched.from)))];
  const isRolling = begins.length > 1;
  const columns = [
    ...(isRolling ? [{ title: 'searched from', flows: true as const }] : []),
    { title: 'judged from' },
    { title: 'parameters', flows: true as const },
    { title: `${name} searched`, align: right },
    { title: 'judged', align: right },
    { title: 'return searched', align: right },
    { title: 'judged', align: right },
    { title: 'defaults', align: right },
  ];
  const row = ({ searched, judged, best, defaults }: WalkForwardFold): string[] => [
    ...(isRolling ? [date(searched.from)] : []),
    date(judged.from),
    Object.entries(best?.params ?? {})
      .map(([key, value]) => `${key}=${value}`)
      .join(' '),
    figure(best?.searched[name]),
    figure(best?.holdout?.[name]),
    percent(best?.searched['totalReturn']),
    percent(best?.holdout?.['totalReturn']),
    percent(defaults.holdout?.['totalReturn']),
  ];
  const rows = table(
    columns,
    result.folds.map((fold) => row(fold).map(safeText)),
  );
  const totals = table(
    [{ title: '' }, { title: '', flows: true }],
    [
      ...(isRolling ? [] : [['searched from', begins.join('')]]),
      ['return of all judged parts', `${percent(result.totalReturn)}; of the defaults ${percent(result.defaultsReturn)}`],
      ['parts with a profit', percent(result.profitable)],
      [
        'efficiency',
        result.efficiency === null
          ? 'nothing was earned where it was searched'
          : `${percent(result.efficiency)} of the yearly return where searched was left where judged`,
      ],
    ],
  );
  return `Walk-forward of ${result.strategy}${result.isComplete ? '' : ' (interrupted)'}\n${rows}\n${totals}`;
}
