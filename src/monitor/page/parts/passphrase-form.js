/** Asks for the passphrase before an act that may raise risk. The rest of the page, STOP above all, can be used meanwhile. */
import { h } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { model } from './model.js';

export function PassphraseForm() {
  const { name, what, isWrong, done } = model.asking;
  /** @type {import('preact').RefObject<HTMLInputElement>} */
  const input = useRef(null);
  useEffect(() => {
    const before = /** @type {HTMLElement | null} */ (document.activeElement);
    input.current?.focus();
    return () => before?.focus();
  }, []);
  const send = (event) => {
    event.preventDefault();
    done(input.current?.value ?? '');
  };
  return h(
    'div',
    {
      id: 'passphrase',
      class: 'card',
      role: 'dialog',
      'aria-labelledby': 'passphrase-title',
      onKeyDown: (event) => event.key === 'Escape' && done(''),
    },
    h('h2', { id: 'passphrase-title' }, `Passphrase for ${name}`),
    h('p', null, h('b', null, what)),
    h('p', { class: 'soft' }, 'Not applied yet: it may raise risk, and waits for your passphrase, which stays in this page.'),
    isWrong ? h('p', { class: 'down', role: 'alert' }, 'The passphrase was wrong. Nothing has changed.') : null,
    h(
      'form',
      { onSubmit: send },
      h('label', null, 'Passphrase ', h('input', { ref: input, type: 'password', autocomplete: 'off', required: true })),
      h(
        'p',
        { class: 'actions' },
        h('button', null, 'Apply'),
        h('button', { type: 'button', class: 'quiet', onClick: () => done('') }, 'Cancel, change nothing'),
      ),
    ),
  );
}
