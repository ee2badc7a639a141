/** A chart of uPlot, for the parts that draw figures. Loaded when one of them is first shown. */
import { h } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { readColors, TIME_TICKS } from '../../../browser/chart-look.js';
import { script } from '../parts/library.js';

const library = async () => {
  await script('/app/lib/uplot.js');
  return globalThis.uPlot;
};

const FONT = '11px system-ui, sans-serif';

/**
 * `data` is [x, y, …]; `series` gives the look of each y from (colors, uPlot). The axes `x` and `y` have options of uPlot: a label, how to
 * write values. Without `x` the x values are seconds of UTC.
 */
export function Plot({ title, height, data, series, x, y }) {
  const place = useRef(null);
  const chart = useRef(null);
  const newest = useRef(data);
  newest.current = data;
  useEffect(() => {
    let isGone = false;
    void library().then((uPlot) => {
      if (isGone || place.current === null) return;
      const colors = {};
      readColors(colors);
      const axis = {
        stroke: colors.soft,
        grid: { stroke: colors.line, width: 1 },
        ticks: { show: false },
        font: FONT,
        labelFont: FONT,
        labelSize: 18,
      };
      const isTime = x === undefined;
      chart.current = new uPlot(
        {
          width: place.current.clientWidth,
          height,
          tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
          legend: { show: false },
          scales: { x: { time: isTime } },
          series: [{}, ...series.map((one) => one(colors, uPlot))],
          axes: [
            { ...axis, ...(isTime ? { space: 70, values: TIME_TICKS } : { space: 60, size: 30, ...x }) },
            { ...axis, size: 76, ...y },
          ],
        },
        newest.current,
        place.current,
      );
    });
    return () => {
      isGone = true;
      chart.current?.destroy();
      chart.current = null;
    };
  }, []);
  useEffect(() => chart.current?.setData(data), [data]);
  return h('figure', null, h('figcaption', null, title), h('div', { ref: place, class: 'chart' }));
}
