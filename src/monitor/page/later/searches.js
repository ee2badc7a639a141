/** Searches: the studies of `optimize` of this user, from what they write to their files. Loaded when somebody opens it. */
import { h } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { readColors } from '../../../browser/chart-look.js';
import { grouped, span } from '../../../browser/figures.js';
import { ask } from '../parts/connection.js';
import { age, Card, Facts, known, moment, Table } from '../parts/elements.js';
import { axisLook, lineLibrary } from '../parts/library.js';
import { model, setClock } from '../parts/model.js';

/** @typedef {import('../../../control/studies.ts').StudyAnswer} Study */

const PERIOD_MS = 2000;

/** A sign beside each word, so that colour is never alone. */
const STATES = {
  running: ['●', 'searches', 'up'],
  ended: ['✓', 'ended', ''],
  'broken-off': ['■', 'broken off', 'down'],
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

/** A chart of uPlot: `series` beside the x of `data`. */
function Plot({ title, data, series, xLabel }) {
  const place = useRef(null);
  const chart = useRef(null);
  const newest = useRef(data);
  newest.current = data;
  useEffect(() => {
    let isGone = false;
    void lineLibrary().then((uPlot) => {
      if (isGone || place.current === null) return;
      const colors = {};
      readColors(colors);
      const axis = axisLook(colors);
      chart.current = new uPlot(
        {
          width: place.current.clientWidth,
          height: 240,
          legend: { show: false },
          scales: { x: { time: false } },
          series: [{}, ...series.map((one) => one(colors, uPlot))],
          axes: [
            { ...axis, space: 60, label: xLabel, labelFont: axis.font, labelSize: 18, size: 30 },
            { ...axis, size: 76, values: (_, splits) => splits.map((one) => String(Number(one.toPrecision(6))).replace('-', '−')) },
          ],
        },
        newest.current,
        place.current,
      );
    });
    return () => {
      isGone = true;
      chart.current?.destroy();
      chart.current = null;
    };
  }, []);
  useEffect(() => chart.current?.setData(data), [data]);
  return h('figure', null, h('figcaption', null, title), h('div', { ref: place, class: 'chart' }));
}

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
  if (second !== '')
    return h(Plot, {
      key: study.id,
      title: `${second}, over ${first}: large marks are the front, which no other trial beats in both`,
      xLabel: first,
      data: frontData(study),
      series: [dots('soft', 4), dots('accent', 9)],
    });
  if (study.curve.length < 2) return h('p', { class: 'empty' }, 'No trial has a result yet.');
  return h(Plot, {
    key: study.id,
    title: `The best ${first.replace(/^\w+ /, '')} so far`,
    xLabel: 'runs that have ended',
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
      ...names.map((title, k) => ({ title, kind: 'n', cell: ({ values }) => values[k] })),
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
        [objectives.length > 1 ? 'First of the front' : 'Best so far', study.best === '' ? known('') : study.best, 'where it was searched'],
      ],
    }),
    state === 'broken-off' ? h('p', null, 'It goes on where it stopped with ', h('code', null, says)) : null,
    state === 'unreadable' ? h('p', { class: 'down' }, says) : null,
    h(Picture, { study }),
    h(Best, { study }),
    h(
      'p',
      { class: 'soft' },
      'The best of many trials looks good even without skill. ',
      h('code', null, `tickwright report ${study.file} --html FILE`),
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
              { title: 'Best', kind: 'n', cell: ({ best }) => known(best) },
              { title: 'Time left', kind: 'n', cell: timeLeft },
              { title: 'Begun', kind: 'n', cell: ({ startedAt }) => (startedAt > 0 ? moment(startedAt) : known('')) },
            ],
          }),
    ),
    shown === '' ? null : h(One, { key: shown, id: shown }),
  ];
}
