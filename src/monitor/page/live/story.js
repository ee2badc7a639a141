/** What the bot did and why: one stream of sentences, the newest first. It stands still while somebody reads in it. */
import { h } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { Card, moment } from '../parts/elements.js';
import { sentences } from './sentences.js';

const SHOWN = 60;
/** On a phone, where the list does not scroll by itself. */
const FEW = 12;

export function Story({ ask }) {
  const place = useRef(null);
  const [isRead, setRead] = useState(false);
  const [most, setMost] = useState(() => (matchMedia('(max-width: 760px)').matches ? FEW : SHOWN));
  const held = useRef([]);
  const all = sentences(SHOWN);
  const isStill = isRead || (place.current?.scrollTop ?? 0) > 0;
  if (!isStill || held.current.length === 0) held.current = all;
  const known = new Set(held.current.map(({ key }) => key));
  const more = all.filter(({ key }) => !known.has(key)).length;
  const showAll = () => {
    held.current = sentences(SHOWN);
    if (place.current !== null) place.current.scrollTop = 0;
    setRead(false);
  };
  return h(
    Card,
    {
      id: 'story',
      title: 'What it did and why',
      small: more > 0 ? h('button', { class: 'quiet', onClick: showAll }, `Show ${more} newer`) : 'newest first',
    },
    held.current.length === 0
      ? h('p', { class: 'empty' }, 'Nothing has happened yet that the monitor has seen.')
      : h(
          'ol',
          {
            ref: place,
            tabIndex: 0,
            role: 'list',
            'aria-label': 'Sentences, the newest first',
            onPointerEnter: () => setRead(true),
            onPointerLeave: () => setRead(false),
            onFocusCapture: () => setRead(true),
            onBlurCapture: () => setRead(false),
          },
          held.current
            .slice(0, most)
            .map(({ key, time, kind, mark, text, of, small = '' }) =>
              h(
                'li',
                { key, class: kind },
                h('time', null, moment(time)),
                h('span', { class: 'sign', 'aria-hidden': true }, mark),
                h(
                  'span',
                  null,
                  of === null ? text : h('button', { class: 'sentence', onClick: () => ask(of) }, text),
                  small === '' ? null : h('small', null, small),
                ),
              ),
            ),
        ),
    held.current.length > most ? h('button', { class: 'more', onClick: () => setMost(SHOWN) }, 'Show more') : null,
  );
}
