/** The result of a search for people: how much luck explains, how the best trial does out of sample, and what the objective depends on. */
import { dimensionText } from '../../../search/space.ts';
import { constraintText, directionText } from '../../../search/trial.ts';
import { figureText } from '../../research/search-figures.ts';
import type { Judged, SearchResult } from '../../research/search-result.ts';
import { notesSection, sentence, type Cell, type Document, type Item, type Section, type Table } from '../document.ts';
import { numbers, words } from '../text-table.ts';
import { percent, whole } from '../figures.ts';
import { landscapeOf } from './landscape.ts';
import { columnsOf, doneTrials, paramsText, searchFigure, shortValue, timesText } from './sample.ts';
import { selectionBiasSection } from './selection-bias-section.ts';
import { frontOf, historyOf, parallelOf, slicesOf } from './trial-charts.ts';

/** Trials in the table of the best. */
const BEST = 10;

export function searchDocument(result: SearchResult): Document {
  const { strategy, trials, counts, sampler, seed, searched, hash, selectionBias, notes, isComplete } = result;
  const interrupted = `interrupted after ${whole(trials.length)} trials; with --study FILE the same command continues the search.`;
  const said = [
    timesText(searched),
    `${whole(counts.done)} to the end`,
    counts.pruned > 0 ? `${whole(counts.pruned)} pruned` : '',
    counts.failed > 0 ? `${whole(counts.failed)} without a result` : '',
    `sampler ${sampler}, seed ${seed}, hash ${hash}`,
  ];
  return {
    title: `Search of ${strategy}: ${whole(trials.length)} trials`,
    words: said.filter((one) => one !== '').join(', '),
    sections: [
      ...notesSection(isComplete ? notes : [interrupted, ...notes]),
      ...selectionBiasSection(selectionBias),
      ...judgedOf(result),
      ...trialsOf(result),
      ...frontOf(result),
      ...landscapeOf(result),
      ...slicesOf(result),
      ...parallelOf(result),
      ...bestOf(result),
      settingsOf(result),
    ],
  };
}

/** The chosen trials and the defaults: the part that was searched beside the part that took no part in it. */
function judgedOf({ front, defaults, objectives, holdout, best }: SearchResult): Section[] {
  if (best === null) return [];
  const names = columnsOf(objectives);
  const heldOut = heldOutSentence(best, objectives[0]!.figure);
  return [
    {
      id: 'judged',
      link: 'Held out',
      title: front.length > 1 ? 'The front: no trial is better than these in every objective' : 'The best trial',
      words: holdout === null ? 'nothing was held out' : `held out: ${timesText(holdout)}, which took no part in the search`,
      blocks: [
        ...(heldOut === '' ? [] : [sentence(heldOut)]),
        {
          kind: 'table',
          columns: [{ title: '' }, words('parameters'), { title: 'part' }, ...names.map(numbers)],
          rows: [...front, defaults].flatMap((one) => judgedRows(one, names, holdout !== null)),
        },
      ],
    },
  ];
}

function heldOutSentence({ searched, holdout }: Judged, figure: string): string {
  const [here, there] = [searched[figure] ?? null, holdout?.[figure] ?? null];
  if (here === null || there === null) return '';
  return `The best has ${figure} ${figureText(figure, here)} where it was searched, and ${figureText(figure, there)} where it was not.`;
}

/** The parameters stand in the last row of a trial, so that they are below both rows if there is no room beside them. */
function judgedRows({ number, params, searched, holdout, error = '' }: Judged, names: readonly string[], hasHoldout: boolean): Cell[][] {
  const title = number === null ? 'defaults' : `trial ${number}`;
  const given = [number === null ? '' : paramsText(params), error].filter((one) => one !== '').join(', ');
  const rowOf = (head: readonly string[], figures: Judged['searched'], key: string): Cell[] => [
    ...head,
    ...names.map((name) => searchFigure(name, figures[name], key)),
  ];
  if (!hasHoldout) return [rowOf([title, given, 'searched'], searched, 'searched')];
  return [rowOf([title, '', 'searched'], searched, 'searched'), rowOf(['', given, 'held out'], holdout ?? {}, 'holdout')];
}

function trialsOf(result: SearchResult): Section[] {
  const parts = [...historyOf(result), ...importanceOf(result)];
  return parts.length === 0
    ? []
    : [{ id: 'trials', link: 'Trials', title: '', words: '', blocks: [{ kind: 'beside', look: 'two', blocks: parts }] }];
}

/** How much each objective depends on each parameter, and on two of them together. */
function importanceOf({ importance }: SearchResult): Table[] {
  return Object.entries(importance).flatMap(([figure, rows]) => {
    if (rows === null) return [];
    const shown = rows.filter(({ params, share }) => params.length === 1 || share >= 0.02).slice(0, 10);
    return [
      {
        kind: 'table',
        title: `What ${figure} depends on`,
        words: 'share of its variance over the space (fANOVA)',
        columns: [{ title: '' }, numbers(''), { title: '', bar: 'left' }],
        rows: shown.map(({ params, share }): Cell[] => [params.join(' × '), percent(share, 0), { text: '', value: share }]),
      },
    ];
  });
}

function bestOf(result: SearchResult): Section[] {
  const { objectives, space, front } = result;
  const [objective] = objectives;
  if (objective === undefined || front.length > 1) return [];
  const sign = objective.direction === 'max' ? -1 : 1;
  const best = doneTrials(result)
    .filter(({ trial }) => trial.meetsConstraints)
    .toSorted((a, b) => sign * (a.values[0]! - b.values[0]!) || a.trial.number - b.trial.number);
  if (best.length < 2) return [];
  const names = columnsOf(objectives);
  return [
    {
      id: 'best',
      link: 'Best trials',
      title: 'The best on the searched part',
      words: 'chosen for being large: the first of them are lucky as well as good',
      blocks: [
        {
          kind: 'table',
          columns: [numbers('trial'), ...space.map(({ name }) => ({ ...numbers(name), flows: true as const })), ...names.map(numbers)],
          rows: best
            .slice(0, BEST)
            .map(({ trial: { number, params, figures } }) => [
              String(number),
              ...space.map(({ name }) => shortValue(params[name] ?? '')),
              ...names.map((name) => searchFigure(name, figures[name])),
            ]),
        },
      ],
    },
  ];
}

function settingsOf({ space, fixed, objectives, constraints, performance: { wallMs, runs, workers } }: SearchResult): Section {
  const items: Item[] = [
    ...space.map((dimension) => ['searched', dimensionText(dimension)] as const),
    ...Object.entries(fixed).map(([name, value]) => ['fixed', `${name} = ${value}`] as const),
    ...objectives.map((one) => ['by', directionText(one)] as const),
    ...constraints.map((one) => ['constraint', constraintText(one)] as const),
    ['time', `${(wallMs / 1000).toFixed(1)} s, ${whole(runs)} runs by ${workers} ${workers === 1 ? 'worker' : 'workers'}`],
  ];
  return {
    id: 'settings',
    link: 'Space',
    title: 'What was searched',
    words: '',
    blocks: [{ kind: 'list', items }],
  };
}
