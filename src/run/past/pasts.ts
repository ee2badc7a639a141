/** The recorded sessions of a bot that somebody looks at: replayed in a thread, kept for a while, and shown as of any moment. */
import { basename } from 'node:path';
import { Failure } from '../../base/failure/failure.ts';
import { messageOf } from '../../base/failure/message-of.ts';
import { receivedError } from '../../base/failure/sent-error.ts';
import type { StoryAnswer, WhyAnswer } from '../../control/answers.ts';
import type { Change } from '../../control/changes.ts';
import type { ForkAnswer, ForkSpec, PastAnswer, SessionRow } from '../../control/past.ts';
import { sessionsIn, startOf, usageOf } from '../../edge/file/session-file.ts';
import { ReadModel } from '../../monitor/model/read-model.ts';
import type { Rehearsals } from '../change/rehearse-text.ts';
import { startThread } from '../setup/threads.ts';
import type { PastJob, PastReply, PastResults } from './past-thread.ts';
import type { PastChange } from './halt-ends.ts';
import type { PlayedPast } from './play.ts';

/** Sessions, and forks of each, that are kept; the oldest are dropped. */
const SESSIONS_KEPT = 2;
const FORKS_KEPT = 5;
/** A replay that takes longer is ended: a handler of the strategy may never return. */
const PATIENCE_MS = 300_000;
/** Newest sessions in which a text is rehearsed. */
const REHEARSED = 3;
const REPLAYS_MOST = 4;
const MEMORY_MB = 1_024;

interface Fork {
  readonly spec: ForkSpec;
  readonly answer: ForkAnswer;
  readonly line: Line;
}

interface Past {
  /** Size of the recording when it was replayed: it grows while the bot runs. */
  readonly bytes: number;
  readonly facts: PlayedPast['facts'];
  readonly line: Line;
  readonly forks: Map<string, Fork>;
}

/** Where and when one looks: a session, a fork of it or "", and a time. */
export interface Moment {
  readonly session: string;
  readonly fork: string;
  readonly at: number;
}

export class Pasts {
  readonly #folder: string;
  readonly #pasts = new Map<string, Promise<Past>>();
  #forks = 0;

  /** `folder` has the recordings. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Newest first. */
  list(): readonly SessionRow[] {
    return sessionsIn(this.#folder)
      .map((folder) => {
        const { bytes, writtenAt } = usageOf(folder);
        return { name: nameOf(folder), startedAt: startOf(folder) ?? 0, endedAt: Math.round(writtenAt), bytes };
      })
      .toReversed();
  }

  /** @throws Failure if there is no such session, or it cannot be replayed */
  async facts(session: string): Promise<PastAnswer> {
    const { facts, forks } = await this.#past(session);
    return { name: session, ...facts, forks: [...forks.values()].map(({ answer }) => answer), forksKept: FORKS_KEPT };
  }

  /** An answer from the state at a moment. `answer` must not keep the model: it is moved on for the next moment. @throws Failure */
  async read<T>({ session, fork, at }: Moment, answer: (model: ReadModel) => T): Promise<T> {
    const past = await this.#past(session, true);
    return answer((fork === '' ? past.line : forkOf(past, fork).line).at(at));
  }

  /** @throws Failure if the fork is not possible */
  async fork(session: string, spec: ForkSpec): Promise<ForkAnswer> {
    const past = await this.#past(session, true);
    const { facts, changes } = await inThread({ name: 'fork', folder: this.#pathOf(session), fork: spec });
    const answer = { id: String(++this.#forks), ...facts };
    past.forks.set(answer.id, { spec, answer, line: new Line(changes) });
    for (const id of past.forks.keys()) if (past.forks.size > FORKS_KEPT) past.forks.delete(id);
    return answer;
  }

  /** What the file of a strategy, as it is on disk now, would have done in the newest sessions. @throws Failure */
  async rehearse(strategy: string): Promise<Rehearsals> {
    const sessions = sessionsIn(this.#folder).slice(-REHEARSED);
    const folder = this.#folder;
    if (sessions.length === 0)
      throw new Failure('session-missing', {
        what: 'there is no recorded session in which the text could be rehearsed',
        where: folder,
        hint: 'a bot with `record.enabled` records its sessions',
      });
    return inThread({ name: 'rehearse', folder, sessions, strategy });
  }

  /** Why the strategies did not trade at a moment, or what became of an order up to then. @throws Failure */
  async why({ session, fork, at }: Moment, what: string): Promise<WhyAnswer | StoryAnswer> {
    const { spec, answer } = fork === '' ? { spec: null, answer: null } : forkOf(await this.#past(session, true), fork);
    const isBefore = answer === null || at <= answer.at;
    return inThread({ name: 'why', folder: this.#pathOf(session), at, fork: isBefore ? null : spec, what });
  }

  /** `isSeen`: somebody looks at it, so it is not replayed again though it may have grown. */
  async #past(session: string, isSeen = false): Promise<Past> {
    const path = this.#pathOf(session);
    const { bytes } = usageOf(path);
    const known = this.#pasts.get(session);
    if (known !== undefined && (isSeen || (await known).bytes === bytes)) return known;
    const past = inThread({ name: 'past', folder: path }).then(({ facts, changes }) => {
      return { bytes, facts, line: new Line(changes), forks: new Map<string, Fork>() };
    });
    this.#pasts.set(session, past);
    past.catch(() => {
      if (this.#pasts.get(session) === past) this.#pasts.delete(session);
    });
    for (const name of this.#pasts.keys()) if (this.#pasts.size > SESSIONS_KEPT) this.#pasts.delete(name);
    return past;
  }

  #pathOf(session: string): string {
    const found = sessionsIn(this.#folder).find((folder) => nameOf(folder) === session);
    if (found !== undefined) return found;
    throw new Failure('session-missing', { what: `expected the name of a recorded session, found "${session}"`, where: this.#folder });
  }
}

/** The changes of a session in the order of time. */
class Line {
  readonly #changes: readonly PastChange[];
  /** The model that was asked for last: it goes on where one asks for a later time. */
  #model: ReadModel | null = null;
  #next = 0;

  constructor(changes: readonly PastChange[]) {
    this.#changes = changes;
  }

  /** The state after everything up to and at `time`. */
  at(time: number): ReadModel {
    const changes = this.#changes;
    if (this.#model === null || (this.#next > 0 && changes[this.#next - 1]![0] > time)) {
      this.#model = new ReadModel(time);
      this.#next = 0;
    }
    const model = this.#model;
    for (; this.#next < changes.length && changes[this.#next]![0] <= time; this.#next++) {
      const [at, kind, payload] = changes[this.#next]!;
      model.take({ id: '', kind, time: at, [kind]: JSON.parse(payload) as unknown } as unknown as Change);
    }
    model.connection = { state: 'connected', since: time, heardAt: time, cause: '' };
    return model;
  }
}

/** The name of a session in an address of the monitor. */
export function nameOf(folder: string): string {
  return basename(folder).replace(/[^\w.-]/g, '_');
}

function forkOf({ forks }: Past, id: string): Fork {
  const found = forks.get(id);
  if (found !== undefined) return found;
  throw new Failure('session-missing', {
    what: `expected one of the last ${FORKS_KEPT} forks of the session, found "${id}"`,
    where: 'fork',
  });
}

/** Replays that wait or run: one runs at a time, so that they never take more than one processor from the bot. */
let replays = 0;
let last: Promise<unknown> = Promise.resolve();

/** @throws Failure of the replay, or if too many wait */
function inThread<Job extends PastJob>(job: Job): Promise<PastResults[Job['name']]> {
  if (replays >= REPLAYS_MOST) {
    return Promise.reject(
      new Failure('session-unreadable', {
        what: `${replays} replays are waiting; one runs at a time`,
        where: job.folder,
        hint: 'try again in a moment',
      }),
    );
  }
  replays++;
  const result = last.then(() => replayed(job)).finally(() => replays--);
  last = result.catch(() => undefined);
  return result;
}

function replayed<Job extends PastJob>(job: Job): Promise<PastResults[Job['name']]> {
  return new Promise((resolve, reject) => {
    const resourceLimits = { maxOldGenerationSizeMb: MEMORY_MB };
    const source = new URL('./past-thread.ts', import.meta.url);
    const worker = startThread(source, { workerData: job, stdout: true, stderr: true, resourceLimits });
    const fail = (what: string): void => reject(new Failure('session-unreadable', { what, where: job.folder }));
    const patience = setTimeout(() => {
      fail('the replay takes too long; `tickwright replay` shows where it stands');
      void worker.terminate();
    }, PATIENCE_MS);
    worker.once('message', (reply: PastReply) => {
      if ('result' in reply) resolve(reply.result as PastResults[Job['name']]);
      else if (reply.error.failure === null) fail(reply.error.message);
      else reject(receivedError(reply.error));
      void worker.terminate();
    });
    worker.once('error', (error: unknown) => fail(messageOf(error)));
    worker.once('exit', () => {
      clearTimeout(patience);
      fail('its thread ended early');
    });
  });
}
