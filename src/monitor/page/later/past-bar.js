/** Steers through a recorded session: the time, steps to what happened, and forks, with the truth beside them. */
import { h } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { clock, grouped, money } from '../../../browser/figures.js';
import { Action, Card, moment, Table } from '../parts/elements.js';
import { changed, liveOrders, model } from '../parts/model.js';
import { aim, aimed, forkPast, forkShown, leavePast, moveTo, nextMark, showFork } from '../parts/past.js';

const PAUSE_MS = 150;
const ORDERS = { title: 'order', says: 'order or fill', kinds: ['order', 'fill'] };
const TROUBLES = { title: 'halt or fault', says: 'halt or fault', kinds: ['halt', 'fault', 'operator', 'bot'] };

/** A press goes to the next mark of its kinds. */
function Step({ direction, of: { kinds, title, says } }) {
  const mark = nextMark(direction, kinds);
  // Of two quick presses the second goes on from the first, though the page does not show it yet.
  const step = () => {
    const next = nextMark(direction, kinds);
    if (next !== null) void moveTo(next.time);
  };
  const label = direction < 0 ? `◀ ${title}` : `${title} ▶`;
  const why = mark === null ? `no ${says} ${direction < 0 ? 'before this' : 'after this'}` : '';
  return h(Action, { why, kind: 'quiet', onPress: step }, label);
}

function Slider() {
  const { past } = model;
  const timer = useRef(0);
  const { at } = aimed();
  const [shown, show] = useState(at);
  useEffect(() => show(at), [at]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const to = Math.max(past.to, forkShown()?.to ?? past.to);
  const move = ({ currentTarget: target }) => {
    show(Number(target.value));
    // A fork begins where the slider stands, also while the state of that time is not asked for yet.
    aim(Number(target.value));
    clearTimeout(timer.current);
    timer.current = setTimeout(() => void moveTo(Number(target.value)), PAUSE_MS);
  };
  return h(
    'label',
    { class: 'time' },
    h('span', null, h('b', null, moment(shown)), ` of ${clock(past.from)} to ${clock(to)}`),
    h('input', {
      type: 'range',
      min: past.from,
      max: to,
      step: 1000,
      value: shown,
      onInput: move,
      'aria-valuetext': moment(shown),
      'aria-label': 'Time of the session',
    }),
  );
}

const marksNow = () => (forkShown() ?? model.past).marks.filter(({ time }) => time <= model.past.at).slice(-1);

/** What a fork changes: a form for each way. */
function ForkForm() {
  const { past } = model;
  const [how, setHow] = useState('halt');
  const [said, say] = useState('');
  // Orders that can have the other fate; of an order with unknown outcome both are others.
  const others = Object.entries(past.outcomes).filter(
    ([, outcome]) => outcome === 'unknown' || (outcome === 'accepted') === (how === 'not-landed'),
  );
  const [chosen, choose] = useState(past.strategies[0]?.name ?? '');
  const params = past.strategies.find(({ name }) => name === chosen)?.params ?? {};
  const send = (event) => {
    event.preventDefault();
    const fields = Object.fromEntries(new FormData(event.currentTarget));
    say('The fork is computed.');
    const at = how === 'halt' || how === 'set' ? { at: aimed().at } : {};
    forkPast({ ...fields, ...at, how }).then(
      // The fork may be there, and its moment not.
      () => say(model.past?.said ?? ''),
      (error) => say(error.message),
    );
  };
  const field = (name, title, input) => h('label', { key: name }, `${title} `, input);
  const fields = {
    halt: [],
    set: [
      field(
        'strategy',
        'Strategy',
        h(
          'select',
          {
            name: 'strategy',
            value: chosen,
            onChange: ({ currentTarget }) => choose(/** @type {HTMLSelectElement} */ (currentTarget).value),
          },
          past.strategies.map(({ name }) => h('option', { key: name }, name)),
        ),
      ),
      field(
        'param',
        'Parameter',
        h(
          'select',
          { name: 'param' },
          Object.keys(params).map((name) => h('option', { key: name }, name)),
        ),
      ),
      field('value', 'Value', h('input', { name: 'value', required: true, autocomplete: 'off' })),
    ],
    landed: [
      field('order', 'Order', h('input', { name: 'order', required: true, inputMode: 'numeric', list: 'fates', autocomplete: 'off' })),
    ],
  };
  return h(
    'form',
    { class: 'fork', onSubmit: send },
    h(
      'label',
      null,
      'What if, from here on, ',
      h(
        'select',
        { value: how, onChange: ({ currentTarget }) => setHow(/** @type {HTMLSelectElement} */ (currentTarget).value) },
        h('option', { value: 'halt' }, 'opens had been halted'),
        h('option', { value: 'set' }, 'a parameter had another value'),
        h('option', { value: 'landed' }, 'an order had landed'),
        h('option', { value: 'not-landed' }, 'an order had not landed'),
      ),
    ),
    fields[how === 'not-landed' ? 'landed' : how],
    h(
      'datalist',
      { id: 'fates' },
      others.slice(-200).map(([number, outcome]) => h('option', { key: number, value: number }, outcome)),
    ),
    h('button', null, 'Fork'),
    h('span', { class: 'soft', 'aria-live': 'polite' }, said),
  );
}

const sides = (legs) => legs.map(({ symbol, side, size }) => `${symbol} ${side} ${size}`).join(', ') || 'flat';
/** @type {[title: string, of: (shown: Pick<import('../../../control/changes.ts').NowRow, 'status' | 'positions' | 'orders'>) => string][]} */
const FIGURES = [
  ['Equity', ({ status }) => (status?.equity ? money(status.equity) : 'unknown')],
  ['Positions', ({ status, positions }) => ((status?.readAt?.positions ?? 0) > 0 ? sides(positions) : 'unknown')],
  ['Open orders', ({ orders }) => String(orders.length)],
  ['Fills of the session so far', ({ status }) => String(status?.fills ?? 'unknown')],
  ['Halts', ({ status }) => (status === null ? 'unknown' : status.halts.map(({ code }) => code).join(', ') || 'none')],
];

/** The session and the fork at the same time. */
function Beside({ fork }) {
  const { truth } = model.past;
  const own = { status: model.status, positions: [...model.positions.values()], orders: liveOrders() };
  return h(
    Card,
    {
      id: 'fork',
      title: `Fork: ${fork.text}`,
      small: `simulated since ${moment(fork.at)}: positions, orders and equity after it come from a simulated venue with the recorded market`,
    },
    truth === null
      ? null
      : h(Table, {
          label: 'The session and the fork',
          empty: '',
          rows: FIGURES.map(([title, of]) => ({ title, was: of(truth), is: of(own) })),
          keyOf: ({ title }) => title,
          columns: [
            { title: 'At this time', cell: ({ title }) => title },
            { title: 'Session', kind: 'n', cell: ({ was }) => was },
            { title: 'Fork', kind: 'n', cell: ({ is }) => is },
          ],
        }),
    h('p', null, fork.firstDifference === '' ? 'Every command is the same.' : `First other command. ${prices(fork.firstDifference)}`),
    h(
      'p',
      { class: 'soft' },
      `At the end: equity ${money(fork.equity)} in the fork, ${money(fork.recordedEquity)} in the session; `,
      `${fork.commands} commands against ${fork.recordedCommands} from the fork on.`,
      fork.leftOut > 0 ? ` The simulated venue could not take over ${fork.leftOut} open trigger or spot orders.` : '',
      ' After the fork the answers are an estimate: the market does not react to orders that were never sent.',
    ),
  );
}

/** Groups the digits of prices and sizes in a sentence, not those of the numbers of orders. */
const prices = (text) => text.replaceAll(/(?<!(?:order|command) |[\d.])\d{4,}(?:\.\d+)?/g, (one) => grouped(one));

const ENDS = {
  stopped: 'It ends with a clean stop.',
  failed: 'It ends with an error.',
  open: 'The recording has no clean end: the bot was killed, or it still runs.',
};

export function PastBar() {
  const { past } = model;
  const before = () => (moment(past.next.at) === moment(past.at) ? 'another moment of that second' : moment(past.at));
  const fork = forkShown();
  const pick = ({ currentTarget }) => showFork(currentTarget.value).finally(changed);
  return h(
    'section',
    { class: 'past', 'aria-label': 'Recorded session', 'aria-busy': past.next !== null },
    h(
      'p',
      null,
      h('b', null, `■ Recording ${past.name}`),
      `: what the bot believed then. ${ENDS[past.end]} Nothing here reaches a venue. `,
      model.isRecording ? null : h('button', { class: 'quiet', onClick: leavePast }, 'Back to now'),
    ),
    past.differs === ''
      ? null
      : h('p', { class: 'down', role: 'alert' }, `The replay differs from the recording from here on: ${past.differs}`),
    h(Slider, null),
    h(
      'div',
      { class: 'steps' },
      h(Step, { direction: -1, of: ORDERS }),
      h(Step, { direction: 1, of: ORDERS }),
      h(Step, { direction: -1, of: TROUBLES }),
      h(Step, { direction: 1, of: TROUBLES }),
      past.forks.length === 0
        ? null
        : h(
            'label',
            null,
            'Show ',
            h(
              'select',
              { value: aimed().fork, onChange: pick },
              h('option', { value: '' }, 'the session'),
              past.forks.map(({ id, text }) => h('option', { key: id, value: id }, `fork ${id}: ${text}`)),
            ),
          ),
    ),
    h(
      'p',
      { class: 'soft', role: 'status' },
      past.next === null ? null : h('b', { class: 'warn' }, `◌ Loading ${moment(past.next.at)}. What is below is still of ${before()}. `),
      marksNow().map(({ time, text }) => `Last before this: ${moment(time)} ${text}.`),
    ),
    past.said === '' ? null : h('p', { class: 'down', role: 'alert' }, past.said),
    fork === null ? h(ForkForm, null) : h(Beside, { fork }),
  );
}
