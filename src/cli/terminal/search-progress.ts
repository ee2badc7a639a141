/** The line of a search on a terminal: trials, best so far, rate and time left, rewritten four times a second. */
import type { StudyProgress } from '../../run/search/study/run-study.ts';
import type { Objective } from '../../search/trial.ts';
import type { Output } from '../../run/setup/options.ts';
import { widthOf } from './terminal.ts';

const EVERY_MS = 250;

export class SearchProgress {
  readonly #out: Output;
  readonly #objectives: readonly Objective[];
  readonly #started = performance.now();
  #timer: NodeJS.Timeout | null = null;
  #isShown = false;

  constructor(out: Output, objectives: readonly Objective[]) {
    this.#out = out;
    this.#objectives = objectives;
  }

  /** Rewrites the line from now on. */
  show(now: () => StudyProgress): void {
    this.#timer = setInterval(() => {
      const width = Math.max(20, widthOf(this.#out) - 1);
      const line = progressText(now(), this.#objectives, performance.now() - this.#started);
      this.#out.write(`\r\u001b[2K${line.slice(0, width)}`);
      this.#isShown = true;
    }, EVERY_MS);
    this.#timer.unref();
  }

  /** Removes the line. */
  end(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    if (this.#isShown) this.#out.write('\r\u001b[2K');
    this.#isShown = false;
  }
}

/** "trial 120 of 500 · best −1.25 of trial 88 · 41.2 runs/s · 0:09 left". */
export function progressText({ settled, trials, runs, best }: StudyProgress, objectives: readonly Objective[], ms: number): string {
  const parts = [`trial ${settled} of ${trials}`];
  if (best !== null) {
    const figures = best.costs.map((cost, k) => shown(objectives[k]?.direction === 'max' ? -cost : cost));
    parts.push(`best ${figures.join(', ')} of trial ${best.number}`);
  }
  const perSecond = (runs * 1000) / Math.max(ms, 1);
  if (runs > 0) {
    parts.push(`${perSecond < 10 ? perSecond.toFixed(1) : perSecond.toFixed(0)} runs/s`);
    if (settled > 0) parts.push(`${clock(((trials - settled) * ms) / settled)} left`);
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
