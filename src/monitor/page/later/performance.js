/** Performance: the equity and its drawdown as the monitor saw them, and realised profit by day, strategy and symbol. */
import { h } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { grouped } from '../../../browser/figures.js';
import { query } from '../parts/connection.js';
import { Profit, PROFIT_SAYS } from '../parts/profit.js';
import { later } from '../parts/library.js';
import { Card, inCoin } from '../parts/elements.js';

const Calendar = later('results', async () => (await import('./results.js')).Calendar);
const Plot = later('plot', async () => (await import('./plot.js')).Plot);
const Distribution = later('results', async () => (await import('./results.js')).Distribution);

/** Share lost since the highest value before, for each value: a ratio for the picture. */
function drawdowns(values) {
  let high = -Infinity;
  return values.map((value) => {
    high = Math.max(high, value);
    return high > 0 ? value / high - 1 : 0;
  });
}

export function Performance() {
  const [rows, set] = useState(null);
  useEffect(
    () =>
      void query('equity').then(
        (answer) => set(answer.rows),
        () => set([]),
      ),
    [],
  );
  const values = (rows ?? []).map(([, equity]) => Number(equity));
  const line = ({ title, color, values: those, label }) =>
    h(Plot, {
      key: title,
      title,
      height: 220,
      data: [rows.map(([time]) => time / 1000), those],
      series: [(colors) => ({ stroke: colors[color], width: 1.75, points: { show: false } })],
      y: { values: (_, splits) => splits.map(label) },
    });
  return [
    h(
      Card,
      { id: 'equity', title: 'Equity', small: inCoin('by the minute, as long as this monitor runs') },
      rows === null || rows.length < 2
        ? h('p', { class: 'empty' }, rows === null ? 'The monitor is asked.' : 'The monitor needs two minutes of equity for a line.')
        : [
            line({ title: 'Equity', color: 'accent', values, label: (value) => grouped(value) }),
            line({
              title: 'Drawdown in percent',
              color: 'down',
              values: drawdowns(values).map((one) => one * 100),
              label: (value) => `${value} %`,
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
