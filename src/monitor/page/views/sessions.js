/** Sessions: the recordings of the bot. Each can be opened on this page. */
import { h } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { bytes } from '../../../browser/figures.js';
import { query } from '../parts/connection.js';
import { Action, Card, known, moment, Table } from '../parts/elements.js';
import { openPast } from '../parts/past.js';

export function Sessions() {
  const [rows, setRows] = useState(null);
  const [said, say] = useState('');
  useEffect(() => {
    query('sessions').then(
      (answer) => setRows(answer.rows),
      (error) => say(error.message),
    );
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
  return h(
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
              title: '',
              kind: 'wide',
              cell: ({ name }) =>
                h(Action, { why: isBusy ? 'A session is being replayed.' : '', onPress: () => open(name) }, `Open ${name}`),
            },
          ],
        }),
  );
}
