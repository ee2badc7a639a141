/** What is drawn over the candles: own fills by shape, halts as bands, and hatched where no price was seen. */
import { drawDisc, drawTriangle } from '../../../browser/chart-look.js';
import { model } from '../parts/model.js';

const GAP = 3 * 60;

/** Times between bars in which no price was seen: [from, to] in seconds. */
const blindOf = (bars) => bars.slice(1).flatMap((bar, k) => (bar.time - bars[k].time >= GAP ? [[bars[k].time, bar.time]] : []));

const haltsOf = (symbol) =>
  model.halts
    .filter(({ scope }) => scope === 'bot' || scope === `symbol:${symbol}` || scope.startsWith(`leg:${symbol}:`))
    .map(({ since }) => since / 1000);

/** The bar in which a time lies: the chart places only times of bars. */
function placeOf(bars, seconds) {
  let low = 0;
  let high = bars.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (bars[middle].time <= seconds) low = middle;
    else high = middle - 1;
  }
  return bars[low]?.time;
}

function hatch(pen, { from, to, height, color }) {
  pen.save();
  pen.beginPath();
  pen.rect(from, 0, Math.max(6, to - from), height);
  pen.clip();
  pen.strokeStyle = color;
  pen.lineWidth = 1;
  pen.globalAlpha = 0.6;
  pen.beginPath();
  for (let x = from - height; x < to + 8; x += 8) {
    pen.moveTo(x, height);
    pen.lineTo(x + height, 0);
  }
  pen.stroke();
  pen.restore();
}

export function drawMarks(pen, { chart, series, bars, symbol, colors, mediaSize }) {
  const scale = chart.timeScale();
  const xOf = (seconds) => scale.timeToCoordinate(placeOf(bars, seconds));
  for (const [from, to] of blindOf(bars)) {
    const [x1, x2] = [xOf(from), xOf(to)];
    if (x1 !== null && x2 !== null) hatch(pen, { from: x1, to: x2, height: mediaSize.height, color: colors.hold });
  }
  for (const since of haltsOf(symbol)) {
    const x = since <= (bars[0]?.time ?? 0) ? 0 : xOf(since);
    if (x === null) continue;
    pen.fillStyle = colors['down-soft'];
    pen.fillRect(x, 0, mediaSize.width - x, mediaSize.height);
    pen.fillStyle = colors.down;
    pen.fillRect(x, 0, 2, mediaSize.height);
  }
  for (const { time, price, side, effect, symbol: of } of model.fills) {
    if (of !== symbol || price === '' || time / 1000 < (bars[0]?.time ?? 0)) continue;
    const [x, y] = [xOf(time / 1000), series.priceToCoordinate(Number(price))];
    if (x === null || y === null) continue;
    if (effect === 'CLOSE') drawDisc(pen, { x, y, fill: colors.ink, outline: colors.card });
    else
      drawTriangle(pen, {
        x,
        y,
        isUp: side === 'LONG' || side === 'BUY',
        fill: side === 'LONG' || side === 'BUY' ? colors.up : colors.down,
        outline: colors.card,
      });
  }
}
