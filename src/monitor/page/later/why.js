/** The answer to "why" for an order, a symbol or a strategy, as the bot gives it. */
import { h } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { query } from '../parts/connection.js';
import { age, moment } from '../parts/elements.js';

const MARKS = { ok: '✓', finding: '■', skipped: '–', unknown: '?' };

/** Why one strategy does not trade one market: what was found first, then every check. */
function Ladder({ strategy, symbol, headline, checks }) {
  const found = checks.find(({ name }) => name === headline);
  return h(
    'div',
    { class: 'step' },
    h('h3', null, `${strategy} on ${symbol}`),
    h('p', null, found === undefined ? 'No check finds a reason.' : `■ ${found.text}`),
    found === undefined || found.fix === '' ? null : h('p', null, 'Changed by ', h('code', null, found.fix)),
    h(
      'details',
      null,
      h('summary', null, 'All checks'),
      h(
        'ul',
        { class: 'sends' },
        checks.map(({ name, state, text, since }) =>
          h('li', { key: name }, `${MARKS[state]} ${name}: ${text}${since > 0 ? `, began ${age(since)}` : ''}`),
        ),
      ),
    ),
  );
}

/** What became of an order, oldest step first. */
const Way = ({ sentence, steps }) => [
  h('p', null, sentence),
  h(
    'ol',
    { class: 'said' },
    steps.map(({ time, what, text }, k) => h('li', { key: k }, `${time > 0 ? moment(time) : ''} ${what}: ${text}`)),
  ),
];

function Answer({ answer }) {
  if (answer === null) return h('p', { class: 'empty' }, 'The bot is asked.');
  if (answer.error !== undefined) return h('p', { class: 'empty' }, answer.error);
  if (answer.steps !== undefined) return h(Way, answer);
  return answer.ladders.map((one) => h(Ladder, { key: `${one.strategy} ${one.symbol}`, ...one }));
}

/** `of` names an order, a symbol or a strategy; nothing for the whole bot. */
export function Why({ of, close }) {
  const [answer, setAnswer] = useState(null);
  const place = useRef(null);
  const [[kind, what] = ['', '']] = Object.entries(of);
  useEffect(() => {
    setAnswer(null);
    query('queries/why', { what }).then(setAnswer, (error) => setAnswer({ error: error.message }));
    place.current?.focus();
  }, [what]);
  const title = what === '' ? 'Why is it not trading?' : `Why: ${kind} ${what}`;
  return h(
    'div',
    { class: 'why-place', onKeyDown: (event) => event.key === 'Escape' && close() },
    h(
      'section',
      { class: 'card', role: 'dialog', 'aria-label': title, tabIndex: -1, ref: place },
      h('div', { class: 'head' }, h('h2', null, title), h('button', { class: 'quiet', onClick: close }, 'Close')),
      h(Answer, { answer }),
    ),
  );
}
