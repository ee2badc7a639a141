/**
 * Calls a bot from another process, and tells apart one that answers, one that is silent, one that ended while it may have had the call, and
 * none at all. The lock in its state folder decides whether it runs; an error of the socket never does. A bot that runs may be asked again
 * until the time is over, because its socket may be made again.
 */
import { utc } from '../../setup/utc.ts';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { callControl, NO_ANSWER, type ControlCall } from '../../../edge/control/control-client.ts';
import { isFileHeld } from '../../../edge/file/exclusive-file.ts';
import { presentIn, type Present } from '../../../edge/file/beside/presence.ts';

export type Reached =
  | { readonly kind: 'answered'; readonly status: number; readonly body: object }
  /** A process has the folder, but there is no answer. */
  | { readonly kind: 'silent'; readonly present: Present; readonly cause: string }
  /** The bot ended while it may have had the call. */
  | { readonly kind: 'lost'; readonly cause: string }
  /** No process has the folder, and none got the call. */
  | { readonly kind: 'absent'; readonly cause: string };

/** What becomes of a call that may be repeated. */
export type SafelyReached = Exclude<Reached, { readonly kind: 'lost' }>;

/** With the start of the command line, a bot that says nothing is named within 5 seconds. */
const ANSWER_MS = 3_000;
/** A bot that has shown a sign of life more recently is busy with the call. */
const SILENT_MS = 2_000;
const AGAIN_MS = 100;
/** A process of which no more is known than that it has the folder. */
export const UNKNOWN_PROCESS: Present = { pid: 0, lastSeen: 0, place: '' };
/** Causes by which the call certainly did not reach the bot. */
const UNREACHED: ReadonlySet<string> = new Set(['ENOENT', 'ECONNREFUSED', 'EAGAIN', 'EACCES', 'EPERM']);

/** The process that has the folder: a bot, or null. */
export function runningIn(folder: string): Present | null {
  return presentIn(folder) ?? (isFileHeld(join(folder, 'store.sqlite')) ? UNKNOWN_PROCESS : null);
}

/** Returns a function that is true once a caller who began now should give the bot up, at the latest after `mostMs`. */
export function patience(folder: string, mostMs = Infinity): () => boolean {
  const from = performance.now();
  return () => {
    const waited = performance.now() - from;
    if (waited >= mostMs) return true;
    if (waited < ANSWER_MS) return false;
    const present = runningIn(folder);
    return present === null || Date.now() - present.lastSeen > SILENT_MS;
  };
}

/** `isSafeAgain`: the call may be repeated when its answer was lost. `mostMs`: how long also a bot that is busy is waited for. */
export function reach(folder: string, call: ControlCall, isSafeAgain: true, mostMs?: number): Promise<SafelyReached>;
export function reach(folder: string, call: ControlCall, isSafeAgain: boolean, mostMs?: number): Promise<Reached>;
export async function reach(folder: string, call: ControlCall, isSafeAgain: boolean, mostMs?: number): Promise<Reached> {
  const from = performance.now();
  const givesUp = patience(folder, mostMs);
  for (;;) {
    const called = await callControl(folder, call, givesUp);
    const isLate = performance.now() - from >= ANSWER_MS;
    if (called.isThere && (called.status !== 503 || isLate))
      return { kind: 'answered', status: called.status, body: called.body as object };
    const present = runningIn(folder);
    if (!called.isThere) {
      const { cause } = called;
      // A process without a lock that we know still listens: it has the call, or it is stuck.
      const isGone = present === null && cause !== NO_ANSWER;
      const mayHaveIt = !isSafeAgain && !UNREACHED.has(cause);
      if (isGone) return { kind: mayHaveIt ? 'lost' : 'absent', cause };
      if (isLate || mayHaveIt) return { kind: 'silent', present: present ?? UNKNOWN_PROCESS, cause };
    }
    await sleep(AGAIN_MS);
  }
}

/** "the bot (process 17) gives no answer; it was last seen at 2026-11-22 08:00:00 UTC, 12 s ago". */
export function silence({ pid, lastSeen }: Present, now: number): string {
  const who = pid === 0 ? 'the bot' : `the bot (process ${pid})`;
  if (lastSeen === 0) return `${who} runs, but gives no answer`;
  return `${who} gives no answer; it was last seen at ${utc(lastSeen)}, ${((now - lastSeen) / 1_000).toFixed(1)} s ago`;
}

/** What a person can type. */
export function advice({ pid }: Present): string {
  if (pid === 0) return 'look for its process; `kill -9` ends it, and its orders stay at the venue until it starts again';
  const ends = `\`kill -9 ${pid}\` ends it: its orders stay at the venue until it starts again`;
  return isPaused(pid) ? `it is paused by a signal: \`kill -CONT ${pid}\` lets it go on; ${ends}` : `wait for it, or end it: ${ends}`;
}

/** True for a process that a signal has stopped. Linux only; elsewhere it is unknown. */
function isPaused(pid: number): boolean {
  try {
    return /\) [Tt] [^)]*$/.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return false;
  }
}
