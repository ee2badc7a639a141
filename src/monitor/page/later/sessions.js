/** Sessions: the recordings of the bot. Each can be opened on this page. */
import { h } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { bytes, signed } from '../../../browser/figures.js';
import { query } from '../parts/connection.js';
import { Action, Card, inCoin, known, moment, Table } from '../parts/elements.js';
import { openPast } from '../parts/past.js';

/** How well the backtest of each day predicted its trading, the newest day first. */
function Days({ days }) {
  return h(
    Card,
    {
      id: 'days',
      title: 'Backtest and trading',
      small: 'basis points of what was traded that lie between them; report divergence --daily',
    },
    h(Table, {
      label: 'Backtest and trading by day',
      empty: 'No day is over yet. Each is computed five minutes after 0:00 UTC.',
      rows: days.toReversed(),
      keyOf: ({ day }) => day,
      columns: [
        { title: 'Day', cell: ({ day }) => day },
        {
          title: 'Error',
          kind: 'n',
          cell: ({ errorBp }) => (errorBp === null ? h('span', { class: 'soft' }, 'nothing traded') : `${errorBp} bp`),
        },
        { title: inCoin('Live'), kind: 'n', cell: ({ live }) => signed(live) },
        { title: inCoin('Backtest'), kind: 'n', cell: ({ backtest }) => signed(backtest) },
        {
          title: 'Largest causes',
          kind: 'wide',
          cell: ({ causes }) =>
            causes
              .slice(0, 3)
              .map(({ title, amount }) => `${title} ${signed(amount)}`)
              .join(', ') || 'none',
        },
      ],
    }),
  );
}

export function Sessions() {
  const [{ rows, days }, set] = useState({ rows: null, days: [] });
  const [said, say] = useState('');
  useEffect(() => {
    query('sessions').then(set, (error) => say(error.message));
  }, []);
  const [isBusy, setBusy] = useState(false);
  const open = (name) => {
    setBusy(true);
    say(`${name} is replayed.`);
    openPast(name).then(
      () => (location.hash = 'live'),
      (error) => {
        say(error.message);
        setBusy(false);
      },
    );
  };
  return [
    h(
      Card,
      { id: 'sessions', title: 'Sessions', small: 'recordings of this bot: open one, and drag the time' },
      h('p', { 'aria-live': 'polite' }, said),
      rows === null
        ? null
        : h(Table, {
            label: 'Sessions',
            empty: 'Nothing is recorded: record.enabled of the configuration records sessions.',
            rows,
            keyOf: ({ name }) => name,
            columns: [
              { title: 'Began', cell: ({ startedAt }) => (startedAt > 0 ? moment(startedAt) : known('')) },
              { title: 'Last written', cell: ({ endedAt }) => moment(endedAt) },
              { title: 'Size', kind: 'n', cell: (row) => bytes(row.bytes) },
              {
                title: 'Replay',
                kind: 'wide',
                cell: ({ name }) =>
                  h(Action, { why: isBusy ? 'A session is being replayed.' : '', onPress: () => open(name) }, `Open ${name}`),
              },
            ],
          }),
    ),
    h(Days, { days: days ?? [] }),
  ];
}
