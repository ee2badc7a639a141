/* The charts of trades: cumulative profit, excursions and holding times, drawn by uPlot. */
'use strict';
{
  const { data, shortSpan, group, paint, axis, compacts, shares, draw, told, line, filled } = window.report;

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
