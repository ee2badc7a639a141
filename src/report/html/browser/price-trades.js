/* Draws trades on the chart of prices: a line from entry to exit, dashed to the last bar while open; stop-loss and take-profit as long as they stood. */
'use strict';
{
  const { colors, levels } = window.report;
  /** Places of the figures of a trade. */
  const T = { opened: 0, closed: 1, entry: 2, exit: 3, isLong: 4, stop: 5, target: 6, net: 7, reasonIn: 8, reasonOut: 9 };
  /** With more trades than this in sight, only their lines are drawn. */
  const MARKED_MAX = 400;

  const isOpen = (trade) => trade[T.net] === '';

  /** Trades with the bars that they began and ended in: the chart places only times of bars. */
  function placed({ time }, trades) {
    const barOf = (ms) => time[levels.lastUntil(time, ms)] / 1000;
    return trades.map((trade) => ({ trade, from: barOf(trade[T.opened]), to: barOf(trade[T.closed]) }));
  }

  function drawTrades(pen, { chart, series, trades, chosen }) {
    const scale = chart.timeScale();
    const range = scale.getVisibleRange();
    if (range === null) return;
    const seen = trades.filter(({ from, to }) => to >= range.from && from <= range.to);
    const isMarked = seen.length <= MARKED_MAX;
    for (const { trade, from, to } of seen) {
      const isChosen = trade === chosen;
      const x1 = scale.timeToCoordinate(from);
      const x2 = scale.timeToCoordinate(to);
      if (x1 === null || x2 === null) continue;
      const y1 = series.priceToCoordinate(trade[T.entry]);
      const y2 = series.priceToCoordinate(trade[T.exit]);
      const color = isOpen(trade) ? colors.ink : Number(trade[T.net]) > 0 ? colors.up : colors.down;
      const faint = chosen === null || isChosen ? 1 : 0.35;
      for (const [price, name] of [
        [trade[T.stop], 'down'],
        [trade[T.target], 'up'],
      ]) {
        const y = price > 0 && isMarked ? series.priceToCoordinate(price) : null;
        if (y === null) continue;
        pen.globalAlpha = 0.7 * faint;
        pen.setLineDash([3, 3]);
        pen.strokeStyle = colors[name];
        pen.lineWidth = 1;
        pen.beginPath();
        pen.moveTo(x1, y);
        pen.lineTo(Math.max(x2, x1 + 4), y);
        pen.stroke();
      }
      pen.globalAlpha = (isMarked ? 1 : 0.6) * faint;
      pen.setLineDash(isOpen(trade) ? [6, 4] : []);
      pen.strokeStyle = color;
      pen.lineWidth = isChosen ? 3 : isMarked ? 2 : 1;
      pen.beginPath();
      pen.moveTo(x1, y1);
      pen.lineTo(x2, y2);
      pen.stroke();
      if (!isMarked && !isChosen) continue;
      pen.setLineDash([]);
      drawTriangle(pen, { x: x1, y: y1, isUp: trade[T.isLong] === 1, fill: colors.ink, outline: colors.card });
      if (!isOpen(trade)) drawDisc(pen, { x: x2, y: y2, fill: color, outline: colors.card });
    }
    pen.globalAlpha = 1;
    pen.setLineDash([]);
  }

  /** Distance of a point from the line of a trade, in pixels; Infinity where the trade is not in sight. */
  function distance({ trade, from, to }, { x, y }, chart, series) {
    const scale = chart.timeScale();
    const [x1, x2] = [scale.timeToCoordinate(from), scale.timeToCoordinate(to)];
    const [y1, y2] = [series.priceToCoordinate(trade[T.entry]), series.priceToCoordinate(trade[T.exit])];
    if ([x1, x2, y1, y2].includes(null)) return Infinity;
    const [dx, dy] = [x2 - x1, y2 - y1];
    const along = dx === 0 && dy === 0 ? 0 : Math.min(1, Math.max(0, ((x - x1) * dx + (y - y1) * dy) / (dx * dx + dy * dy)));
    return Math.hypot(x - x1 - along * dx, y - y1 - along * dy);
  }

  window.report.onPrices = { T, MARKED_MAX, isOpen, placed, drawTrades, distance };
}
