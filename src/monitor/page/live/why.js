/** The answer to "why" for an order, a symbol or a strategy, as the bot gives it. */
import { h } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { query } from '../parts/connection.js';

export function Why({ of, close }) {
  const [answer, setAnswer] = useState(null);
  const place = useRef(null);
  useEffect(() => {
    setAnswer(null);
    query('queries/why', of).then(setAnswer, (error) => setAnswer({ error: error.message }));
    place.current?.focus();
  }, [JSON.stringify(of)]);
  const title = `Why: ${
    Object.entries(of)
      .map(([kind, name]) => `${kind} ${name}`)
      .join(', ') || 'is it not trading?'
  }`;
  return h(
    'div',
    { class: 'why-place', onKeyDown: (event) => event.key === 'Escape' && close() },
    h(
      'section',
      { class: 'card', role: 'dialog', 'aria-label': title, tabIndex: -1, ref: place },
      h('div', { class: 'head' }, h('h2', null, title), h('button', { class: 'quiet', onClick: close }, 'Close')),
      answer === null
        ? h('p', { class: 'empty' }, 'The bot is asked.')
        : answer.error !== undefined
          ? h('p', { class: 'empty' }, answer.error)
          : h('pre', { tabIndex: 0 }, answer.text ?? JSON.stringify(answer, null, 2)),
    ),
  );
}
