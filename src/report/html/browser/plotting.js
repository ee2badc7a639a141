/* What the charts that uPlot draws share: axes, how ticks are written, lines, and when a chart is drawn again. */
'use strict';
{
  const { colors, amount, moment, group, onRedraw } = window.report;
  const sync = uPlot.sync('time');
  const tzDate = (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC');
  const paint = (name) => () => colors[name];

  /** Soft fill below a line, from its colour to nothing. */
  const fade = (name) => (chart) => {
    const { top, height } = chart.bbox;
    if (!Number.isFinite(height) || height <= 0) return colors[name];
    const gradient = chart.ctx.createLinearGradient(0, top, 0, top + height);
    gradient.addColorStop(0, `${colors[name]}40`);
    gradient.addColorStop(1, `${colors[name]}05`);
    return gradient;
  };

  const axis = (more) => ({
    stroke: paint('soft'),
    font: '11px system-ui, sans-serif',
    grid: { stroke: paint('line'), width: 1 },
    ticks: { show: false },
    ...more,
  });

  /** Decimals that tell the ticks of an axis apart: 2 for steps of 0.25. */
  function decimalsOf(step) {
    const size = Math.abs(step) || 1;
    for (let digits = 0; digits < 8; digits++) {
      const scaled = size * 10 ** digits;
      if (scaled > 0.5 && Math.abs(scaled - Math.round(scaled)) < 1e-4 * scaled) return digits;
    }
    return 8;
  }

  /** Short form of amounts on an axis: 12.5M. */
  function compact(value, step) {
    const size = Math.abs(value);
    if (size >= 1e7) return minus(`${Number((value / 1e6).toPrecision(5))}M`);
    return minus(group(value.toFixed(decimalsOf(step))));
  }
  const compacts = (_, splits) => splits.map((one) => (one === null ? '' : compact(one, splits[1] - splits[0])));
  const shares = (_, splits) => {
    const digits = decimalsOf((splits[1] - splits[0]) * 100);
    return splits.map((one) => (one === null ? '' : `${minus((one * 100).toFixed(digits))} %`));
  };

  /** Draws a chart into a place, and again when the page changes. `make` gives options without sizes; null or why where there is nothing to draw. */
  function draw(id, height, make) {
    const place = document.getElementById(id);
    if (place === null) return;
    let chart = null;
    const go = () => {
      const range = chart !== null && chart.scales.x.time ? [chart.scales.x.min, chart.scales.x.max] : null;
      if (chart !== null) chart.destroy();
      place.replaceChildren();
      const made = make();
      if (made === null || typeof made === 'string') {
        const none = document.createElement('p');
        none.className = 'none';
        none.textContent = made || 'There is too little data for this chart.';
        place.append(none);
        return;
      }
      const narrow = place.clientWidth < 460;
      chart = new uPlot(
        { width: place.clientWidth, height: narrow ? Math.min(height, 220) : height, ...made.options },
        made.columns,
        place,
      );
      if (range !== null) chart.setScale('x', { min: range[0], max: range[1] });
      window.report.drawn++;
    };
    go();
    onRedraw(go);
  }

  /** What a legend says of a value: nothing while the mouse is elsewhere. */
  const told = (text) => (_, v, _series, k) => (k === null || k === undefined ? '' : v === null || v === undefined ? '–' : text(v, k));
  const line = (label, name, more) => ({
    label,
    stroke: paint(name),
    width: 1.75,
    points: { show: false },
    value: told(amount),
    ...more,
  });
  const timeSeries = { label: 'UTC', value: told(moment) };
  const overTime = (series, format, more) => ({
    tzDate,
    cursor: { sync: { key: sync.key, setSeries: false }, points: { size: 6 }, drag: { x: true, y: false } },
    padding: [8, 26, 0, 0],
    series: [timeSeries, ...series],
    axes: [axis({ space: 70, values: TIME_TICKS }), axis({ values: format, size: 72 })],
    ...more,
  });
  const filled = { fill: () => `${colors.accent}26`, fillTo: 0 };

  Object.assign(window.report, { paint, fade, axis, compacts, shares, draw, told, line, overTime, filled });
}
