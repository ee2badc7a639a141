/** The reload of a strategy: what the text on disk would have done is shown first, and only that text is then given to the bot. */
import { h } from 'preact';
import { useState } from 'preact/hooks';
import { grouped, money, signed, sum, trend } from '../../../browser/figures.js';
import { query } from '../parts/connection.js';
import { coin, count, HoldButton, moment, Table } from '../parts/elements.js';

const figures = ({ orders, fills, profit }) => [
  h('b', { class: trend(profit) }, signed(profit)),
  h('small', null, fills === undefined ? count(orders, 'order') : `${count(orders, 'order')}, ${count(fills, 'fill')}`),
];

/** How much more or less the text on disk would have made than the one before, in all sessions; "" if one is not known. */
function betterBy(rows) {
  const [before, next] = ['before', 'next'].map((text) => rows.map((one) => one[text].profit));
  if (rows.length === 0 || [...before, ...next].some((profit) => profit === '')) return '';
  return sum([...next, ...before.map((profit) => (profit.startsWith('-') ? profit.slice(1) : `-${profit}`))]);
}

/** What both texts did in each session, and the first orders that only one of them sent. */
function Shown({ rows }) {
  return [
    h(Table, {
      key: 'sessions',
      label: 'What the texts did',
      columns: [
        { title: 'Session', kind: 'wide', cell: ({ from, to }) => h('b', null, `${moment(from)} to ${moment(to)}`) },
        { title: 'Recorded', kind: 'n', cell: ({ recorded }) => figures(recorded) },
        { title: 'Text before', kind: 'n', cell: ({ before }) => figures(before) },
        { title: 'Text on disk', kind: 'n', cell: ({ next }) => figures(next) },
        { title: 'Orders of one text alone', kind: 'n', cell: ({ differences }) => grouped(differences) },
      ],
      rows,
      keyOf: ({ session }) => session,
      empty: 'No strategy ran in the recorded sessions.',
    }),
    h(
      'ul',
      { key: 'first', class: 'said' },
      rows.flatMap(({ first, session }) =>
        first.map(({ by, order, time }, k) =>
          h('li', { key: `${session} ${k}` }, `${moment(time)}, only the text ${by === 'new' ? 'on disk' : 'before'}: ${order}`),
        ),
      ),
    ),
  ];
}

export function Reload({ name, act }) {
  const [answer, set] = useState({ said: '', isBusy: false, rows: null, sha256: '' });
  const rehearse = () => {
    set({ said: 'The newest sessions are replayed with the text on disk.', isBusy: true, rows: null, sha256: '' });
    query(`rehearsals/${encodeURIComponent(name)}`).then(
      ({ rows, sha256 }) => set({ said: '', isBusy: false, rows, sha256 }),
      (error) => set({ said: `It cannot be rehearsed: ${error.message}`, isBusy: false, rows: [], sha256: '' }),
    );
  };
  const { isBusy, rows, said, sha256 } = answer;
  const failed = rows?.find((one) => one.failed !== '')?.failed ?? '';
  const better = sha256 === '' || failed !== '' ? '' : betterBy(rows ?? []);
  return h(
    'div',
    null,
    h(
      'p',
      { class: 'soft' },
      'Reload loads the file as it is now; its orders and its state stay. A text that does not load changes nothing, and for an hour one that fails is taken back.',
    ),
    h(
      'button',
      { onClick: isBusy ? undefined : rehearse, 'aria-disabled': isBusy },
      `Show what the text on disk of ${name} would have done`,
    ),
    h(
      'div',
      { 'aria-live': 'polite' },
      said === '' ? null : h('p', { class: rows === null ? 'soft' : 'warn' }, said),
      rows === null || sha256 === '' ? null : h(Shown, { rows }),
    ),
    failed === '' ? null : h('p', { class: 'down' }, `■ The text on disk fails: ${failed}. It is not given to the bot.`),
    better === '' || Number(better) === 0
      ? null
      : h(
          'p',
          { class: trend(better) },
          `${better.startsWith('-') ? '▼ worse' : '▲ better'} by ${[money(better.replace('-', '')), coin()].filter(Boolean).join(' ')} in these sessions than the text that runs`,
        ),
    rows === null || failed !== ''
      ? null
      : h(HoldButton, {
          label: sha256 === '' ? `Hold: reload ${name} unseen` : `Hold: reload ${name} with ${sha256.slice(0, 12)}`,
          onHeld: () => act('reload', 'reload', sha256 === '' ? { strategy: name } : { strategy: name, sha256 }),
        }),
  );
}
