/* The charts over time, the scatter of excursions and the histogram of holding times, drawn by uPlot. */
'use strict';
{
  const { data, colors, amount, share, shortSpan, moment, group, onRedraw } = window.report;
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

  /** Shades the deepest drawdowns, each with its number in the table. */
  const shades = (u) => {
    const { ctx } = u;
    const { left, top, width, height } = u.bbox;
    ctx.save();
    ctx.beginPath();
    ctx.rect(left, top, width, height);
    ctx.clip();
    ctx.font = `${11 * devicePixelRatio}px system-ui, sans-serif`;
    ctx.textAlign = 'left';
    ctx.textBaseline = 'top';
    for (const [k, { from, to }] of data.worst.entries()) {
      const [x1, x2] = [u.valToPos(from, 'x', true), u.valToPos(to, 'x', true)];
      ctx.fillStyle = colors['down-soft'];
      ctx.fillRect(x1, top, Math.max(x2 - x1, 1), height);
      ctx.fillStyle = colors.down;
      ctx.fillText(String(k + 1), Math.max(x1, left) + 4 * devicePixelRatio, top + 3 * devicePixelRatio);
    }
    ctx.restore();
  };
  const shaded = { hooks: { drawClear: [shades] } };

  const extent = (values) =>
    values.reduce((most, one) => Math.max(most, one), -Infinity) - values.reduce((least, one) => Math.min(least, one), Infinity);
  /** Buying and holding much more than the strategy ever held would press its line flat: then its own is hidden until somebody asks for it. */
  const isHoldShown = extent(data.hold.equity) <= 6 * extent(data.equity);
  const holdName = isHoldShown ? 'buy and hold' : 'buy and hold (click to show)';

  /** Lines of other runs by their label, else violet. */
  const OTHERS = { pessimistic: 'down', optimistic: 'up' };
  draw('chart-equity', 300, () => {
    if (data.time.length < 2) return null;
    const tables = [
      [data.time, data.equity],
      [data.hold.time, data.hold.equity],
      ...data.others.map((one) => [one.time, one.equity]),
    ].filter(([time]) => time.length > 0);
    const columns = uPlot.join(tables);
    const series = [
      line('strategy', 'accent', { width: 2.25, fill: fade('accent'), fillTo: (u) => u.scales.y.min, spanGaps: true }),
      ...(data.hold.time.length > 0 ? [line(holdName, 'hold', { show: isHoldShown, spanGaps: true, dash: [5, 4], width: 1.5 })] : []),
      ...data.others.map((one) => line(one.label, OTHERS[one.label] || 'violet', { spanGaps: true, width: 1.25 })),
    ];
    return { columns, options: overTime(series, compacts, shaded) };
  });

  draw('chart-strategies', 260, () => {
    const { time, names, profit } = data.strategies;
    if (time.length < 2) return null;
    const paints = ['accent', 'violet', 'up', 'warn', 'down', 'soft'];
    const dashes = [[], [6, 4], [2, 3]];
    const look = (k) => ({ dash: dashes[Math.floor(k / paints.length) % dashes.length] });
    const series = names.map((name, k) => line(name, paints[k % paints.length], look(k)));
    return { columns: [time, ...profit], options: overTime(series, compacts) };
  });

  /** The deepest drawdown of the strategy in sight, below 0. */
  function visibleLeast(u) {
    const [times, falls] = u.data;
    const { min = -Infinity, max = Infinity } = u.scales.x;
    const isSeen = (time) => (min === null ? true : time >= min && time <= max);
    return times.reduce((least, time, k) => (isSeen(time) ? Math.min(least, falls[k] ?? 0) : least), -1e-6);
  }

  draw('chart-drawdown', 150, () => {
    if (data.time.length < 2) return null;
    const columns = uPlot.join([
      [data.time, data.drawdown],
      [data.hold.time, data.hold.drawdown],
    ]);
    const value = told(share);
    const series = [
      line('strategy', 'down', { fill: paint('down-soft'), fillTo: 0, spanGaps: true, value }),
      line('buy and hold (click to show)', 'hold', { show: false, spanGaps: true, dash: [5, 4], width: 1.5, value }),
    ];
    // Scaled to the strategy: that of buying and holding may leave the chart.
    const range = (u) => [visibleLeast(u) * 1.08, 0];
    return { columns, options: overTime(series, shares, { scales: { y: { range } } }) };
  });

  draw('chart-exposure', 200, () => {
    if (data.time.length < 2) return null;
    const stepped = uPlot.paths.stepped({ align: 1 });
    const series = [line('exposure', 'violet', { fill: fade('violet'), paths: stepped, width: 1.25 })];
    return { columns: [data.time, data.exposure], options: overTime(series, compacts) };
  });

  draw('chart-returns', 200, () => {
    const { time, share: returns } = data.returns;
    if (time.length < 2) return null;
    const bars = uPlot.paths.bars({ size: [0.8, 24], align: -1 });
    const value = told(share);
    const series = [
      line('gain', 'up', { paths: bars, fill: paint('up'), width: 0, value }),
      line('loss', 'down', { paths: bars, fill: paint('down'), width: 0, value }),
    ];
    const columns = [time, returns.map((one) => (one >= 0 ? one : null)), returns.map((one) => (one < 0 ? one : null))];
    return { columns, options: overTime(series, shares) };
  });

  /** Lines over the periods that a window of them ends with. */
  const rolled = (id, format, text, makeLines) =>
    draw(id, 200, () => {
      if (data.rolling === null) return 'Figures of a year over a window need a run of at least a day, and 20 periods.';
      const lines = makeLines(data.rolling);
      const series = lines.map(([label, name, , more]) => line(label, name, { value: told(text), ...more }));
      return { columns: [data.returns.time, ...lines.map(([, , values]) => values)], options: overTime(series, format) };
    });
  const ratio = (value) => minus(value.toFixed(2));
  const filled = { fill: () => `${colors.accent}26`, fillTo: 0 };
  const dashed = { dash: [5, 4], width: 1.5 };
  rolled('chart-sharpe', compacts, ratio, ({ sharpe, sortino }) => [
    ['Sharpe', 'accent', sharpe, filled],
    ['Sortino', 'violet', sortino, { width: 1.25 }],
  ]);
  rolled('chart-volatility', shares, share, ({ volatility, holdVolatility }) => [
    ['strategy', 'accent', volatility, filled],
    ['buy and hold', 'hold', holdVolatility, dashed],
  ]);
  rolled('chart-beta', compacts, ratio, ({ beta }) => [['beta', 'accent', beta, filled]]);

  draw('chart-profit', 260, () => {
    const { trade, all, long, short } = data.profit;
    if (trade.length < 2) return null;
    const isBoth = long.at(-1) !== 0 && short.at(-1) !== 0;
    return {
      columns: [trade, all, ...(isBoth ? [long, short] : [])],
      options: {
        padding: [8, 26, 0, 0],
        cursor: { points: { size: 6 }, drag: { x: true, y: false } },
        scales: { x: { time: false } },
        series: [
          { label: 'trade', value: told((v) => group(String(v))) },
          line('all', 'accent', { width: 2, ...filled }),
          ...(isBoth ? [line('long', 'up', { width: 1.25 }), line('short', 'violet', { width: 1.25, dash: [5, 4] })] : []),
        ],
        axes: [
          axis({ space: 70, size: 30, values: (_, splits) => splits.map((n) => (Number.isInteger(n) ? group(String(n)) : '')) }),
          axis({ values: compacts, size: 72 }),
        ],
      },
    };
  });

  /** Dots of a facet: losses below wins. */
  function dots(u, k) {
    const size = 5 * devicePixelRatio;
    uPlot.orient(u, k, (series, _x, _y, scaleX, scaleY, valToPosX, valToPosY, left, top, width, height) => {
      const [xs, ys] = u.data[k];
      const { ctx } = u;
      ctx.save();
      ctx.beginPath();
      ctx.rect(left, top, width, height);
      ctx.clip();
      ctx.fillStyle = series.stroke();
      ctx.globalAlpha = xs.length > 400 ? 0.35 : 0.6;
      for (let n = 0; n < xs.length; n++) {
        const x = valToPosX(xs[n], scaleX, width, left);
        const y = valToPosY(ys[n], scaleY, height, top);
        ctx.beginPath();
        ctx.arc(x, y, size / 2, 0, 7);
        ctx.fill();
      }
      ctx.restore();
    });
    return null;
  }

  draw('chart-excursions', 280, () => {
    const { wins, losses, shown, of } = data.dots;
    if (shown === 0) return null;
    const side = ({ mae, mfe }) => [mae.map((one) => -Math.abs(one)), mfe];
    const most = (column) => column.reduce((top, one) => Math.max(top, Math.abs(one)), 0);
    const far = Math.max(most(wins.mae), most(losses.mae)) || 1e-6;
    const high = Math.max(most(wins.mfe), most(losses.mfe)) || 1e-6;
    const facets = [
      { scale: 'x', auto: true },
      { scale: 'y', auto: true },
    ];
    const more = of > shown ? `, ${group(String(shown))} of ${group(String(of))} shown` : '';
    return {
      columns: [null, side(losses), side(wins)],
      options: {
        mode: 2,
        padding: [8, 26, 0, 0],
        cursor: { show: false },
        legend: { live: false },
        scales: { x: { time: false, range: [-far * 1.05, 0] }, y: { range: [0, high * 1.05] } },
        series: [
          {},
          { label: `loss${more}`, stroke: paint('down'), fill: paint('down'), facets, paths: dots },
          { label: 'profit', stroke: paint('up'), fill: paint('up'), facets, paths: dots },
        ],
        axes: [
          axis({ values: shares, label: 'maximum adverse excursion', labelSize: 18, labelFont: '11px system-ui' }),
          axis({ values: shares, size: 64 }),
        ],
      },
    };
  });

  draw('chart-holding', 280, () => {
    const { from, to, wins, losses } = data.holding;
    if (from.length === 0) return null;
    const bars = uPlot.paths.bars({ size: [0.9, 60] });
    const at = from.map((_, k) => k);
    const all = wins.map((n, k) => n + losses[k]);
    return {
      columns: [at, all, wins],
      options: {
        padding: [8, 16, 0, 0],
        cursor: { drag: { x: false, y: false }, points: { show: false } },
        scales: { x: { time: false, range: [-0.6, from.length - 0.4] }, y: { range: (_, _min, max) => [0, Math.max(1, max * 1.05)] } },
        series: [
          {
            label: 'held',
            value: told((v) => (to[v] === null ? `${shortSpan(from[v])} or more` : `${shortSpan(from[v])} to ${shortSpan(to[v])}`)),
          },
          line('losses', 'down', {
            paths: bars,
            fill: paint('down'),
            width: 0,
            value: told((_, k) => String(losses[k])),
          }),
          line('profits', 'up', { paths: bars, fill: paint('up'), width: 0, value: told((_, k) => String(wins[k])) }),
        ],
        axes: [
          axis({
            values: (_, splits) => splits.map((k) => (Number.isInteger(k) && from[k] !== undefined ? `${shortSpan(from[k])}+` : '')),
            grid: { show: false },
          }),
          axis({ values: (_, splits) => splits.map((n) => (Number.isInteger(n) ? group(String(n)) : '')), size: 44 }),
        ],
      },
    };
  });
}
