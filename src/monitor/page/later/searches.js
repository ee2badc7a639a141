/** Searches: the studies of `optimize` of this user, from what they write to their files. Loaded when somebody opens it. */
import { h } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { grouped, span } from '../../../browser/figures.js';
import { ask } from '../parts/connection.js';
import { age, Card, Facts, known, moment, Table } from '../parts/elements.js';
import { later } from '../parts/library.js';
import { model, setClock } from '../parts/model.js';

/** @typedef {import('../../../control/studies.ts').StudyAnswer} Study */

const Plot = later('plot', async () => (await import('./plot.js')).Plot);

const PERIOD_MS = 2000;

/** A sign beside each word, so that colour is never alone. */
const STATES = {
  running: ['●', 'searches', 'up'],
  ended: ['✓', 'ended', ''],
  interrupted: ['■', 'interrupted', 'down'],
  unreadable: ['■', 'cannot be read', 'down'],
};

const State = ({ of: { state } }) => h('span', { class: STATES[state][2] }, `${STATES[state][0]} ${STATES[state][1]}`);
const trialsOf = ({ settled, trials }) => `${grouped(settled)} of ${grouped(trials)}`;
const timeLeft = ({ state, leftMs, says }) => {
  if (state !== 'running') return '–';
  if (says !== '') return 'nearly done';
  return leftMs === null ? known('') : span(leftMs);
};

/** Asks again and again; [the newest answer or null, why there is none]. */
function useAnswer(path) {
  const [{ answer, said }, set] = useState({ answer: null, said: '' });
  useEffect(() => {
    let isGone = false;
    let timer = 0;
    const { session } = model;
    const next = async () => {
      try {
        const found = await ask(path);
        setClock(found.time);
        if (!isGone) set({ answer: found, said: '' });
      } catch (error) {
        if (!isGone) set((before) => ({ ...before, said: error.message }));
      }
      if (!isGone && model.session === session) timer = setTimeout(() => void next(), PERIOD_MS);
    };
    void next();
    return () => {
      isGone = true;
      clearTimeout(timer);
    };
  }, [path]);
  return [answer, said];
}

/** What the searched part gave, and beside it the same trial where nothing was searched: only the second says what to expect. */
const heldOutText = ({ best, bestHeldOut, state }) => {
  if (best === '') return '';
  return bestHeldOut === ''
    ? state === 'ended'
      ? 'not tried on the held-out part'
      : 'held out: tried at the end'
    : `held out: ${bestHeldOut}`;
};

/** How an axis writes a number: shares in percent, as the table does. */
const numberOf = (value, isShare) => {
  const text = String(Number((isShare ? value * 100 : value).toPrecision(6))).replace('-', '\u2212');
  return isShare ? `${text} %` : text;
};

/** An axis with its name. */
const axisOf = (label, isShare) => ({ label, values: (_, splits) => splits.map((one) => numberOf(one, isShare)) });

const stepped = (colors, uPlot) => ({ stroke: colors.accent, width: 2, paths: uPlot.paths.stepped({ align: 1 }), points: { show: false } });
const dots = (color, size) => (colors) => ({
  stroke: colors[color],
  paths: () => null,
  points: { show: true, size, stroke: colors[color], fill: colors[color] },
});

/** The first two objectives of each trial: those of the front large, the others small. */
function frontData({ front, others }) {
  const all = [...others.map(([x, y]) => [x, y, null]), ...front.map(([x, y]) => [x, null, y])].toSorted((a, b) => a[0] - b[0]);
  return [0, 1, 2].map((k) => all.map((row) => row[k]));
}

function Picture({ study }) {
  const [first = '', second = ''] = study.objectives;
  const [isFirstShare = false, isSecondShare = false] = study.areShares;
  if (second !== '')
    return h(Plot, {
      key: study.id,
      title: `${second}, over ${first}: large marks are the front, which no other trial beats in both`,
      height: 240,
      x: axisOf(first, isFirstShare),
      y: axisOf(second, isSecondShare),
      data: frontData(study),
      series: [dots('soft', 4), dots('accent', 9)],
    });
  if (study.curve.length < 2) return h('p', { class: 'empty' }, 'No trial has a result yet.');
  const figure = first.replace(/^\w+ /, '');
  return h(Plot, {
    key: study.id,
    title: `The best ${figure} so far, in sample: ${grouped(study.curve.at(-1)[0])} ${study.rungs > 1 ? 'runs' : 'trials'} have ended`,
    height: 240,
    x: axisOf(study.rungs > 1 ? 'runs that have ended: a trial that is not pruned has several' : 'trials that have ended', false),
    y: axisOf(figure, isFirstShare),
    data: [study.curve.map(([at]) => at), study.curve.map(([, value]) => value)],
    series: [stepped],
  });
}

function Best({ study }) {
  const { objectives, constraints, rows, state } = study;
  const names = objectives.map((one) => one.replace(/^\w+ /, ''));
  const hasHeldOut = rows.some(({ heldOut }) => heldOut !== null);
  return h(Table, {
    label: 'The best trials',
    empty: 'No trial has a result yet.',
    rows,
    most: 10,
    keyOf: ({ number }) => number,
    columns: [
      { title: 'Trial', kind: 'n', cell: ({ number }) => number },
      ...names.map((name, k) => ({ title: `${name}, in sample`, kind: 'n', cell: ({ values }) => values[k] })),
      ...(hasHeldOut
        ? names.map((name, k) => ({
            title: `${name}, held out`,
            kind: 'n',
            cell: ({ heldOut }) => (heldOut === null ? h('span', { class: 'soft' }, 'not tried') : heldOut[k]),
          }))
        : []),
      ...(constraints.length === 0
        ? []
        : [
            { title: 'Constraints', cell: ({ meetsConstraints }) => (meetsConstraints ? 'met' : h('span', { class: 'warn' }, '▲ missed')) },
          ]),
      { title: 'Ended', kind: 'n', cell: ({ endedAt }) => (state === 'running' ? age(endedAt) : moment(endedAt)) },
      { title: 'Parameters', kind: 'wide', cell: ({ params }) => h('code', null, params) },
    ],
  });
}

function One({ id }) {
  const [answer, said] = useAnswer(`/api/studies/${id}`);
  if (answer === null) return h('p', { class: 'empty', role: 'status' }, said === '' ? 'The study is read.' : said);
  const study = /** @type {Study} */ (answer);
  const { state, says, objectives, constraints } = study;
  return h(
    Card,
    { id: 'study', title: study.name, small: [...objectives, ...constraints].join(', ') },
    said === '' ? null : h('p', { class: 'warn', role: 'status' }, `▲ ${said}`),
    h(Facts, {
      facts: [
        ['State', h(State, { of: study }), state === 'running' ? says : `last written ${age(study.toldAt)}`],
        ['Trials', trialsOf(study), study.sampler],
        ['Time left', timeLeft(study), `begun ${moment(study.startedAt)}`],
        [
          `${objectives.length > 1 ? 'First of the front' : 'Best so far'}, in sample`,
          study.best === '' ? known('') : study.best,
          heldOutText(study) || 'in sample: where it was searched',
        ],
      ],
    }),
    state === 'interrupted' ? h('p', null, 'It goes on where it stopped with ', h('code', null, says)) : null,
    state === 'unreadable' ? h('p', { class: 'down' }, says) : null,
    h(Picture, { study }),
    h(Best, { study }),
    h(
      'p',
      { class: 'soft' },
      'The best of many trials looks good even without skill. ',
      h('code', null, `tickwright report ${study.typedFile} --html FILE`),
      ' says how much of it the search itself explains, once it has ended.',
    ),
  );
}

export function Searches() {
  const [answer, said] = useAnswer('/api/studies');
  const [chosen, choose] = useState('');
  const rows = answer?.rows ?? [];
  const shown = rows.some(({ id }) => id === chosen) ? chosen : (rows[0]?.id ?? '');
  return [
    h(
      Card,
      {
        id: 'searches',
        title: 'Searches',
        small: answer === null ? 'of this user' : `${rows.length === 1 ? '1 study' : `${rows.length} studies`} of this user`,
      },
      said === '' ? null : h('p', { class: 'warn', role: 'status' }, `▲ ${said}`),
      answer === null
        ? null
        : h(Table, {
            label: 'Searches',
            empty: [
              'No search has kept a study: ',
              h('code', null, 'tickwright optimize --study FILE'),
              ' is shown here while it runs and after it.',
            ],
            rows,
            most: 8,
            keyOf: ({ id }) => id,
            columns: [
              {
                title: 'Study',
                kind: 'wide',
                cell: ({ id, name, file }) => [
                  h('button', { class: 'quiet', 'aria-pressed': id === shown, onClick: () => choose(id) }, name),
                  h('small', null, file),
                ],
              },
              { title: 'State', cell: (row) => h(State, { of: row }) },
              { title: 'Strategy', cell: ({ strategy }) => known(strategy) },
              { title: 'Trials', kind: 'n', cell: trialsOf },
              {
                title: 'Best, in sample',
                kind: 'n',
                cell: (row) => [known(row.best), row.best === '' ? null : h('small', null, heldOutText(row))],
              },
              { title: 'Time left', kind: 'n', cell: timeLeft },
              { title: 'Begun', kind: 'n', cell: ({ startedAt }) => (startedAt > 0 ? moment(startedAt) : known('')) },
            ],
          }),
    ),
    shown === '' ? null : h(One, { key: shown, id: shown }),
  ];
}
