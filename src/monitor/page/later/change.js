/** Changes a strategy while it runs: a parameter, or the symbols that it trades. Each acts when its button is held for a second. Fetched when opened. */
import { h } from 'preact';
import { useState } from 'preact/hooks';
import { grouped } from '../../../browser/figures.js';
import { command, IN_FLIGHT } from '../parts/connection.js';
import { Action, HoldButton, moment } from '../parts/elements.js';
import { later } from '../parts/library.js';
import { model, now } from '../parts/model.js';

const Reload = later('rehearsal', async () => (await import('./rehearsal.js')).Reload);

const WHY = 'the page';
const textOf = ({ did, open = [] }) => [...did, ...(open.length > 0 ? [`Still open: ${open.join(' ')}`] : [])].join('\n');

/** A choice of a few words, each with its text. */
const Choice = ({ label, value, set, words }) =>
  h(
    'label',
    { class: 'choice' },
    `${label} `,
    h(
      'select',
      { value, onChange: (event) => set(/** @type {HTMLSelectElement} */ (event.currentTarget).value) },
      words.map(([word, text]) => h('option', { key: word, value: word }, text)),
    ),
  );

const Typed = ({ label, value, set }) =>
  h(
    'label',
    { class: 'choice' },
    `${label} `,
    h('input', { value, autocomplete: 'off', spellcheck: false, onInput: (event) => set(event.currentTarget.value.trim()) }),
  );

/** A parameter: its value now, the one of the configuration, and another. */
function Parameter({ one, act }) {
  const { name, params, set: changed, configured = {} } = one;
  const names = Object.keys(params ?? {});
  const [chosen, choose] = useState(names[0] ?? '');
  const [value, setValue] = useState('');
  if (names.length === 0) return h('p', { class: 'soft' }, 'It has no parameters.');
  const assign = (text) => {
    const next = text === '' ? `as configured, ${configured[chosen] ?? 'unknown'}` : text;
    const what = `${name}: ${chosen} from ${params[chosen]} to ${next}`;
    act(`${chosen}=${text}`, 'set', { strategy: name, assignment: `${chosen}=${text}` }, what);
  };
  const isSet = changed.includes(chosen);
  return h(
    'div',
    { class: 'step' },
    h('h3', null, 'Parameter'),
    h(Choice, { label: 'Name', value: chosen, set: choose, words: names.map((word) => [word, word]) }),
    h(Typed, { label: 'New value', value, set: setValue }),
    h(
      'p',
      { class: 'soft' },
      `${chosen} is ${params[chosen]} now`,
      isSet ? `; the configuration says ${configured[chosen] ?? 'something else'}.` : ', as the configuration says.',
      ' A set value survives a restart. The strategy is created again; its orders and its state stay.',
    ),
    value === '' ? null : h(HoldButton, { label: `Hold: set ${chosen} to ${value}`, onHeld: () => assign(value) }),
    isSet
      ? h(HoldButton, {
          kind: 'apart',
          label: `Hold: ${chosen} back to ${configured[chosen] ?? 'its value'}, as configured`,
          onHeld: () => assign(''),
        })
      : null,
  );
}

const POSITIONS = [
  ['', 'choose'],
  ['flatten', 'close it at the market'],
  ['keep', 'keep it: I manage it'],
];

/** The open position of a strategy in words; "" for none. */
const heldOf = (strategy, symbol) =>
  [...model.positions.values()]
    .filter((one) => one.symbol === symbol && (one.strategies ?? []).includes(strategy) && Number(one.size) !== 0)
    .map(({ side, size }) => `${symbol} ${side} ${grouped(size)}`)
    .join(' and ');

/** A symbol more or less. */
function Symbols({ one: { name, symbols }, act }) {
  const [symbol, setSymbol] = useState('');
  const [position, setPosition] = useState('');
  const isTraded = symbols.includes(symbol);
  const given = { symbol, strategy: name };
  const held = heldOf(name, symbol);
  const removed = held === '' || position === '' ? given : { ...given, position };
  const mustChoose = held !== '' && position === '';
  return h(
    'div',
    { class: 'step' },
    h('h3', null, 'Symbols'),
    h(Typed, { label: 'Symbol', value: symbol, set: (text) => setSymbol(text) }),
    isTraded && held !== '' ? h(Choice, { label: `${held} is open:`, value: position, set: setPosition, words: POSITIONS }) : null,
    h(
      'p',
      { class: 'soft' },
      symbol === ''
        ? 'Type a symbol of the file of instruments.'
        : isTraded
          ? `${name} trades ${symbol}. Its orders there are cancelled.${held === '' ? ' It has no position there.' : ''}`
          : `${name} does not trade ${symbol} yet.`,
    ),
    symbol === ''
      ? null
      : isTraded
        ? mustChoose
          ? h(Action, { why: `Choose what becomes of ${held} first.`, onPress: () => undefined }, `Remove ${symbol}`)
          : h(HoldButton, { label: `Hold: remove ${symbol}`, onHeld: () => act(`remove ${symbol}`, 'remove', removed) })
        : h(HoldButton, { label: `Hold: add ${symbol}`, onHeld: () => act(`add ${symbol}`, 'add', given) }),
  );
}

const ON_DISK = { same: '', other: ' The file on disk is another text.', missing: ' Its file is not on disk any more.' };

/** Which text of its file the strategy has, and the way to give it the one on disk. */
function Text({ one: { name, reload }, act }) {
  const { at, sha256, trialUntil, returned, onDisk } = reload ?? {};
  return h(
    'div',
    { class: 'step' },
    h('h3', null, 'File'),
    h(
      'p',
      { class: returned ? 'down' : 'soft' },
      reload === undefined
        ? 'It has the text that its file had when the bot started.'
        : returned === ''
          ? `It runs the text ${sha256.slice(0, 12)}, loaded at ${moment(at)}.${ON_DISK[onDisk]}`
          : `▲ The reload of ${moment(at)} failed: ${returned}. It runs the text from before, ${sha256.slice(0, 12)}.${ON_DISK[onDisk]}`,
      trialUntil > now() ? ` On trial until ${moment(trialUntil)}: if it fails, the text before comes back.` : '',
    ),
    h(Reload, { name, act }),
  );
}

/** A strategy that was added here goes the same way. */
const Remove = ({ name, act }) =>
  h(
    'div',
    { class: 'step' },
    h('p', { class: 'soft' }, 'Added while the bot ran, not by the configuration. It can be removed when it holds nothing.'),
    h(HoldButton, { label: `Hold: remove ${name}`, onHeld: () => act('remove', 'remove-strategy', { strategy: name }) }),
  );

const failed = (what, { code, message }) => {
  if (code === undefined) return `${what}: no answer. Look at the status before you try again.`;
  return code === 'no-passphrase' ? `${what}: not applied. ${message}` : `${what}: refused. ${message}`;
};

/** What changes a strategy. `one` is a StrategyAnswer. */
export function Changes({ one }) {
  const [answer, setAnswer] = useState({ text: '', kind: '' });
  const act = (what, name, fields, about = `${one.name}: ${what}`) => {
    const onStep = (text) => setAnswer({ text: `${what}: ${text}`, kind: 'warn' });
    onStep(IN_FLIGHT);
    command(name, { ...fields, why: WHY }, { what: about, onStep }).then(
      (reply) => setAnswer({ text: `${what}: ${textOf(reply)}`, kind: reply.isDone === false ? 'warn' : '' }),
      (error) => setAnswer({ text: failed(what, error), kind: 'down' }),
    );
  };
  return [
    h(Parameter, { key: 'parameter', one, act }),
    h(Symbols, { key: 'symbols', one, act }),
    h(Text, { key: 'text', one, act }),
    one.isAdded ? h(Remove, { key: 'remove', name: one.name, act }) : null,
    h('p', { key: 'answer', class: `lines ${answer.kind}`, 'aria-live': 'polite' }, answer.text),
    model.halts.length > 0 ? h('p', { key: 'halts', class: 'soft' }, 'Halts stay: a change ends none of them.') : null,
  ];
}
