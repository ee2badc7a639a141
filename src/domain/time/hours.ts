/**
 * Trading hours: cron expressions of five fields (minute, hour, day of month, month, day of week) in UTC. Every minute that one of them
 * matches is open, from its first to its last millisecond.
 */
import { DAY_MS, dayAt, MINUTE_MS } from '../../base/time/time-spans.ts';
import { CronError, dayOf, matchesDay, parseCron, type Cron } from './cron.ts';

const MINUTES_OF_DAY = 1_440;

export class Hours {
  readonly text: string;
  readonly #schedules: readonly Cron[];
  /** The cached answer is valid from `#from` until before `#until`. */
  #from = Infinity;
  #until = -Infinity;
  #isOpen = false;

  /** One expression, or several joined by ";". @throws CronError */
  constructor(text: string) {
    this.text = text;
    this.#schedules = schedulesOf(text);
  }

  /** True if the minute of `now` is open. */
  isOpen(now: number): boolean {
    if (now < this.#from || now >= this.#until) this.#look(now);
    return this.#isOpen;
  }

  /** When that may change next: the first minute that differs, or the end of the day. */
  nextLook(now: number): number {
    if (now < this.#from || now >= this.#until) this.#look(now);
    return this.#until;
  }

  #look(now: number): void {
    const day = dayAt(now);
    const date = dayOf(day / DAY_MS);
    const open = this.#schedules.filter((one) => matchesDay(one, date));
    const first = Math.floor((now - day) / MINUTE_MS);
    this.#isOpen = matchesMinute(open, first);
    let minute = first + 1;
    while (minute < MINUTES_OF_DAY && matchesMinute(open, minute) === this.#isOpen) minute++;
    this.#from = day + first * MINUTE_MS;
    this.#until = day + minute * MINUTE_MS;
  }
}

/** The error in the text, or null. */
export function faultOfHours(text: string): string | null {
  try {
    schedulesOf(text);
    return null;
  } catch (error) {
    if (error instanceof CronError) return error.message;
    throw error;
  }
}

function matchesMinute(crons: readonly Cron[], minute: number): boolean {
  return crons.some(({ minutes, hours }) => minutes.has(minute % 60) && hours.has(Math.floor(minute / 60)));
}

function schedulesOf(text: string): Cron[] {
  return text.split(';').map((one) => parseCron(one.trim(), false));
}
