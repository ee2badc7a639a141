/**
 * After each day in UTC it computes how well the backtest of that day predicted its trading, keeps the days in the bot's folder, and says while
 * the last one was off. A thread computes; the monitor goes on.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '../../../base/failure/message-of.ts';
import { DAY_MS, dayAt, MINUTE_MS } from '../../../base/time/time-spans.ts';
import type { DayDivergence, DivergenceDays } from '../../../control/divergence-days.ts';
import { replaceFile } from '../../../edge/file/replace-file.ts';
import { sessionsIn } from '../../../edge/file/session-file.ts';
import type { Level } from '../../../monitor/alerts/alert-inputs.ts';
import type { Log } from '../../../ports/log.ts';
import { sentenceOf } from '../../live/counterfactual/day-text.ts';
import type { DailyJob } from '../../live/counterfactual/daily-thread.ts';
import { startThread } from '../../setup/threads.ts';
import type { Watcher } from './watcher.ts';

/** The days that were computed, in the state folder of a bot. */
export const DIVERGENCE_FILE = 'divergence.json';
const KEPT = 400;
/** A day is computed this long after its end, when its last blocks are written. */
const SETTLED_MS = 5 * MINUTE_MS;

interface DivergenceDeps {
  /** The bot's state folder. */
  readonly folder: string;
  /** Basis points beyond which a day is told. */
  readonly limitBp: number;
  readonly log: Log;
  /** Computes days. Default: a thread does. */
  readonly compute?: (job: DailyJob) => Promise<DivergenceDays>;
}

export class DivergenceWatcher implements Watcher {
  readonly #deps: DivergenceDeps;
  #days: readonly DayDivergence[];
  /** The day that was computed last, or is being computed; 0 for none. */
  #done = 0;
  #running: Promise<void> = Promise.resolve();

  constructor(deps: DivergenceDeps) {
    this.#deps = deps;
    this.#days = readDays(deps.folder);
  }

  tick(now: number): void {
    const today = dayAt(now);
    const yesterday = today - DAY_MS;
    if (now < today + SETTLED_MS || this.#done === yesterday) return;
    this.#done = yesterday;
    if (this.#days.some(({ day }) => Date.parse(day) === yesterday)) return;
    const { folder, log, compute = computeDays } = this.#deps;
    this.#running = compute({ folder, from: yesterday, to: today }).then(
      ({ days, notes }) => this.#take(days, notes),
      (error: unknown) => log.warn('divergence-failed', { cause: messageOf(error) }),
    );
  }

  /** The last day that is known, if it was off. */
  levels(): Level[] {
    const last = this.#days.at(-1);
    if (last === undefined || last.errorBp === null || last.errorBp <= this.#deps.limitBp) return [];
    return [{ kind: 'state', name: 'backtest-off', cause: '', text: `${sentenceOf(last)}; more than ${this.#deps.limitBp} bp` }];
  }

  async close(): Promise<void> {
    await Promise.race([this.#running, new Promise((resolve) => setTimeout(resolve, 0))]);
  }

  #take(found: readonly DayDivergence[], notes: readonly string[]): void {
    const { folder, log } = this.#deps;
    for (const { day, errorBp, difference } of found) log.info('divergence', { day, errorBp, difference, notes: notes.length });
    if (found.length === 0) return;
    const isNew = ({ day }: DayDivergence): boolean => found.every((one) => one.day !== day);
    this.#days = [...this.#days.filter(isNew), ...found].slice(-KEPT);
    try {
      replaceFile(join(folder, DIVERGENCE_FILE), JSON.stringify({ version: 1, days: this.#days }));
    } catch (error) {
      log.warn('divergence-failed', { cause: messageOf(error) });
    }
  }
}

/** The days that a monitor has computed; none without the file. */
export function readDays(folder: string): readonly DayDivergence[] {
  try {
    const { version, days } = JSON.parse(readFileSync(join(folder, DIVERGENCE_FILE), 'utf8')) as { version: number; days: DayDivergence[] };
    return version === 1 ? days : [];
  } catch {
    return [];
  }
}

/** In a thread. A bot that records nothing has no days, which is no fault. */
export async function computeDays(job: DailyJob): Promise<DivergenceDays> {
  if (sessionsIn(join(job.folder, 'sessions')).length === 0) return { days: [], notes: [] };
  return new Promise((resolve, reject) => {
    const worker = startThread(new URL('../../live/counterfactual/daily-thread.ts', import.meta.url), { workerData: job });
    worker.unref();
    worker.on('message', resolve);
    worker.on('error', reject);
    worker.on('exit', () => reject(new Error('the thread ended early')));
  });
}
