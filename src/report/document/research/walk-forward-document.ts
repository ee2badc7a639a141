/** The result of a walk-forward for people: the searched and the judged result of each window. */
import { box, line, plot, ruleAt, type Place } from '../../html/plot/plot.ts';
import { axisOf, plainTick, scaleOf, timeScale } from '../../html/plot/scale.ts';
import { figureText } from '../../research/search-figures.ts';
import type { Judged } from '../../research/search-result.ts';
import type { WalkForwardFold, WalkForwardResult } from '../../research/walk-forward-result.ts';
import type { Block, Cell, Chart, Document, Fact, Table } from '../document.ts';
import { numbers, words } from '../text-table.ts';
import { minute, percent, signedPercent, toneOf, whole } from '../figures.ts';
import { columnsOf, paramsText, searchFigure, timesText } from './sample.ts';

export function walkForwardDocument(result: WalkForwardResult): Document {
  const { strategy, folds, isComplete } = result;
  const [first, last] = [folds[0], folds.at(-1)];
  const span = first === undefined || last === undefined ? 'no window' : timesText({ from: first.searched.from, to: last.judged.to });
  return {
    title: `Walk-forward of ${strategy}: ${whole(folds.length)} windows`,
    words: `${span}${isComplete ? '' : ', interrupted'}`,
    sections: [
      { id: 'overview', link: 'Result', title: '', words: '', blocks: [{ kind: 'facts', facts: factsOf(result) }] },
      { id: 'windows', link: 'Windows', title: '', words: '', blocks: folds.length === 0 ? [] : [chartsOf(result)] },
      {
        id: 'table',
        link: 'Table',
        title: 'Each window',
        words: 'the best where it was searched, and the same parameters on what followed; UTC',
        blocks: [windowsOf(result)],
      },
    ],
  };
}

function factsOf({ folds, totalReturn, defaultsReturn, efficiency, profitable }: WalkForwardResult): Fact[] {
  const gain = (value: number, key: string): Fact['figure'] => ({ text: signedPercent(value), value, key, tone: toneOf(value) });
  return [
    {
      title: 'Return of all judged parts',
      figure: gain(totalReturn, 'totalReturn'),
      words: 'of somebody who searched again at each window',
    },
    {
      title: 'The defaults on the same parts',
      figure: gain(defaultsReturn, 'defaultsReturn'),
      words: 'what the search is worth is the difference',
    },
    {
      title: 'Efficiency',
      figure: { text: efficiency === null ? '–' : percent(efficiency, 0), value: efficiency, key: 'efficiency' },
      words: efficiency === null ? 'nothing was earned where it was searched' : 'of the yearly return where searched was left where judged',
    },
    {
      title: 'Windows with a profit',
      figure: { text: percent(profitable, 0), value: profitable, key: 'profitable' },
      words: `of ${whole(folds.length)}`,
    },
  ];
}

const returnOf = (judged: Judged | null, part: 'searched' | 'holdout'): number => judged?.[part]?.['totalReturn'] ?? 0;

function chartsOf(result: WalkForwardResult): Block {
  return { kind: 'beside', look: 'two', blocks: [spansOf(result), curvesOf(result)] };
}

function spansOf({ folds }: WalkForwardResult): Chart {
  const draw: Chart['draw'] = () => {
    const time = timeScale(Math.min(...folds.map(({ searched }) => searched.from)), folds.at(-1)!.judged.to);
    const height = 1 / folds.length;
    const bars = folds.flatMap(({ searched, judged, best }, k) => {
      const [low, high] = [1 - (k + 0.8) * height, 1 - (k + 0.2) * height];
      const gain = returnOf(best, 'holdout');
      const before = `searched ${timesText(searched)}: return ${signedPercent(returnOf(best, 'searched'))}`;
      const after = `judged ${timesText(judged)}: return ${signedPercent(gain)}`;
      return [
        box([time.at(searched.from), low], [time.at(searched.to), high], 'q2', before),
        box([time.at(judged.from), low], [time.at(judged.to), high], `judged-${gain < 0 ? 'down' : 'up'}`, after),
      ];
    });
    const rows = folds.map((_, k) => ({ at: 1 - (k + 0.5) * height, text: String(k + 1) }));
    return plot({ x: axisOf(time), y: { ticks: rows }, marks: bars, label: 'the windows over time' });
  };
  return { kind: 'chart', title: 'The windows', words: 'searched in blue, judged in green or red by its return', draw };
}

function curvesOf({ folds }: WalkForwardResult): Chart {
  const draw: Chart['draw'] = () => {
    const curve = (of: (fold: WalkForwardFold) => number): readonly (readonly [number, number])[] => {
      let value = 1;
      return [[folds[0]!.judged.from, 0], ...folds.map((fold): [number, number] => [fold.judged.to, (value *= 1 + of(fold)) - 1])];
    };
    const chosen = curve(({ best }) => returnOf(best, 'holdout'));
    const defaults = curve((fold) => returnOf(fold.defaults, 'holdout'));
    const all = [...chosen, ...defaults].map(([, value]) => value);
    const y = scaleOf([0, ...all], (value, step) => `${plainTick(value * 100, step * 100)} %`);
    const time = timeScale(folds[0]!.judged.from, folds.at(-1)!.judged.to);
    const places = (points: readonly (readonly [number, number])[]): Place[] => points.map(([at, value]) => [time.at(at), y.at(value)]);
    const marks = [ruleAt('y', y.at(0), 'start'), line(places(defaults), 'hold'), line(places(chosen), '')];
    return plot({ x: axisOf(time), y: axisOf(y), marks, label: 'compounded return of the judged parts' });
  };
  return { kind: 'chart', title: 'Return of the judged parts, one after the other', words: 'dashed: the defaults', draw };
}

function windowsOf({ folds, objectives }: WalkForwardResult): Table {
  const names = columnsOf(objectives);
  const rows = folds.flatMap(({ searched, judged, best, defaults }, k) => {
    const rowOf = (head: readonly [string, string, string], figures: Judged['searched'] | null, params = ''): Cell[] => [
      ...head,
      ...names.map((name): Cell => (figures === null ? figureText(name, null) : searchFigure(name, figures[name]))),
      params,
    ];
    return [
      rowOf([String(k + 1), 'searched', minute(searched.from)], best?.searched ?? null),
      // The parameters stand beside the last part that was run with them.
      rowOf(['', 'judged', minute(judged.from)], best?.holdout ?? null, paramsText(best?.params ?? {})),
      rowOf(['', 'defaults', ''], defaults.holdout),
    ];
  });
  return {
    kind: 'table',
    columns: [{ title: '' }, { title: 'part' }, { title: 'from' }, ...names.map(numbers), words('parameters')],
    rows,
  };
}
