/** The trials of a search as texts, places and figures, as its tables and charts need them. */
import { countOf, placeOf, placesOf, valueAt, valueFrom, type Dimension, type ParamValue } from '../../../search/space.ts';
import type { Objective } from '../../../search/trial.ts';
import type { Axis, Tick } from '../../html/plot/plot.ts';
import { plainTick, scaleOf, type Scale } from '../../html/plot/scale.ts';
import { figureText, unitOf } from '../../research/search-figures.ts';
import type { SearchedTrial, SearchResult, Span } from '../../research/search-result.ts';
import type { Figure } from '../document.ts';
import { duration, minute, short, toneOf } from '../figures.ts';

/** Figures beside the objectives. */
const USUAL_COLUMNS: readonly string[] = ['totalReturn', 'sharpe', 'maxDrawdown', 'trades'];

/** The figures that tables of trials show. */
export function columnsOf(objectives: readonly Objective[]): readonly string[] {
  return [...new Set([...objectives.map(({ figure }) => figure), ...USUAL_COLUMNS])];
}

/** A figure of a search; a return is coloured. */
export function searchFigure(name: string, value: number | null | undefined, key?: string): Figure {
  const figure = { text: figureText(name, value), value: value ?? null, tone: name === 'totalReturn' ? toneOf(value ?? 0) : ('' as const) };
  return key === undefined ? figure : { ...figure, key: `${key}.${name}` };
}

export function timesText({ from, to }: Span): string {
  return `${minute(from)} to ${minute(to)} UTC`;
}

export interface Done {
  readonly trial: SearchedTrial;
  /** Place of its parameters in the unit cube, in the order of the space. */
  readonly place: readonly number[];
  /** The figures of the objectives, in their order. */
  readonly values: readonly number[];
}

/** Trials that ran to the end and have every objective, in their order. */
export function doneTrials({ trials, space, objectives }: SearchResult): Done[] {
  return trials.flatMap((trial) => {
    const values = objectives.map(({ figure }) => trial.figures[figure] ?? Number.NaN);
    if (trial.state !== 'done' || !values.every(Number.isFinite)) return [];
    return [{ trial, place: placesOf(space, trial.point), values }];
  });
}

/** "trial 7: fast=5 slow=20, sharpe 1.2". */
export function wordsOf({ trial: { number, params }, values }: Done, { objectives }: SearchResult): string {
  const figures = objectives.map(({ figure }, k) => `${figure} ${figureText(figure, values[k])}`);
  return `trial ${number}: ${paramsText(params)}; ${figures.join(', ')}`;
}

export function paramsText(params: Readonly<Record<string, string>>): string {
  return Object.entries(params)
    .map(([name, value]) => `${name}=${shortValue(value)}`)
    .join(' ');
}

/** The text of a value with six significant digits at most. */
export function shortValue(text: string): string {
  return text.length > 8 && /^-?\d+\.\d+$/.test(text) ? String(Number(Number(text).toPrecision(6))) : text;
}

/** A scale of a figure: shares as percentages. */
export function figureScale(name: string, values: Iterable<number>): Scale {
  const isShare = unitOf(name) === 'share';
  return scaleOf(values, (value, step) => (isShare ? `${plainTick(value * 100, step * 100)} %` : plainTick(value, step)));
}

const TICKS = 5;
const CHOICES = 8;

/** The axis of a parameter: the places of a few of its values. */
export function parameterAxis(dimension: Dimension, { trials }: Pick<SearchResult, 'trials'>): Axis {
  // Values are milliseconds where their texts are durations.
  const { name } = dimension;
  const isDuration = trials.some(({ point, params }) => typeof point[name] === 'number' && Number.isNaN(Number(params[name])));
  const text = (value: ParamValue): string => {
    if (typeof value !== 'number') return String(value);
    return isDuration ? duration(value) : short(value);
  };
  const count = countOf(dimension);
  const isListed = count <= (dimension.kind === 'choice' ? CHOICES : TICKS + 1);
  const shown = Math.min(count, isListed ? count : TICKS);
  const ticks = Array.from({ length: shown }, (_, k): Tick => {
    const value = isListed && dimension.kind !== 'range' ? valueAt(dimension, k) : valueFrom(dimension, shown < 2 ? 0 : k / (shown - 1));
    return { at: placeOf(dimension, value), text: text(value) };
  });
  return { title: name, ticks };
}
