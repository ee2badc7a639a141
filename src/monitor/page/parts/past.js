/** A recorded session in place of the running bot: the page shows what the bot believed at a moment of it, or of a fork of it. */
import { ask, endReplays, endStream, listen, post, readOlder, replaying } from './connection.js';
import { changed, heard, model, take } from './model.js';

/** Changes whenever another moment is shown: what asked for its rows asks again. */
export const momentKey = () => (model.past === null ? '' : `${model.past.name} ${model.past.fork} ${model.past.at}`);

export const forkShown = () => model.past?.forks.find(({ id }) => id === model.past.fork) ?? null;

/** Opens a session at its end. @throws Error when it cannot be replayed, or another request took its place */
export async function openPast(name) {
  const answer = await ask(`/api/sessions/${encodeURIComponent(name)}`, { signal: replaying() });
  endStream();
  model.past = { ...answer, at: answer.to, fork: '', truth: null, said: '' };
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
  const { from, to } = model.past;
  model.past.at = Math.min(Math.max(Math.round(at), from), Math.max(to, forkShown()?.to ?? to));
  changed();
  return show();
}

/** Shows a fork, or with "" the session itself. */
export function showFork(id) {
  model.past.fork = id;
  return moveTo(model.past.at);
}

/** Makes a fork, and shows it from where it begins. @throws Error when it is refused */
export async function forkPast(spec) {
  const { past } = model;
  const made = await post(`/api/sessions/${encodeURIComponent(past.name)}/forks`, spec, { signal: replaying() });
  if (model.past !== past) return;
  Object.assign(past, { forks: [...past.forks, made].slice(-past.forksKept), fork: made.id });
  await moveTo(made.to);
}

/** The next moment worth a look in a direction, of these kinds; null if there is none. */
export function nextMark(direction, kinds) {
  const { past } = model;
  const fork = forkShown();
  const { marks } = fork ?? past;
  const found = marks.filter(({ time, kind }) => kinds.includes(kind) && (direction > 0 ? time > past.at : time < past.at));
  return (direction > 0 ? found[0] : found.at(-1)) ?? null;
}

let shows = 0;

/** Asks for the state of the moment. Only the newest request is shown. */
async function show() {
  const number = ++shows;
  const { past } = model;
  const signal = replaying();
  const isWanted = () => number === shows && model.past === past;
  const then = (fork) => {
    const given = new URLSearchParams({ session: past.name, at: String(past.at), ...(fork === '' ? {} : { fork }) });
    return ask(`/api/now?${given}`, { signal });
  };
  try {
    const [now, truth] = await Promise.all([then(past.fork), past.fork === '' ? null : then('')]);
    if (!isWanted()) return;
    Object.assign(past, { truth, said: '' });
    heard();
    take({ kind: 'reset', id: '', time: past.at, reset: { boot: past.name, now } });
    await readOlder(isWanted);
  } catch (error) {
    if (!isWanted()) return;
    past.said = error.message;
    changed();
  }
}
