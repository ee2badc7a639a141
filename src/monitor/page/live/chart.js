/** Candles of one symbol with what the bot did and holds there. */
import { h } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { candleLook, chartLook, noteMark, readColors } from '../../../browser/chart-look.js';
import { clock, grouped } from '../../../browser/figures.js';
import { query } from '../parts/connection.js';
import { candleLibrary } from '../parts/library.js';
import { model, now, onChange } from '../parts/model.js';
import { Card } from '../parts/elements.js';
import { joinedLines, joinedRows, linesOf, linesOn } from './chart-lines.js';
import { drawMarks, placeOf } from './marks.js';

const MINUTE = 60_000;
const REFRESH_MS = 2_000;
/** Minutes that a chart shows at most. */
const SLOTS_MOST = 5_000;

const barOf = ([time, open, high, low, close]) => ({
  time: time / 1000,
  open: Number(open),
  high: Number(high),
  low: Number(low),
  close: Number(close),
});
const decimalsOf = (rows) =>
  Math.max(0, ...rows.slice(-20).flatMap((row) => row.slice(1).map((text) => (String(text).split('.')[1] ?? '').length)));

/** Symbols that are worth a look: of positions, orders and strategies; then all others. */
function symbolsOf() {
  const first = [...model.positions.values(), ...model.orders.values()].map(({ symbol }) => symbol);
  const traded = (model.status?.strategies ?? []).flatMap(({ symbols }) => symbols);
  return [...new Set([...first, ...traded, ...model.quotes.keys()])];
}

/** Slots of the chart by minute: bars, and empty ones where no price came, so that the distance is the time. */
function slotsOf(rows) {
  const slots = [];
  for (const row of rows) {
    const bar = barOf(row);
    for (let time = (slots.at(-1)?.time ?? bar.time) + 60; time < bar.time && slots.length < SLOTS_MOST; time += 60) slots.push({ time });
    slots.push(bar);
  }
  return slots;
}

/** Notes on the symbol, by the time of the bar in which they were made. */
function notesOf(symbol, bars) {
  const notes = new Map();
  for (const { symbol: of, strategy, text, time } of model.notes) {
    if (of !== symbol || time / 1000 < (bars[0]?.time ?? Infinity)) continue;
    const at = placeOf(bars, time / 1000);
    notes.set(at, [...(notes.get(at) ?? []), `${strategy}: “${text}”`]);
  }
  return notes;
}

/** On a chart as narrow as this, names of lines would cover the newest candles: they stand below it. */
const NARROW = 500;

/** Pixels at the right of the newest candle, where the names of lines stand: at least for a name of 20 letters. */
const roomFor = (width, names) =>
  width < NARROW ? 24 : Math.min(width / 3, 16 + 6.2 * Math.max(20, ...names.map(({ length }) => length)));

/** Makes the chart in a place. `tell` gets what stands under the pointer, `nameLines` the lines that the chart does not name. Gives what removes it. */
function draw(library, place, { symbol, answer, tell, nameLines }) {
  const colors = {};
  readColors(colors);
  let { rows, lines, halts, blind } = answer;
  const isNarrow = place.clientWidth < NARROW;
  const size = () => ({ width: place.clientWidth, height: place.clientWidth < NARROW ? 280 : 380 });
  const chart = library.createChart(place, { ...size(), ...chartLook(colors, MINUTE) });
  const decimals = decimalsOf(rows);
  const priceText = (price) => grouped(price.toFixed(decimals));
  const series = chart.addSeries(library.CandlestickSeries, {
    ...candleLook(colors),
    priceFormat: { type: 'custom', formatter: priceText, minMove: 1 / 10 ** decimals },
  });
  let bars = [];
  const paint = (target) =>
    target.useMediaCoordinateSpace(({ context, mediaSize }) =>
      drawMarks(context, { chart, series, bars, symbol, halts, blind, colors, mediaSize }),
    );
  series.attachPrimitive({ paneViews: () => [{ zOrder: () => 'top', renderer: () => ({ draw: paint }) }] });
  const marks = library.createSeriesMarkers(series, []);
  let notes = new Map();
  const strategyLines = linesOn(library, chart, { colors, isNarrow });
  let noted = '';
  function setNotes() {
    notes = notesOf(symbol, bars);
    const times = [...notes.keys()].sort((a, b) => a - b);
    if (JSON.stringify(times) === noted) return;
    noted = JSON.stringify(times);
    marks.setMarkers(times.map((time) => noteMark(colors, time)));
  }
  function setAll() {
    bars = slotsOf(rows);
    series.setData(bars);
    strategyLines.set(lines, bars, blind);
    setNotes();
  }
  setAll();
  const width = place.clientWidth;
  const rightOffsetPixels = roomFor(width, [...linesOf(symbol).map(([, title]) => title), ...lines.map(({ name }) => name)]);
  // Two hours, less the scale of prices.
  const barSpacing = Math.min(40, (width - 64 - rightOffsetPixels) / Math.min(bars.length, 120));
  chart.timeScale().applyOptions({ rightOffsetPixels, barSpacing });

  chart.subscribeCrosshairMove(({ time, seriesData }) => {
    const bar = seriesData.get(series);
    if (time === undefined || bar === undefined) return tell('');
    const ohlc = ['open', 'high', 'low', 'close'].map((name) => `${name} ${priceText(bar[name])}`).join('  ');
    const values = lines.map((line) => {
      const point = seriesData.get(strategyLines.seriesOf(line));
      return point === undefined ? '' : ` · ${line.name} ${grouped(String(point.value))}`;
    });
    tell(`${clock(time * 1000)}   ${ohlc}${values.join('')}${(notes.get(time) ?? []).map((text) => ` · ${text}`).join('')}`);
  });

  /** What the chart was last asked for; it is asked again when one of them changes. */
  const reasons = () =>
    `${Math.floor(now() / MINUTE)} ${model.plotted.get(symbol) ?? 0} ${JSON.stringify(model.halts.map(({ scope, code }) => scope + code))}`;
  let asked = reasons();
  let askedAt = 0;
  let isGone = false;
  async function refresh() {
    if (model.past !== null || reasons() === asked || Date.now() - askedAt < REFRESH_MS) return;
    asked = reasons();
    askedAt = Date.now();
    try {
      const newer = await query('bars', { symbol, from: rows.at(-1)?.[0] ?? '' });
      if (isGone) return;
      rows = joinedRows(rows, newer.rows);
      lines = joinedLines(lines, newer.lines);
      ({ halts, blind } = newer);
      setAll();
    } catch {
      // The bar of the page says that the monitor is not reached; the next change asks again.
      asked = '';
    }
  }
  let shown = '';
  function update() {
    const last = Number(model.quotes.get(symbol)?.last || 0);
    const minute = Math.floor((model.quotes.get(symbol)?.time ?? 0) / MINUTE) * 60;
    const bar = bars.at(-1);
    if (last > 0 && (bar === undefined || minute > bar.time)) bars.push({ time: minute, open: last, high: last, low: last, close: last });
    else if (last > 0 && minute === bar.time)
      Object.assign(bar, { high: Math.max(bar.high, last), low: Math.min(bar.low, last), close: last });
    if (last > 0 && bars.length > 0) series.update(bars.at(-1));
    setNotes();
    void refresh();
    const wanted = linesOf(symbol);
    if (JSON.stringify(wanted) === shown) return;
    shown = JSON.stringify(wanted);
    nameLines(isNarrow ? wanted.map(([price, title]) => `${grouped(price)} ${title}`).join(' · ') : '');
    for (const line of priceLines) series.removePriceLine(line);
    priceLines = wanted.map(([price, title, color, lineStyle]) =>
      series.createPriceLine({
        price: Number(price),
        title: isNarrow ? '' : title,
        color: colors[color],
        lineStyle,
        lineWidth: 1,
        axisLabelVisible: true,
      }),
    );
  }
  let priceLines = [];
  update();
  const resized = new ResizeObserver(() => chart.applyOptions(size()));
  resized.observe(place);
  const stop = onChange(update);
  return () => {
    isGone = true;
    stop();
    resized.disconnect();
    chart.remove();
  };
}

/** Symbols with a button of their own. */
const PRESSES = 4;

const TOUCH = matchMedia('(pointer: coarse)');

function useScheme() {
  const [scheme, set] = useState(0);
  useEffect(() => {
    const media = matchMedia('(prefers-color-scheme: dark)');
    const next = () => set((n) => n + 1);
    media.addEventListener('change', next);
    return () => media.removeEventListener('change', next);
  }, []);
  return scheme;
}

export function Chart() {
  const place = useRef(null);
  const symbols = symbolsOf();
  const [chosen, choose] = useState('');
  const [said, say] = useState('');
  const [told, tell] = useState('');
  const [named, nameLines] = useState('');
  const scheme = useScheme();
  const symbol = chosen || (symbols[0] ?? '');
  useEffect(() => {
    if (symbol === '') return undefined;
    let remove = null;
    let isGone = false;
    say('The chart is loading.');
    Promise.all([candleLibrary(), query('bars', { symbol })]).then(
      ([library, answer]) => {
        // The end of an effect is told after the element is gone.
        if (isGone || place.current === null) return;
        say(answer.rows.length === 0 ? 'The monitor has not seen a price of this symbol yet.' : '');
        if (answer.rows.length > 0) remove = draw(library, place.current, { symbol, answer, tell, nameLines });
      },
      (error) => say(error.message),
    );
    return () => {
      isGone = true;
      remove?.();
      place.current?.replaceChildren();
    };
  }, [symbol, scheme]);
  return h(
    Card,
    { id: 'chart', title: 'Chart', small: 'minutes, UTC' },
    h(
      'label',
      { class: 'choice' },
      'Symbol ',
      h('b', null, symbol),
      ' ',
      h('input', {
        list: 'symbols',
        placeholder: 'Another symbol',
        onChange: (event) => symbols.includes(event.currentTarget.value) && choose(event.currentTarget.value),
      }),
      h(
        'datalist',
        { id: 'symbols' },
        symbols.map((name) => h('option', { key: name, value: name })),
      ),
    ),
    // What is held and traded is one press away.
    (symbols.length > 1 ? symbols : [])
      .slice(0, PRESSES)
      .map((name) => h('button', { key: name, class: 'quiet', 'aria-pressed': name === symbol, onClick: () => choose(name) }, name)),
    h('div', {
      ref: place,
      class: 'chart',
      role: 'group',
      'aria-label': `Candles of ${symbol} with fills, orders and stops; the tables have the same figures`,
    }),
    said === '' ? null : h('p', { class: 'empty' }, said),
    h(
      'p',
      { class: 'told soft' },
      told || `${TOUCH.matches ? 'Touch the chart' : 'Move over the chart'} to read prices, lines of the strategy and notes.`,
    ),
    named === '' ? null : h('p', { class: 'soft', 'aria-label': 'Lines of the chart' }, `Lines: ${named}`),
    h(
      'p',
      { class: 'soft keys' },
      '▲ opened long · ▼ opened short · ● closed · solid: position · dashed: stop or target · dotted: resting order · ■ note · shaded: halted · hatched: no prices read',
    ),
  );
}
