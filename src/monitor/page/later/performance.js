/** Performance: the equity and its drawdown as the monitor saw them, and realised profit by day, strategy and symbol. */
import { h } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { readColors, TIME_TICKS } from '../../../browser/chart-look.js';
import { grouped } from '../../../browser/figures.js';
import { query } from '../parts/connection.js';
import { Profit, PROFIT_SAYS } from '../parts/profit.js';
import { axisLook, later, lineLibrary } from '../parts/library.js';
import { Card, inCoin } from '../parts/elements.js';

const Calendar = later('results', async () => (await import('./results.js')).Calendar);
const Distribution = later('results', async () => (await import('./results.js')).Distribution);

/** Share lost since the highest value before, for each value: a ratio for the picture. */
function drawdowns(values) {
  let high = -Infinity;
  return values.map((value) => {
    high = Math.max(high, value);
    return high > 0 ? value / high - 1 : 0;
  });
}

function Lines({ rows, name, values, color, label }) {
  const place = useRef(null);
  useEffect(() => {
    let chart = null;
    let isGone = false;
    void lineLibrary().then((uPlot) => {
      if (isGone || place.current === null) return;
      const colors = {};
      readColors(colors);
      const axis = axisLook(colors);
      chart = new uPlot(
        {
          width: place.current.clientWidth,
          height: 220,
          tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
          legend: { show: false },
          series: [{ label: 'UTC' }, { label: name, stroke: colors[color], width: 1.75, points: { show: false } }],
          axes: [
            { ...axis, space: 70, values: TIME_TICKS },
            { ...axis, size: 76, values: (_, splits) => splits.map(label) },
          ],
        },
        [rows.map(([time]) => time / 1000), values],
        place.current,
      );
    });
    return () => {
      isGone = true;
      chart?.destroy();
    };
  }, [rows]);
  return h('figure', null, h('figcaption', null, name), h('div', { ref: place, class: 'chart' }));
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
  return [
    h(
      Card,
      { id: 'equity', title: 'Equity', small: inCoin('by the minute, as long as this monitor runs') },
      rows === null || rows.length < 2
        ? h('p', { class: 'empty' }, rows === null ? 'The monitor is asked.' : 'The monitor needs two minutes of equity for a line.')
        : [
            h(Lines, { key: 'equity', rows, values, name: 'Equity', color: 'accent', label: (value) => grouped(value) }),
            h(Lines, {
              key: 'drawdown',
              rows,
              values: drawdowns(values).map((one) => one * 100),
              name: 'Drawdown in percent',
              color: 'down',
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
