/**
 * STOP. The first press halts opens at once. The menu below it offers what goes further; each entry lists what will be sent, and acts when it
 * is held for a second. What was measured stands there afterwards.
 */
import { h } from 'preact';
import { useState } from 'preact/hooks';
import { command, stop } from '../parts/connection.js';
import { changed, liveOrders, model, now, staleness } from '../parts/model.js';
import { count, HoldButton, moment } from '../parts/elements.js';

const listed = (texts) => (texts.length > 6 ? [...texts.slice(0, 6), `and ${texts.length - 6} more`] : texts);
const orderText = ({ symbol, side, effect, size, price }) =>
  `${symbol} ${side} ${effect.toLowerCase()} ${size}${price === '' ? '' : ` at ${price}`}`;

const cancels = (orders) => [
  orders.length === 0 ? 'No order is known that would be cancelled.' : `Cancels ${count(orders.length, 'order')}:`,
  ...listed(orders.map((order) => `– ${orderText(order)}`)),
];
const closes = () => {
  const legs = [...model.positions.values()];
  return [
    legs.length === 0 ? 'No position is known that would be closed.' : `Closes ${count(legs.length, 'position')} with market orders:`,
    ...listed(legs.map(({ symbol, side, size, own }) => `– ${symbol} ${side} ${own ?? size}`)),
  ];
};

/** What goes further than the halt: the command, what it does, and what will be sent. */
const STEPS = [
  {
    name: 'reduce-only',
    title: 'Reduce only',
    does: 'Positions can only shrink. Resting opening orders are cancelled.',
    sends: () => cancels(liveOrders().filter(({ effect }) => effect === 'OPEN')),
  },
  {
    name: 'cancel-all',
    title: 'Cancel all orders',
    does: 'Also stop-losses and take-profits that rest as orders. Positions stay.',
    sends: () => cancels(liveOrders()),
  },
  {
    name: 'flatten',
    title: 'Flatten',
    does: 'Cancels orders and closes the positions of this bot.',
    sends: () => [...cancels(liveOrders()), ...closes()],
  },
  {
    name: 'kill',
    title: 'Kill',
    does: 'Halts, cancels and closes everything. Nothing opens again until “tickwright resume --i-know” is typed.',
    sends: () => [...cancels(liveOrders()), ...closes()],
  },
];

/** What was pressed in this page, newest first. */
const done = [];

async function act(name, send) {
  const entry = { name, at: now(), text: 'sent, no answer yet', kind: 'warn' };
  done.unshift(entry);
  done.length = Math.min(done.length, 5);
  changed();
  const began = performance.now();
  try {
    const answer = await send();
    const took = Math.round(performance.now() - began);
    const inBot = answer.tookMs === undefined ? '' : `, ${Math.round(answer.tookMs)} ms of them from the monitor to the bot and back`;
    const rest =
      answer.recorded === true
        ? ' The bot has not confirmed it: it is recorded beside the store, where the bot looks before it opens.'
        : '';
    const open = answer.open?.length > 0 ? ` Still open: ${answer.open.join(' ')}` : '';
    Object.assign(entry, {
      kind: answer.isDone === false || rest !== '' ? 'warn' : '',
      text: `${(answer.did ?? []).join(' ')}${open}${rest} Answered after ${took} ms${inBot}.`,
    });
    if (answer.flattens !== undefined) entry.flattens = answer.flattens;
  } catch (error) {
    const lost = error.code === undefined;
    Object.assign(entry, {
      kind: 'down',
      text: lost
        ? 'The monitor gives no answer. Type “tickwright halt” on the machine of the bot, or close at the venue.'
        : `Refused: ${error.message}`,
    });
  }
  changed();
}

/** How long closing took, or that it goes on, from the flattenings that the status names. */
function flatText({ at, flattens }) {
  if (flattens === undefined) return '';
  const ended = (model.status?.flattened ?? []).find((one) => one.scope === flattens && one.time >= at - 1000);
  if (ended !== undefined) {
    const what = ended.isFlat ? 'Flat' : 'Ended without being flat';
    return ` ${what} after ${Math.max(0, ended.time - ended.since)} ms.${ended.left.length > 0 ? ` Left: ${ended.left.join(', ')}` : ''}`;
  }
  const going = (model.status?.flattening ?? []).find((one) => one.scope === flattens);
  return going === undefined ? '' : ` Left to do: ${going.open.join(', ')}`;
}

/** What an old page believes of halts may be over. */
const isHalted = () =>
  staleness() === '' &&
  model.halts.some(({ scope, code }) => scope === 'bot' && (code === 'operator' || code === 'kill' || code === 'reduce-only'));

export function Stop() {
  const [isOpen, open] = useState(false);
  const mayAct = model.role === 'operate';
  const press = () => {
    open(!isOpen || !isHalted());
    if (!isHalted()) void act('halt', () => stop('STOP on the page'));
  };
  return h(
    'div',
    { class: 'stop-place', onKeyDown: (event) => event.key === 'Escape' && open(false) },
    h(
      'button',
      {
        id: 'stop',
        class: 'stop',
        'aria-expanded': isOpen,
        'aria-controls': 'stop-menu',
        'aria-disabled': !mayAct,
        onClick: mayAct ? press : undefined,
      },
      h('b', null, 'STOP'),
      h('small', null, mayAct ? (isHalted() ? 'is halted: more' : 'halts opens') : 'view only'),
    ),
    isOpen && mayAct ? h(Menu, { close: () => open(false) }) : null,
  );
}

function Menu({ close }) {
  return h(
    'div',
    { id: 'stop-menu', class: 'card', role: 'dialog', 'aria-label': 'STOP: what was done, and what goes further' },
    h(
      'div',
      { class: 'head' },
      h('h2', null, isHalted() ? 'Opens are halted' : 'Opens are not halted yet'),
      h('button', { class: 'quiet', onClick: close, 'aria-label': 'Close this menu' }, 'Close'),
    ),
    h(
      'div',
      { 'aria-live': 'polite' },
      done.map((entry) =>
        h('p', { key: entry.at + entry.name, class: entry.kind }, `${moment(entry.at)} ${entry.name}: ${entry.text}${flatText(entry)}`),
      ),
    ),
    h('p', { class: 'soft' }, 'Further steps. Hold a button for a second.'),
    STEPS.map(({ name, title, does, sends }) =>
      h(
        'div',
        { key: name, class: 'step' },
        h(HoldButton, {
          label: `Hold: ${title}`,
          kind: name === 'kill' ? 'danger' : '',
          onHeld: () => void act(name, () => command(name, { why: 'the page' })),
        }),
        h('p', null, does),
        h(
          'ul',
          { class: 'sends', 'aria-label': 'What will be sent' },
          sends().map((line, k) => h('li', { key: k }, line)),
        ),
      ),
    ),
    isHalted() ? h(Resume, null) : null,
  );
}

/** The way back. It raises risk, so the monitor wants the passphrase for it. */
const Resume = () =>
  h(
    'div',
    { class: 'step' },
    h(HoldButton, { label: 'Hold: Resume', onHeld: () => void act('resume', () => command('resume', { why: 'the page' })) }),
    h(
      'p',
      null,
      'Ends the halts that a person can end, and asks for the passphrase. The same in a terminal: ',
      h('code', null, 'tickwright resume'),
      '; after a kill ',
      h('code', null, 'tickwright resume --i-know'),
      ' alone.',
    ),
  );
