/** Candles of one symbol with what the bot did and holds there. */
import { h } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { candleLook, chartLook, readColors } from '../../../browser/chart-look.js';
import { query } from '../parts/connection.js';
import { candleLibrary } from '../parts/library.js';
import { liveOrders, model, onChange } from '../parts/model.js';
import { Card } from '../parts/elements.js';
import { drawMarks } from './marks.js';

const MINUTE = 60_000;

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

/** Prices of what rests and is held: [price, title, colour, style of the line]. */
function linesOf(symbol) {
  const legs = [...model.positions.values()].filter((leg) => leg.symbol === symbol);
  const orders = liveOrders().filter((one) => one.symbol === symbol);
  const lines = legs.flatMap((leg) => [
    [leg.entryPrice, `${leg.side} ${leg.size}`, 'ink', 0],
    [leg.liquidationPrice, `${leg.side} liquidation`, 'down', 0],
    ...(leg.exits ?? []).map(({ what, price, by }) => [price, `${what} (${by})`, what.includes('stop') ? 'down' : 'up', 2]),
  ]);
  for (const { price, trigger, side, effect, size, state } of orders)
    lines.push([trigger || price, `${effect.toLowerCase()} ${side} ${size}${state === 'unknown' ? ' ?' : ''}`, 'accent', 1]);
  return lines.filter(([price]) => price !== '' && Number(price) > 0);
}

/** Makes the chart in a place; gives what updates it and what removes it. */
function draw(library, place, { symbol, rows }) {
  const colors = {};
  readColors(colors);
  const size = () => ({ width: place.clientWidth, height: place.clientWidth < 500 ? 280 : 380 });
  const chart = library.createChart(place, { ...size(), ...chartLook(colors, MINUTE) });
  const decimals = decimalsOf(rows);
  const series = chart.addSeries(library.CandlestickSeries, {
    ...candleLook(colors),
    priceFormat: { type: 'price', precision: decimals, minMove: 1 / 10 ** decimals },
  });
  const bars = rows.map(barOf);
  series.setData(bars);
  const paint = (target) =>
    target.useMediaCoordinateSpace(({ context, mediaSize }) => drawMarks(context, { chart, series, bars, symbol, colors, mediaSize }));
  series.attachPrimitive({ paneViews: () => [{ zOrder: () => 'top', renderer: () => ({ draw: paint }) }] });
  if (bars.length > 120) chart.timeScale().setVisibleLogicalRange({ from: bars.length - 120, to: bars.length + 4 });
  let lines = [];
  let shown = '';
  function update() {
    const last = Number(model.quotes.get(symbol)?.last || 0);
    const minute = Math.floor((model.quotes.get(symbol)?.time ?? 0) / MINUTE) * 60;
    const bar = bars.at(-1);
    if (last > 0 && (bar === undefined || minute > bar.time)) bars.push({ time: minute, open: last, high: last, low: last, close: last });
    else if (last > 0 && minute === bar.time)
      Object.assign(bar, { high: Math.max(bar.high, last), low: Math.min(bar.low, last), close: last });
    if (last > 0 && bars.length > 0) series.update(bars.at(-1));
    const wanted = linesOf(symbol);
    if (JSON.stringify(wanted) === shown) return;
    shown = JSON.stringify(wanted);
    for (const line of lines) series.removePriceLine(line);
    lines = wanted.map(([price, title, color, lineStyle]) =>
      series.createPriceLine({ price: Number(price), title, color: colors[color], lineStyle, lineWidth: 1, axisLabelVisible: true }),
    );
  }
  update();
  const resized = new ResizeObserver(() => chart.applyOptions(size()));
  resized.observe(place);
  const stop = onChange(update);
  return () => {
    stop();
    resized.disconnect();
    chart.remove();
  };
}

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
  const scheme = useScheme();
  const symbol = chosen || (symbols[0] ?? '');
  useEffect(() => {
    if (symbol === '') return undefined;
    let remove = null;
    let isGone = false;
    say('The chart is loading.');
    Promise.all([candleLibrary(), query('bars', { symbol })]).then(
      ([library, { rows }]) => {
        if (isGone) return;
        say(rows.length === 0 ? 'The monitor has not seen a price of this symbol yet.' : '');
        if (rows.length > 0) remove = draw(library, place.current, { symbol, rows });
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
      h('input', {
        list: 'symbols',
        value: chosen,
        placeholder: symbol,
        onChange: (event) => symbols.includes(event.target.value) && choose(event.target.value),
      }),
      h(
        'datalist',
        { id: 'symbols' },
        symbols.map((name) => h('option', { key: name, value: name })),
      ),
    ),
    h('div', {
      ref: place,
      class: 'chart',
      role: 'group',
      'aria-label': `Candles of ${symbol} with fills, orders and stops; the tables have the same figures`,
    }),
    said === '' ? null : h('p', { class: 'empty' }, said),
    h(
      'p',
      { class: 'soft keys' },
      '▲ opened long · ▼ opened short · ● closed · solid: position · dashed: stop or target · dotted: resting order · shaded: halted · hatched: no prices seen',
    ),
  );
}
