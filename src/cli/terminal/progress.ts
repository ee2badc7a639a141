/** Progress of long work: a line with rows, rate and time left. */
import { performance } from 'node:perf_hooks';
import { grouped } from '../../base/text/figures.ts';
import type { Io } from '../../run/setup/options.ts';
import { WorkLine } from './work-line.ts';

/** Milliseconds between two lines on a terminal, and before the first: short work shows none. */
const EVERY_MS = 200;
const FIRST_MS = 500;

/** `done` things so far; `share` of the whole from 0 to 1, or null if the whole is not known. */
export type TellProgress = (done: number, share: number | null) => void;

export class Progress {
  readonly #line: WorkLine;
  readonly #what: string;
  readonly #noun: string;
  readonly #now: () => number;
  readonly #from: number;
  #next: number;

  /** `what` begins the line, `noun` names what is counted: "import", "rows". */
  constructor(io: Pick<Io, 'stderr' | 'isTty'>, what: string, noun: string, now: () => number = () => performance.now()) {
    this.#line = new WorkLine(io, EVERY_MS, FIRST_MS);
    this.#what = what;
    this.#noun = noun;
    this.#now = now;
    this.#from = now();
    this.#next = this.#from + this.#line.firstMs;
  }

  /** `more` is a word beside the figures. */
  tell(done: number, share: number | null, more = ''): void {
    const now = this.#now();
    if (now < this.#next) return;
    this.#next = now + this.#line.everyMs;
    this.#line.show(`${this.#what} ${progressText(done, share, now - this.#from, this.#noun)}${more && ` · ${more}`}`);
  }

  /** Removes the line from the terminal. */
  end(): void {
    this.#line.end();
  }
}

/** "1,234,567 rows · 45 % · 2.1 M rows/s · 12 s left" after `ms` of work. */
export function progressText(done: number, share: number | null, ms: number, noun: string): string {
  const perSecond = (done * 1000) / Math.max(ms, 1);
  const parts = [`${grouped(String(Math.round(done)))} ${done === 1 ? noun.slice(0, -1) : noun}`];
  if (share !== null) parts.push(`${Math.floor(Math.min(1, share) * 100)} %`);
  if (done <= 0) return parts.join(' · ');
  parts.push(`${shortCount(perSecond)} ${noun}/s`);
  if (share !== null && share > 0) parts.push(`${timeText((ms / 1000) * (1 / Math.min(1, share) - 1))} left`);
  return parts.join(' · ');
}

function shortCount(value: number): string {
  if (value >= 1_000_000) return `${(value / 1_000_000).toFixed(1)} M`;
  if (value >= 10_000) return `${Math.round(value / 1000)} k`;
  return value >= 100 ? grouped(String(Math.round(value))) : value.toFixed(1);
}

/** "12 s", "3 min 5 s", "1 h 20 min". */
export function timeText(seconds: number): string {
  const whole = Math.ceil(seconds);
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  return minutes < 60 ? `${minutes} min ${whole % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Runs `work` with a progress line on stderr unless somebody asked for JSON: then `work` gets undefined. */
export async function withProgress<T>(
  io: Io,
  line: { readonly what: string; readonly noun: string; readonly isJson: boolean },
  work: (tell: TellProgress | undefined) => T | Promise<T>,
): Promise<T> {
  if (line.isJson) return work(undefined);
  const progress = new Progress(io, line.what, line.noun);
  try {
    return await work((done, share) => progress.tell(done, share));
  } finally {
    progress.end();
  }
}
