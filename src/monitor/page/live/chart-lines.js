/** Lines of the chart beside its candles: prices of what rests and is held, and the lines that strategies drew. */
import { isAmongPrices, lineLook, longestStep } from '../../../browser/chart-look.js';
import { liveOrders, model } from '../parts/model.js';
import { isUnread } from './legs.js';

/** Prices of what rests and is held: [price, title, colour, style of the line]. */
export function linesOf(symbol) {
  const legs = [...model.positions.values()].filter((leg) => leg.symbol === symbol);
  const orders = liveOrders().filter((one) => one.symbol === symbol);
  const lines = legs.flatMap((leg) => [
    [leg.entryPrice, `${leg.side} ${leg.size}`, 'ink', 0],
    [leg.liquidationPrice, `${leg.side} liquidation`, 'down', 0],
    ...(leg.exits ?? []).map(({ what, price, by }) => [
      price,
      `${what} (${isUnread(leg) ? 'store' : by})`,
      what.includes('stop') ? 'down' : 'up',
      2,
    ]),
  ]);
  // Equal orders are one line: "4 × open SHORT 0.010".
  const resting = orders.map(({ price, trigger, side, effect, size, state }) =>
    [trigger || price, `${effect.toLowerCase()} ${side} ${size}${state === 'unknown' ? ' ?' : ''}`].join('\n'),
  );
  for (const [key, { length }] of Map.groupBy(resting, (one) => one)) {
    const [price, title] = key.split('\n');
    lines.push([price, length > 1 ? `${length} × ${title}` : title, 'accent', 1]);
  }
  return lines.filter(([price]) => price !== '' && Number(price) > 0);
}

/** Rows of before, and in place of the newest of them those of an answer that begins there. */
export const joinedRows = (rows, newer) => (newer.length === 0 ? rows : [...rows.filter(([time]) => time < newer[0][0]), ...newer]);

/** Tells the lines of strategies apart. */
const keyOf = ({ strategy, name }) => JSON.stringify([strategy, name]);

export function joinedLines(lines, newer) {
  const before = new Map(lines.map((line) => [keyOf(line), line.rows]));
  return newer.map((line) => ({ ...line, rows: joinedRows(before.get(keyOf(line)) ?? [], line.rows) }));
}

/** True if a period without prices lies between two times, or at one of them; in milliseconds. */
const isBlindIn = (blind, from, to) => blind.some((one) => one.from < to && (one.until === 0 || one.until > from));

/** Points of a line. Over a gap, and where nothing was read, there is no line: a point from which it would lead over one has no colour. */
function pointsOf(rows, first, blind) {
  const shown = rows.filter(([time]) => time / 1000 >= first);
  const longest = longestStep(shown.map(([time]) => time));
  return shown.map(([time, value], k) => {
    const point = { time: time / 1000, value: Number(value) };
    const [next] = shown[k + 1] ?? [time];
    return next - time > longest || isBlindIn(blind, time, next) ? { ...point, color: 'transparent' } : point;
  });
}

/** Rows of [time, value], and in each gap one without a value, at which a line of uPlot breaks. */
export function withGaps(rows) {
  const longest = longestStep(rows.map(([time]) => time));
  return rows.flatMap((row, k) => (k > 0 && row[0] - rows[k - 1][0] > longest ? [[rows[k - 1][0] + longest, null], row] : [row]));
}

/** Draws the lines of strategies: among the candles where they are prices, else in a pane of their own below. */
export function linesOn(library, chart, { colors, isNarrow }) {
  const drawn = new Map();
  return {
    seriesOf: (line) => drawn.get(keyOf(line)),
    set(lines, bars, blind) {
      const prices = bars.filter(({ close }) => close !== undefined);
      const [least, most] = [Math.min(...prices.map(({ low }) => low)), Math.max(...prices.map(({ high }) => high))];
      for (const line of lines) {
        const { strategy, name, rows } = line;
        const key = keyOf(line);
        if (!drawn.has(key)) {
          const isPrice = isAmongPrices(
            rows.map(([, value]) => Number(value)),
            least,
            most,
          );
          const title = lines.some((one) => one.strategy !== strategy) ? `${strategy}: ${name}` : name;
          const look = lineLook(colors, drawn.size, { title: isNarrow && isPrice ? '' : title });
          drawn.set(key, chart.addSeries(library.LineSeries, look, isPrice ? 0 : 1));
          for (const [k, pane] of chart.panes().entries()) pane.setStretchFactor(k === 0 ? 4 : 1);
        }
        // A line of time begins no earlier than the candles.
        drawn.get(key).setData(pointsOf(rows, bars[0]?.time ?? 0, blind));
      }
    },
  };
}
