/** Small parts that every view of the page is made of. All texts become text nodes. */
import { h } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { clock, date, span } from '../../../browser/figures.js';
import { model, now } from './model.js';

/** A ref for what stays at the top of the window: nothing that is scrolled to, as by Tab, comes to lie below it. */
export function useTop() {
  const top = useRef(null);
  useEffect(() => {
    const { style } = document.documentElement;
    // The end of an effect is told after the element is gone.
    const bar = top.current;
    const seen = new ResizeObserver(() => (style.scrollPaddingTop = `${bar.offsetHeight + 8}px`));
    seen.observe(bar);
    return () => {
      seen.disconnect();
      style.scrollPaddingTop = '';
    };
  }, []);
  return top;
}

/** A value that may be unknown: it is then said, with the reason, and never shown as zero. */
export const known = (text, shown = text, why = '') =>
  text === '' || text === null || text === undefined
    ? [h('span', { key: 'unknown', class: 'unknown' }, 'unknown'), why === '' ? null : h('small', { key: 'why' }, why)]
    : shown;

/** The coin of all money of the bot; "" while it is not known. */
export const coin = () => model.status?.marginCoin ?? '';

/** The coin of the sizes of a symbol such as BTCUSDT, by the margin coin at its end; "" if that is not known. */
export function baseOf(symbol) {
  const quote = coin();
  return quote !== '' && symbol.endsWith(quote) ? symbol.slice(0, -quote.length) : '';
}

/** "4 s ago", counting up; "never" for 0. */
export const age = (time) => (time > 0 ? `${span(now() - time)} ago` : 'never');

/** When an answer that is asked for was read: "" before the first. */
export const readText = (time) => (time > 0 ? `read ${age(time)}` : '');

/** "newest first, read 2 s ago". */
export const withAge = (text, time) => [text, readText(time)].filter(Boolean).join(', ');

/** "Fee, USDT": the title of a column of money. */
export const inCoin = (title) => [title, coin()].filter(Boolean).join(', ');

/** Time of day; with the day if it is another one. */
export const moment = (time) => (date(time) === date(now()) ? clock(time) : `${date(time)} ${clock(time)}`);

/** Why opens are halted, with the code by which the pages of the docs name it. */
export const haltSays = ({ detail, code }) => (detail === '' ? code : `${detail} (${code})`);

/** "Ends by itself", or "Ends with:" and the command. */
export const Ends = ({ ends }) =>
  h('span', { class: 'ends' }, ends.startsWith('tickwright') ? ['Ends with: ', h('code', { key: 'code' }, ends)] : `Ends ${ends}`);

export const count = (n, word) => `${n} ${word}${n === 1 ? '' : 's'}`;

/** The side of a leg, by a shape beside its word. */
export const Side = ({ side }) =>
  h('span', { class: `side ${side === 'LONG' || side === 'BUY' ? 'up' : 'down'}` }, side === 'LONG' || side === 'BUY' ? '▲ ' : '▼ ', side);

/** @typedef {import('preact').ComponentChildren} Shown What an element can contain. */

/** @param {{ id: string, title: Shown, small?: Shown, children?: Shown }} props */
export function Card({ id, title, small, children }) {
  return h(
    'section',
    { id, class: 'card', 'aria-labelledby': `${id}-title` },
    h('div', { class: 'head' }, h('h2', { id: `${id}-title` }, title), small === undefined ? null : h('p', { class: 'soft' }, small)),
    children,
  );
}

/** [title, value, small, class] each. */
export const Facts = ({ facts }) =>
  h(
    'dl',
    { class: 'facts' },
    facts.map(([title, value, small = '', kind = '']) =>
      h('div', { key: title, class: kind }, h('dt', null, title), h('dd', null, value, small === '' ? null : h('small', null, small))),
    ),
  );

/**
 * A table whose rows become cards on a narrow screen. A column: title, cell(row) and kind ("n" for numbers, "wide" for a line of its own).
 * Only the first `most` rows are made, until somebody asks for more.
 * @param {{ columns: { title: string, cell: (row: any) => Shown, kind?: string }[], rows: readonly any[], keyOf: (row: any) => unknown, empty: Shown,
 *   label: string, most?: number, classOf?: (row: any) => string }} props
 */
export function Table({ columns, rows, keyOf, empty, label, most = 50, classOf }) {
  const [shown, show] = useState(most);
  if (rows.length === 0) return h('p', { class: 'empty' }, empty);
  return h(
    'div',
    { class: 'scroll', role: 'group', 'aria-label': label, tabIndex: 0 },
    h(
      'table',
      null,
      h(
        'thead',
        null,
        h(
          'tr',
          null,
          columns.map(({ title, kind = '' }) => h('th', { key: title, scope: 'col', class: kind }, title)),
        ),
      ),
      h(
        'tbody',
        null,
        rows.slice(0, shown).map((row) =>
          h(
            'tr',
            { key: keyOf(row), class: classOf?.(row) },
            columns.map(({ title, cell, kind = '' }) => h('td', { key: title, class: kind, 'data-title': title }, cell(row))),
          ),
        ),
      ),
    ),
    rows.length > shown
      ? h('button', { class: 'more', onClick: () => show(shown + 200) }, `Show more: ${shown} of ${rows.length} are shown`)
      : null,
  );
}

/**
 * A button that cannot be used says why, in sight and for a reader of the screen.
 * @param {{ why?: string, kind?: string, onPress: () => void, children?: Shown, id?: string }} props
 */
export function Action({ why = '', kind = '', onPress, children, ...rest }) {
  const off = why !== '';
  return h(
    'span',
    { class: 'action' },
    h('button', { ...rest, class: kind, 'aria-disabled': off, onClick: off ? undefined : onPress }, children),
    off ? h('small', { class: 'why' }, why) : null,
  );
}

const HOLD_MS = 1000;

/** A button that acts only when it is held for a second, with a finger, the mouse, Space or Enter. */
export function HoldButton({ label, onHeld, kind = '' }) {
  const timer = useRef(0);
  const [isHeld, setHeld] = useState(false);
  const begin = (event) => {
    if (event.type === 'keydown' && (event.repeat || (event.key !== ' ' && event.key !== 'Enter'))) return;
    if (event.type === 'keydown') event.preventDefault();
    clearTimeout(timer.current);
    setHeld(true);
    timer.current = setTimeout(() => {
      setHeld(false);
      onHeld();
    }, HOLD_MS);
  };
  const end = () => {
    clearTimeout(timer.current);
    setHeld(false);
  };
  useEffect(() => end, []);
  return h(
    'button',
    {
      class: `hold ${kind} ${isHeld ? 'held' : ''}`,
      onPointerDown: begin,
      onPointerUp: end,
      onPointerLeave: end,
      onPointerCancel: end,
      onKeyDown: begin,
      onKeyUp: end,
      onBlur: end,
      onContextMenu: (event) => event.preventDefault(),
    },
    h('span', null, isHeld ? 'Keep holding…' : label),
  );
}
