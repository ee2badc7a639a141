/** The trials of a search as charts: best so far, the front of several objectives, each parameter by itself, and all of them at once. */
import { directionText, type Objective } from '../../../search/trial.ts';
import { html, type Markup } from '../../html/markup.ts';
import { dot, line, lines, plot, ruleAt, steps, type Place } from '../../html/plot/plot.ts';
import { axisOf, plainTick, scaleOf, type Scale } from '../../html/plot/scale.ts';
import type { Chart, Section } from '../document.ts';
import { whole } from '../figures.ts';
import type { SearchResult } from '../../research/search-result.ts';
import { doneTrials, figureScale, parameterAxis, wordsOf, type Done } from './sample.ts';

/** Most trials of which each has a dot. */
const DOTS = 2_000;
const SLICES = 12;

export function historyOf(result: SearchResult): Chart[] {
  const done = doneTrials(result);
  const objective = result.objectives[0];
  if (objective === undefined || done.length === 0) return [];
  const early = result.trials.filter(({ state }) => state === 'pruned').length;
  const words = `${whole(done.length)} trials to the end${early === 0 ? '' : `, ${whole(early)} pruned`}; the line is the best so far`;
  return [{ kind: 'chart', title: `${objective.figure} of each trial`, words, draw: () => historyPlot(result, done, objective) }];
}

function historyPlot(result: SearchResult, done: readonly Done[], objective: Objective): Markup {
  const { figure, direction } = objective;
  const y = scaleFrom(objective, done);
  const last = Math.max(1, result.trials.length - 1);
  const x = scaleOf([0, last], plainTick, 6);
  const best: Place[] = [];
  let value = direction === 'max' ? -Infinity : Infinity;
  for (const { trial, values } of done) {
    if (!trial.meetsConstraints) continue;
    const isBetter = direction === 'max' ? values[0]! > value : values[0]! < value;
    if (!isBetter) continue;
    value = values[0]!;
    best.push([x.at(trial.number), y.at(value)]);
  }
  if (best.length > 0) best.push([x.at(last), y.at(value)]);
  const dots = done.slice(-DOTS).map((one) => {
    const tone = one.trial.meetsConstraints ? '' : 'soft';
    return dot([x.at(one.trial.number), y.at(one.values[0]!)], tone, wordsOf(one, result));
  });
  return plot({
    x: axisOf(x, 'trial'),
    y: axisOf(y),
    marks: [...dots, steps(best, 'warn')],
    label: `${figure} by trial, and the best so far`,
  });
}

/** The scale of an objective. The worst 2 % of the trials may lie beyond it, so that a few do not press the rest together. */
function scaleFrom({ figure, direction }: Objective, done: readonly Done[], k = 0): Scale {
  const sorted = done.map(({ values }) => values[k]!).toSorted((a, b) => a - b);
  const cut = Math.floor(sorted.length / 50);
  return figureScale(figure, direction === 'max' ? sorted.slice(cut) : sorted.slice(0, sorted.length - cut));
}

/** The first two objectives of each trial, and the line of those that no other is better than in both. */
export function frontOf(result: SearchResult): Section[] {
  const [first, second] = result.objectives;
  const done = doneTrials(result);
  if (first === undefined || second === undefined || done.length === 0) return [];
  const draw: Chart['draw'] = () => {
    const [x, y] = [scaleFrom(first, done), scaleFrom(second, done, 1)];
    const at = ({ values }: Done): Place => [x.at(values[0]!), y.at(values[1]!)];
    const chosen = new Set(result.front.map(({ number }) => number));
    const front = done.filter(({ trial }) => chosen.has(trial.number)).toSorted((a, b) => a.values[0]! - b.values[0]!);
    const marks = [
      ...done.slice(-DOTS).map((one) => dot(at(one), chosen.has(one.trial.number) ? 'down' : 'soft', wordsOf(one, result))),
      line(front.map(at), 'warn thin'),
    ];
    return plot({
      x: axisOf(x, first.figure),
      y: axisOf(y, second.figure),
      marks,
      label: `${first.figure} against ${second.figure} of each trial`,
    });
  };
  const words = `no trial is better than these in every objective: ${result.objectives.map(directionText).join(', ')}`;
  return [{ id: 'front', link: 'Front', title: 'The front', words, blocks: [{ kind: 'chart', title: '', words: '', draw }] }];
}

/** The objective over each parameter, the most important first. */
export function slicesOf(result: SearchResult): Section[] {
  const done = doneTrials(result);
  const objective = result.objectives[0];
  if (objective === undefined || done.length < 2) return [];
  const { figure } = objective;
  const shareOf = (name: string): number =>
    (result.importance[figure] ?? []).find(({ params }) => params.length === 1 && params[0] === name)?.share ?? 0;
  const order = [...result.space.entries()].toSorted(([, a], [, b]) => shareOf(b.name) - shareOf(a.name)).slice(0, SLICES);
  const charts = order.map(([k, dimension]): Chart => {
    const draw: Chart['draw'] = () => {
      const y = scaleFrom(objective, done);
      const dots = done.slice(-DOTS).map((one) => {
        const isBest = one.trial.number === result.best?.number;
        return dot([one.place[k]!, y.at(one.values[0]!)], isBest ? 'best' : '', wordsOf(one, result));
      });
      const { ticks } = parameterAxis(dimension, result);
      return plot({ x: { ticks }, y: axisOf(y), marks: dots, label: `${figure} by ${dimension.name}`, isSmall: true });
    };
    return { kind: 'chart', title: dimension.name, words: '', draw };
  });
  return [
    {
      id: 'slices',
      link: 'Parameters',
      title: `${figure} by each parameter`,
      words: 'the most important first; a ring is the best trial',
      blocks: [{ kind: 'beside', look: 'many', blocks: charts }],
    },
  ];
}

/** Every trial as a line over its parameters and objectives; the best tenth stands out. */
export function parallelOf(result: SearchResult): Section[] {
  const done = doneTrials(result);
  const objective = result.objectives[0];
  if (objective === undefined || done.length < 2 || result.space.length < 2) return [];
  return [
    {
      id: 'parallel',
      link: 'All at once',
      title: 'All parameters at once',
      words: `a line is a trial: the best tenth by ${objective.figure} in blue, the best one in orange`,
      blocks: [{ kind: 'chart', title: '', words: '', draw: () => parallelPlot(result, done, objective) }],
    },
  ];
}

function parallelPlot(result: SearchResult, done: readonly Done[], objective: Objective): Markup {
  const { space, objectives } = result;
  const scales = objectives.map((one, k) => scaleFrom(one, done, k));
  const axes = space.length + objectives.length;
  const at = (k: number): number => k / (axes - 1);
  const placesOf = ({ place, values }: Done): Place[] => [
    ...place.map((one, k): Place => [at(k), one]),
    ...values.map((value, k): Place => [at(space.length + k), scales[k]!.at(value)]),
  ];
  const sign = objective.direction === 'max' ? -1 : 1;
  const ranked = done.toSorted((a, b) => sign * (a.values[0]! - b.values[0]!));
  const few = Math.max(1, Math.round(ranked.length / 10));
  const best = done.filter(({ trial }) => trial.number === result.best?.number).map(placesOf);
  const ends = [
    ...space.map((dimension) => {
      const { ticks } = parameterAxis(dimension, result);
      return [dimension.name, ticks[0]?.text ?? '', ticks.at(-1)?.text ?? ''] as const;
    }),
    ...objectives.map(({ figure }, k) => [figure, scales[k]!.ticks[0]?.text ?? '', scales[k]!.ticks.at(-1)?.text ?? ''] as const),
  ];
  const marks = [
    ...ends.map((_, k) => ruleAt('x', at(k), 'axis')),
    lines(ranked.slice(few).slice(-DOTS).map(placesOf), 'faint'),
    lines(ranked.slice(0, few).map(placesOf), 'fine'),
    lines(best, 'warn'),
    ...ends.map(([name, low, high], k) => {
      const end = k === 0 ? 'first' : k === axes - 1 ? 'last' : 'middle';
      return html`<text class="${end}" x="${100 * at(k)}%" y="100%" dy="16">${low}</text>
        <text class="${end}" x="${100 * at(k)}%" y="0" dy="-7">${high}</text>
        <text class="${end} name" x="${100 * at(k)}%" y="100%" dy="31">${name}</text>`;
    }),
  ];
  return plot({ x: { ticks: [] }, y: { ticks: [] }, marks, label: 'parallel coordinates of all trials' });
}
