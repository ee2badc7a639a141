/* Prices with the trades on them, drawn by Lightweight Charts: bars that become finer on zoom, lines of indicators and strategies, notes. */
'use strict';
{
  const { data, colors, amount, shortSpan, moment, group, onRedraw, unpackedPoints, levels, onPrices } = window.report;
  const { T, MARKED_MAX, isOpen } = onPrices;
  const byId = (id) => document.getElementById(id);
  const [place, choice, caption, count, legend] = ['chart-price', 'market', 'price-caption', 'price-count', 'price-lines'].map(byId);
  /** Marks of notes are shown while at most so many bars are in sight. */
  const NOTES_SIGHT = 400;
  /** Panes below that of the prices, for lines that are not among them. */
  const PANES_MAX = 3;

  /** What is shown: made again for another market, and for other colours. */
  let now = null;

  const seconds = (ms) => ms / 1000;

  /** Lines of a market with the pane of each: outputs of one indicator share one. */
  function linesOf(market, bars) {
    const [least, most] = [Math.min(...bars.low), Math.max(...bars.high)];
    const panes = new Map();
    return market.lines.map((packed, k) => {
      const line = { ...unpackedPoints(packed, packed.barMs), ...packed, breaks: new Set(packed.breaks), k, isShown: true };
      if (isAmongPrices(line.value, least, most)) return { ...line, pane: 0 };
      const [source] = packed.name.split(': ').slice(-2);
      if (!panes.has(source)) panes.set(source, Math.min(PANES_MAX, panes.size + 1));
      return { ...line, pane: panes.get(source) };
    });
  }

  function addLines() {
    for (const line of now.lines) {
      const look = { ...lineLook(colors, line.k, { title: '' }), visible: line.isShown, lastValueVisible: false };
      line.series = now.chart.addSeries(LightweightCharts.LineSeries, { ...look, crosshairMarkerVisible: false }, line.pane);
    }
    for (const [k, pane] of now.chart.panes().entries()) pane.setStretchFactor(k === 0 ? 4 : 1);
  }

  /** A box for each line that hides it. */
  function fillLegend() {
    const boxes = now.lines.map((line) => {
      const [label, box, swatch, value] = ['label', 'input', 'i', 'b'].map((name) => document.createElement(name));
      label.className = 'key';
      box.type = 'checkbox';
      box.checked = line.isShown;
      box.addEventListener('change', () => {
        line.isShown = box.checked;
        line.series.applyOptions({ visible: line.isShown });
      });
      const { color, lineStyle } = line.series.options();
      swatch.style.borderColor = color;
      if (lineStyle > 0) swatch.style.borderStyle = lineStyle === 1 ? 'dotted' : 'dashed';
      label.append(box, swatch, line.name, value);
      line.told = value;
      return label;
    });
    legend.replaceChildren(...boxes);
    legend.hidden = boxes.length === 0;
  }

  /** A point of a line. Its colour is that of the way to the next one: none over a gap. */
  const drawn = ({ time, value, isLast }) => (isLast ? { time, value, color: 'transparent' } : { time, value });

  /** Shows bars of another length, and the same time if `from` and `to` are not given. */
  function setBars(bars, from, to) {
    now.bars = bars;
    now.range = [from, to];
    const { time, open, high, low, close } = bars;
    now.series.setData(time.map((ms, k) => ({ time: seconds(ms), open: open[k], high: high[k], low: low[k], close: close[k] })));
    for (const line of now.lines) line.series.setData(levels.pointsOn(bars, line).map(drawn));
    now.trades = onPrices.placed(bars, now.all);
    now.notes = new Map();
    for (const { time: ms, text } of now.market.notes) {
      if (ms < bars.from || ms >= bars.to) continue;
      const at = seconds(time[levels.lastUntil(time, ms)]);
      now.notes.set(at, [...(now.notes.get(at) ?? []), text]);
    }
    now.chart.timeScale().applyOptions({ secondsVisible: bars.barMs < 60_000 });
    now.chart.timeScale().setVisibleLogicalRange({ from: levels.placeOf(bars, from), to: levels.placeOf(bars, to) });
    say();
  }

  /** What is in sight, milliseconds. */
  function sight() {
    const range = now.chart.timeScale().getVisibleLogicalRange();
    return range === null ? null : [levels.timeOf(now.bars, range.from), levels.timeOf(now.bars, range.to)];
  }

  /** The bars that fit what is in sight. */
  function refine() {
    const seen = sight();
    if (seen === null) return;
    now.range = seen;
    const [from, to] = seen;
    const bars = now.levels.for(from, to, now.bars);
    if (bars !== now.bars) setBars(bars, from, to);
    const isNear = (to - from) / now.bars.barMs <= NOTES_SIGHT;
    now.marks.setMarkers(isNear ? [...now.notes.keys()].sort((a, b) => a - b).map((time) => noteMark(colors, time)) : []);
  }

  function wholeRun() {
    now.chosen = null;
    const { coarse } = now.levels;
    const [first, last] = [coarse.time[0], coarse.time.at(-1)];
    // Room at both ends for the first and the last date of the axis.
    const room = (last - first) * Math.max(0.025, 26 / place.clientWidth) + coarse.barMs;
    setBars(coarse, first - room, last + room);
  }

  /** Zooms to a trade; `ms` may be the time of one that the page does not have. */
  function choose(trade, [opened, closed] = [trade[T.opened], trade[T.closed]]) {
    now.chosen = trade;
    const middle = (opened + closed) / 2;
    const half = Math.max((closed - opened) * 0.8, 4 * now.levels.leastMs);
    const bars = now.levels.for(middle - half, middle + half, null);
    // At least a dozen bars, also where the page has none that are fine enough.
    const wide = Math.max(half, 6 * bars.barMs);
    setBars(bars, middle - wide, middle + wide);
  }

  function step(by) {
    const { all } = now;
    if (all.length === 0) return;
    const at = all.indexOf(now.chosen);
    choose(all[at < 0 ? (by > 0 ? 0 : all.length - 1) : (at + by + all.length) % all.length]);
  }

  const price = (value) => group(value.toFixed(now.market.decimals));
  const ending = (reason) => (reason === '' ? '' : `, ${reason}`);
  const result = (one) => (isOpen(one) ? ' at the last price, still open' : `${ending(one[T.reasonOut])}: ${amount(Number(one[T.net]))}`);
  const told = (one) =>
    `${one[T.isLong] === 1 ? 'long' : 'short'} ${price(one[T.entry])}${ending(one[T.reasonIn])} → ${price(one[T.exit])}${result(one)}`;

  /** The values of the lines in a bar, beside their names; nothing while the mouse is elsewhere. */
  function sayLines(seriesData) {
    for (const line of now.lines) {
      const point = seriesData?.get(line.series);
      line.told.textContent = point === undefined ? '' : group(String(Number(point.value.toPrecision(7))));
    }
  }

  /** The line above the chart while the mouse is elsewhere. */
  function say() {
    const { market, bars, chosen } = now;
    const what = `${market.symbol}, bars of ${shortSpan(bars.barMs)}`;
    if (chosen === null) caption.textContent = `${what}. Move over the chart to read prices and trades.`;
    else {
      const held = shortSpan(chosen[T.closed] - chosen[T.opened]);
      const nth = group(String(market.trades.indexOf(chosen) + 1));
      const number = isOpen(chosen) ? 'open position' : `trade ${nth} of ${group(String(market.trades.length))}`;
      caption.textContent = `${what} · ${number}, ${moment(seconds(chosen[T.opened]))}, held ${held}: ${told(chosen)}`;
    }
  }

  function sayBar(time, bar) {
    const end = time + seconds(now.bars.barMs);
    const inside = now.all.filter((one) => seconds(one[T.closed]) >= time && seconds(one[T.opened]) < end);
    const trades = inside.slice(0, 2).map((one) => ` · ${told(one)}`);
    const more = inside.length > 2 ? ` · and ${inside.length - 2} more trades` : '';
    const said = (now.notes.get(time) ?? []).slice(0, 2).map((text) => ` · “${text}”`);
    const ohlc = [bar.open, bar.high, bar.low, bar.close].map(price).join('  ');
    caption.textContent = `${moment(time)}   ${ohlc}${trades.join('')}${more}${said.join('')}`;
  }

  /** Below the chart: what it has of the run. */
  function sayCount() {
    const { market } = now;
    const shown = market.trades.length;
    const part = market.of > shown ? ` of ${group(String(market.of))}, evenly chosen` : '';
    const held = market.open.length;
    const open = held === 0 ? '' : `; ${held === 1 ? 'a position is' : `${held} positions are`} still open, dashed`;
    const near = market.trades.filter((one) => now.levels.isNear({ from: one[T.opened], to: one[T.closed] })).length;
    const finer =
      market.windows.length === 0 ? '' : `; finer bars around ${group(String(near))} of them, the best and the worst among them`;
    const hint = shown > MARKED_MAX ? `; zoom in until ${MARKED_MAX} are in sight to see entries and exits` : '';
    const { notes, notesOf } = market;
    const some = notes.length < notesOf ? ` of ${group(String(notesOf))}` : '';
    const noted =
      notesOf === 0
        ? ''
        : `; ${group(String(notes.length))}${some} note${notesOf === 1 ? '' : 's'}, marked when at most ${NOTES_SIGHT} bars are in sight`;
    count.textContent = `${group(String(shown))} trade${shown === 1 ? '' : 's'}${part}${open}${finer}${hint}${noted}`;
  }

  let waiting = 0;
  /** Makes the chart of a market; with `range` it shows that time, milliseconds. */
  function show(market, range, chosen = null) {
    if (now !== null) now.chart.remove();
    place.replaceChildren();
    const ladder = { ...levels.levelsOf(market), leastMs: Math.min(...[...market.windows, ...market.whole].map(({ barMs }) => barMs)) };
    const lines = linesOf(market, ladder.coarse);
    const height = (place.clientWidth < 500 ? 320 : 440) + 70 * Math.max(0, ...lines.map(({ pane }) => pane));
    const chart = LightweightCharts.createChart(place, { width: place.clientWidth, height, ...chartLook(colors, ladder.coarse.barMs) });
    const series = chart.addSeries(LightweightCharts.CandlestickSeries, {
      ...candleLook(colors),
      priceLineVisible: false,
      lastValueVisible: false,
      priceFormat: { type: 'price', precision: market.decimals, minMove: 1 / 10 ** market.decimals },
    });
    series.priceScale().applyOptions({ scaleMargins: { top: 0.08, bottom: 0.08 } });
    const all = [...market.trades, ...market.open];
    now = { market, all, chart, series, lines, levels: ladder, bars: null, range: null, trades: [], notes: new Map(), chosen, marks: null };
    now.marks = LightweightCharts.createSeriesMarkers(series, []);
    addLines();
    fillLegend();
    const draw = (target) => target.useMediaCoordinateSpace(({ context }) => onPrices.drawTrades(context, now));
    series.attachPrimitive({ paneViews: () => [{ zOrder: () => 'top', renderer: () => ({ draw }) }] });
    if (range === undefined) wholeRun();
    else setBars(ladder.for(...range, null), ...range);
    chart.timeScale().subscribeVisibleLogicalRangeChange(() => {
      clearTimeout(waiting);
      waiting = setTimeout(refine, 80);
    });
    chart.subscribeCrosshairMove(({ time, seriesData }) => {
      const bar = seriesData.get(series);
      const isOver = time !== undefined && bar !== undefined;
      sayLines(isOver ? seriesData : undefined);
      if (isOver) sayBar(time, bar);
      else say();
    });
    chart.subscribeClick(({ point }) => {
      if (point === undefined) return;
      const near = now.trades.map((one) => ({ one, away: onPrices.distance(one, point, chart, series) }));
      const nearest = near.reduce((best, one) => (one.away < best.away ? one : best), { away: 24 });
      if (nearest.one !== undefined) choose(nearest.one.trade);
    });
    sayCount();
    // The chart paints a moment later, which is too late for paper: a picture of it is there at once.
    if (document.documentElement.dataset.print === 'yes') place.replaceChildren(chart.takeScreenshot(true));
    window.report.drawn++;
  }

  /** Shows a trade of a table: the market, the bars of it, and the trade itself if the page has it. False for a market that the page does not have. */
  function showTrade(symbol, opened, closed) {
    const k = data.markets.findIndex((one) => one.symbol === symbol);
    if (k < 0) return false;
    if (data.markets[k] !== now.market) {
      choice.value = String(k);
      show(data.markets[k]);
    }
    const trade = now.market.trades.find((one) => one[T.opened] === opened && one[T.closed] === closed) ?? null;
    choose(trade, [opened, closed]);
    document.getElementById('price').scrollIntoView();
    return true;
  }

  if (data.markets.length === 0) {
    byId('price').hidden = true;
  } else {
    for (const [k, { symbol }] of data.markets.entries()) {
      const option = document.createElement('option');
      option.value = String(k);
      option.textContent = symbol;
      choice.append(option);
    }
    const chosen = () => data.markets[Number(choice.value)] || data.markets[0];
    choice.addEventListener('change', () => show(chosen()));
    byId('trade-before').addEventListener('click', () => step(-1));
    byId('trade-next').addEventListener('click', () => step(1));
    byId('price-all').addEventListener('click', wholeRun);
    show(chosen());
    onRedraw(() => show(now.market, sight() ?? now.range, now.chosen));
  }
  window.report.showTrade = showTrade;
  /** What is shown, where the middle of each trade is on the page, and where each line breaks: for tests. */
  window.report.price = () => {
    const { x, y } = place.getBoundingClientRect();
    const middles = now.trades.map(({ trade, from, to }) => {
      const scale = now.chart.timeScale();
      const down = now.series.priceToCoordinate((trade[T.entry] + trade[T.exit]) / 2);
      return [x + (scale.timeToCoordinate(from) + scale.timeToCoordinate(to)) / 2, y + down];
    });
    const breaks = now.lines.map(({ series }) =>
      series.data().flatMap(({ color, time }) => (color === 'transparent' ? [time * 1000] : [])),
    );
    return { barMs: now.bars.barMs, sight: sight(), chosen: now.chosen, middles, breaks };
  };
  document.documentElement.dataset.drawn = String(window.report.drawn);
}
