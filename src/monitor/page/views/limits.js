/** Limits: how near each is and what happens at 100 %, and how often each refused an order. */
import { h } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { cut, grouped } from '../../../browser/figures.js';
import { query } from '../parts/connection.js';
import { model, now } from '../parts/model.js';
import { Card, known, readText, Table } from '../parts/elements.js';

const KINDS = {
  'intent-refused': 'refused by this bot',
  'command-rejected': 'rejected by the venue with this code',
  'read-failed': 'read that failed',
};
const AGAIN_MS = 2_000;
/** From this share on a limit is near. */
const NEAR = 0.8;

/** How near each limit is, asked for again and again while it is shown. */
function useLevels() {
  const [state, set] = useState({ rows: [], said: 'The bot is asked.', readAt: 0 });
  useEffect(() => {
    if (model.past !== null) {
      set({ rows: [], said: 'A recording does not say how near its limits were.', readAt: 0 });
      return undefined;
    }
    let timer = 0;
    let isGone = false;
    const read = async () => {
      try {
        const { limits } = await query('queries/limits');
        if (!isGone) set({ rows: limits, said: 'No limit has a value.', readAt: now() });
      } catch (error) {
        // Figures of before would look like those of now.
        if (!isGone) set({ rows: [], said: error.message, readAt: 0 });
      }
      if (!isGone) timer = setTimeout(() => void read(), AGAIN_MS);
    };
    void read();
    return () => {
      isGone = true;
      clearTimeout(timer);
    };
  }, []);
  return state;
}

const scopeText = (scope) => (scope === 'bot' ? 'the whole bot' : scope.replace(/^\w+:/, '').replace(':', ' '));
const amount = (text, unit) => known(text, [unit === '' || unit === 'ms' ? grouped(text) : cut(text, 4), unit === '' ? '' : ` ${unit}`]);

/** A bar as long as the share, with the share in figures beside it. */
function Share({ share }) {
  if (share === null) return known('');
  const percent = Math.floor(share * 100);
  const [kind, mark] = share >= 1 ? ['down', '■ '] : share >= NEAR ? ['warn', '▲ '] : ['', ''];
  return [
    h('b', { class: kind }, `${mark}${grouped(String(percent))} %`),
    h('meter', { min: 0, max: 1, high: NEAR, low: NEAR, optimum: 0, value: Math.min(1, share), 'aria-label': `${percent} % of the limit` }),
  ];
}

const LEVEL_COLUMNS = [
  {
    title: 'Limit',
    kind: 'wide',
    cell: ({ setting, scope }) => [h('b', null, setting.replace('risk.', '')), h('small', null, scopeText(scope))],
  },
  { title: 'Now', kind: 'n', cell: ({ value, unit }) => amount(value, unit) },
  { title: 'Limit is', kind: 'n', cell: ({ limit, unit }) => amount(limit, unit) },
  { title: 'Used', kind: 'n', cell: Share },
  { title: 'At 100 %', cell: ({ effect }) => effect },
];

function rowsOf(counts) {
  return Object.entries(counts).map(([name, times]) => {
    const [kind = '', ...rest] = name.split(' ');
    return { name, what: rest.join(' ') || kind, kind: KINDS[kind] ?? kind, times };
  });
}

export function Limits({ ask }) {
  const levels = useLevels();
  const rows = rowsOf(model.status?.counts ?? {}).sort((a, b) => b.times - a.times);
  return [
    h(
      Card,
      {
        key: 'levels',
        id: 'levels',
        title: 'How near each limit is',
        small: ['nearest first; live opening orders count as filled', readText(levels.readAt)].filter(Boolean).join('; '),
      },
      h(Table, {
        label: 'Limits by share',
        columns: LEVEL_COLUMNS,
        rows: levels.rows,
        keyOf: ({ setting, scope }) => `${setting} ${scope}`,
        empty: levels.said,
      }),
      h(
        'p',
        null,
        'Limits of single orders have no value of their own. What each rule says to the next order stands in ',
        h('button', { onClick: () => ask({}) }, 'Why is it not trading?'),
      ),
    ),
    h(
      Card,
      { key: 'limits', id: 'limits', title: 'Refusals', small: 'since the start of the bot' },
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
    ),
  ];
}
