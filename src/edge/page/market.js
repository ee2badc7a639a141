/**
 * The part of the exchange's page for one market: candles, depth, orders by hand, and faults. Commands go to the page's own origin with the admin
 * token, which is only in the form.
 */
'use strict';
{
  const EVERY_MS = 1000;
  const MINUTE = 60_000;
  const byId = (id) => document.getElementById(id);
  const form = (id) => /** @type {HTMLFormElement} */ (byId(id));
  const card = byId('one-market');
  const said = byId('admin-said');

  function make(name, text = '', kind = '') {
    const element = document.createElement(name);
    element.textContent = text;
    element.className = kind;
    return element;
  }

  function say(text, kind = '') {
    said.hidden = false;
    said.className = `card ${kind}`;
    said.textContent = text;
  }

  /* The chart, of the library that the dashboard has too. */
  let loading = null;
  const library = () =>
    (loading ??= new Promise((resolve, reject) => {
      const script = document.createElement('script');
      Object.assign(script, { src: '/charts.js', integrity: CHOICES.charts });
      script.addEventListener('load', () => resolve(globalThis.LightweightCharts));
      script.addEventListener('error', () => reject(new Error('the library of charts could not be loaded')));
      document.head.append(script);
    }));

  let chart = null;
  async function showBars({ bars, tickSize }) {
    const { createChart, CandlestickSeries } = await library();
    const place = byId('candles');
    const colors = {};
    readColors(colors);
    const size = { width: place.clientWidth, height: 300 };
    const precision = (tickSize.split('.')[1] ?? '').length;
    chart ??= (() => {
      const made = createChart(place, { ...size, ...chartLook(colors, MINUTE) });
      return { made, series: made.addSeries(CandlestickSeries, candleLook(colors)), first: 0 };
    })();
    chart.made.applyOptions(size);
    chart.series.applyOptions({ priceFormat: { type: 'price', precision, minMove: 1 / 10 ** precision } });
    chart.series.setData(bars.map(([time, ...prices]) => ({ time: time / 1000, ...candleOf(prices.map(Number)) })));
    if (chart.first !== bars[0]?.[0]) chart.made.timeScale().fitContent();
    chart.first = bars[0]?.[0];
  }
  const candleOf = (prices) => Object.fromEntries(['open', 'high', 'low', 'close'].map((name, k) => [name, prices[k]]));

  /** Asks above bids, as in a book; what rests here is beside what the market shows. */
  function showDepth({ asks, bids }) {
    const row = (kind, { price, market, own }) => {
      const tr = make('tr', '', kind);
      tr.append(make('th', kind === 'up' ? 'bid' : 'ask'), make('td', grouped(price), 'n'), make('td', grouped(market) || '–', 'n'));
      tr.append(make('td', own === '' ? '–' : grouped(own), 'n'));
      return tr;
    };
    const body = make('tbody');
    body.append(...asks.toReversed().map((level) => row('down', level)), ...bids.map((level) => row('up', level)));
    byId('depth').tBodies[0]?.remove();
    byId('depth').append(body);
  }

  let symbol = '';
  let timer = 0;
  async function poll() {
    clearTimeout(timer);
    const mine = symbol;
    if (mine === '') return;
    try {
      const response = await fetch(`/market.json?${new URLSearchParams({ symbol: mine })}`, { signal: AbortSignal.timeout(5000) });
      const market = await response.json();
      if (mine !== symbol) return;
      if (market === null) say(`${mine} is a spot market: candles and orders by hand are for futures.`, 'warn');
      else {
        showDepth(market);
        await showBars(market);
      }
    } catch (error) {
      say(`${mine}: ${error.message}`, 'down');
    }
    if (mine === symbol && !document.hidden) timer = setTimeout(() => void poll(), EVERY_MS);
  }

  function open(chosen) {
    symbol = chosen;
    card.hidden = symbol === '';
    byId('one-market-title').textContent = symbol;
    if (symbol === '') return;
    card.scrollIntoView({ block: 'nearest' });
    void poll();
  }
  document.addEventListener('market-chosen', (event) => open(/** @type {CustomEvent} */ (event).detail));
  byId('one-market-close').addEventListener('click', () => open(''));
  document.addEventListener('visibilitychange', () => void (document.hidden || poll()));
  document.addEventListener('accounts-shown', (event) => {
    const names = /** @type {CustomEvent} */ (event).detail;
    const choice = /** @type {HTMLSelectElement} */ (form('by-hand').elements.namedItem('account'));
    if ([...choice.options].map((one) => one.value).join() === names.join()) return;
    const chosen = choice.value;
    choice.replaceChildren(...names.map((name) => make('option', name)));
    // An order never goes to another account than the one that was chosen.
    if (chosen !== '') choice.value = chosen;
  });

  const valueOf = (id, name) => /** @type {HTMLInputElement} */ (form(id).elements.namedItem(name)).value.trim();

  /** Gives an admin command. Returns its answer; what is wrong is said. */
  async function command(method, path, given) {
    const token = valueOf('faults', 'token');
    if (token === '') {
      byId('admin').setAttribute('open', '');
      /** @type {HTMLElement} */ (form('faults').elements.namedItem('token')).focus();
      say('Type the admin token first: the exchange has it in TICKWRIGHT_ADMIN_TOKEN, or printed it.', 'warn');
      return null;
    }
    try {
      const body = given === undefined ? {} : { body: JSON.stringify(given) };
      const response = await fetch(`/admin/${path}`, { method, headers: { authorization: `Bearer ${token}` }, ...body });
      const answer = await response.json();
      if (response.ok) return answer;
      const problems = answer.problems ?? [{ what: answer.refused ?? `status ${response.status}` }];
      say(problems.map(({ what, hint }) => `${what}${hint === undefined ? '' : `; ${hint}`}`).join('. '), 'down');
    } catch (error) {
      say(`No answer: ${error.message}. Look before you try again.`, 'down');
    }
    return null;
  }

  form('by-hand').addEventListener('submit', (event) => {
    event.preventDefault();
    const [side, tradeSide] = valueOf('by-hand', 'leg').split(' ');
    const [size, price] = [valueOf('by-hand', 'size'), valueOf('by-hand', 'price')];
    const kind = price === '' ? { orderType: 'MARKET' } : { orderType: 'LIMIT', price };
    const button = /** @type {HTMLButtonElement} */ (form('by-hand').querySelector('button'));
    // A second click before the answer would place a second order.
    button.disabled = true;
    const params = { symbol, marginMode: 'CROSS', size, side, tradeSide, ...kind };
    void command('POST', 'call', { account: valueOf('by-hand', 'account'), endpoint: 'E12', params }).then((answer) => {
      button.disabled = false;
      if (answer === null) return;
      const isTaken = answer.code === '00000';
      say(
        isTaken ? `The exchange took the order: ${answer.data?.orderId ?? ''}` : `Refused: ${answer.code} ${answer.msg}`,
        isTaken ? 'up' : 'down',
      );
    });
  });

  /* Faults. */
  const choice = /** @type {HTMLSelectElement} */ (form('faults').elements.namedItem('fault'));
  choice.append(...CHOICES.faults.map(({ name }) => make('option', name)));
  function showFault() {
    const { doc, fields } = CHOICES.faults[choice.selectedIndex];
    byId('fault-doc').textContent = doc;
    byId('fault-fields').replaceChildren(
      ...fields.map(([name, says]) => {
        const label = make('label', `${name}: ${says} `);
        const input = document.createElement('input');
        Object.assign(input, { name, autocomplete: 'off' });
        label.append(input);
        return label;
      }),
    );
  }
  choice.addEventListener('change', showFault);
  showFault();

  form('faults').addEventListener('submit', (event) => {
    event.preventDefault();
    const { fields, name } = CHOICES.faults[choice.selectedIndex];
    const words = valueOf('faults', 'endpoints').split(/[\s,]+/);
    const endpoints = words.length === 1 && /^[a-z]+$/.test(words[0]) ? words[0] : words;
    const given = fields.flatMap(([field]) => {
      const text = valueOf('faults', field);
      return text === '' ? [] : [[field, /^-?[\d.]+$/.test(text) && field !== 'retryAfter' ? Number(text) : text]];
    });
    const rule = { fault: name, endpoints, every: Number(valueOf('faults', 'every') || 1), ...Object.fromEntries(given) };
    void command('PUT', 'faults', { rules: [rule] }).then((answer) => answer !== null && say(`The fault ${name} is on.`, 'warn'));
  });
  byId('no-faults').addEventListener('click', () => {
    void command('DELETE', 'faults').then((answer) => answer !== null && say('All faults have ended.', 'up'));
  });
}
