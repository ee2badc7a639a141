/**
 * The script of the exchange's web page: reads /live.json once a second and shows its values, as text and never as markup. It runs in a
 * browser without libraries; how figures are written stands in src/browser.
 * size: one document has one script
 */
'use strict';
{
  const EVERY_MS = 1000;
  const PATIENCE_MS = 5000;
  const HISTORY = 90;
  const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches;

  const byId = (id) => document.getElementById(id);

  /** Creates an element with a class and a text. */
  function make(name, text = '', kind = '') {
    const element = document.createElement(name);
    if (text !== '') element.textContent = text;
    if (kind !== '') element.className = kind;
    return element;
  }

  const isBuy = (side, effect) => side === 'BUY' || (side === 'LONG' && effect === 'OPEN') || (side === 'SHORT' && effect === 'CLOSE');
  const direction = (row) => (isBuy(row.side, row.effect) ? 'up' : 'down');

  /** The time that change and turnover of a market cover: 24 hours, or since its first trade. */
  const covered = ({ coveredMs }) => (coveredMs === null ? '' : coveredMs === 86_400_000 ? 'in 24 h' : `in ${span(coveredMs)}`);

  /* Recent values for the sparklines, by key. */
  const histories = new Map();
  function note(key, value) {
    const line = histories.get(key) ?? [];
    histories.set(key, line);
    line.push(value);
    if (line.length > HISTORY) line.shift();
  }
  const TREND = `Trend ${(HISTORY * EVERY_MS) / 1000} s`;
  const shortPath = (path) => path.replace('/api/v1', '');
  /** The path of each endpoint, by its id: an id alone says nothing. */
  const paths = new Map();

  /*
   * A column: title; text(row); small(row) beside it; kind = classes of the cell, "n" for numbers, c, b and a for columns that move to a
   * second line below the row, in this order, until the table fits its card; tone(row) = colour; moves = it flashes when its number
   * changes; spark(row) = key of a line; opens(row) = a press shows the market of the row.
   */
  const tables = {
    symbols: {
      key: (r) => `${r.product} ${r.symbol}`,
      empty: 'No market name contains this text.',
      columns: [
        {
          title: 'Symbol',
          kind: 'name',
          text: (r) => r.symbol,
          small: (r) => (r.product === 'spot' ? 'spot' : ''),
          opens: (r) => r.product !== 'spot',
        },
        { title: 'Bid size', kind: 'n c', text: (r) => grouped(r.bidSize), small: (r) => taken(r.bidTaken) },
        { title: 'Bid', kind: 'n', text: (r) => grouped(r.bid) || '–', moves: true },
        { title: 'Ask', kind: 'n', text: (r) => grouped(r.ask) || '–', moves: true },
        { title: 'Ask size', kind: 'n c', text: (r) => grouped(r.askSize), small: (r) => taken(r.askTaken) },
        { title: 'Last', kind: 'n a', text: (r) => grouped(r.last) || '–', moves: true },
        { title: TREND, kind: 'a', spark: (r) => `${r.product} ${r.symbol}` },
        { title: 'Change %', kind: 'n', text: (r) => percent(r.change), small: covered, tone: (r) => trend(r.change) },
        { title: 'Turnover', kind: 'n c', text: (r) => grouped(r.turnover) },
        { title: 'Orders', kind: 'n b', text: (r) => String(r.orders) },
      ],
    },
    accounts: {
      key: (r) => r.account,
      empty: 'No accounts.',
      columns: [
        { title: 'Account', kind: 'name', text: (r) => r.account, small: (r) => r.key },
        { title: 'Equity', kind: 'n', text: (r) => money(r.equity), moves: true },
        { title: TREND, kind: 'a', spark: (r) => r.account },
        { title: 'Unrealised', kind: 'n', text: (r) => signed(r.unrealised), tone: (r) => trend(r.unrealised) },
        { title: 'Realised', kind: 'n a', text: (r) => signed(r.realised), tone: (r) => trend(r.realised) },
        { title: 'Fees', kind: 'n a', text: (r) => money(r.fees) },
        { title: 'Funding', kind: 'n c', text: (r) => signed(r.funding) },
        { title: 'Available', kind: 'n c', text: (r) => money(r.available) },
        { title: 'Legs', kind: 'n b', text: (r) => String(r.positions) },
        { title: 'Orders', kind: 'n b', text: (r) => String(r.orders) },
      ],
    },
    positions: {
      key: (r) => `${r.account} ${r.symbol} ${r.side}`,
      empty: 'No open positions.',
      columns: [
        { title: 'Acct', kind: 'note', text: (r) => r.account.replace('account-', '') },
        { title: 'Symbol', kind: 'name', text: (r) => r.symbol, small: (r) => (r.marginMode === 'ISOLATED' ? 'isolated' : '') },
        { title: 'Side', text: (r) => r.side, tone: (r) => (r.side === 'LONG' ? 'up' : 'down') },
        { title: 'Size', kind: 'n', text: (r) => grouped(r.size), moves: true },
        { title: 'Entry', kind: 'n a', text: (r) => grouped(r.entry) },
        { title: 'Mark', kind: 'n c', text: (r) => grouped(r.mark), moves: true },
        { title: 'Value', kind: 'n c', text: (r) => money(r.value) },
        { title: 'Margin', kind: 'n c', text: (r) => money(r.margin) },
        { title: 'Liquidation', kind: 'n b', text: (r) => grouped(r.liquidation) || 'none' },
        { title: 'Take / stop', kind: 'n a', text: (r) => bracketsOf(r.exits) },
        { title: 'Unrealised', kind: 'n', text: (r) => signed(r.unrealised), tone: (r) => trend(r.unrealised) },
      ],
    },
    spot: {
      key: (r) => `${r.account} ${r.coin}`,
      empty: 'No account holds coins.',
      columns: [
        { title: 'Acct', kind: 'note', text: (r) => r.account.replace('account-', '') },
        { title: 'Coin', kind: 'name', text: (r) => r.coin },
        { title: 'Free', kind: 'n', text: (r) => cut(r.free, 8), moves: true },
        { title: 'Locked', kind: 'n', text: (r) => cut(r.locked, 8) },
      ],
    },
    refusals: {
      key: (r) => `${r.time} ${r.endpoint} ${r.asked}`,
      empty: 'No request was refused.',
      columns: [
        { title: 'Time', text: (r) => clock(r.time) },
        {
          title: 'Endpoint',
          kind: 'path',
          text: (r) => paths.get(r.endpoint) ?? r.endpoint,
          small: (r) => (paths.has(r.endpoint) ? r.endpoint : ''),
        },
        { title: 'Why', kind: 'why', text: (r) => `${r.code} ${r.msg}`, tone: () => 'down' },
        { title: 'Request', kind: 'note a', text: (r) => r.asked },
        { title: 'Key', kind: 'note c', text: (r) => r.key },
      ],
    },
    orders: {
      key: (r) => r.orderId,
      empty: 'No open orders.',
      columns: [
        { title: 'Acct', kind: 'note', text: (r) => r.account.replace('account-', '') },
        { title: 'Since', kind: 'b', text: (r) => clock(r.time) },
        { title: 'Symbol', kind: 'name', text: (r) => r.symbol, small: (r) => (r.kind === 'futures' ? '' : r.kind) },
        { title: 'Side', text: (r) => `${r.side} ${r.effect}`.trim(), tone: direction },
        { title: 'Type', kind: 'a', text: (r) => r.type.replace('_', ' ').toLowerCase() },
        { title: 'Price', kind: 'n', text: (r) => grouped(r.price) || 'market', small: (r) => (r.trigger === '' ? '' : `at ${r.trigger}`) },
        {
          title: 'Size',
          kind: 'n a',
          text: (r) => grouped(r.size),
          small: (r) => (Number(r.filled) === 0 ? '' : `${grouped(r.filled)} filled`),
        },
        {
          title: 'Take / stop',
          kind: 'n c',
          text: bracket,
        },
        { title: 'Id', kind: 'note c', text: (r) => r.orderId, small: (r) => r.clientOid },
      ],
    },
    fills: {
      key: (r) => String(r.fill),
      empty: 'No fills since the exchange started.',
      columns: [
        { title: 'Time', text: (r) => clock(r.time) },
        { title: 'Acct', kind: 'note a', text: (r) => r.account.replace('account-', '') },
        { title: 'Symbol', kind: 'name', text: (r) => r.symbol, small: (r) => (r.product === 'spot' ? 'spot' : '') },
        { title: 'Side', text: (r) => `${r.side} ${r.effect}`.trim(), tone: direction },
        { title: 'Price', kind: 'n', text: (r) => grouped(r.price) },
        { title: 'Size', kind: 'n a', text: (r) => grouped(r.size) },
        { title: 'Role', kind: 'note b', text: (r) => r.liquidity },
        {
          title: 'Realised',
          kind: 'n b',
          text: (r) => signed(r.realised),
          tone: (r) => trend(r.realised),
        },
        { title: 'Fee', kind: 'n c', text: (r) => cut(r.fee, 4) },
      ],
    },
    requests: {
      key: (r) => r.id,
      empty: '',
      dim: (r) => r.asked === 0,
      columns: [
        { title: 'Id', kind: 'note a', text: (r) => r.id },
        { title: 'Endpoint', kind: 'path', text: (r) => shortPath(r.path), small: (r) => (r.method === 'POST' ? 'POST' : '') },
        { title: 'Requests', kind: 'n', text: (r) => grouped(r.asked) },
        { title: 'Refused', kind: 'n', text: (r) => grouped(r.refused), tone: (r) => (r.refused > 0 ? 'down' : '') },
        { title: 'Last refusal', kind: 'note b', text: (r) => r.lastRefusal },
      ],
    },
  };

  /** "take-profit / stop-loss", with a dash for a missing one; "" without either. */
  function bracket({ takeProfit, stopLoss }) {
    return [grouped(takeProfit) || '–', grouped(stopLoss) || '–'].join(' / ').replace('– / –', '');
  }

  const bracketsOf = (exits) => (exits.length === 0 ? '' : bracket(exits[0]) + (exits.length > 1 ? ` and ${exits.length - 1} more` : ''));

  const taken = (size) => (size === '' ? '' : `${grouped(size)} taken`);

  /** Updates cell `k` of `tr` from `row`. Its elements are kept, so that a selection or a flash survives. */
  function fillCell(cell, column, row) {
    if (column.spark !== undefined) return drawSpark(cell, histories.get(column.spark(row)) ?? []);
    const text = column.text(row);
    if (cell.dataset.text !== text) {
      const before = cell.dataset.text;
      cell.dataset.text = text;
      (cell.firstElementChild?.tagName === 'BUTTON' ? cell.firstChild.firstChild : cell.firstChild).data = text;
      if (column.moves === true && before !== undefined && !isStill) flash(cell, before, text);
    }
    const small = column.small?.(row) ?? '';
    const beside = cell.querySelector('small');
    if (small !== (beside?.textContent ?? '')) {
      if (beside === null) cell.append(make('small', small));
      else beside.textContent = small;
    }
    const tone = column.tone?.(row) ?? '';
    const kind = `${column.kind ?? ''} ${tone}`.trim();
    if (cell.className !== kind) cell.className = kind;
  }

  function flash(cell, before, after) {
    const plain = (text) => Number(text.replaceAll('\u202f', ''));
    const rise = plain(after) - plain(before);
    if (!(Math.abs(rise) > 0)) return;
    const colour = getComputedStyle(document.documentElement).getPropertyValue(rise > 0 ? '--up' : '--down');
    cell.animate([{ color: colour }, { color: colour, offset: 0.4 }, {}], { duration: 900 });
  }

  /** A button with the name of a market, which shows it. */
  function opener() {
    const button = make('button');
    button.append(document.createTextNode(''));
    button.addEventListener('click', () => document.dispatchEvent(new CustomEvent('market-chosen', { detail: button.textContent })));
    return button;
  }

  function makeRow(columns, row) {
    const tr = make('tr');
    for (const { kind = '', spark, opens } of columns) {
      const cell = make('td', '', kind);
      if (opens?.(row) === true) cell.append(opener());
      else if (spark === undefined) cell.append(document.createTextNode(''));
      tr.append(cell);
    }
    return tr;
  }

  const leftOut = (columns) => columns.filter(({ kind = '', spark }) => / [abc]$|^[abc]$/.test(kind) && spark === undefined);

  /** The second line of a row: title and text of each column that does not fit the card. */
  function makeMore(columns) {
    const tr = make('tr', '', 'more');
    const cell = make('td');
    cell.colSpan = columns.length;
    for (const { title, kind } of leftOut(columns)) {
      const part = make('span', '', kind.slice(-1));
      part.append(`${title.toLowerCase()} `, make('b'));
      cell.append(part, ' ');
    }
    tr.append(cell);
    return tr;
  }

  function fillMore(tr, columns, row) {
    for (const [k, column] of leftOut(columns).entries()) {
      const part = tr.firstChild.children[k];
      const text = `${column.text(row)} ${column.small?.(row) ?? ''}`.trim();
      part.hidden = text === '';
      if (part.lastElementChild.textContent !== text) part.lastElementChild.textContent = text;
    }
  }

  /** Updates the rows of one table; a row keeps its element by key. */
  function show(name, { rows }) {
    const { columns, key, empty, dim } = tables[name];
    const table = byId(name).querySelector('table');
    if (table.tHead === null) {
      const tr = make('tr');
      for (const { title, kind = '' } of columns) {
        const th = make('th', title, kind.replace(/name|note/, ''));
        th.scope = 'col';
        tr.append(th);
      }
      table.createTHead().append(tr);
      table.append(make('tbody'));
      tables[name].known = new Map();
    }
    const body = table.tBodies[0];
    const known = tables[name].known;
    const kept = new Map();
    table.tHead.hidden = rows.length === 0;
    if (rows.length === 0) {
      const cell = make('td', empty, 'empty');
      const tr = make('tr');
      tr.append(cell);
      body.replaceChildren(tr);
      tables[name].known = kept;
      return;
    }
    const lines = [];
    for (const row of rows) {
      const id = key(row);
      const tr = known.get(id) ?? makeRow(columns, row);
      kept.set(id, tr);
      for (const [c, column] of columns.entries()) fillCell(tr.children[c], column, row);
      tr.className = dim?.(row) === true ? 'idle' : '';
      lines.push(tr);
      const second = known.get(`more ${id}`) ?? makeMore(columns);
      kept.set(`more ${id}`, second);
      fillMore(second, columns, row);
      lines.push(second);
    }
    for (const [k, tr] of lines.entries()) if (body.children[k] !== tr) body.insertBefore(tr, body.children[k] ?? null);
    while (body.children.length > lines.length) body.lastElementChild.remove();
    tables[name].known = kept;
    fit(byId(name));
    tables[name].inSight = wholeRows(byId(name).querySelector('.scroll'), lines);
  }

  /** A long list ends with a whole row: the number of rows in sight before somebody scrolls. A row has two lines. */
  function wholeRows(scroll, lines) {
    const most = matchMedia('(max-width: 640px)').matches ? 360 : 440;
    const ends = lines.filter((_, k) => k % 2 === 1).map((second) => second.offsetTop + second.offsetHeight);
    const all = ends.filter((end) => end <= most).length;
    const height = all === 0 || all === ends.length ? '' : `${ends[all - 1]}px`;
    if (scroll.style.maxHeight !== height) scroll.style.maxHeight = height;
    return all === 0 ? ends.length : all;
  }

  const LEFT_OUT = ['no-c', 'no-b', 'no-a'];

  /** Moves columns to the second line of each row until the table is no wider than its card. They stay there until the card is resized. */
  function fit(card) {
    const scroll = card.querySelector('.scroll');
    for (const step of LEFT_OUT) if (scroll.scrollWidth > scroll.clientWidth) card.classList.add(step);
  }

  const widths = new ResizeObserver((entries) => {
    for (const { target } of entries) {
      target.classList.remove(...LEFT_OUT);
      fit(target);
    }
  });
  for (const name of Object.keys(tables)) widths.observe(byId(name));

  /** "8 of 24 in sight", "24", or what the exchange sent of more. */
  function counted(name, { rows, total }, all = grouped(total)) {
    const { inSight = 0 } = tables[name];
    if (rows.length > inSight && rows.length > 0) return `${inSight} of ${all} in sight`;
    return rows.length < total ? `showing ${rows.length} of ${all}` : all;
  }

  function count(name, text) {
    const element = byId(name).querySelector('.count');
    if (element.textContent !== text) element.textContent = text;
  }

  /** The strip of facts: [title, value, line below, class, share of a bar]. */
  function showFacts(facts) {
    const list = byId('facts');
    for (const [k, [title, value, below, kind = '', share]] of facts.entries()) {
      let box = list.children[k];
      if (box === undefined) {
        box = make('div');
        box.append(make('dt'), make('dd'));
        box.lastElementChild.append(document.createTextNode(''), make('small'));
        list.append(box);
      }
      const [dt, dd] = box.children;
      dt.textContent = title;
      dd.className = kind;
      dd.firstChild.data = value;
      dd.lastElementChild.textContent = below;
      let bar = dd.querySelector('progress');
      if (share !== undefined && bar === null) dd.insertBefore((bar = make('progress')), dd.lastElementChild);
      bar?.setAttribute('aria-label', title);
      if (share !== undefined) bar.value = share;
      else bar?.remove();
    }
    while (list.children.length > facts.length) list.lastElementChild.remove();
  }

  function faultsFact(faults) {
    if (faults === null) return ['Faults', 'none', 'no plan is set'];
    return ['Faults', `${grouped(faults.struck)} so far`, faults.kinds.join(', '), 'bad'];
  }

  /** The market of another venue; in red when its quotes cannot be used. */
  function upstreamFact({ isAway, crossed }) {
    if (isAway) return ['Upstream', 'away', 'no fresh quote', 'bad'];
    return crossed.length > 0 ? ['Upstream', 'crossed', crossed.join(', '), 'bad'] : ['Upstream', 'connected', 'fresh quotes'];
  }

  function factsOf(view) {
    const { place, requests, upstream } = view;
    const facts = [['Venue time', clock(view.time), `${date(view.time)}, up ${span(view.time - view.startedAt)}`]];
    if (place !== null) {
      const round = place.rounds > 0 ? `, round ${place.rounds + 1}` : '';
      const at = place.time === null ? 'not started' : `${date(place.time)} ${clock(place.time)}`;
      facts.push(['Tape', place.isOver ? 'finished' : `${(place.share * 100).toFixed(1)} %`, at + round, '', place.share]);
    }
    if (upstream !== null) facts.push(upstreamFact(upstream));
    facts.push(['Speed', `${Number(view.speed.toPrecision(4))}×`, view.speed === 1 ? 'real time' : 'times real time']);
    const share = requests.asked === 0 ? 0 : (requests.refused / requests.asked) * 100;
    facts.push(['Requests', grouped(requests.asked), `${perSecond(view)} a second`]);
    facts.push(['Refused', grouped(requests.refused), `${share.toFixed(share > 0 && share < 1 ? 2 : 0)} % of all requests`]);
    facts.push(['Fills', grouped(view.fills.total), `in all; fill model ${view.fillModel}`]);
    facts.push(['Ledger', view.ledger === null ? 'in memory' : 'on disk', view.ledger ?? 'lost when it stops']);
    facts.push(faultsFact(view.faults));
    return facts;
  }

  let last = null;
  /** Requests since the last update; at the first update, since the exchange started. */
  function perSecond({ time, startedAt, requests }) {
    const { time: from, asked } = last ?? { time: startedAt, asked: 0 };
    const rate = time <= from ? 0 : ((requests.asked - asked) * 1000) / (time - from);
    last = { time, asked: requests.asked };
    return rate >= 10 ? grouped(Math.round(rate)) : rate.toFixed(1);
  }

  function render(view) {
    byId('market').textContent = `${view.market} · ${location.host}`;
    showFacts(factsOf(view));
    for (const r of view.symbols.rows) if (r.last !== '') note(`${r.product} ${r.symbol}`, Number(r.last));
    for (const r of view.accounts.rows) note(r.account, Number(r.equity));
    // Endpoints without requests come last.
    view.requests.rows.sort((x, y) => Number(y.asked > 0) - Number(x.asked > 0));
    for (const { id, path } of view.requests.rows) paths.set(id, shortPath(path));
    for (const name of Object.keys(tables)) show(name, view[name]);
    document.dispatchEvent(new CustomEvent('accounts-shown', { detail: view.accounts.rows.map(({ account }) => account) }));
    for (const name of ['symbols', 'accounts', 'positions', 'orders', 'spot']) count(name, counted(name, view[name]));
    const { fills, requests, refusals } = view;
    const inSight = ({ rows }) => ({ rows, total: rows.length });
    count('fills', fills.rows.length === 0 ? '' : counted('fills', inSight(fills), `the last ${fills.rows.length}`));
    const each = 'each item of a batch counts';
    count(
      'refusals',
      refusals.rows.length === 0 ? '' : `${counted('refusals', inSight(refusals), `the last ${refusals.rows.length}`)}; ${each}`,
    );
    const shown = counted('requests', inSight(requests), `${requests.rows.length} endpoints`);
    count('requests', `${grouped(requests.asked)}, ${grouped(requests.refused)} refused; ${shown}`);
  }

  function state(kind, text) {
    byId('state').className = kind;
    byId('state').lastElementChild.textContent = text;
    document.body.classList.toggle('gone', kind === 'gone');
  }

  const find = byId('find');
  const sort = byId('sort');
  const given = new URLSearchParams(location.search);
  find.value = given.get('find') ?? '';
  if ([...sort.options].some((option) => option.value === given.get('sort'))) sort.value = given.get('sort');

  let timer = 0;
  let asking = 0;
  let seenAt = '';
  async function poll() {
    clearTimeout(timer);
    const mine = ++asking;
    const query = new URLSearchParams({ find: find.value.trim(), sort: sort.value });
    try {
      const response = await fetch(`/live.json?${query}`, { signal: AbortSignal.timeout(PATIENCE_MS) });
      if (!response.ok) throw new Error(`answered ${response.status}`);
      const view = await response.json();
      if (mine !== asking) return;
      render(view);
      seenAt = clock(view.time);
      state('live', 'updating');
    } catch {
      if (mine !== asking) return;
      state('gone', seenAt === '' ? 'no answer' : `no answer since ${seenAt}`);
    }
    if (!document.hidden) timer = setTimeout(() => void poll(), EVERY_MS);
  }

  function choose() {
    const query = new URLSearchParams();
    if (find.value.trim() !== '') query.set('find', find.value.trim());
    if (sort.value !== 'listed') query.set('sort', sort.value);
    history.replaceState(null, '', query.size === 0 ? '/' : `/?${query}`);
    void poll();
  }
  find.addEventListener('input', choose);
  sort.addEventListener('change', choose);
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) return;
    // A line of what was seen before is no trend of the last seconds.
    histories.clear();
    void poll();
  });
  void poll();
}
