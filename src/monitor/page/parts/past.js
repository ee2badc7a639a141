/** A recorded session in place of the running bot: the page shows what the bot believed at a moment of it, or of a fork of it. */
import { ask, endReplays, endStream, listen, post, readOlder, replaying } from './connection.js';
import { changed, heard, model, take } from './model.js';

/** Changes whenever another moment is shown: what asked for its rows asks again. */
export const momentKey = () => (model.past === null ? '' : `${model.past.name} ${model.past.fork} ${model.past.at}`);

const forkOf = (fork) => model.past?.forks.find(({ id }) => id === fork) ?? null;
export const forkShown = () => forkOf(model.past?.fork);

/** The moment that was asked for: that which loads, or that which is shown. */
export const aimed = () => model.past.next ?? { at: model.past.at, fork: model.past.fork };

/** The slider stands here: what is shown is of another moment, until this one has loaded. */
export function aim(at) {
  const { past } = model;
  const { fork } = aimed();
  const { from, to } = past;
  past.next = { at: Math.min(Math.max(Math.round(at), from), Math.max(to, forkOf(fork)?.to ?? to)), fork };
  changed();
}

/** Opens a session at its end. @throws Error when it cannot be replayed, or another request took its place */
export async function openPast(name) {
  const answer = await ask(`/api/sessions/${encodeURIComponent(name)}`, { signal: replaying() });
  endStream();
  model.past = { ...answer, at: answer.to, fork: '', next: { at: answer.to, fork: '' }, truth: null, said: '' };
  await show();
}

/** Back to the running bot. */
export function leavePast() {
  endReplays();
  model.past = null;
  // What the recording showed is not what the bot has.
  take({ kind: 'reset', id: '', time: Date.now(), reset: { boot: '', now: { status: null, positions: [], orders: [], quotes: [] } } });
  Object.assign(model, {
    id: '',
    boot: '',
    status: null,
    halts: [],
    connection: null,
    heardAt: 0,
    silent: 'The page has not reached the monitor yet.',
  });
  void listen();
  changed();
}

/** Shows a time of the session. */
export function moveTo(at) {
  aim(at);
  return show();
}

/** Shows a fork, or with "" the session itself. */
export function showFork(id) {
  model.past.next = { ...aimed(), fork: id };
  return moveTo(aimed().at);
}

/** Makes a fork, and shows it from where it begins. @throws Error when it is refused */
export async function forkPast(spec) {
  const { past } = model;
  const signal = replaying();
  const made = await post(`/api/sessions/${encodeURIComponent(past.name)}/forks`, spec, { signal }).catch((error) => {
    // The moment that it interrupted is asked for again.
    if (!signal.aborted && model.past === past && past.next !== null) void show();
    throw error;
  });
  if (model.past !== past) return;
  Object.assign(past, { forks: [...past.forks, made].slice(-past.forksKept), next: { ...aimed(), fork: made.id } });
  await moveTo(made.to);
}

/** The next moment worth a look in a direction, of these kinds; null if there is none. */
export function nextMark(direction, kinds) {
  const { at, fork } = aimed();
  const { marks } = forkOf(fork) ?? model.past;
  const found = marks.filter(({ time, kind }) => kinds.includes(kind) && (direction > 0 ? time > at : time < at));
  return (direction > 0 ? found[0] : found.at(-1)) ?? null;
}

let shows = 0;

/** Asks for the state of the moment that was asked for. Only the newest request is shown, and all of it at once. */
async function show() {
  const number = ++shows;
  const { past } = model;
  const { at, fork } = aimed();
  const signal = replaying();
  const isWanted = () => number === shows && model.past === past;
  const then = (of) => {
    const given = new URLSearchParams({ session: past.name, at: String(at), ...(of === '' ? {} : { fork: of }) });
    return ask(`/api/now?${given}`, { signal });
  };
  try {
    const [now, truth] = await Promise.all([then(fork), fork === '' ? null : then('')]);
    if (!isWanted()) return;
    Object.assign(past, { at, fork, truth, said: '' });
    heard();
    take({ kind: 'reset', id: '', time: at, reset: { boot: past.name, now } });
    await readOlder(isWanted);
  } catch (error) {
    // What ended it asks for a moment by itself: a later one, or that of a fork.
    if (signal.aborted) return;
    if (isWanted()) past.said = error.message;
  }
  // A slider that was moved meanwhile asks by itself.
  if (isWanted() && aimed().at === at) past.next = null;
  changed();
}
