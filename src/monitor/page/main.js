/** Starts the page: takes the token, listens, and shows the view that the address names after "#". */
import { h, render } from 'preact';
import { useEffect, useReducer, useRef, useState } from 'preact/hooks';
import { login } from './parts/connection.js';
import { Bar } from './live/bar.js';
import { Chart } from './live/chart.js';
import { Health } from './live/health.js';
import { Remains } from './live/remains.js';
import { AtRisk } from './live/risk.js';
import { Story } from './live/story.js';
import { changed, isBotGone, model, onChange, staleness } from './parts/model.js';
import { later } from './parts/library.js';
import { momentKey, openPast } from './parts/past.js';
import { PassphraseForm } from './parts/passphrase-form.js';
import { Limits } from './views/limits.js';

const Hub = later('hub', async () => (await import('./later/hub.js')).Hub);
const PastBar = later('past-bar', async () => (await import('./later/past-bar.js')).PastBar);

const Live = ({ ask }) =>
  h(
    'div',
    { class: 'live' },
    h(AtRisk, { ask }),
    h(Chart, { key: momentKey() }),
    h(Story, { key: `story ${momentKey()}`, ask }),
    h(Health, { ask }),
  );

const Fills = later('orders', async () => (await import('./later/orders.js')).Fills);
const Log = later('orders', async () => (await import('./later/orders.js')).Log);
const Orders = later('orders', async () => (await import('./later/orders.js')).Orders);
const Performance = later('performance', async () => (await import('./later/performance.js')).Performance);
const Searches = later('searches', async () => (await import('./later/searches.js')).Searches);
const Strategies = later('strategies', async () => (await import('./later/strategies.js')).Strategies);
const Why = later('why', async () => (await import('./later/why.js')).Why);
const Sessions = later('sessions', async () => (await import('./later/sessions.js')).Sessions);

const VIEWS = {
  live: ['Now', Live],
  strategies: ['Strategies', Strategies],
  orders: ['Orders', Orders],
  fills: ['Fills', Fills],
  limits: ['Limits', Limits],
  performance: ['Performance', Performance],
  log: ['Log', Log],
  sessions: ['Sessions', Sessions],
  searches: ['Searches', Searches],
};

function useHash() {
  const read = () => (Object.hasOwn(VIEWS, location.hash.slice(1)) ? location.hash.slice(1) : 'live');
  const [view, set] = useState(read);
  useEffect(() => {
    const next = () => set(read());
    addEventListener('hashchange', next);
    return () => removeEventListener('hashchange', next);
  }, []);
  return view;
}

/** Logs in, and opens the recording if the page is for one. */
async function enter(token) {
  const recording = await login(token);
  if (recording !== '') await openPast(recording);
}

function Login() {
  const [said, say] = useState('');
  const send = (event) => {
    event.preventDefault();
    enter(/** @type {string} */ (new FormData(event.currentTarget).get('token')).trim()).catch((error) => say(error.message));
  };
  return h(
    'main',
    { class: 'login' },
    h('h1', null, 'Tickwright'),
    h(
      'p',
      null,
      'Type ',
      h('code', null, 'tickwright open'),
      ' on the machine of the bot, or ',
      h('code', null, 'tickwright hub'),
      ' for all bots: it opens this page with a session. A token or a view link can be typed here.',
    ),
    model.silent === '' ? null : h('p', { class: 'soft' }, model.silent),
    h(
      'form',
      { onSubmit: send },
      h('label', null, 'Token ', h('input', { name: 'token', autocomplete: 'off', type: 'password' })),
      h('button', null, 'Open'),
    ),
    h('p', { class: 'down', role: 'alert' }, said),
  );
}

/** The strip of views. The one that is shown is in sight, and an end fades while there are more views beyond it. */
function Views({ view }) {
  /** @type {import('preact').RefObject<HTMLElement>} */
  const strip = useRef(null);
  const [ends, setEnds] = useState('');
  const measure = () => {
    if (strip.current === null) return;
    const { scrollLeft, scrollWidth, clientWidth } = strip.current;
    setEnds(`${scrollLeft > 1 ? 'before' : ''} ${scrollLeft + clientWidth < scrollWidth - 1 ? 'after' : ''}`);
  };
  useEffect(() => {
    const shown = /** @type {HTMLElement} */ (strip.current?.querySelector('[aria-current]'));
    const { offsetLeft, offsetWidth } = shown;
    strip.current?.scrollTo({ left: offsetLeft - (strip.current.clientWidth - offsetWidth) / 2 });
    measure();
    addEventListener('resize', measure);
    return () => removeEventListener('resize', measure);
  }, [view]);
  return h(
    'nav',
    { 'aria-label': 'Views', ref: strip, class: ends, onScroll: measure },
    Object.entries(VIEWS).map(([name, [title]]) =>
      // A link that is scrolled out of the strip is taken for one that skips to a place: it is that place, and the top of the page.
      h(
        'a',
        { key: name, id: name === view ? undefined : name, href: `#${name}`, 'aria-current': name === view ? 'page' : undefined },
        title,
      ),
    ),
  );
}

function Page() {
  const [, again] = useReducer((n) => n + 1, 0);
  const [of, ask] = useState(null);
  const view = useHash();
  useEffect(() => onChange(again), []);
  useEffect(() => {
    const timer = setInterval(changed, 1000);
    return () => clearInterval(timer);
  }, []);
  // The same line as in the page without scripts: nothing moves, and no form that asks for a token is shown for a moment.
  if (model.session === '') return isEntering ? h('p', { class: 'empty' }, 'The page is loading.') : h(Login, null);
  if (model.isHub) return h(Hub, null);
  const [, View] = VIEWS[view];
  return h(
    'div',
    { class: staleness() === '' ? 'page' : 'page grey' },
    h(Bar, null),
    model.past === null ? null : h(PastBar, null),
    h(Views, { view }),
    h('main', null, isBotGone() ? h(Remains, null) : null, h(View, { key: view === 'live' ? view : `${view} ${momentKey()}`, ask })),
    model.asking === null ? null : h(PassphraseForm, null),
    of === null ? null : h(Why, { key: momentKey(), of, close: () => ask(null) }),
    h(
      'footer',
      { class: 'soft' },
      'Times are UTC, and so is the day of “today”. Every figure comes from the bot or its journal; an unknown one says so.',
    ),
  );
}

/** The token of `tickwright open` is in the page once, and is taken out of it. */
/** @type {HTMLMetaElement | null} */
const meta = document.querySelector('meta[name=token]');
const token = meta?.content ?? '';
meta?.remove();
/** True until the token in the page has given a session, or was refused. */
let isEntering = token !== '';

/** An error in a part of the page leaves that part, or all of it, as it was. */
/** @param {any} event */
function failed({ error, reason }) {
  // What a ResizeObserver could not deliver is no error of a part.
  if (error instanceof Error || reason !== undefined) document.getElementById('failed').hidden = false;
}
addEventListener('error', failed);
addEventListener('unhandledrejection', failed);

const place = document.getElementById('page');
place.replaceChildren();
render(h(Page, null), place);

if (isEntering)
  enter(token)
    .catch((error) => {
      model.silent = error.message;
    })
    .finally(() => {
      isEntering = false;
      changed();
    });
