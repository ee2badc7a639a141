/** Shows how often returns of each size came, beside a normal distribution, with the value at risk and the expected shortfall. */
import { plainTick } from '../../html/plot/scale.ts';
import type { RunReport } from '../../run-report.ts';
import type { Chart } from '../document.ts';
import { metricText, percent, periodName } from '../figures.ts';
import { histogramChart, type Rule } from './histogram-chart.ts';

/** Both losses are those of the list of metrics. */
const RISKS = [
  ['valueAtRisk', 'risk', 'value at risk 95 % (VaR)'],
  ['expectedShortfall', 'shortfall', 'expected shortfall 95 % (CVaR)'],
] as const;

export function distributionChart({ returns, metrics }: RunReport): Chart {
  return {
    kind: 'chart',
    title: 'Distribution of returns',
    words: `per ${periodName(returns.periodMs)}: how many periods had which return`,
    draw: () => {
      const rules = RISKS.flatMap(([key, tone, text]): Rule[] => {
        const known = metrics[key];
        return known?.value == null ? [] : [{ at: -Number(known.value), tone, text: `${text} ${metricText(known)}` }];
      });
      return histogramChart({
        id: 'chart-distribution',
        values: returns.strategy,
        of: 'periods',
        rules,
        text: (value) => percent(value),
        tick: (value, step) => `${plainTick(value * 100, step * 100)} %`,
        hasNormal: true,
      });
    },
  };
}
