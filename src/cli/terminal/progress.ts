/** Progress of long work on a terminal: one line with rows, rate and time left, rewritten a few times a second. Nothing without a terminal. */
import { performance } from 'node:perf_hooks';
import { grouped } from '../../base/text/figures.ts';
import type { Io, Output } from '../../run/setup/options.ts';
import { widthOf } from './terminal.ts';

/** Milliseconds between two lines, and before the first: short work shows none. */
const EVERY_MS = 200;
const FIRST_MS = 500;

/** `done` things so far; `share` of the whole from 0 to 1, or null if the whole is not known. */
export type TellProgress = (done: number, share: number | null) => void;

export class Progress {
  readonly #out: Output;
  readonly #what: string;
  readonly #noun: string;
  readonly #now: () => number;
  readonly #from: number;
  #next: number;
  #isShown = false;

  /** `what` begins the line, `noun` names what is counted: "import", "rows". */
  constructor(out: Output, what: string, noun: string, now: () => number = () => performance.now()) {
    this.#out = out;
    this.#what = what;
    this.#noun = noun;
    this.#now = now;
    this.#from = now();
    this.#next = this.#from + FIRST_MS;
  }

  /** `more` is a word beside the figures. */
  tell(done: number, share: number | null, more = ''): void {
    const now = this.#now();
    if (now < this.#next) return;
    this.#next = now + EVERY_MS;
    this.#isShown = true;
    const width = Math.max(20, widthOf(this.#out) - 1);
    const text = `${this.#what} ${progressText(done, share, now - this.#from, this.#noun)}${more && ` · ${more}`}`;
    this.#out.write(`\r\u001b[2K${text.slice(0, width)}`);
  }

  /** Removes the line. */
  end(): void {
    if (this.#isShown) this.#out.write('\r\u001b[2K');
    this.#isShown = false;
  }
}

/** "1,234,567 rows · 45 % · 2.1 M rows/s · 12 s left" after `ms` of work. */
export function progressText(done: number, share: number | null, ms: number, noun: string): string {
  const perSecond = (done * 1000) / Math.max(ms, 1);
  const parts = [`${grouped(String(Math.round(done)))} ${done === 1 ? noun.slice(0, -1) : noun}`];
  if (share !== null) parts.push(`${Math.floor(Math.min(1, share) * 100)} %`);
  parts.push(`${shortCount(perSecond)} ${noun}/s`);
  if (share !== null && share > 0) parts.push(`${timeText((ms / 1000) * (1 / Math.min(1, share) - 1))} left`);
  return parts.join(' · ');
}

function shortCount(value: number): string {
  if (value >= 1_000_000) return `${(value / 1_000_000).toFixed(1)} M`;
  if (value >= 10_000) return `${Math.round(value / 1000)} k`;
  return value >= 100 ? grouped(String(Math.round(value))) : value.toFixed(1);
}

function timeText(seconds: number): string {
  const whole = Math.ceil(seconds);
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  return minutes < 60 ? `${minutes} min ${whole % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Runs `work` with a progress line on stderr if that is a terminal and nobody asked for JSON; otherwise `work` gets undefined. */
export async function withProgress<T>(
  io: Io,
  line: { readonly what: string; readonly noun: string; readonly isJson: boolean },
  work: (tell: TellProgress | undefined) => T | Promise<T>,
): Promise<T> {
  if (!io.isTty || line.isJson) return work(undefined);
  const progress = new Progress(io.stderr, line.what, line.noun);
  try {
    return await work((done, share) => progress.tell(done, share));
  } finally {
    progress.end();
  }
}
