/** The line of a search: trials, best so far, rate and time left; on a terminal four times a second. */
import type { StudyProgress } from '../../run/search/study/run-study.ts';
import { timeLeftMs } from '../../search/study/time-left.ts';
import type { Objective } from '../../search/trial.ts';
import type { Io } from '../../run/setup/options.ts';
import { WorkLine } from './work-line.ts';

const EVERY_MS = 250;

export class SearchProgress {
  readonly #line: WorkLine;
  readonly #objectives: readonly Objective[];
  #timer: NodeJS.Timeout | null = null;
  #text = (): string => '';

  constructor(io: Pick<Io, 'stderr' | 'isTty'>, objectives: readonly Objective[]) {
    this.#line = new WorkLine(io, EVERY_MS, EVERY_MS);
    this.#objectives = objectives;
  }

  /** Shows this search from now on, in place of the one before. `which` begins the line. */
  show(now: () => StudyProgress, which = ''): void {
    const started = performance.now();
    this.#text = () => `${which}${progressText(now(), this.#objectives, performance.now() - started)}`;
    this.#timer ??= setInterval(() => this.#line.show(this.#text()), this.#line.everyMs).unref();
  }

  /** Removes the line from the terminal. */
  end(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#line.end();
  }
}

/** "trial 120 of 500 · best −1.25 of trial 88 · 41.2 runs/s · 0:09 left". */
export function progressText(progress: StudyProgress, objectives: readonly Objective[], ms: number): string {
  const { settled, trials, runs, best } = progress;
  const parts = [`trial ${settled} of ${trials}`];
  if (best !== null) {
    const figures = best.costs.map((cost, k) => shown(objectives[k]?.direction === 'max' ? -cost : cost));
    parts.push(`best ${figures.join(', ')} of trial ${best.number}`);
  }
  const perSecond = (runs * 1000) / Math.max(ms, 1);
  if (runs > 0) {
    parts.push(`${perSecond < 10 ? perSecond.toFixed(1) : perSecond.toFixed(0)} runs/s`);
    const left = timeLeftMs(progress, ms);
    if (left !== null) parts.push(`${clock(left)} left`);
  }
  return parts.join(' · ');
}

function shown(value: number): string {
  return Number(value.toPrecision(4)).toString().replace('-', '−');
}

function clock(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const tail = `${String(minutes).padStart(hours > 0 ? 2 : 1, '0')}:${String(seconds % 60).padStart(2, '0')}`;
  return hours > 0 ? `${hours}:${tail}` : tail;
}
