/** Generates docs/reference/metrics.md from the tables of metrics. */
import { YEAR_RATIO_DAYS, type Metric } from '../../report/metrics/metric.ts';
import { samplesNeeded } from '../../report/document/figures.ts';
import { METRIC_FAMILIES, METRICS } from '../../report/metrics/metrics.ts';

const UNITS: Readonly<Record<Metric['unit'], string>> = {
  money: 'quote coin',
  share: 'share',
  ratio: 'number',
  count: 'count',
  ms: 'ms',
};

function rowOf([key, { name, formula, source, unit, of, least, ofYear, draws }]: readonly [string, Metric]): string {
  const by = source === '' ? '' : ` (${source})`;
  const own = least === 0 ? '' : samplesNeeded(least, of);
  const needs = ofYear === true ? `${own}, ${YEAR_RATIO_DAYS} day` : own;
  return `| ${name} | \`${key}\` | ${formula}${by} | ${UNITS[unit]} | ${needs} | ${draws === undefined ? '' : draws} |`;
}

export function metricsPage(): string {
  const families = Object.entries(METRIC_FAMILIES).map(([title, family]) => {
    const rows = Object.entries<Metric>(family).map(rowOf);
    return `## ${title}\n\n| metric | key | formula | unit | needs at least | interval |\n|---|---|---|---|---|---|\n${rows.join('\n')}\n`;
  });
  return `# Metrics of a report

Use this page to look up one of the ${Object.keys(METRICS).length} metrics of a report: what it means and how it is computed. \`backtest\` prints twelve of them;
\`backtest --all\` and \`report FILE.json --all\` print all. The JSON has all of them under \`metrics\`, by the key of this page. Generated
by \`npm run docs\` from \`src/report/metrics\`.

- **Periods.** Returns are computed for equal periods. These are whole UTC days, hours, minutes or seconds: the longest that gives
  at least 30 periods. A year has 365 days, because these markets never close. The risk-free rate is 0.
- **Samples.** Drawdowns and exposure are computed from samples of the equity, about 20,000 in a backtest. On a long tape of bars the
  samples are taken at the beginning of bars. The curve of the JSON keeps at most 2,000 of them: \`sample\` of a metric is the number that it
  was computed from.
- **Trades** are positions from flat to flat. Their results are after fees.
- **Too few.** A metric whose sample is smaller than the least needed is not printed. The text says "too few (7 of 30 trades)". Yearly
  ratios of a mean return also need a run of at least a day, because many short periods do not make a mean more certain. A search compares
  such ratios over equal times, so it uses them for shorter runs too.
- **Interval.** The bounds between which 95 % of 500 resamples lie. The stationary block bootstrap (Politis & Romano 1994) draws the
  resamples from periods or trades; the same input gives the same resamples. The mean length of a block depends on the autocorrelation
  (Politis & White 2004, corrected by Patton, Politis & White 2009). More than 20,000 rows get no interval. An interval shows how much
  chance was in this sample. It does not include the effect of choosing the best of many tries.
- **Excursions** (MAE, MFE) compare the average entry price with the price of closing: the bid for a long position, the ask for a short one.
  On a tape of bars they use the paths of the bars. Markouts are unknown there, because the times within a bar are synthetic.

\`test/golden/metrics.test.ts\` compares each of them with empyrical, quantstats, arch or numpy, to 10 digits. \`test/golden/metrics.py\` writes
those values and says where a library defines a metric in another way.

${families.join('\n')}`;
}
