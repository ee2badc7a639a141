/**
 * The watchdog thread. It ends the process if a strategy's handler does not return or memory is nearly used up. It reports strategy, handler
 * and line, and writes the halt that keeps the strategy stopped after the restart.
 */
import { Session } from 'node:inspector';
import { totalmem } from 'node:os';
import { workerData } from 'node:worker_threads';
import { exitCode } from '../../base/failure/exit-codes.ts';
import { HANDLERS, NAME_LENGTH, OFTEN, PER_STRATEGY, RARELY } from '../../engine/strategy/definition/running.ts';
import { deathNotePath, removeDeathNote, writeDeathNote } from './death-note.ts';
import type { WatchdogSetup } from './guard.ts';
import { FULL } from './heap-watch.ts';
import { strategyNames } from './strategy-names.ts';
import { keepStopped } from './strategy-halt.ts';
import { megabytes, nameOf, say, limitMessage, type Running } from './limit-message.ts';

const EVERY_MS = 50;
/** Time limit of loading a strategy, which reads files and compiles. */
const LOAD_MS = 20_000;
/** Time to wait for the main thread to report its position, and to end. */
const ANSWER_MS = 3_000;
const END_MS = 8_000;
const DISCONNECT_MS = 200;
/** From this share of the heap limit on, the heap is measured and the running strategy is noted. */
const WATCHED = 0.5;
/** If a call does not return while more than this share is used, it is taken as the cause. */
const NEARLY_FULL = 0.7;
const ASK_EVERY_MS = 50;
const FULL_MS = 300;
/** A call of this duration is noted in the file. */
const LONG_MS = 1_000;
const { cells, letters, limitMs, oldLimit, markerFolder, isJson } = workerData as WatchdogSetup;

/** Memory available to the process, including memory outside the heap such as typed arrays. */
const machineLimit = Math.min(totalmem(), process.constrainedMemory() || Infinity);
interface Frame {
  readonly callFrameId: string;
  readonly functionName: string;
  readonly url: string;
  readonly location: { readonly lineNumber: number; readonly columnNumber?: number | undefined };
}

let turn = 0;
/** The last observed call, for when none runs: the collector may run between two calls. */
let lastWho = 0;
/** Number of checks that found the same call running. Checks count instead of time, because the machine may have slept. */
let looks = 0;
let isEnding = false;
let isAsking = false;
let lastUsed = 0;
/** Heap in use when the running call was first seen, as last measured. */
let usedBefore = 0;
let fullSince = Infinity;
let hasWarned = false;
/** Contents of the file; "" if there is none. */
let noted = '';
const notePath = markerFolder === null ? null : deathNotePath(markerFolder);

// The main thread may answer after the wait is over. Whatever goes wrong here, the process still ends.
process.on('uncaughtException', (error) => {
  if (isEnding) killProcess();
  else
    say(
      isJson
        ? JSON.stringify({ level: 'error', event: 'watchdog-failed', error: String(error) })
        : `error: the watchdog failed: ${String(error)}`,
    );
});
setInterval(look, EVERY_MS);

function look(): void {
  if (isEnding) return;
  const who = Atomics.load(cells, 0);
  const now = Atomics.load(cells, 1);
  if (who !== 0) lastWho = who;
  looks = who !== 0 && now === turn ? looks + 1 : 0;
  if (looks === 0) usedBefore = lastUsed;
  turn = now;
  const allowed = who % PER_STRATEGY === HANDLERS.indexOf('load') ? Math.max(limitMs, LOAD_MS) : limitMs;
  if (looks * EVERY_MS >= allowed) void end(lastUsed > oldLimit * NEARLY_FULL ? 'memory' : 'hung', runningOf(who), lastUsed);
  else {
    const rss = process.memoryUsage.rss();
    const isWatched = rss > oldLimit * WATCHED;
    Atomics.store(cells, 2, isWatched ? OFTEN : RARELY);
    note(who, isWatched || looks * EVERY_MS >= LONG_MS, rss);
    if (rss > machineLimit * FULL) void end('memory', runningOf(who), rss);
    else if (isWatched) void askHeap();
  }
}

/** Measures the heap. Garbage counts until it is collected, so the heap is full only if it stays full for a while. */
async function askHeap(): Promise<void> {
  if (isAsking) return;
  isAsking = true;
  lastUsed = await heapUsed();
  const now = performance.now();
  if (lastUsed < oldLimit * FULL) fullSince = Infinity;
  else fullSince = Math.min(fullSince, now);
  if (fullSince < Infinity && !hasWarned) warn(lastUsed);
  // If calls return, the main thread notices it and ends with an exit code.
  const waits = looks * EVERY_MS >= FULL_MS ? FULL_MS : FULL_MS * 5;
  if (now - fullSince >= waits && !isEnding) void end('memory', runningOf(Atomics.load(cells, 0)), lastUsed);
  setTimeout(() => (isAsking = false), ASK_EVERY_MS);
}

/** Warns early, because the runtime ends the process of a full heap without naming the strategy. */
function warn(used: number): void {
  hasWarned = true;
  const found = runningOf(Atomics.load(cells, 0)) ?? runningOf(lastWho);
  if (found === null) return;
  const suspects = strategyNames(letters);
  const who = suspects.length > 1 ? { strategy: '', handler: '' } : found;
  const name = suspects.length > 1 ? `one of ${suspects.join(', ')}` : nameOf(found);
  const [usedMb, limitMb] = [megabytes(used), megabytes(oldLimit)];
  say(
    isJson
      ? JSON.stringify({ event: 'memory-nearly-full', level: 'warn', time: new Date().toISOString(), ...who, suspects, usedMb, limitMb })
      : `warning: ${name}: ${usedMb} MB of ${limitMb} MB of memory are in use`,
  );
}

/** Writes the running strategy to the file while it is needed. The next start reads it if this process dies. */
function note(who: number, isWanted: boolean, rss: number): void {
  if (notePath === null || isEnding) return;
  const running = runningOf(who) ?? runningOf(lastWho);
  const forMs = looks * EVERY_MS;
  const text =
    !isWanted || running === null
      ? ''
      : `${running.strategy} ${running.handler} ${who !== 0} ${Math.floor(forMs / 500)} ${Math.floor(rss / oldLimit / 0.1)}`;
  if (text === noted) return;
  noted = text;
  try {
    if (text === '') removeDeathNote(notePath);
    else {
      const [usedMb, limitMb] = [megabytes(rss), megabytes(oldLimit)];
      writeDeathNote(notePath, { ...running!, isRunning: who !== 0, forMs, usedMb, limitMb, time: Date.now(), pid: process.pid });
    }
  } catch {
    // A write error of the disk is reported by the journal.
  }
}

/** The session ends with the answer: with an open one, the runtime says at its end that it waits for a debugger. */
function heapUsed(): Promise<number> {
  return new Promise((resolve) => {
    const session = connected();
    session.post('Runtime.getHeapUsage', (_error, usage?: { readonly usedSize?: number }) => {
      session.disconnect();
      resolve(usage?.usedSize ?? 0);
    });
  });
}

function connected(): Session {
  const session = new Session();
  session.connectToMainThread();
  return session;
}

function runningOf(who: number): Running | null {
  if (who === 0) return null;
  const from = (Math.trunc(who / PER_STRATEGY) - 1) * (NAME_LENGTH + 1);
  const strategy = String.fromCharCode(...letters.subarray(from + 1, from + 1 + letters[from]!));
  return { strategy, handler: HANDLERS[who % PER_STRATEGY] ?? '' };
}

/** A call that is seen to fill this share of the heap is the cause. */
const GUILTY = 0.1;

/**
 * The running strategy, if it is the only one or its call was seen to fill the memory. A call that only stands there when the memory is full,
 * perhaps in a garbage collection, is not blamed for what others keep.
 */
function blamed(cause: 'hung' | 'memory', running: Running | null, bytes: number): Running | null {
  if (running === null || cause === 'hung' || strategyNames(letters).length <= 1) return running;
  return looks * EVERY_MS >= FULL_MS && bytes - usedBefore >= oldLimit * GUILTY ? running : null;
}

async function end(cause: 'hung' | 'memory', found: Running | null, bytes = 0): Promise<void> {
  isEnding = true;
  const running = blamed(cause, found, bytes);
  const suspects = cause === 'memory' && running === null ? strategyNames(letters) : [];
  const session = connected();
  const frame = running === null ? null : await pausedAt(session);
  const place = frame === null ? '' : `${frame.url}:${frame.location.lineNumber + 1}:${(frame.location.columnNumber ?? 0) + 1}`;
  const isCall = running !== null && (cause === 'hung' || Atomics.load(cells, 1) === turn);
  const isSetup = running !== null && (running.handler === 'load' || running.handler === 'create');
  const halt = isCall && !isSetup && markerFolder !== null;
  if (halt) mark(running, cause, place);
  // A strategy that fails while it is created is a wrong configuration: a restart would fail in the same way.
  const code = isSetup ? exitCode.configuration : cause === 'hung' ? exitCode.hung : exitCode.memory;
  const limit = cause === 'memory' ? oldLimit : limitMs;
  say(limitMessage({ cause, running, last: runningOf(lastWho), suspects, place, bytes, limit, halt, code }, isJson));
  if (notePath !== null) removeDeathNote(notePath);
  leave(session, frame, code);
}

/** Pauses the main thread and returns its position; null if it does not pause, because the runtime itself is busy. */
function pausedAt(session: Session): Promise<Frame | null> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(null), ANSWER_MS);
    const scripts = new Map<string, string>();
    session.on('Debugger.scriptParsed', ({ params }) => scripts.set(params.scriptId, params.url));
    session.on('Debugger.paused', ({ params }) => {
      const frames = params.callFrames.map((frame) => ({ ...frame, url: scripts.get(frame.location.scriptId) ?? frame.url }));
      resolve(frames.find(({ url }) => isStrategy(url)) ?? frames[0] ?? null);
    });
    session.post('Debugger.enable', () => session.post('Debugger.pause'));
  });
}

const PROGRAM = new URL('../../', import.meta.url).href;
const isStrategy = (url: string): boolean => url.startsWith('file:') && !url.startsWith(PROGRAM);

function mark({ strategy, handler }: Running, cause: 'hung' | 'memory', place: string): void {
  const what = cause === 'hung' ? `${handler} did not return within ${limitMs} ms` : `${handler} used up the memory`;
  const detail = place === '' ? what : `${what} (${place})`;
  try {
    keepStopped(markerFolder!, strategy, detail, Date.now());
  } catch (error) {
    say(
      isJson
        ? JSON.stringify({ level: 'error', event: 'halts-marker-failed', error: String(error) })
        : `error: the halt cannot be kept: ${String(error)}`,
    );
  }
}

/**
 * Ends the process, from the paused frame if there is one, else by force. Closes stderr first, because the runtime would print that it waits
 * for a debugger.
 */
function leave(session: Session, frame: Frame | null, code: number): void {
  // From here on nothing is refused: the code below is not a strategy's.
  Atomics.store(cells, 0, -1);
  setTimeout(killProcess, END_MS);
  const expression = `process.getBuiltinModule('node:fs').closeSync(2); process.reallyExit(${code})`;
  if (frame === null) session.post('Runtime.evaluate', { expression });
  else session.post('Debugger.evaluateOnCallFrame', { callFrameId: frame.callFrameId, expression });
  setTimeout(() => session.disconnect(), DISCONNECT_MS);
}

function killProcess(): void {
  process.kill(process.pid, 'SIGKILL');
}
