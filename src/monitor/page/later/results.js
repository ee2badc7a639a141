/** What trading brought: a calendar of the profit of each day, and how the results of the closing orders are distributed. */
import { h } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { grouped, money, signed, sum, trend } from '../../../browser/figures.js';
import { query } from '../parts/connection.js';
import { Card, count, Facts, inCoin } from '../parts/elements.js';
import { model } from '../parts/model.js';

const DAY = 86_400_000;
const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
const MONTHS = 3;
const PAGES = 5;
const PAGE = 1000;
const BARS = 12;

/** "+1.2k": an amount in the room of a day on a phone. A picture of the amount, which is beside it in full. */
function short(text) {
  const size = Math.abs(Number(text));
  const sign = Number(text) > 0 ? '+' : Number(text) < 0 ? '\u2212' : '';
  if (size < 1000) return sign + size.toFixed(size < 10 ? 1 : 0);
  return size < 1e6 ? `${sign}${(size / 1e3).toFixed(1)}k` : `${sign}${(size / 1e6).toFixed(1)}M`;
}

const monthName = (month) =>
  new Date(`${month}-01T00:00:00Z`).toLocaleDateString('en', { month: 'long', year: 'numeric', timeZone: 'UTC' });
const weekday = (time) => (new Date(time).getUTCDay() + 6) % 7;

/** A month of seven columns. A day without a fill is a dash, and no zero. */
function Month({ month, days, most }) {
  const first = Date.parse(`${month}-01T00:00:00Z`);
  const dates = [];
  for (let time = first; new Date(time).toISOString().startsWith(month); time += DAY) dates.push(time);
  const there = dates.flatMap((time) => days.get(new Date(time).toISOString().slice(0, 10)) ?? []);
  return h(
    'section',
    { class: 'month', 'aria-label': monthName(month) },
    h(
      'h3',
      null,
      monthName(month),
      ' ',
      h('span', { class: trend(sum(there.map(({ net }) => net))) }, signed(sum(there.map(({ net }) => net)))),
    ),
    h(
      'ol',
      { class: 'days' },
      WEEKDAYS.map((name) => h('li', { key: name, class: 'soft', 'aria-hidden': true }, name)),
      dates.map((time, k) => {
        const date = new Date(time).toISOString().slice(0, 10);
        const one = days.get(date);
        const says = one === undefined ? `${date}: no fill` : `${date}: ${signed(one.net)}, ${count(one.fills, 'fill')}`;
        const share = one === undefined ? 0 : Math.ceil((4 * Math.abs(Number(one.net))) / (most || 1));
        return h(
          'li',
          {
            key: date,
            class: `day ${one === undefined ? '' : trend(one.net)} s${share}${k === 0 ? ` from${weekday(time)}` : ''}`,
            title: says,
          },
          h('span', { class: 'soft', 'aria-hidden': true }, k + 1),
          h('b', { 'aria-label': says, role: 'img' }, one === undefined ? '–' : short(one.net)),
        );
      }),
    ),
  );
}

export function Calendar() {
  const [answer, set] = useState({ days: new Map(), said: 'The bot is asked.' });
  const [shown, show] = useState(MONTHS);
  useEffect(() => {
    if (model.role !== 'operate') return set({ days: new Map(), said: 'This session may only look: it does not show profit by day.' });
    query('queries/pnl', { by: 'day' }).then(
      ({ groups }) => set({ days: new Map(groups.map((one) => [one.key, one])), said: 'No fill yet.' }),
      (error) => set({ days: new Map(), said: error.message }),
    );
  }, []);
  const { days, said } = answer;
  const months = [...new Set([...days.keys()].filter((day) => /^\d{4}-\d\d-\d\d$/.test(day)).map((day) => day.slice(0, 7)))]
    .sort((a, b) => a.localeCompare(b))
    .reverse();
  const most = Math.max(0, ...[...days.values()].map(({ net }) => Math.abs(Number(net))));
  return h(
    Card,
    { id: 'calendar', title: 'Calendar', small: inCoin('realised profit of each day in UTC, less fees, with funding') },
    months.length === 0
      ? h('p', { class: 'empty' }, said)
      : h(
          'div',
          { class: 'months' },
          months.slice(0, shown).map((month) => h(Month, { key: month, month, days, most })),
        ),
    months.length > shown ? h('button', { class: 'more', onClick: () => show(shown + 12) }, 'Show earlier months') : null,
  );
}

/** The result of each closing order: its realised profit less its fees, exactly. Null while a fee is not known. */
function resultsOf(fills) {
  const byOrder = new Map();
  for (const { effect, number, profit, fee } of fills) {
    if (effect !== 'CLOSE') continue;
    const parts = byOrder.get(number) ?? [];
    parts.push(profit === '' ? null : profit, fee === '' ? null : fee.startsWith('-') ? fee.slice(1) : `-${fee}`);
    byOrder.set(number, parts);
  }
  const all = [...byOrder.values()];
  const whole = all.filter((parts) => !parts.includes(null)).map((parts) => sum(parts));
  return { results: whole, unknown: all.length - whole.length };
}

/** Edges of bars of one round width, one of which is zero. */
function edgesOf(values) {
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)];
  const rough = (high - low || 1) / BARS;
  const unit = 10 ** Math.floor(Math.log10(rough));
  const width = [1, 2, 5, 10].map((one) => one * unit).find((one) => one >= rough);
  const edges = [];
  for (let k = Math.floor(low / width); k <= Math.ceil(high / width); k++) edges.push(Number((k * width).toPrecision(6)));
  return edges.length > 1 ? edges : [...edges, width];
}

function Bars({ results }) {
  const values = results.map(Number);
  const edges = edgesOf(values);
  const bars = edges.slice(1).map((to, k) => ({
    from: edges[k],
    to,
    n: values.filter((one) => one >= edges[k] && (one < to || (k === edges.length - 2 && one === to))).length,
  }));
  const most = Math.max(...bars.map(({ n }) => n));
  return h(
    'ol',
    { class: 'bars', 'aria-label': 'Closing orders by their result' },
    bars.map(({ from, to, n }) =>
      h(
        'li',
        { key: from, class: from < 0 ? 'down' : 'up' },
        h('span', { class: 'n' }, `${money(String(from))} to ${money(String(to))}`),
        h(
          'svg',
          { viewBox: '0 0 100 10', preserveAspectRatio: 'none', 'aria-hidden': true },
          h('rect', { width: (100 * n) / most, height: 10 }),
        ),
        h('b', null, grouped(n)),
      ),
    ),
  );
}

const median = (sorted) => sorted[Math.floor((sorted.length - 1) / 2)];

function factsOf(results) {
  const sorted = [...results].sort((a, b) => Number(a) - Number(b));
  const won = sorted.filter((one) => Number(one) > 0);
  const lost = sorted.filter((one) => Number(one) < 0);
  const [gains, losses] = [Number(sum(won)), -Number(sum(lost))];
  const mean = (list) => (list.length === 0 ? 'none' : signed((Number(sum(list)) / list.length).toFixed(2)));
  return [
    ['Won', `${won.length} of ${results.length}`, `${((100 * won.length) / results.length).toFixed(1)} %`],
    ['Sum', signed(sum(results))],
    ['Mean, median', `${mean(results)}, ${signed(median(sorted))}`],
    ['Mean win, mean loss', `${mean(won)}, ${mean(lost)}`],
    ['Best, worst', `${signed(sorted.at(-1))}, ${signed(sorted[0])}`],
    ['Profit factor', losses === 0 ? 'no loss yet' : (gains / losses).toFixed(2), 'sum of wins to sum of losses'],
  ];
}

/** All fills of the newest pages, as many as there are. */
async function newestFills() {
  const rows = [];
  let before = '';
  for (let page = 0; page < PAGES && before !== null; page++) {
    const answer = await query('fills', { limit: PAGE, before });
    rows.push(...answer.rows);
    before = answer.next;
  }
  return { rows, isAll: before === null };
}

export function Distribution() {
  const [answer, set] = useState({ rows: [], isAll: true, said: 'The monitor is asked.' });
  useEffect(
    () =>
      void newestFills().then(
        (found) => set({ ...found, said: 'No position was closed yet.' }),
        (error) => set({ rows: [], isAll: true, said: error.message }),
      ),
    [],
  );
  const { results, unknown } = resultsOf(answer.rows);
  return h(
    Card,
    {
      id: 'distribution',
      title: 'Results of closing orders',
      small: `${inCoin('realised profit less the fee of the close')}; ${answer.isAll ? 'all fills that the monitor has' : `of the last ${grouped(answer.rows.length)} fills`}`,
    },
    results.length === 0 ? h('p', { class: 'empty' }, answer.said) : [h(Facts, { facts: factsOf(results) }), h(Bars, { results })],
    unknown === 0 ? null : h('p', { class: 'warn' }, `${count(unknown, 'closing order')} left out: a profit or a fee is not known.`),
  );
}
