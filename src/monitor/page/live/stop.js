/**
 * STOP. The first press halts opens at once. The sheet below it says what can still happen, and offers the way back and what goes further; each
 * step says before what it does and sends, and acts when it is held for a second. What was measured stands there afterwards.
 */
import { h } from 'preact';
import { useState } from 'preact/hooks';
import { clock, grouped } from '../../../browser/figures.js';
import { command, IN_FLIGHT, stop } from '../parts/connection.js';
import { changed, isBotGone, liveOrders, model, now, silence } from '../parts/model.js';
import { count, HoldButton } from '../parts/elements.js';
import { legLines, Lines, openingOrders, orderText, ordersText, positionsText, whenRead } from './remains.js';

const cancels = (orders) => [
  orders.length === 0 ? `No order to cancel is known (${whenRead('orders')}).` : `Cancels ${count(orders.length, 'order')}:`,
  ...orders.map(orderText),
];
/** [leg, size] each. */
const closes = (legs) => [
  legs.length === 0
    ? `No position to close is known (${whenRead('positions')}).`
    : `Closes ${count(legs.length, 'position')} with market orders:`,
  ...legs.map(([{ symbol, side }, size]) => `– ${symbol} ${side} ${grouped(size)}`),
];
const held = () => [...model.positions.values()];
/** @param {import('../../../control/changes.ts').PositionRow} leg */
const isOwn = ({ own, size }) => Number(own ?? size) > 0;
/** What orders of this bot opened. */
const ownParts = () => held().flatMap((leg) => (isOwn(leg) ? [[leg, leg.own ?? leg.size]] : []));
/** Whole legs of which this bot opened a part, or that its strategies trade. */
const wholeLegs = () => held().flatMap((leg) => (isOwn(leg) || (leg.strategies ?? []).length > 0 ? [[leg, leg.size]] : []));

/** What goes further than the halt: the command, what it does, and what will be sent. */
const STEPS = [
  {
    name: 'reduce-only',
    title: 'Reduce only',
    does: 'Positions can only shrink. Resting opening orders are cancelled.',
    sends: () => [cancels(openingOrders())],
  },
  {
    name: 'cancel-all',
    title: 'Cancel all orders',
    does: 'Also stop-losses and take-profits that rest as orders. Positions stay.',
    sends: () => [cancels(liveOrders())],
  },
  {
    name: 'flatten',
    title: 'Flatten',
    does: 'Cancels orders and closes what orders of this bot opened.',
    sends: () => [cancels(liveOrders()), closes(ownParts())],
  },
];

const KILL = {
  name: 'kill',
  title: 'Kill',
  does: 'Halts, cancels and closes everything, whole positions also where others hold a part. Nothing opens again until “tickwright resume --i-know” is typed.',
  sends: () => [cancels(liveOrders()), closes(wholeLegs())],
};

/** What was pressed in this page, newest first. */
const done = [];

const sentence = (text) => `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?:]$/.test(text) ? '' : '.'}`;
const TITLES = {
  halt: 'Stopped',
  resume: 'Resumed',
  'reduce-only': 'Reduce only',
  'cancel-all': 'Cancel all',
  flatten: 'Flatten',
  kill: 'Kill',
};

/** What the answer says, in sentences: when it was in effect, what was done, what is left, and the way back. */
function saidBy(name, at, { did = [], open = [], recorded, times }) {
  const isHalted = name === 'halt' && recorded !== true;
  // Said in the first sentence and in the last.
  const rest = did.filter(
    (text) => !/^(after it was typed|in effect \d+ ms after|to end it:)/.test(text) && !(isHalted && /^opens of .* are halted/.test(text)),
  );
  const effect = times === undefined ? '' : `; in effect after ${times.effectMs} ms`;
  return [
    recorded === true
      ? `Recorded at ${clock(at)} UTC. The bot has not confirmed it: it looks beside its store before it opens.`
      : `${TITLES[name]} at ${clock(at)} UTC${effect}.`,
    ...rest.map(sentence),
    ...(open.length > 0 ? [sentence(`Still open: ${open.join(' ')}`)] : []),
    ...(isHalted ? ['To undo it: Resume, below.'] : []),
  ];
}

async function act(name, send) {
  const entry = { name, at: now(), said: [''], small: '', kind: 'warn' };
  /** How far it is, before it is answered. */
  const onStep = (step) => {
    entry.said = [`${TITLES[name]}: ${step}`];
    changed();
  };
  done.unshift(entry);
  done.length = Math.min(done.length, 5);
  onStep(IN_FLIGHT);
  const began = performance.now();
  try {
    const answer = await send(onStep);
    const took = Math.round(performance.now() - began);
    const inBot = answer.tookMs === undefined ? '' : `, ${Math.round(answer.tookMs)} ms of them from the monitor to the bot and back`;
    Object.assign(entry, {
      kind: answer.isDone === false || answer.recorded === true ? 'warn' : '',
      said: saidBy(name, entry.at, answer),
      small: `Answered after ${took} ms${inBot}.`,
    });
    if (answer.flattens !== undefined) entry.flattens = answer.flattens;
  } catch (error) {
    const lost = error.code === undefined;
    Object.assign(entry, {
      kind: 'down',
      said: lost
        ? ['The monitor gives no answer.', 'Type “tickwright halt” on the machine of the bot, or close at the venue.']
        : [`${TITLES[name]}: ${error.code === 'no-passphrase' ? 'not applied' : 'refused'}.`, error.message],
    });
  }
  changed();
}

/** How long closing took, or that it goes on, from the flattenings that the status names. */
function flatText({ at, flattens }) {
  if (flattens === undefined) return [];
  const ended = (model.status?.flattened ?? []).find((one) => one.scope === flattens && one.time >= at - 1000);
  if (ended !== undefined) {
    const what = ended.isFlat ? 'Flat' : 'Ended without being flat';
    const left = ended.left.length > 0 ? ` Left: ${ended.left.join(', ')}.` : '';
    return [`${what} after ${Math.max(0, ended.time - ended.since)} ms.${left}`];
  }
  const going = (model.status?.flattening ?? []).find((one) => one.scope === flattens);
  return going === undefined ? [] : [`Left to do: ${going.open.join(', ')}.`];
}

const wasHalted = () =>
  model.halts.some(({ scope, code }) => scope === 'bot' && (code === 'operator' || code === 'kill' || code === 'reduce-only'));
/** Of new opens. A bot that is heard says its halts, also while the venue answers no read; what one that is silent said may be over. */
function opensAre() {
  if (silence() !== '') return 'not confirmed as stopped';
  return wasHalted() ? 'stopped' : 'not stopped yet';
}
const isHalted = () => opensAre() === 'stopped';

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
      h('small', null, mayAct ? (isHalted() ? 'is stopped: more' : 'no new opens') : 'view only'),
    ),
    isOpen && mayAct ? h(Sheet, { close: () => open(false) }) : null,
  );
}

function Sheet({ close }) {
  return h(
    'div',
    { id: 'stop-menu', class: 'card', role: 'dialog', 'aria-label': 'STOP: what was done, what can still happen, and what goes further' },
    h(
      'div',
      { class: 'head' },
      h('h2', null, `New opens are ${opensAre()}`),
      h('button', { class: 'quiet', onClick: close, 'aria-label': 'Close this sheet' }, 'Close'),
    ),
    h(
      'div',
      { 'aria-live': 'polite' },
      done.map((entry) =>
        h(
          'div',
          { key: entry.at + entry.name, class: `done ${entry.kind}` },
          [...entry.said, ...flatText(entry)].map((text, k) => h('p', { key: k }, text)),
          h('small', null, entry.small),
        ),
      ),
    ),
    // It stays while the page is old for a moment: nothing moves under a finger.
    wasHalted() ? h(Resume, null) : null,
    h(Still, null),
    h('h3', null, 'Go further: hold a button for a second'),
    isBotGone() ? h('p', { class: 'warn' }, 'The bot gives no answer: these three are refused until it runs.') : null,
    STEPS.map((step) => h(Step, { key: step.name, ...step })),
    h('details', null, h('summary', null, 'More: Kill'), h(Step, KILL)),
  );
}

/** What the halt of opens does not stop. */
function Still() {
  const orders = openingOrders();
  return h(
    'div',
    { class: 'step', id: 'still' },
    h('h3', null, 'What can still happen'),
    h('p', null, `New opening orders: ${opensAre()}.`),
    h('p', { class: orders.length > 0 ? 'warn' : '' }, ordersText(orders, 'opening order')),
    h(Lines, { label: 'Opening orders that can still fill', lines: orders.map(orderText) }),
    orders.length > 0
      ? h('p', null, 'Reduce only, below, cancels them; in a terminal ', h('code', null, 'tickwright reduce-only'), '.')
      : null,
    h('p', null, positionsText()),
    h(Lines, { label: 'Positions that stay open', lines: legLines() }),
    h('p', null, 'Strategies may still close positions.'),
  );
}

/** What a step does and sends, and below it the button. */
const Step = ({ name, title, does, sends }) =>
  h(
    'div',
    { class: 'step' },
    h('p', null, does),
    sends().map(([first, ...lines], k) => [h('p', { key: `what ${k}`, class: 'soft' }, first), h(Lines, { key: k, label: first, lines })]),
    h(HoldButton, {
      label: `Hold: ${title}`,
      kind: name === 'kill' ? 'danger' : '',
      onHeld: () => void act(name, (onStep) => command(name, { why: 'the page' }, { what: title, onStep })),
    }),
  );

/** The way back. It raises risk, so the monitor wants the passphrase for it. */
const Resume = () =>
  h(
    'div',
    { class: 'step' },
    h(
      'p',
      null,
      'The way back: strategies may open again at once. It asks for the passphrase. In a terminal: ',
      h('code', null, 'tickwright resume'),
      '; after a kill ',
      h('code', null, 'tickwright resume --i-know'),
      ' alone.',
    ),
    h(HoldButton, {
      label: 'Hold: Resume',
      onHeld: () =>
        void act('resume', (onStep) => command('resume', { why: 'the page' }, { what: 'Resume: strategies may open again', onStep })),
    }),
  );
