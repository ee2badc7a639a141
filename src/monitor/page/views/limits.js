/** Limits: how often each refused an order, and which of them halt now. */
import { h } from 'preact';
import { grouped } from '../../../browser/figures.js';
import { model } from '../parts/model.js';
import { Card, Table } from '../parts/elements.js';

const KINDS = { 'intent-refused': 'refused by this bot', 'command-rejected': 'rejected by the venue', 'read-failed': 'read that failed' };

function rowsOf(counts) {
  return Object.entries(counts).map(([name, times]) => {
    const [kind = '', ...rest] = name.split(' ');
    return { name, what: rest.join(' ') || kind, kind: KINDS[kind] ?? kind, times };
  });
}

export function Limits({ ask }) {
  const rows = rowsOf(model.status?.counts ?? {}).sort((a, b) => b.times - a.times);
  return h(
    Card,
    { id: 'limits', title: 'Limits', small: 'since the start of the bot' },
    h(
      'p',
      null,
      'How near each limit is, with its number, stands in the answer to ',
      h('button', { onClick: () => ask({}) }, 'Why is it not trading?'),
    ),
    h(Table, {
      label: 'Refusals by limit',
      columns: [
        { title: 'Limit or cause', kind: 'wide', cell: ({ what }) => h('b', null, what) },
        { title: 'What happened', cell: ({ kind }) => kind },
        { title: 'Times', kind: 'n', cell: ({ times }) => grouped(times) },
      ],
      rows,
      keyOf: ({ name }) => name,
      empty: model.status === null ? 'The bot has not been heard yet.' : 'No limit has refused anything.',
    }),
  );
}
