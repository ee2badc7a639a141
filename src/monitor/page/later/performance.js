/** Performance: the equity and its drawdown as the monitor saw them, and realised profit by day, strategy and symbol. */
import { h } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { grouped, minus } from '../../../browser/figures.js';
import { query } from '../parts/connection.js';
import { Profit, PROFIT_SAYS } from '../parts/profit.js';
import { withGaps } from '../live/chart-lines.js';
import { later } from '../parts/library.js';
import { Card, inCoin } from '../parts/elements.js';

const Calendar = later('results', async () => (await import('./results.js')).Calendar);
const Plot = later('plot', async () => (await import('./plot.js')).Plot);
const Distribution = later('results', async () => (await import('./results.js')).Distribution);

/** Share lost since the highest value before, for each value, in percent: a ratio for the picture. */
function drawdowns(values) {
  let high = -Infinity;
  return values.map((value) => {
    if (value === null) return null;
    high = Math.max(high, value);
    return high > 0 ? (value / high - 1) * 100 : 0;
  });
}

export function Performance() {
  const [rows, set] = useState(null);
  useEffect(
    () =>
      void query('equity').then(
        (answer) => set(withGaps(answer.rows)),
        () => set([]),
      ),
    [],
  );
  const values = (rows ?? []).map(([, equity]) => (equity === null ? null : Number(equity)));
  const line = ({ title, color, values: those, label }) =>
    h(Plot, {
      key: title,
      title,
      height: 220,
      data: [rows.map(([time]) => time / 1000), those],
      series: [(colors) => ({ stroke: colors[color], width: 1.75, points: { show: false } })],
      y: { values: (_, splits) => splits.map((value) => label(minus(grouped(value)))) },
    });
  return [
    h(
      Card,
      { id: 'equity', title: 'Equity', small: inCoin('by the minute, as long as this monitor runs') },
      rows === null || rows.length < 2
        ? h('p', { class: 'empty' }, rows === null ? 'The monitor is asked.' : 'The monitor needs two minutes of equity for a line.')
        : [
            line({ title: 'Equity', color: 'accent', values, label: (text) => text }),
            line({
              title: 'Drawdown in percent',
              color: 'down',
              values: drawdowns(values),
              label: (text) => `${text} %`,
            }),
          ],
    ),
    h(Calendar, { key: 'calendar' }),
    h(Distribution, { key: 'distribution' }),
    ['day', 'strategy', 'symbol'].map((by) =>
      h(Card, { key: by, id: `by-${by}`, title: `Profit by ${by}`, small: PROFIT_SAYS() }, h(Profit, { by })),
    ),
  ];
}
