/* The charts over time, drawn by uPlot. */
'use strict';
{
  const { data, colors, share, paint, fade, compacts, shares, draw, told, line, overTime, filled } = window.report;

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
}
