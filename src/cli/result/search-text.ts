/** The result of a search as text for a terminal. */
import { wrap } from '../../base/wrap.ts';
import { dimensionText } from '../../search/space.ts';
import { constraintText, type Figures } from '../../search/trial.ts';
import type { ParamTexts, SearchResult } from '../../report/research/search-result.ts';
import { selectionBiasText } from './selection-bias-text.ts';
import { figureCell } from './figure-cell.ts';
import { table, WIDTH } from '../../report/document/text-table.ts';
import { safeText } from '../terminal/terminal.ts';

/** Trials shown in the table of the best. */
const BEST = 10;
/** Figures beside the objectives. */
const ALWAYS = ['totalReturn', 'sharpe', 'maxDrawdown', 'trades'];

export function searchText(result: SearchResult, study: string | null): string {
  const parts = [head(result), ...warnings(result, study)];
  if (result.best !== null) parts.push(judgement(result), selectionBiasText(result.selectionBias), bestTable(result), importance(result));
  return `${parts.filter((part) => part !== '').join('\n')}\nhash ${result.hash}\n`;
}

function head({
  strategy,
  sampler,
  seed,
  space,
  fixed,
  objectives,
  constraints,
  searched,
  holdout,
  counts,
  trials,
  performance,
}: SearchResult): string {
  const time = (ms: number): string => new Date(ms).toISOString().slice(0, 16).replace('T', ' ');
  const rows = [
    ['strategy', strategy],
    ['searched', space.map(dimensionText).join(', ')],
    ['fixed', text(fixed)],
    ['by', objectives.map(({ figure, direction }) => `${direction === 'max' ? 'largest' : 'smallest'} ${figure}`).join(', ')],
    ['constraints', constraints.map(constraintText).join(', ')],
    ['sampler', `${sampler}, seed ${seed}`],
    ['search on', `${time(searched.from)} to ${time(searched.to)} UTC`],
    ['held out', holdout === null ? 'nothing' : `${time(holdout.from)} to ${time(holdout.to)} UTC`],
    ['trials', `${trials.length}: ${counts.done} to the end, ${counts.pruned} pruned, ${counts.failed} without a result`],
    [
      'time',
      `${(performance.wallMs / 1000).toFixed(1)} s, ${performance.runs} runs by ${performance.workers} ${performance.workers === 1 ? 'worker' : 'workers'}`,
    ],
  ].filter(([, value]) => value !== '');
  return table(
    [{ title: '' }, { title: '', flows: true }],
    rows.map((row) => row.map((cell) => safeText(cell))),
  );
}

function warnings({ isComplete, notes, trials }: SearchResult, study: string | null): string[] {
  const lines = [...notes];
  if (!isComplete) {
    const next = study === null ? 'with --study FILE it could go on later' : 'the same command goes on';
    lines.unshift(`interrupted after ${trials.length} trials; ${next}.`);
  }
  return lines.length === 0
    ? []
    : [`Read this before you believe it\n${lines.map((line) => `${wrap(safeText(line), WIDTH, '- ', '  ').join('\n')}\n`).join('')}`];
}

/** The chosen trials and the defaults, searched part beside last part. */
function judgement({ front, defaults, objectives, holdout }: SearchResult): string {
  const names = [...new Set([...objectives.map(({ figure }) => figure), ...ALWAYS])];
  const columns = [
    { title: '' },
    { title: 'parameters', flows: true as const },
    { title: 'part' },
    ...names.map((title) => ({ title, align: 'right' as const })),
  ];
  const rows = [...front, defaults].flatMap((one) => {
    const name = one.number === null ? 'defaults' : `trial ${one.number}`;
    const said = [one.number === null ? '' : text(one.params), one.error ?? ''].filter((part) => part !== '').join(', ');
    const searched = ['searched', ...cells(one.searched, names)];
    // The parameters stand in the last row of a trial, so that they are below both rows if there is no room beside them.
    if (holdout === null) return [[name, said, ...searched]];
    return [
      [name, '', ...searched],
      ['', said, 'held out', ...cells(one.holdout ?? {}, names)],
    ];
  });
  const title = front.length > 1 ? 'The front: no trial is better than these in every objective' : 'The best trial';
  return `${title}\n${table(
    columns,
    rows.map((row) => row.map(safeText)),
  )}`;
}

function bestTable({ trials, objectives, space, front }: SearchResult): string {
  if (front.length > 1) return '';
  const [objective] = objectives;
  if (objective === undefined) return '';
  const sign = objective.direction === 'max' ? -1 : 1;
  const cost = ({ figures }: (typeof trials)[number]): number => sign * (figures[objective.figure] ?? Infinity);
  const best = trials
    .filter(({ state, meetsConstraints }) => state === 'done' && meetsConstraints)
    .sort((a, b) => cost(a) - cost(b) || a.number - b.number);
  if (best.length < 2) return '';
  const names = [...new Set([objective.figure, ...ALWAYS])];
  const columns = [
    ...space.map(({ name }) => ({ title: name, align: 'right' as const, flows: true as const })),
    ...names.map((title) => ({ title, align: 'right' as const })),
  ];
  const rows = best.slice(0, BEST).map(({ params, figures }) => [...space.map(({ name }) => params[name] ?? ''), ...cells(figures, names)]);
  return `The best on the searched part\n${table(columns, rows)}`;
}

function importance({ importance: all }: SearchResult): string {
  const parts = Object.entries(all).flatMap(([figure, rows]) => {
    if (rows === null) return [];
    const shown = rows.filter(({ params, share }) => params.length === 1 || share >= 0.05).slice(0, 8);
    const lines = shown.map(({ params, share }) => [
      params.join(' × '),
      `${(share * 100).toFixed(0)} %`,
      '█'.repeat(Math.round(share * 40)),
    ]);
    return [
      `What ${figure} depends on: share of its variance over the space (fANOVA)\n${table([{ title: '' }, { title: '', align: 'right' }, { title: '' }], lines)}`,
    ];
  });
  return parts.join('\n');
}

function cells(figures: Figures, names: readonly string[]): string[] {
  return names.map((name) => figureCell(name, figures[name]));
}

function text(params: ParamTexts): string {
  return Object.entries(params)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ');
}
