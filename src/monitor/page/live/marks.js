/** What is drawn over the candles: own fills by shape, halts as bands, and hatched where no price was read. */
import { drawDisc, drawTriangle } from '../../../browser/chart-look.js';
import { model } from '../parts/model.js';

/** The bar in which a time lies: the chart places only times of bars. */
export function placeOf(bars, seconds) {
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

/** From and to in pixels of a span of times; it goes on to the right while `until` is 0. */
function placeOfSpan({ xOf, bars, width }, since, until) {
  const [first, end] = [bars[0]?.time ?? 0, bars.at(-1)?.time ?? 0];
  if (until !== 0 && until / 1000 < first) return null;
  const from = since / 1000 <= first ? 0 : xOf(since / 1000);
  const to = until === 0 || until / 1000 >= end + 60 ? width : xOf(until / 1000);
  return from === null || to === null ? null : [from, Math.max(to, from + 2)];
}

export function drawMarks(pen, { chart, series, bars, symbol, halts, blind, colors, mediaSize: { width, height } }) {
  const scale = chart.timeScale();
  const xOf = (seconds) => scale.timeToCoordinate(placeOf(bars, seconds));
  const place = { xOf, bars, width };
  for (const { from, until } of blind) {
    const span = placeOfSpan(place, from, until);
    if (span !== null) hatch(pen, { from: span[0], to: span[1], height, color: colors.hold });
  }
  for (const { since, until } of halts) {
    const span = placeOfSpan(place, since, until);
    if (span === null) continue;
    const [from, to] = span;
    pen.fillStyle = colors['down-soft'];
    pen.fillRect(from, 0, to - from, height);
    pen.fillStyle = colors.down;
    pen.fillRect(from, 0, 2, height);
    if (until !== 0) pen.fillRect(to - 1, 0, 1, height);
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
