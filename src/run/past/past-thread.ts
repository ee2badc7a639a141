/** A worker thread that replays one session or fork, so that the monitor goes on meanwhile. It sends back the result, or why there is none. */
import { parentPort, workerData } from 'node:worker_threads';
import { Failure } from '../../base/failure/failure.ts';
import { sentError, type SentError } from '../../base/failure/sent-error.ts';
import type { ForkSpec } from '../../control/past.ts';
import type { StoryAnswer, WhyAnswer } from '../../control/answers.ts';
import { rehearseOnDisk, type Rehearsals } from '../change/rehearse-text.ts';
import { playFork, playPast, whyThen, type PlayedFork, type PlayedPast } from './play.ts';

export type PastJob =
  | { readonly name: 'past'; readonly folder: string }
  | { readonly name: 'fork'; readonly folder: string; readonly fork: ForkSpec }
  | { readonly name: 'rehearse'; readonly folder: string; readonly sessions: readonly string[]; readonly strategy: string }
  | { readonly name: 'why'; readonly folder: string; readonly at: number; readonly fork: ForkSpec | null; readonly what: string };

export interface PastResults {
  readonly past: PlayedPast;
  readonly fork: PlayedFork;
  readonly rehearse: Rehearsals;
  readonly why: WhyAnswer | StoryAnswer;
}

export type PastReply = { readonly result: PastResults[keyof PastResults] } | { readonly error: SentError };

function resultOf(job: PastJob): Promise<PastResults[keyof PastResults]> {
  switch (job.name) {
    case 'past':
      return playPast(job.folder);
    case 'fork':
      return playFork(job.folder, job.fork);
    case 'rehearse':
      return rehearseOnDisk(job.sessions, job.strategy);
    case 'why':
      return whyThen(job.folder, job.at, job.fork, job.what);
  }
}

async function reply(job: PastJob): Promise<PastReply> {
  try {
    return { result: await resultOf(job) };
  } catch (error) {
    return { error: sentError(error instanceof RangeError ? new Failure('command-line', { what: error.message }) : error) };
  }
}

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker thread, not a window
parentPort!.postMessage(await reply(workerData as PastJob));
