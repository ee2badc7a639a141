/** All orders and fills, by page, with a filter and a search by id. */
import { h } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { cut, grouped, signed, trend } from '../../../browser/figures.js';
import { fieldsText } from '../live/sentences.js';
import { query } from '../parts/connection.js';
import { Card, inCoin, known, moment, Side, Table, withAge } from '../parts/elements.js';
import { model, now } from '../parts/model.js';

/** Rows of a route by page; `fields` ask for others. */
function usePages(path, fields) {
  const [state, set] = useState({ rows: [], next: null, said: 'The monitor is asked.', readAt: 0 });
  const key = JSON.stringify(fields);
  const load = (before, rows) =>
    query(path, { ...fields, before, limit: 100 }).then(
      (answer) => set({ rows: [...rows, ...answer.rows], next: answer.next, said: 'Nothing matches.', readAt: now() }),
      (error) => set({ rows, next: null, said: error.message, readAt: 0 }),
    );
  useEffect(() => void load('', []), [key]);
  return { ...state, more: state.next === null ? null : () => void load(state.next, state.rows), again: () => void load('', []) };
}

/** @param {{ label: string, value: string, set: (value: string) => void, options?: readonly string[] }} props */
const Field = ({ label, value, set, options }) =>
  h(
    'label',
    { class: 'choice' },
    `${label} `,
    options === undefined
      ? h('input', { value, onChange: (event) => set(event.currentTarget.value.trim()) })
      : h(
          'select',
          { value, onChange: (event) => set(/** @type {HTMLSelectElement} */ (event.currentTarget).value) },
          options.map((one) => h('option', { key: one, value: one }, one || 'all')),
        ),
  );

const More = ({ pages }) => [
  pages.more === null ? null : h('button', { class: 'more', onClick: pages.more }, 'Load older rows'),
  h('button', { class: 'more', onClick: pages.again }, 'Read again'),
];

const Leg = ({ symbol, side, effect }) => [h('b', null, symbol), ' ', h(Side, { side }), ` ${effect.toLowerCase()}`];

const PLACED_BY = { watchdog: 'the watchdog', unknown: 'this bot, unknown to its store' };

/** Who placed the order of a row, or did the fill: a strategy, or what else is known. */
const whoOf = ({ strategy, number, placedBy = model.orders.get(number)?.placedBy }) =>
  strategy || PLACED_BY[placedBy] || (number > 0 ? 'a person' : 'another party');

const ORDER_COLUMNS = (ask) => [
  {
    title: 'Order',
    kind: 'wide word',
    cell: (row) => [
      h('button', { class: 'sentence', onClick: () => ask({ order: String(row.number) }) }, String(row.number)),
      ' ',
      h(Leg, row),
    ],
  },
  {
    title: 'State',
    kind: 'word',
    cell: ({ state }) => h('span', { class: state === 'unknown' || state === 'rejected' || state === 'refused' ? 'warn' : '' }, state),
  },
  {
    title: 'Size',
    kind: 'n',
    cell: ({ size, filled }) => [grouped(size), h('small', null, Number(filled) > 0 ? `${grouped(filled)} filled` : '')],
  },
  {
    title: 'Price',
    kind: 'n',
    cell: ({ price, trigger, type }) => [
      grouped(price) || type.toLowerCase(),
      h('small', null, trigger === '' ? '' : `at ${grouped(trigger)}`),
    ],
  },
  {
    title: 'Stop / target',
    kind: 'n',
    cell: ({ stopLoss, takeProfit }) =>
      stopLoss === '' && takeProfit === '' ? 'none' : `${grouped(stopLoss) || '–'} / ${grouped(takeProfit) || '–'}`,
  },
  { title: 'Strategy', kind: 'word', cell: whoOf },
  { title: 'Reason', cell: ({ reason }) => reason },
  { title: 'Changed', kind: 'n', cell: ({ updatedAt, createdAt }) => moment(updatedAt || createdAt) },
  { title: 'Ids', cell: ({ clientId, venueId }) => h('small', { class: 'ids' }, clientId, ' ', venueId || 'no id of the venue') },
];

export function Orders({ ask }) {
  const [id, setId] = useState('');
  const [scope, setScope] = useState('');
  const [state, setState] = useState('');
  const pages = usePages('orders', { id, scope, state });
  return h(
    Card,
    { id: 'orders', title: 'Orders', small: withAge('newest first', pages.readAt) },
    h(
      'div',
      { class: 'filters' },
      h(Field, { label: 'Number or id', value: id, set: setId }),
      h(Field, { label: 'Symbol, side or strategy', value: scope, set: setScope }),
      h(Field, { label: 'State', value: state, set: setState, options: ['', 'open', 'ended'] }),
    ),
    h(Table, {
      label: 'Orders',
      columns: ORDER_COLUMNS(ask),
      rows: pages.rows,
      keyOf: ({ number }) => number,
      empty: pages.said,
      most: 1000,
    }),
    h(More, { pages }),
  );
}

const FILL_COLUMNS = (ask) => [
  {
    title: 'Fill',
    kind: 'wide word',
    cell: (row) => [
      h(Leg, row),
      ' ',
      h('button', { class: 'sentence', onClick: () => ask({ order: String(row.number) }) }, `order ${row.number}`),
    ],
  },
  { title: 'Time', kind: 'n', cell: ({ time }) => moment(time) },
  { title: 'Size', kind: 'n', cell: ({ size }) => grouped(size) },
  { title: 'Price', kind: 'n', cell: ({ price }) => known(price, grouped(price)) },
  { title: inCoin('Fee'), kind: 'n', cell: ({ fee }) => known(fee, cut(fee, 4)) },
  {
    title: inCoin('Profit before fee'),
    kind: 'n',
    cell: ({ profit, effect }) => (effect === 'OPEN' ? 'opens' : known(profit, h('span', { class: trend(profit) }, signed(profit)))),
  },
  { title: 'Position after', kind: 'n', cell: ({ positionAfter }) => grouped(positionAfter) },
  { title: 'Strategy', kind: 'word', cell: whoOf },
  { title: 'Reason', cell: ({ reason }) => reason },
];

export function Fills({ ask }) {
  const [order, setOrder] = useState('');
  const [scope, setScope] = useState('');
  const pages = usePages('fills', { order, scope });
  return h(
    Card,
    { id: 'fills', title: 'Fills', small: withAge('newest first', pages.readAt) },
    h(
      'div',
      { class: 'filters' },
      h(Field, { label: 'Order number', value: order, set: setOrder }),
      h(Field, { label: 'Symbol, side or strategy', value: scope, set: setScope }),
    ),
    h(Table, { label: 'Fills', columns: FILL_COLUMNS(ask), rows: pages.rows, keyOf: ({ id }) => id, empty: pages.said, most: 1000 }),
    h(More, { pages }),
  );
}

const LOG_COLUMNS = [
  { title: 'Time', cell: ({ time }) => time.replace('T', ' ').replace('Z', '') },
  {
    title: 'Level',
    cell: ({ level }) => h('span', { class: `word ${level === 'info' ? '' : level === 'error' ? 'down' : 'warn'}` }, level),
  },
  { title: 'Event', kind: 'wide', cell: ({ event }) => h('b', null, event) },
  { title: 'Fields', kind: 'wide', cell: (row) => h('span', { class: 'words' }, fieldsText(row)) },
];
export function Log() {
  const [level, setLevel] = useState('');
  const [text, setText] = useState('');
  const pages = usePages('log', { level, text });
  return h(
    Card,
    { id: 'log', title: 'Log', small: withAge('newest first, UTC', pages.readAt) },
    h(
      'div',
      { class: 'filters' },
      h(Field, { label: 'At least', value: level, set: setLevel, options: ['', 'warn', 'error'] }),
      h(Field, { label: 'Contains', value: text, set: setText }),
    ),
    h(Table, { label: 'Log', columns: LOG_COLUMNS, rows: pages.rows, keyOf: ({ id }) => id, empty: pages.said, most: 1000 }),
    h(More, { pages }),
  );
}
