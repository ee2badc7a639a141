/** How often returns of each size came, beside a normal distribution, with the value at risk and the expected shortfall. */
import { histogram } from '../../../statistics/histogram.ts';
import { deviation, mean } from '../../../statistics/moments.ts';
import { html, type Markup } from '../../html/markup.ts';
import { box, line, plot, ruleAt, type Place } from '../../html/plot/plot.ts';
import { axisOf, plainTick, scaleOf } from '../../html/plot/scale.ts';
import type { RunReport } from '../../run-report.ts';
import type { Chart } from '../document.ts';
import { metricText, periodName, percent, whole } from '../figures.ts';

/** Places of the curve of the normal distribution. */
const CURVE = 80;

/** Both losses are those of the list of metrics. */
const RISKS = [
  ['valueAtRisk', 'risk', 'value at risk 95 % (VaR)'],
  ['expectedShortfall', 'shortfall', 'expected shortfall 95 % (CVaR)'],
] as const;

export function distributionChart({ returns, metrics }: RunReport): Chart {
  const period = periodName(returns.periodMs);
  return {
    kind: 'chart',
    title: 'Distribution of returns',
    words: `per ${period}: how many periods had which return`,
    draw: () => {
      const sorted = Float64Array.from(returns.strategy).sort();
      if (sorted.length < 2) return html`<p class="soft">There is too little data for this chart.</p>`;
      const risks = RISKS.flatMap(([key, tone, text]) => {
        const known = metrics[key];
        return known?.value == null ? [] : [{ at: -Number(known.value), tone, text: `${text} ${metricText(known)}` }];
      });
      return html`<div id="chart-distribution">${picture(sorted, risks)}${keysOf(risks)}</div>`;
    },
  };
}

interface Risk {
  readonly at: number;
  readonly tone: string;
  readonly text: string;
}

function picture(sorted: Float64Array, risks: readonly Risk[]): Markup {
  const { step, from, counts } = histogram(sorted);
  const end = from + step * counts.length;
  const [middle, spread] = [mean(sorted), deviation(sorted)];
  // As many values as a normal distribution has in a class of this width.
  const normal = (at: number): number =>
    ((sorted.length * step) / (spread * Math.sqrt(2 * Math.PI))) * Math.exp(-(((at - middle) / spread) ** 2) / 2);
  const places = spread > 0 ? Array.from({ length: CURVE + 1 }, (_, k) => from + ((end - from) * k) / CURVE) : [];
  const x = scaleOf([from, end], (value, tick) => `${plainTick(value * 100, tick * 100)} %`);
  const y = scaleOf([0, ...counts, ...places.map(normal)], plainTick, 5);
  const bars = counts.map((count, k) => {
    const [low, high] = [from + k * step, from + (k + 1) * step];
    const text = `${percent(low)} to ${percent(high)}: ${whole(count)} of ${whole(sorted.length)}`;
    // An edge of a class is a multiple of the step, 0 among them up to rounding.
    const tone = low < -step / 2 ? 'bar-down' : 'bar-up';
    return count === 0 ? html`` : box([x.at(low), y.at(0)], [x.at(high), y.at(count)], tone, text);
  });
  const marks = [
    ...bars,
    line(
      places.map((at): Place => [x.at(at), y.at(normal(at))]),
      'ink thin',
    ),
    ...risks.map(({ at, tone }) => ruleAt('x', x.at(at), tone)),
    ruleAt('x', x.at(middle), 'mean'),
  ];
  return plot({ x: axisOf(x), y: axisOf(y, 'periods'), marks, label: 'Number of periods by their return', isSmall: true });
}

function keysOf(risks: readonly Risk[]): Markup {
  const key = (tone: string, text: string): Markup =>
    html`<span class="key"
      ><svg viewBox="0 0 14 12"><line class="rule ${tone}" x2="14" y1="6" y2="6" /></svg>${text}</span
    >`;
  return html`<p class="keys">
    ${risks.map(({ tone, text }) => key(tone, text))} ${key('mean', 'mean')} ${key('normal', 'normal distribution')}
  </p>`;
}
