/** How charts look on every page of the program: colours of the scheme, candles, and the marks of fills. */

const NAMES = [
  'card',
  'ink',
  'soft',
  'line',
  'accent',
  'up',
  'down',
  'warn',
  'hold',
  'violet',
  'teal',
  'pink',
  'olive',
  'up-soft',
  'down-soft',
];

/** Writes the colours of the scheme that is shown into `colors`. */
export function readColors(colors) {
  const look = getComputedStyle(document.documentElement);
  for (const name of NAMES) colors[name] = look.getPropertyValue(`--${name}`).trim();
}

/** Options of a chart of Lightweight Charts. */
export const chartLook = (colors, barMs) => ({
  layout: {
    background: { color: colors.card },
    textColor: colors.soft,
    fontFamily: 'system-ui, sans-serif',
    fontSize: 11,
    attributionLogo: true,
  },
  grid: { vertLines: { color: colors.line }, horzLines: { color: colors.line } },
  rightPriceScale: { borderColor: colors.line },
  timeScale: { borderColor: colors.line, timeVisible: true, secondsVisible: barMs < 60_000, minBarSpacing: 0.05 },
  crosshair: { mode: 0 },
});

/** Options of its series of candles. */
export const candleLook = (colors) => ({
  upColor: colors['up-soft'],
  downColor: colors['down-soft'],
  borderUpColor: colors.up,
  borderDownColor: colors.down,
  wickUpColor: colors.up,
  wickDownColor: colors.down,
});

/** A triangle for an opening fill, upwards for a long position and downwards for a short one. Outlined, so that marks on one another are told apart. */
export function drawTriangle(pen, { x, y, isUp, fill, outline }) {
  const up = isUp ? 1 : -1;
  pen.fillStyle = fill;
  pen.strokeStyle = outline;
  pen.lineWidth = 1.5;
  pen.beginPath();
  pen.moveTo(x, y - 6 * up);
  pen.lineTo(x + 5, y + 4 * up);
  pen.lineTo(x - 5, y + 4 * up);
  pen.closePath();
  pen.stroke();
  pen.fill();
}

/** A disc for a closing fill. */
export function drawDisc(pen, { x, y, fill, outline }) {
  pen.fillStyle = fill;
  pen.strokeStyle = outline;
  pen.lineWidth = 1.5;
  pen.beginPath();
  pen.arc(x, y, 3.5, 0, 7);
  pen.stroke();
  pen.fill();
}

/** Colours of the lines that strategies draw, in turn; then the same, dashed. */
const LINE_COLORS = ['accent', 'violet', 'warn', 'ink', 'teal', 'pink', 'olive', 'soft'];

/** Options of the series of line number `k` that a strategy drew. */
export const lineLook = (colors, k, { title }) => ({
  color: colors[LINE_COLORS[k % LINE_COLORS.length]],
  lineWidth: 1,
  lineStyle: Math.floor(k / LINE_COLORS.length) % 4,
  title,
  priceScaleId: 'right',
  priceLineVisible: false,
  lastValueVisible: true,
});

/** True if most values lie among prices from `least` to `most`, so that both share a scale. */
export function isAmongPrices(values, least, most) {
  const near = values.filter((value) => value > least / 2 && value < most * 2);
  return near.length >= values.length / 2;
}

/** The mark of a bar in which a strategy noted something. */
export const noteMark = (colors, time) => ({ time, position: 'aboveBar', shape: 'square', size: 0.6, color: colors.soft });

/** Of ten steps between points nine are at most as long as the usual one; one of so many times that is a gap. */
const GAP = 4;

/** The longest step between two of these times that is no gap in a line through them. */
export function longestStep(times) {
  const steps = times
    .slice(1)
    .map((at, k) => at - times[k])
    .sort((a, b) => a - b);
  return GAP * (steps[Math.floor(steps.length * 0.9)] ?? Infinity);
}

const DAY = '\n{D} {MMM}';

/** Times of an axis of uPlot by the step between two of them; the date stands below the first time of a day. */
export const TIME_TICKS = [
  [86_400 * 365, '{YYYY}', null, null, null, null, null, null, 1],
  [86_400 * 28, '{MMM}', '\n{YYYY}', null, null, null, null, null, 1],
  [86_400, '{D} {MMM}', '\n{YYYY}', null, null, null, null, null, 1],
  [60, '{HH}:{mm}', DAY, null, DAY, null, null, null, 1],
  [1, '{HH}:{mm}:{ss}', DAY, null, DAY, null, null, null, 1],
];
