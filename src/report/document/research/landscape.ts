/**
 * Shows where in the space of a search the objective is high: a heat map and contour lines of two parameters, and small ones of other
 * pairs.
 */
import { cellsOf, contourOf, surfaceOf, type Sample } from '../../../search/surface.ts';
import { countOf, type Dimension } from '../../../search/space.ts';
import { quantileOfSorted } from '../../../statistics/samples/moments.ts';
import type { Chart, Section } from '../document.ts';
import { whole } from '../figures.ts';
import { figureText } from '../../research/search-figures.ts';
import { html, type Markup } from '../../html/markup.ts';
import { box, dot, lines, mosaic, plot, type Place } from '../../html/plot/plot.ts';
import type { SearchResult } from '../../research/search-result.ts';
import { doneTrials, parameterAxis, paramsText, type Done } from './sample.ts';

/** Fewer results than this make no surface. */
const LEAST = 8;
const CELLS = 16;
const SURFACE = 40;
const LEVELS = 8;
const SMALL_PAIRS = 6;

export function landscapeOf(result: SearchResult): Section[] {
  const done = doneTrials(result);
  const [first, ...others] = rankedPairs(result);
  if (first === undefined || done.length < LEAST) return [];
  const more = others.slice(0, SMALL_PAIRS).map((pair) => contour(result, done, pair, true));
  return [
    {
      id: 'landscape',
      link: 'Heat map',
      title: `Where ${result.objectives[0]!.figure} is good`,
      words: 'the pair that it depends on most; darker is better; a ring is the best trial',
      blocks: [
        { kind: 'beside', look: 'two', blocks: [heatMap(result, done, first), contour(result, done, first, false)] },
        ...(more.length === 0 ? [] : [{ kind: 'beside', look: 'many', blocks: more } as const]),
      ],
    },
  ];
}

type Pair = readonly [x: number, y: number];

/** Pairs of dimensions with more than one value: those of the most important parameters and of strong interactions first. */
function rankedPairs({ space, importance, objectives }: Pick<SearchResult, 'space' | 'importance' | 'objectives'>): Pair[] {
  const rows = importance[objectives[0]?.figure ?? ''] ?? [];
  const shareOf = (...names: readonly string[]): number =>
    rows.find(({ params }) => params.length === names.length && names.every((name) => params.includes(name)))?.share ?? 0;
  const pairs: (readonly [number, Pair])[] = [];
  for (let x = 0; x < space.length; x++) {
    for (let y = x + 1; y < space.length; y++) {
      const [a, b] = [space[x]!, space[y]!];
      if (countOf(a) < 2 || countOf(b) < 2) continue;
      pairs.push([shareOf(a.name) + shareOf(b.name) + shareOf(a.name, b.name), [x, y]]);
    }
  }
  return pairs.toSorted(([a], [b]) => b - a).map(([, pair]) => pair);
}

function sampleOf(done: readonly Done[], [x, y]: Pair): Sample {
  return { x: done.map(({ place }) => place[x]!), y: done.map(({ place }) => place[y]!), values: done.map(({ values }) => values[0]!) };
}

/** The shade of a value: from the 5 % quantile of all trials to the best, so that a few very bad ones do not hide the rest. */
function shades(
  { objectives }: SearchResult,
  done: readonly Done[],
): { readonly low: number; readonly high: number; readonly of: (value: number) => number } {
  const sorted = Float64Array.from(done, ({ values }) => values[0]!).sort();
  const isMore = objectives[0]!.direction === 'max';
  const [worst, best] = isMore ? [quantileOfSorted(sorted, 0.05), sorted.at(-1)!] : [quantileOfSorted(sorted, 0.95), sorted[0]!];
  const share = (value: number): number => (best === worst ? 1 : (value - worst) / (best - worst));
  return { low: worst, high: best, of: (value) => Math.min(LEVELS - 1, Math.max(0, Math.floor(share(value) * LEVELS))) };
}

/** Cells of a parameter: its values if they are few. */
function cellCount(dimension: Dimension): number {
  return Math.min(CELLS, countOf(dimension));
}

function heatMap(result: SearchResult, done: readonly Done[], [x, y]: Pair): Chart {
  const draw: Chart['draw'] = () => {
    const [across, up] = [result.space[x]!, result.space[y]!];
    const [columns, rows] = [cellCount(across), cellCount(up)];
    const shade = shades(result, done);
    const { figure } = result.objectives[0]!;
    const cells = cellsOf(sampleOf(done, [x, y]), columns, rows).map(({ column, row, mean, trials }) =>
      box(
        [column / columns, row / rows],
        [(column + 1) / columns, (row + 1) / rows],
        `q${shade.of(mean)}`,
        `${figure} ${figureText(figure, mean)}, mean of ${whole(trials)} ${trials === 1 ? 'trial' : 'trials'}`,
      ),
    );
    const marks = [...cells, ...bestDot(result, done, [x, y])];
    const label = `heat map of ${figure} over ${across.name} and ${up.name}`;
    return html`${plot({ x: parameterAxis(across, result), y: parameterAxis(up, result), marks, label })} ${key(result, done)}`;
  };
  return { kind: 'chart', title: 'Heat map', words: 'mean of the trials in each cell; empty cells had none', draw };
}

function contour(result: SearchResult, done: readonly Done[], [x, y]: Pair, isSmall: boolean): Chart {
  const [across, up] = [result.space[x]!, result.space[y]!];
  const draw: Chart['draw'] = () => {
    const shade = shades(result, done);
    const surface = surfaceOf(sampleOf(done, [x, y]), SURFACE);
    // A square of the picture stands for the point of the surface in its middle.
    const tones = [...surface.values].map((value) => (Number.isNaN(value) ? '' : `q${shade.of(value)}`));
    const levels = Array.from({ length: LEVELS - 1 }, (_, k) => shade.low + ((shade.high - shade.low) * (k + 1)) / LEVELS);
    const pieces = levels.flatMap((level) =>
      contourOf(surface, level).map(([ax, ay, bx, by]): Place[] => [
        [ax, ay],
        [bx, by],
      ]),
    );
    const dots = isSmall ? [] : done.map(({ place }) => dot([place[x]!, place[y]!], 'tried'));
    const marks = [mosaic(tones, SURFACE), lines(pieces, 'contour'), ...dots, ...bestDot(result, done, [x, y])];
    const label = `contour lines of ${result.objectives[0]!.figure} over ${across.name} and ${up.name}`;
    return plot({ x: parameterAxis(across, result), y: parameterAxis(up, result), marks, label, isSmall });
  };
  return isSmall
    ? { kind: 'chart', title: `${across.name} and ${up.name}`, words: '', draw }
    : { kind: 'chart', title: 'Contour lines', words: 'smoothed over the trials near; blank where none was', draw };
}

function bestDot(result: SearchResult, done: readonly Done[], [x, y]: Pair): Markup[] {
  const best = done.find(({ trial }) => trial.number === result.best?.number);
  return best === undefined ? [] : [dot([best.place[x]!, best.place[y]!], 'best', `the best: ${paramsText(best.trial.params)}`)];
}

function key(result: SearchResult, done: readonly Done[]): Markup {
  const { low, high } = shades(result, done);
  const { figure } = result.objectives[0]!;
  const cells = Array.from({ length: LEVELS }, (_, k) => html`<rect class="q${k}" x="${k * 16}" width="16" height="10" />`);
  return html`<p class="keys scale">
    <span>${figure} ${figureText(figure, low)}</span><svg viewBox="0 0 128 10">${cells}</svg><span>${figureText(figure, high)}</span>
  </p>`;
}
