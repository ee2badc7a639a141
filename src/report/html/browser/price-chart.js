/* Prices with the trades on them, drawn by Lightweight Charts: a line from entry to exit, stop-loss and take-profit as long as they stood. */
'use strict';
{
  const { data, colors, amount, shortSpan, moment, group, onRedraw } = window.report;
  const place = document.getElementById('chart-price');
  const choice = document.getElementById('market');
  const caption = document.getElementById('price-caption');
  const count = document.getElementById('price-count');
  const [OPENED, CLOSED, ENTRY, EXIT, IS_LONG, STOP, TARGET, NET, REASON_IN, REASON_OUT] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
  /** With more trades than this in sight, only their lines are drawn. */
  const MARKED_MAX = 400;

  /** The trades of a market with the bars that they began and ended in: the chart places only times of bars. */
  function placed({ bars, trades }) {
    const { time } = bars;
    const barOf = (ms) => {
      let low = 0;
      let high = time.length - 1;
      while (low < high) {
        const middle = (low + high + 1) >> 1;
        if (time[middle] <= ms) low = middle;
        else high = middle - 1;
      }
      return time[low] / 1000;
    };
    return trades.map((trade) => ({ trade, from: barOf(trade[OPENED]), to: barOf(trade[CLOSED]) }));
  }

  /** Adds the lines that strategies drew, and a mark above the bar for each note. Gives the notes of a bar by its time. */
  function drawStrategies(chart, series, { drawing, bars }) {
    const notes = new Map();
    const [least, most] = [Math.min(...bars.low), Math.max(...bars.high)];
    for (const [k, { name, time, value }] of drawing.lines.entries()) {
      const isPrice = isAmongPrices(value, least, most);
      const line = chart.addSeries(LightweightCharts.LineSeries, lineLook(colors, k, { title: name, isPrice }));
      line.setData(time.map((ms, row) => ({ time: ms / 1000, value: value[row] })));
      if (!isPrice) chart.applyOptions({ leftPriceScale: { visible: true, borderColor: colors.line } });
    }
    for (const { time, text } of drawing.notes) {
      const at = (Math.floor(time / bars.barMs) * bars.barMs) / 1000;
      notes.set(at, [...(notes.get(at) ?? []), text]);
    }
    const marks = [...notes.keys()].map((time) => noteMark(colors, time));
    if (marks.length > 0) LightweightCharts.createSeriesMarkers(series, marks);
    return notes;
  }

  /** Draws trades on a series. */
  function drawTrades(pen, { chart, series, trades }) {
    const scale = chart.timeScale();
    const range = scale.getVisibleRange();
    if (range === null) return;
    const seen = trades.filter(({ from, to }) => to >= range.from && from <= range.to);
    const isMarked = seen.length <= MARKED_MAX;
    for (const { trade, from, to } of seen) {
      const x1 = scale.timeToCoordinate(from);
      const x2 = scale.timeToCoordinate(to);
      if (x1 === null || x2 === null) continue;
      const y1 = series.priceToCoordinate(trade[ENTRY]);
      const y2 = series.priceToCoordinate(trade[EXIT]);
      const color = Number(trade[NET]) > 0 ? colors.up : colors.down;
      for (const [price, name] of [
        [trade[STOP], 'down'],
        [trade[TARGET], 'up'],
      ]) {
        if (price === 0) continue;
        const y = series.priceToCoordinate(price);
        if (y === null) continue;
        pen.strokeStyle = colors[name];
        pen.globalAlpha = 0.75;
        pen.lineWidth = 1;
        pen.setLineDash([3, 3]);
        pen.beginPath();
        pen.moveTo(x1, y);
        pen.lineTo(Math.max(x2, x1 + 4), y);
        pen.stroke();
      }
      pen.globalAlpha = isMarked ? 1 : 0.6;
      pen.setLineDash([]);
      pen.strokeStyle = color;
      pen.lineWidth = isMarked ? 2 : 1;
      pen.beginPath();
      pen.moveTo(x1, y1);
      pen.lineTo(x2, y2);
      pen.stroke();
      if (!isMarked) continue;
      drawTriangle(pen, { x: x1, y: y1, isUp: trade[IS_LONG] === 1, fill: colors.ink, outline: colors.card });
      drawDisc(pen, { x: x2, y: y2, fill: color, outline: colors.card });
    }
    pen.globalAlpha = 1;
    pen.setLineDash([]);
  }

  let chart = null;
  function show(market) {
    if (chart !== null) chart.remove();
    place.replaceChildren();
    const { bars, decimals } = market;
    const height = place.clientWidth < 500 ? 320 : 440;
    chart = LightweightCharts.createChart(place, { width: place.clientWidth, height, ...chartLook(colors, bars.barMs) });
    const series = chart.addSeries(LightweightCharts.CandlestickSeries, {
      ...candleLook(colors),
      priceLineVisible: false,
      lastValueVisible: false,
      priceFormat: { type: 'price', precision: decimals, minMove: 1 / 10 ** decimals },
    });
    series.setData(
      bars.time.map((ms, k) => ({ time: ms / 1000, open: bars.open[k], high: bars.high[k], low: bars.low[k], close: bars.close[k] })),
    );
    const notes = drawStrategies(chart, series, market);
    const trades = placed(market);
    const draw = (target) => target.useMediaCoordinateSpace(({ context }) => drawTrades(context, { chart, series, trades }));
    series.attachPrimitive({ paneViews: () => [{ zOrder: () => 'top', renderer: () => ({ draw }) }] });
    chart.timeScale().fitContent();
    const price = (value) => group(value.toFixed(decimals));
    const ending = (reason) => (reason === '' ? '' : `, ${reason}`);
    const rest = `${market.symbol}, bars of ${shortSpan(bars.barMs)}. Move over the chart to read prices and trades.`;
    caption.textContent = rest;
    chart.subscribeCrosshairMove(({ time, seriesData }) => {
      const bar = seriesData.get(series);
      if (time === undefined || bar === undefined) {
        caption.textContent = rest;
        return;
      }
      const inside = market.trades.filter((one) => one[CLOSED] / 1000 >= time && one[OPENED] / 1000 < time + bars.barMs / 1000);
      const told = inside.slice(0, 2).map((one) => {
        const side = one[IS_LONG] === 1 ? 'long' : 'short';
        return ` · ${side} ${price(one[ENTRY])}${ending(one[REASON_IN])} → ${price(one[EXIT])}${ending(one[REASON_OUT])}: ${amount(Number(one[NET]))}`;
      });
      const said = (notes.get(time) ?? []).slice(0, 2).map((text) => ` · “${text}”`);
      const more = inside.length > 2 ? ` · and ${inside.length - 2} more trades` : '';
      const ohlc = [bar.open, bar.high, bar.low, bar.close].map(price).join('  ');
      caption.textContent = `${moment(time)}   ${ohlc}` + told.join('') + more + said.join('');
    });
    const shown = market.trades.length;
    const chosen = market.of > shown ? ` of ${group(String(market.of))}` : '';
    const hint = shown > MARKED_MAX ? `; zoom in until ${MARKED_MAX} are in sight to see entries and exits` : '';
    const { notes: said, notesOf, lines } = market.drawing;
    const noted =
      notesOf === 0 ? '' : `; ${group(String(said.length))}${said.length < notesOf ? ` of ${group(String(notesOf))}` : ''} notes`;
    const drawn = lines.length === 0 ? '' : `; lines of the strategy: ${lines.map(({ name }) => name).join(', ')}`;
    count.textContent = `${group(String(shown))}${chosen} trades${chosen === '' ? '' : ', evenly chosen'}${hint}${noted}${drawn}`;
    // The chart paints a moment later, which is too late for paper: a picture of it is there at once.
    if (document.documentElement.dataset.print === 'yes') place.replaceChildren(chart.takeScreenshot(true));
    window.report.drawn++;
  }

  if (data.markets.length === 0) {
    document.getElementById('price').hidden = true;
  } else {
    for (const [k, { symbol }] of data.markets.entries()) {
      const option = document.createElement('option');
      option.value = String(k);
      option.textContent = symbol;
      choice.append(option);
    }
    const chosen = () => data.markets[Number(choice.value)] || data.markets[0];
    choice.addEventListener('change', () => show(chosen()));
    show(chosen());
    onRedraw(() => show(chosen()));
  }
  document.documentElement.dataset.drawn = String(window.report.drawn);
}
