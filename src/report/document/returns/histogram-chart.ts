/**
 * Draws how often values of each size came: bars whose edges are round numbers, with lines at values that matter. Drawn as markup, so
 * without a script.
 */
import { histogram } from '../../../statistics/samples/histogram.ts';
import { deviation, mean } from '../../../statistics/samples/moments.ts';
import { html, type Markup } from '../../html/markup.ts';
import { box, line, plot, ruleAt, type Place } from '../../html/plot/plot.ts';
import { axisOf, plainTick, scaleOf } from '../../html/plot/scale.ts';
import { whole } from '../figures.ts';

/** A value that has a line, and what it is. */
export interface Rule {
  readonly at: number;
  /** A class that colours it. */
  readonly tone: string;
  readonly text: string;
}

export interface HistogramOptions {
  readonly id: string;
  readonly values: Iterable<number>;
  /** What is counted, in the plural. */
  readonly of: string;
  /** Besides the mean. */
  readonly rules?: readonly Rule[];
  readonly text: (value: number) => string;
  readonly tick: (value: number, step: number) => string;
  /** Beside the curve of a normal distribution of the same mean and deviation. */
  readonly hasNormal?: true;
}

/** Places of the curve. */
const CURVE = 80;

export function histogramChart({ id, values, of, rules = [], text, tick, hasNormal }: HistogramOptions): Markup {
  const sorted = Float64Array.from(values).sort();
  if (sorted.length < 2) return html`<p class="soft" id="${id}">There is too little data for this chart.</p>`;
  const { step, from, counts } = histogram(sorted);
  const end = from + step * counts.length;
  const [middle, spread] = [mean(sorted), deviation(sorted)];
  // As many values as a normal distribution has in a class of this width.
  const normal = (at: number): number =>
    ((sorted.length * step) / (spread * Math.sqrt(2 * Math.PI))) * Math.exp(-(((at - middle) / spread) ** 2) / 2);
  const isCurved = hasNormal === true && spread > 0;
  const places = isCurved ? Array.from({ length: CURVE + 1 }, (_, k) => from + ((end - from) * k) / CURVE) : [];
  const x = scaleOf([from, end], tick, 5);
  const y = scaleOf([0, ...counts, ...places.map(normal)], plainTick, 5);
  const bars = counts.map((count, k) => {
    const [low, high] = [from + k * step, from + (k + 1) * step];
    // An edge of a class is a multiple of the step, 0 among them up to rounding.
    const tone = low < -step / 2 ? 'bar-down' : 'bar-up';
    const said = `${text(low)} to ${text(high)}: ${whole(count)} of ${whole(sorted.length)}`;
    return count === 0 ? html`` : box([x.at(low), y.at(0)], [x.at(high), y.at(count)], tone, said);
  });
  const curve = places.map((at): Place => [x.at(at), y.at(normal(at))]);
  const all: readonly Rule[] = [...rules, { at: middle, tone: 'mean', text: `mean ${text(middle)}` }];
  const marks = [...bars, line(curve, 'ink thin'), ...all.map(({ at, tone }) => ruleAt('x', x.at(at), tone))];
  const keys = [...all.map((rule) => key(rule.tone, rule.text)), ...(isCurved ? [key('normal', 'normal distribution')] : [])];
  return html`<div id="${id}">
    ${plot({ x: axisOf(x), y: axisOf(y, of), marks, label: `number of ${of} by their size`, isSmall: true })}
    <p class="keys">${keys}</p>
  </div>`;
}

function key(tone: string, text: string): Markup {
  return html`<span class="key"
    ><svg viewBox="0 0 14 12"><line class="rule ${tone}" x2="14" y1="6" y2="6" /></svg>${text}</span
  > `;
}
