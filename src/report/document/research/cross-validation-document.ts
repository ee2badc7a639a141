/** The result of a cross-validation for people: the paths, and each split with its searched and its judged result. */
import { dot, line, plot, ruleAt, type Place } from '../../html/plot/plot.ts';
import { axisOf, plainTick, scaleOf } from '../../html/plot/scale.ts';
import type { CrossValidationResult, Quartiles } from '../../research/cross-validation-result.ts';
import { figureText } from '../../research/search-figures.ts';
import type { Cell, Chart, Document, Fact, Table } from '../document.ts';
import { numbers, words } from '../text-table.ts';
import { duration, percent, whole } from '../figures.ts';
import { figureScale, paramsText, searchFigure, timesText } from './sample.ts';

export function crossValidationDocument(result: CrossValidationResult): Document {
  const { strategy, groups, judging, splits, trials, runs, purgeMs, embargoMs, isComplete } = result;
  const said = [
    timesText({ from: groups[0]!.from, to: groups.at(-1)!.to }),
    `${whole(groups.length)} parts, ${whole(judging)} judge at a time`,
    purgeMs > 0 ? `purge ${duration(purgeMs)}` : '',
    embargoMs > 0 ? `embargo ${duration(embargoMs)}` : '',
    `${whole(trials)} sets of parameters, ${whole(runs)} runs`,
    isComplete ? '' : 'interrupted',
  ];
  return {
    title: `Cross-validation of ${strategy}: ${whole(splits.length)} splits`,
    words: said.filter((one) => one !== '').join(', '),
    sections: [
      { id: 'overview', link: 'Result', title: '', words: '', blocks: [{ kind: 'facts', facts: factsOf(result) }] },
      {
        id: 'paths',
        link: 'Paths',
        title: '',
        words: '',
        blocks: [{ kind: 'beside', look: 'two', blocks: [pathsOf(result), promisesOf(result)] }],
      },
      {
        id: 'splits',
        link: 'Splits',
        title: 'Each split',
        words: 'the best on all other parts, and how it did on those it was not chosen on',
        blocks: [splitsOf(result)],
      },
    ],
  };
}

function factsOf({ objectives, searched, judged, overfitting, losingPaths, paths }: CrossValidationResult): Fact[] {
  const name = objectives[0]!.figure;
  const range = (one: Quartiles | null): string =>
    one === null
      ? 'in no split'
      : `in the median; a quarter below ${figureText(name, one[0])}, a quarter above ${figureText(name, one[2])}`;
  const medianOf = (one: Quartiles | null, key: string): Fact['figure'] => {
    const value = one?.[1] ?? null;
    return { text: figureText(name, value), value, key, tone: (value ?? 0) < 0 ? 'down' : '' };
  };
  return [
    { title: `${name} where chosen`, figure: medianOf(searched, 'searched'), words: range(searched) },
    { title: `${name} where judged`, figure: medianOf(judged, 'judged'), words: range(judged) },
    {
      title: 'Overfitting',
      figure: { text: overfitting === null ? '–' : percent(overfitting, 0), value: overfitting, key: 'overfitting' },
      words: 'of the splits: the chosen one is at most the median of all where it is judged',
    },
    {
      title: 'Paths that lose',
      figure: { text: percent(losingPaths, 0), value: losingPaths, key: 'losingPaths' },
      words: `of ${whole(paths.length)} paths through the tape`,
    },
  ];
}

function pathsOf({ paths, groups }: CrossValidationResult): Chart {
  const draw: Chart['draw'] = () => {
    const y = scaleOf([0, ...paths.flat().map((value) => value - 1)], (value, step) => `${plainTick(value * 100, step * 100)} %`);
    const at = (k: number): number => k / groups.length;
    const curves = paths.map((path) => line([[0, y.at(0)], ...path.map((value, k): Place => [at(k + 1), y.at(value - 1)])], 'fine'));
    const ticks = groups.map((_, k) => ({ at: at(k + 0.5), text: String(k + 1) }));
    const marks = [ruleAt('y', y.at(0), 'start'), ...curves];
    return plot({ x: { ticks, title: 'part' }, y: axisOf(y), marks, label: 'return along each path' });
  };
  return { kind: 'chart', title: 'Return along each path', words: 'each part is judged by a split that did not choose on it', draw };
}

function promisesOf({ splits, objectives }: CrossValidationResult): Chart {
  const name = objectives[0]!.figure;
  const draw: Chart['draw'] = () => {
    const pairs = splits.flatMap(({ chosen, groups }) => {
      const [here, there] = [chosen?.searched[name] ?? null, chosen?.judged[name] ?? null];
      return here === null || there === null ? [] : [{ here, there, groups }];
    });
    const both = figureScale(
      name,
      pairs.flatMap(({ here, there }) => [here, there]),
    );
    const dots = pairs.map(({ here, there, groups }) =>
      dot(
        [both.at(here), both.at(there)],
        there < here ? 'down' : 'up',
        `judged on ${groupsText(groups)}: ${figureText(name, here)} chosen, ${figureText(name, there)} judged`,
      ),
    );
    const same: Place[] = [
      [0, 0],
      [1, 1],
    ];
    return plot({
      x: axisOf(both, 'where chosen'),
      y: axisOf(both, 'where judged'),
      marks: [line(same, 'hold'), ...dots],
      label: 'promised and kept',
    });
  };
  return { kind: 'chart', title: `${name} of each split`, words: 'below the line: less than was promised', draw };
}

/** Groups by their numbers from 1. */
const groupsText = (groups: readonly number[]): string => groups.map((group) => group + 1).join(', ');

function splitsOf({ splits, objectives }: CrossValidationResult): Table {
  const name = objectives[0]!.figure;
  const others = name === 'totalReturn' ? [] : ['totalReturn'];
  return {
    kind: 'table',
    columns: [
      { title: 'judged on' },
      words('parameters'),
      ...[`${name} chosen`, 'judged', 'better than', ...others.map((one) => `${one} judged`)].map(numbers),
    ],
    rows: splits.map(({ groups, chosen }): Cell[] => [
      groupsText(groups),
      paramsText(chosen?.params ?? {}),
      figureText(name, chosen?.searched[name]),
      figureText(name, chosen?.judged[name]),
      chosen?.rank == null ? '–' : percent(chosen.rank, 0),
      ...others.map((one) => searchFigure(one, chosen?.judged[one])),
    ]),
  };
}
