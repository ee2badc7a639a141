/** Strategies: the account by strategy, parameters, state, notes, profit by reason. Each can be halted, and changed while it runs. */
import { h } from 'preact';
import { useState } from 'preact/hooks';
import { money, signed, trend } from '../../../browser/figures.js';
import { command } from '../parts/connection.js';
import { model, now, whyIdle } from '../parts/model.js';
import { Action, Card, count, inCoin, known, moment, Table, withAge } from '../parts/elements.js';
import { later } from '../parts/library.js';
import { CanLose } from '../live/risk.js';
import { Profit, PROFIT_SAYS } from '../parts/profit.js';

/** All that is to be said of a strategy, the worst first: [class, text] each. */
function statesOf({ name, isDisabled, warmingUp, errors, reload }) {
  const isHalted = model.halts.some(({ scope }) => scope === 'bot' || scope === `strategy:${name}`);
  const states = [
    isDisabled ? ['down', '■ switched off by its errors'] : null,
    isHalted ? ['down', '■ halted'] : null,
    reload?.returned ? ['warn', '▲ reload failed: the text from before it runs'] : null,
    reload?.trialUntil > now() ? ['warn', `▲ on trial until ${moment(reload.trialUntil)}`] : null,
    errors > 0 && !isDisabled ? ['warn', `▲ ${count(errors, 'error')}`] : null,
    warmingUp === '' ? null : ['warn', `warming up: it has ${warmingUp}`],
  ].filter((one) => one !== null);
  return states.length === 0 ? [['', 'runs']] : states;
}

/** Which symbols are in, by rank, which are out and why, and when the next choice is made. */
function Universe({ universe: { at, by, candidates, chosen, leaving, nextAt, out, reading, requestsPerMinute, top } }) {
  const next = reading ? `, reading the past: ${reading}` : nextAt === 0 ? '' : `, next for ${moment(nextAt)}`;
  return h(
    'details',
    null,
    h('summary', null, `Universe: ${top} of ${candidates} by ${by}, ${at === 0 ? 'not chosen yet' : `chosen for ${moment(at)}`}${next}`),
    h('p', null, `Reading their trades costs ${requestsPerMinute} requests a minute.`),
    h(
      'ul',
      { class: 'params' },
      chosen.map(({ rank, since, symbol }) => h('li', { key: symbol }, `${rank === 0 ? '–' : rank} ${symbol} since ${moment(since)}`)),
      leaving.map((symbol) => h('li', { key: symbol, class: 'warn' }, `${symbol} leaves, and is not flat yet`)),
      out.map(({ symbol, why }) => h('li', { key: symbol, class: 'soft' }, `${symbol} is out: ${why}`)),
    ),
  );
}

const Changes = later('change', async () => (await import('./change.js')).Changes);

/** The way to change a strategy while it runs. `why` says why nothing can be changed; "" if it can. */
function Change({ one, why }) {
  const [isOpen, setOpen] = useState(false);
  if (why !== '') return h('p', { class: 'soft' }, `Nothing can be changed here: ${why}`);
  return h(
    'details',
    { class: 'change', onToggle: () => setOpen(true) },
    h('summary', null, 'Change it while it runs'),
    isOpen ? h(Changes, { one }) : null,
  );
}

function Strategy({ one, ask }) {
  const [said, say] = useState('');
  const { name, symbols, params, set, configured = {}, changed = {} } = one;
  const given = Object.entries(params ?? {});
  const notes = model.notes.filter(({ strategy }) => strategy === name).slice(0, 5);
  const why = whyIdle();
  const halt = () => {
    say('sent, no answer yet');
    command('halt', { scope: name, why: 'the page' }).then(
      ({ did }) => say(did.join('\n')),
      (error) => say(error.message),
    );
  };
  return h(
    Card,
    {
      id: `strategy-${name}`,
      title: [
        name,
        h(
          'small',
          { key: 'states' },
          statesOf(one).map(([kind, state], k) => [k === 0 ? '' : ' · ', h('span', { key: state, class: kind }, state)]),
        ),
      ],
    },
    h('p', null, symbols.length > 12 ? `${symbols.slice(0, 12).join(', ')} and ${symbols.length - 12} more` : symbols.join(', ')),
    Object.keys(changed).length === 0
      ? null
      : h(
          'p',
          { class: 'warn' },
          `Not as configured: ${Object.entries(changed)
            .map(([symbol, how]) => `${symbol} ${how}`)
            .join(', ')}`,
        ),
    one.universe === undefined ? null : h(Universe, { universe: one.universe }),
    given.length === 0
      ? null
      : h(
          'details',
          { open: given.length < 12 },
          h('summary', null, 'Parameters'),
          h(
            'ul',
            { class: 'params' },
            given.map(([key, value]) =>
              h('li', { key }, `${key} = ${value}`, set.includes(key) ? ` (set by hand; configured: ${configured[key] ?? 'unknown'})` : ''),
            ),
          ),
        ),
    notes.length === 0
      ? null
      : h(
          'div',
          null,
          h('h3', null, 'Notes, newest first'),
          h(
            'ul',
            { class: 'said', 'aria-label': 'Notes' },
            notes.map(({ time, text }) => h('li', { key: `${time} ${text}` }, `${moment(time)} ${text}`)),
          ),
        ),
    h(
      'p',
      { class: 'actions' },
      h(Action, { why, onPress: halt }, `Halt ${name}`),
      h('button', { onClick: () => ask({ strategy: name }) }, 'Why is it not trading?'),
    ),
    h('p', { class: 'soft lines', 'aria-live': 'polite' }, said),
    h(Change, { one, why }),
  );
}

const Amount = (text) => h('span', { class: trend(text) }, signed(text));
/** @type {[title: string, field: string, shown?: (text: string) => any][]} */
const AMOUNTS = [
  ['Net with unrealised', 'net'],
  ['Profit', 'profit'],
  ['Fees', 'fees', money],
  ['Funding', 'funding'],
  ['Unrealised', 'unrealised'],
  ['Open', 'value', money],
];
/** What belongs to no strategy, in words. */
const REST = { netting: 'one average cost at the venue', external: 'of no strategy', all: 'the account' };

/** The account by strategy: every column adds up, but for what the account can lose. */
function Parts() {
  return h(
    Card,
    {
      id: 'parts',
      title: 'Account by strategy',
      small: withAge(inCoin('since the journal began'), model.status?.time ?? 0),
    },
    h(Table, {
      label: 'Account by strategy',
      columns: [
        { title: 'Strategy', kind: 'wide', cell: ({ name }) => [h('b', null, name), h('small', null, REST[name] ?? '')] },
        ...AMOUNTS.map(([title, field, shown = Amount]) => ({ title, kind: 'n', cell: (row) => known(row[field], shown(row[field])) })),
        // The account can lose what the bar says: at most its equity, which the parts together may exceed.
        {
          title: 'Can lose',
          kind: 'n',
          cell: ({ name, worstLoss }) => (name === 'all' ? h(CanLose, null) : known(worstLoss, money(worstLoss))),
        },
      ],
      rows: model.status?.parts ?? [],
      keyOf: ({ name }) => name,
      empty: 'The journal has not been read yet.',
    }),
  );
}

const Add = later('add', async () => (await import('./add.js')).Add);

/** A form for a ready-made bot, which is fetched when it is opened. */
function More() {
  const [isOpen, setOpen] = useState(false);
  const why = whyIdle();
  return h(
    Card,
    { id: 'add', title: 'Start a ready-made bot' },
    why === ''
      ? h(
          'details',
          { onToggle: () => setOpen(true) },
          h('summary', null, 'grid, dca, rebalance, signal or trend, without code'),
          isOpen ? h(Add, null) : null,
        )
      : h('p', { class: 'soft' }, why),
  );
}

export function Strategies({ ask }) {
  const strategies = model.status?.strategies ?? [];
  return [
    h(Parts, { key: 'parts' }),
    ...strategies.map((one) => h(Strategy, { key: one.name, one, ask })),
    h(More, { key: 'add' }),
    h(Card, { id: 'by-reason', title: 'Profit by reason', small: PROFIT_SAYS() }, h(Profit, { by: 'reason' })),
  ];
}
