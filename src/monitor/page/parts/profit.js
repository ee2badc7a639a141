/** The table of realised profit by day, strategy, symbol or reason. */
import { h } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { grouped, money, signed, trend } from '../../../browser/figures.js';
import { query } from './connection.js';
import { inCoin, known, readText, Table } from './elements.js';
import { model, now } from './model.js';

/** What the net of these tables is: not that of the bar, which is of today, and without unrealised profit. */
export const PROFIT_SAYS = () => inCoin('realised, less fees, with funding');

export function Profit({ by }) {
  const [answer, set] = useState({ rows: [], said: 'The bot is asked.', readAt: 0 });
  const isOperator = model.role === 'operate';
  useEffect(() => {
    if (isOperator)
      query('queries/pnl', { by }).then(
        ({ groups }) => set({ rows: groups, said: 'No fill yet.', readAt: now() }),
        (error) => set({ rows: [], said: error.message, readAt: 0 }),
      );
    else set({ rows: [], said: 'This session may only look: it does not show profit by group.', readAt: 0 });
  }, [by, isOperator]);
  const amount = (title, field, isTrend) => ({
    title,
    kind: 'n',
    cell: (row) => known(row[field], isTrend ? h('span', { class: trend(row[field]) }, signed(row[field])) : money(row[field])),
  });
  const table = h(Table, {
    label: `Profit by ${by}`,
    columns: [
      {
        title: by === 'day' ? 'Day UTC' : by[0].toUpperCase() + by.slice(1),
        kind: 'wide',
        cell: ({ key }) => h('b', null, key || 'not known'),
      },
      amount('Net', 'net', true),
      amount('Profit', 'profit', true),
      amount('Fees', 'fees', false),
      amount('Funding', 'funding', true),
      { title: 'Fills', kind: 'n', cell: ({ fills }) => grouped(fills) },
      { title: 'Won before fees', kind: 'n', cell: ({ wins, closed }) => `${wins} of ${closed}` },
    ],
    rows: answer.rows,
    keyOf: ({ key }) => key,
    empty: answer.said,
  });
  return [table, answer.readAt === 0 ? null : h('p', { key: 'read', class: 'soft' }, readText(answer.readAt))];
}
