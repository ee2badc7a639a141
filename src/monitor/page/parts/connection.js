/** Talks with the monitor: the session, the stream of changes, queries and commands. Everything goes to the page's own origin. */
import { factorOf } from './passphrase.js';
import { changed, changedNow, heard, model, setClock, take, takeOlder } from './model.js';

const RETRY_MS = 1000;
/** A stream that gives nothing for so long is opened again. */
const PATIENCE_MS = 10_000;
/** A page that nobody sees keeps its stream for so long. A browser opens six connections to a monitor, for all pages together. */
const HIDDEN_MS = 5_000;
/** If STOP has no answer by then, all connections may be taken: the page gives the one of its stream. */
const CROWDED_MS = 300;

/** Something else answers at the address of the monitor. */
const IMPOSTOR = 'What answers here is not the monitor of this session: another program has its port. Run “tickwright open” again.';

/**
 * Fetches with the session. An answer counts only with the proof that the monitor made it: a program that took the port of a dead monitor would
 * otherwise be believed. @throws Error if the proof is wrong
 */
async function proven(path, options = {}) {
  const nonce = encoded(crypto.getRandomValues(new Uint8Array(16)));
  const headers = { ...options.headers, authorization: `Bearer ${model.session}`, 'x-monitor-nonce': nonce };
  const response = await fetch(path, { ...options, headers });
  // A monitor that was started again does not know the session.
  if (response.status === 401) return response;
  const key = await crypto.subtle.importKey('raw', bytesOf(model.proof), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  const expected = encoded(new Uint8Array(await crypto.subtle.sign('HMAC', key, bytesOf(nonce))));
  if (response.headers.get('x-monitor-proof') !== expected) {
    loggedOut(IMPOSTOR);
    throw new Error(IMPOSTOR);
  }
  // Whole seconds, but not as late as the stream may be.
  const date = Date.parse(response.headers.get('date') ?? '');
  if (date > 0) setClock(date);
  return response;
}

const bytesOf = (text) => new TextEncoder().encode(text);
const encoded = (bytes) =>
  btoa(String.fromCharCode(...bytes))
    .replace(/\+/g, '-')
    .replace(/\//g, '_')
    .replace(/=+$/, '');

/** The answer as JSON. @throws Error with the words of the refusal */
export async function ask(path, options = {}) {
  return answerOf(await proven(path, { ...options, headers: options.body === undefined ? {} : JSON_TYPE }));
}

const JSON_TYPE = { 'content-type': 'application/json' };

async function answerOf(response) {
  const answer = await response.json().catch(() => {
    // It is none, though its head says that all is well.
    if (response.ok) throw new Error('The answer of the monitor was cut.');
    return { message: `The monitor answered ${response.status}.` };
  });
  if (response.ok) return answer;
  if (response.status === 401 && model.session !== '') loggedOut('');
  throw Object.assign(new Error([answer.message, answer.hint].filter(Boolean).join(' ')), {
    code: answer.code ?? '',
    challenge: answer.challenge,
    problems: answer.problems,
  });
}

export const post = (path, body, options = {}) => ask(path, { ...options, method: 'POST', body: JSON.stringify(body) });

/** A page of rows, or another answer to a query, of now or of the moment of a recording. Fields that are empty are left out. */
export function query(path, fields = {}) {
  const { past } = model;
  const then = past === null ? {} : { session: past.name, at: String(past.at), fork: past.fork };
  const given = Object.entries({ ...fields, ...then }).filter(([, value]) => value !== '' && value !== null && value !== undefined);
  return ask(`/api/${path}?${new URLSearchParams(given)}`);
}

/** Of a command. */
export const IN_FLIGHT = 'sent, no answer yet.';

/** What a command is about, in words. */
const aboutOf = (name, { why: _why, ...fields }) =>
  `${name} ${Object.entries(fields)
    .map(([key, value]) => `${key} ${typeof value === 'object' ? JSON.stringify(value) : value}`)
    .join(', ')}`;

/**
 * Gives a command. If the monitor wants the passphrase for it, a person is asked: `what` says to them what will be done. `onStep` hears how far it is.
 * @param {{ what?: string, onStep?: (text: string) => void }} [about]
 */
export async function command(name, fields, about = {}) {
  refuseInPast();
  const { what = aboutOf(name, fields), onStep } = about;
  for (let given = fields; ;) {
    try {
      return await post(`/api/commands/${name}`, given);
    } catch (error) {
      if (error.challenge === undefined) throw error;
      onStep?.('not applied, waits for your passphrase.');
      const typed = await typedPassphrase({ name, what, isWrong: error.code === 'passphrase-wrong' });
      if (typed === '') throw Object.assign(new Error('No passphrase was typed: nothing was done.'), { code: 'no-passphrase' });
      onStep?.(IN_FLIGHT);
      given = { ...fields, factor: await factorOf(typed, error.challenge, name, fields) };
    }
  }
}

/** What a person types into the question of the page (parts/passphrase-form.js); "" if they leave it. */
function typedPassphrase(asked) {
  model.asking?.done('');
  return new Promise((done) => {
    model.asking = { ...asked, done };
    changedNow();
  }).finally(() => {
    model.asking = null;
    changedNow();
  });
}

function refuseInPast() {
  if (model.isRecording || model.past !== null) throw new Error('This is a recording: nothing on it reaches a bot.');
}

let replay = null;

/** For a request about a recording: it ends the one before, so that no two of them take connections from STOP. */
export function replaying() {
  endReplays();
  replay = new AbortController();
  return replay.signal;
}

export function endReplays() {
  replay?.abort(new Error('another request took its place'));
}

/** Halts opens. Sent at once, and not behind the streams of other pages. */
export async function stop(why) {
  refuseInPast();
  endReplays();
  const crowded = setTimeout(() => reading?.abort(new Error('STOP needs its connection')), CROWDED_MS);
  try {
    return await post('/api/stop', { why });
  } finally {
    clearTimeout(crowded);
  }
}

/** Exchanges a token for a session. @throws Error when it is refused */
export async function login(token) {
  const response = await fetch('/api/login', { method: 'POST', headers: JSON_TYPE, body: JSON.stringify({ token }) });
  const { session, proof, role, bot, recording = '', isHub = false } = await answerOf(response);
  const isRecording = recording !== '';
  Object.assign(model, { session, proof, role, bot, isRecording, isHub, silent: isHub ? '' : 'The page has not reached the monitor yet.' });
  if (!isRecording && !isHub) void listen();
  changed();
  return recording;
}

function loggedOut(why) {
  Object.assign(model, { session: '', proof: '', role: '', past: null, silent: why === '' ? 'The session has ended.' : why });
  changed();
}

let reading = null;
/** Counts the calls of `listen`: only the newest goes on. */
let turn = 0;

/** Ends the stream. */
export function endStream() {
  turn++;
  reading?.abort(new Error('another time is shown'));
}

/** Reads the stream until the session ends; opens it again where it ended. */
export async function listen() {
  const { session } = model;
  const own = ++turn;
  const isNewest = () => own === turn;
  while (isNewest() && model.session !== '' && model.session === session) {
    if (document.hidden && reading === null) await shown();
    try {
      await readStream();
    } catch (error) {
      if (!isNewest()) return;
      if (model.silent === '') model.silent = `The page does not reach the monitor: ${error.message}`;
    }
    reading = null;
    changed();
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}

const shown = () =>
  new Promise((resolve) => {
    document.addEventListener('visibilitychange', resolve, { once: true });
  });

async function readStream() {
  reading = new AbortController();
  const { signal } = reading;
  let patience = 0;
  const wait = () => {
    clearTimeout(patience);
    patience = setTimeout(() => reading?.abort(new Error('it sends nothing')), PATIENCE_MS);
  };
  wait();
  try {
    const after = model.id === '' ? '' : `?after=${encodeURIComponent(model.id)}`;
    const response = await proven(`/api/stream${after}`, { signal });
    if (response.status === 401 || response.status === 403) return loggedOut('');
    if (!response.ok) throw new Error(`it answered ${response.status}`);
    let rest = '';
    for await (const text of textsOf(response.body)) {
      wait();
      heard();
      const lines = (rest + text).split('\n');
      rest = lines.pop();
      for (const line of lines) if (line !== '') takeLine(line);
    }
    throw new Error('it has ended the stream');
  } finally {
    clearTimeout(patience);
  }
}

async function* textsOf(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
}

function takeLine(line) {
  const change = JSON.parse(line);
  if (change.kind === 'alive') return setClock(change.time);
  take(change);
  if (change.kind === 'reset') void readOlder();
}

/** The newest rows of each kind from before the stream. Those that the role may not see stay empty. */
export async function readOlder(isWanted = () => model.past === null) {
  const rows = (path, fields) =>
    query(path, { limit: 100, ...fields }).then(
      (answer) => answer.rows,
      () => [],
    );
  const isOperator = model.role === 'operate';
  const [orders, fills, lines, notes] = await Promise.all([
    rows('orders'),
    rows('fills', { limit: 300 }),
    isOperator ? rows('log', { level: 'warn' }) : [],
    isOperator ? rows('notes') : [],
  ]);
  if (isWanted()) takeOlder({ orders, fills, lines, notes });
}

let hiding = 0;
document.addEventListener('visibilitychange', () => {
  clearTimeout(hiding);
  if (document.hidden) hiding = setTimeout(() => reading?.abort(new Error('nobody sees the page')), HIDDEN_MS);
});
// A page that the browser keeps for "back" would keep its connection too.
addEventListener('pagehide', () => reading?.abort(new Error('nobody sees the page')));
