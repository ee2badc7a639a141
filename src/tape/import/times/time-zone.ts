/** Time zones that dates without one are written in. */
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../base/time/time-spans.ts';
import { TapeError } from '../../file/error.ts';

const BLOCK_MS = 900_000;

/** A zone of fixed offset, or of an offset that changes by season. */
export class TimeZone {
  readonly #isStepped: boolean;
  readonly #fixedMs: number | null;
  readonly #format: Intl.DateTimeFormat | null;
  /** Offsets by quarters of an hour, in which no zone changes. */
  readonly #offsets = new Map<number, number>();
  #last = Number.NaN;
  #direction = 1;

  /**
   * `name` is UTC, an offset such as +02:00, or a name such as Europe/Athens. `isStepped`: every time is another one than that before, as of
   * the bars of one symbol. @throws TapeError malformed
   */
  constructor(name: string, isStepped: boolean) {
    this.#isStepped = isStepped;
    const offset = /^([+-])(\d\d):?(\d\d)$/.exec(name);
    this.#fixedMs = name === 'UTC' ? 0 : offset === null ? null : offsetMs(offset[1], Number(offset[2]), Number(offset[3]));
    this.#format = this.#fixedMs === null ? formatOf(name) : null;
  }

  /**
   * The time of a clock in this zone that shows `local`, milliseconds as if it were UTC. Of an hour that comes twice it is the one that goes
   * on from the time before, forwards or backwards as the times before; if they are stepped, not that time again. A time that the clock leaves out
   * is taken as if it had not been put forward.
   */
  toUtc(local: number): number {
    if (this.#fixedMs !== null) return local - this.#fixedMs;
    const before = local - this.#offsetAt(local - DAY_MS);
    const after = local - this.#offsetAt(local + DAY_MS);
    const isTwice = before !== after && this.#shows(before, local) && this.#shows(after, local);
    const time = isTwice ? this.#nextOf(before, after) : this.#shows(after, local) ? after : before;
    if (time !== this.#last && !Number.isNaN(this.#last)) this.#direction = Math.sign(time - this.#last);
    this.#last = time;
    return time;
  }

  #nextOf(earlier: number, later: number): number {
    const [first, second] = this.#direction > 0 ? [earlier, later] : [later, earlier];
    const step = (first - this.#last) * this.#direction;
    return step < 0 || (step === 0 && this.#isStepped) ? second : first;
  }

  #shows(time: number, local: number): boolean {
    return time + this.#offsetAt(time) === local;
  }

  /** How far clocks are ahead of UTC, milliseconds. */
  #offsetAt(time: number): number {
    const block = Math.floor(time / BLOCK_MS);
    const known = this.#offsets.get(block);
    if (known !== undefined) return known;
    const at = block * BLOCK_MS;
    const parts = Object.fromEntries(this.#format!.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
    const shown = Date.UTC(parts['year']!, parts['month']! - 1, parts['day'], parts['hour']! % 24, parts['minute'], parts['second']);
    this.#offsets.set(block, shown - at);
    return shown - at;
  }
}

/** Milliseconds of an offset such as +02:00; without a sign it is ahead of UTC. */
export function offsetMs(sign: string | undefined, hours: number, minutes: number): number {
  return (sign === '-' ? -1 : 1) * (hours * HOUR_MS + minutes * MINUTE_MS);
}

function formatOf(name: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat('en-US', {
      timeZone: name,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  } catch {
    throw new TapeError(
      'malformed',
      `a time zone was expected, found ${JSON.stringify(name)}`,
      '--time-zone',
      'a name such as Europe/Athens, an offset such as +02:00, or UTC',
    );
  }
}
