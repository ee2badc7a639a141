/** The form that adds a ready-made bot to the strategies. Loaded when somebody opens it: most never do. */
import { h } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { command, query } from '../parts/connection.js';
import { HoldButton } from '../parts/elements.js';
import { model } from '../parts/model.js';

const WHY = 'the page';

/** A field with what it means, what is allowed, and what is wrong with it. */
function Field({ name, value, set, problem, doc, expects = '', fallback = '', choices = [] }) {
  const id = `add-${name}`;
  const described = `${id}-doc${problem === undefined ? '' : ` ${id}-wrong`}`;
  const given = {
    id,
    value,
    'aria-describedby': described,
    'aria-invalid': problem !== undefined,
    onInput: (event) => set(event.currentTarget.value),
  };
  return h(
    'div',
    { class: 'step' },
    h('label', { for: id }, h('b', null, name)),
    choices.length > 0
      ? h(
          'select',
          given,
          choices.map((word) => h('option', { key: word, value: word }, word)),
        )
      : h('input', { ...given, placeholder: fallback, autocomplete: 'off', spellcheck: false }),
    problem === undefined ? null : h('p', { id: `${id}-wrong`, class: 'down', role: 'alert' }, `■ ${problem}`),
    h(
      'p',
      { id: `${id}-doc`, class: 'soft' },
      [doc, choices.length > 0 ? '' : expects, fallback === '' ? '' : `default ${fallback}`].filter(Boolean).join(' · '),
    ),
  );
}

const symbolsKnown = () => [...new Set((model.status?.strategies ?? []).flatMap(({ symbols }) => symbols))];

/** The form of one bot. */
function Form({ bot }) {
  const [values, setValues] = useState({});
  const [symbols, setSymbols] = useState(symbolsKnown()[0] ?? '');
  const [name, setName] = useState('');
  const [problems, setProblems] = useState([]);
  const [effects, setEffects] = useState(null);
  const [said, say] = useState({ text: '', kind: '' });
  const edit = (change) => (value) => {
    change(value);
    setEffects(null);
    say({ text: '', kind: '' });
  };
  const problemOf = (field) => problems.find((one) => one.field === field)?.message;
  const given = Object.entries(values).filter(([, value]) => value.trim() !== '');
  const fields = {
    bot: bot.name,
    symbols: symbols.trim(),
    params: JSON.stringify(Object.fromEntries(given.map(([key, value]) => [key, value.trim()]))),
    ...(name.trim() === '' ? {} : { name: name.trim() }),
    why: WHY,
  };
  /** What the bot answers, one sentence each; null if it refused. */
  const send = async (more) => {
    say({ text: 'Sent, no answer yet.', kind: 'warn' });
    setProblems([]);
    try {
      return (await command('add-strategy', { ...fields, ...more })).did;
    } catch (error) {
      const shown = ['symbols', 'name', ...bot.params.map((one) => one.name)];
      const found = error.problems ?? [];
      setProblems(found);
      setEffects(null);
      // The first field that is wrong may be far above the button.
      const first = shown.find((one) => found.some(({ field }) => field === one));
      if (first !== undefined) document.getElementById(`add-${first}`)?.focus();
      const others = found.filter(({ field }) => !shown.includes(field)).map(({ message }) => message);
      const text =
        error.code === undefined
          ? 'No answer. Look at the strategies before you try again.'
          : found.length === 0
            ? `Refused. ${error.message}`
            : `Refused: ${[...others, ...(found.length > others.length ? ['look at the fields that are marked'] : [])].join('; ')}.`;
      say({ text, kind: 'down' });
      return null;
    }
  };
  const look = async () => {
    const did = await send({ rehearse: true });
    if (did === null) return;
    say({ text: '', kind: '' });
    setEffects(did);
  };
  const start = async () => {
    const did = await send({});
    if (did === null) return;
    // The same bot is not started twice by a second press.
    setEffects(null);
    setValues({});
    setName('');
    setSymbols('');
    say({ text: did.join('\n'), kind: '' });
  };
  return h(
    'div',
    { class: 'change' },
    h('p', null, bot.does),
    h('p', { class: 'warn' }, bot.loses),
    h(
      'div',
      { class: 'fields' },
      h(Field, {
        name: 'symbols',
        value: symbols,
        set: edit(setSymbols),
        problem: problemOf('symbols'),
        doc: 'Futures of the file of instruments, with commas between',
      }),
      h(Field, {
        name: 'name',
        value: name,
        set: edit(setName),
        problem: problemOf('name'),
        doc: 'Name of the strategy: reports, halts and its state go by it',
        fallback: bot.name,
      }),
      bot.params.map((param) =>
        h(Field, {
          key: param.name,
          ...param,
          value: values[param.name] ?? (param.choices.length > 0 ? param.fallback : ''),
          set: edit((value) => setValues({ ...values, [param.name]: value })),
          problem: problemOf(param.name),
        }),
      ),
    ),
    h('p', { class: 'actions' }, h('button', { id: 'add-look', onClick: look }, 'Show what it will do')),
    h('p', { class: `lines ${said.kind}`, 'aria-live': 'polite', id: 'add-said' }, said.text),
    effects === null
      ? null
      : h(
          'div',
          { class: 'step', id: 'add-effects' },
          h('h3', null, 'What it will do'),
          h(
            'ul',
            null,
            effects.map((text) => h('li', { key: text }, text)),
          ),
          h('p', { class: 'warn' }, bot.loses),
          h(HoldButton, { label: `Hold: start ${name.trim() || bot.name}`, onHeld: start }),
        ),
  );
}

export function Add() {
  const [bots, setBots] = useState(/** @type {any[]} */ ([]));
  const [chosen, choose] = useState('');
  const [failed, fail] = useState('');
  useEffect(() => {
    query('ready-made').then(
      (answer) => {
        setBots(answer.bots);
        choose(answer.bots[0].name);
      },
      (error) => fail(error.message),
    );
  }, []);
  const bot = bots.find(({ name }) => name === chosen);
  if (bot === undefined) return h('p', { class: failed === '' ? 'soft' : 'down' }, failed === '' ? 'It is being loaded.' : failed);
  return [
    h(
      'p',
      { key: 'bots', class: 'actions', role: 'group', 'aria-label': 'Ready-made bots' },
      bots.map(({ name }) =>
        h('button', { key: name, 'aria-pressed': name === chosen, onClick: () => choose(name) }, name === chosen ? `● ${name}` : name),
      ),
    ),
    h(Form, { key: chosen, bot }),
  ];
}
