/**
 * Trading hours: cron expressions of five fields (minute, hour, day of month, month, day of week) in UTC. Every minute that one of them
 * matches is open, from its first to its last millisecond. Depends only on the time, so a backtest and a live bot agree. As in cron, if
 * both day fields are restricted, a day needs to match only one.
 */

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const MINUTES_OF_DAY = 1_440;
const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
const DAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];
/** Largest number of days of each month. */
const LENGTHS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** A field of an expression: its range, and the names of its numbers. */
interface Field {
  readonly name: string;
  readonly min: number;
  readonly max: number;
  readonly names: readonly string[];
}

const FIELDS: readonly Field[] = [
  { name: 'minute', min: 0, max: 59, names: [] },
  { name: 'hour', min: 0, max: 23, names: [] },
  { name: 'day of month', min: 1, max: 31, names: [] },
  { name: 'month', min: 1, max: 12, names: MONTHS },
  { name: 'day of week', min: 0, max: 7, names: DAYS },
];

/** The numbers that one expression matches. */
interface Schedule {
  readonly minutes: ReadonlySet<number>;
  readonly hours: ReadonlySet<number>;
  readonly days: ReadonlySet<number>;
  readonly months: ReadonlySet<number>;
  readonly weekdays: ReadonlySet<number>;
  /** True if both day fields are restricted, so that either is enough. */
  readonly isEitherDay: boolean;
}

/** An invalid expression, or one that matches no minute. */
class HoursError extends Error {
  override readonly name = 'HoursError';
}

export class Hours {
  readonly text: string;
  readonly #schedules: readonly Schedule[];
  /** The cached answer is valid from `#from` until before `#until`. */
  #from = Infinity;
  #until = -Infinity;
  #isOpen = false;

  /** One expression, or several joined by ";". @throws HoursError */
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
    const day = Math.floor(now / DAY_MS) * DAY_MS;
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
    if (error instanceof HoursError) return error.message;
    throw error;
  }
}

interface Day {
  readonly month: number;
  readonly date: number;
  readonly weekday: number;
}

/** Converts days since 1970 to the Gregorian calendar. Years start in March here, so that a leap day is the last day. */
function dayOf(days: number): Day {
  const since = days + 719_468;
  const era = Math.floor(since / 146_097);
  const dayOfEra = since - era * 146_097;
  const year = Math.floor((dayOfEra - Math.floor(dayOfEra / 1_460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365);
  const dayOfYear = dayOfEra - (365 * year + Math.floor(year / 4) - Math.floor(year / 100));
  const march = Math.floor((5 * dayOfYear + 2) / 153);
  const date = dayOfYear - Math.floor((153 * march + 2) / 5) + 1;
  return { month: march < 10 ? march + 3 : march - 9, date, weekday: (((days + 4) % 7) + 7) % 7 };
}

function matchesDay(one: Schedule, { month, date, weekday }: Day): boolean {
  if (!one.months.has(month)) return false;
  const isDate = one.days.has(date);
  const isWeekday = one.weekdays.has(weekday);
  return one.isEitherDay ? isDate || isWeekday : isDate && isWeekday;
}

function matchesMinute(schedules: readonly Schedule[], minute: number): boolean {
  return schedules.some(({ minutes, hours }) => minutes.has(minute % 60) && hours.has(Math.floor(minute / 60)));
}

function schedulesOf(text: string): Schedule[] {
  return text.split(';').map((one) => scheduleOf(one.trim()));
}

function scheduleOf(text: string): Schedule {
  const parts = text.split(/\s+/);
  if (parts.length !== FIELDS.length)
    throw new HoursError(`five fields were expected in "${text}", found ${text === '' ? 0 : parts.length}`);
  const [minutes, hours, days, months, weekdays] = parts.map((part, k) => numbersOf(part, FIELDS[k]!)) as [
    Set<number>,
    Set<number>,
    Set<number>,
    Set<number>,
    Set<number>,
  ];
  if (weekdays.delete(7)) weekdays.add(0);
  const isEitherDay = isRestricted(parts[2]!) && isRestricted(parts[4]!);
  const isPossible = isEitherDay || [...months].some((month) => [...days].some((day) => day <= LENGTHS[month - 1]!));
  if (!isPossible) throw new HoursError(`"${text}" matches no day of any year`);
  return { minutes, hours, days, months, weekdays, isEitherDay };
}

const isRestricted = (part: string): boolean => !part.startsWith('*');

/** "*", "5", "1-5", "*\/15", "8-18/2", and lists of these. */
function numbersOf(part: string, field: Field): Set<number> {
  const found = new Set<number>();
  for (const item of part.split(',')) {
    const match = /^(?:\*|(\w+)(?:-(\w+))?)(?:\/(\d{1,2}))?$/.exec(item);
    const [, low, high, step] = match ?? [];
    const from = low === undefined ? field.min : numberOf(low, field);
    const to = high === undefined ? (low === undefined || step !== undefined ? field.max : from) : numberOf(high, field);
    const by = step === undefined ? 1 : Number(step);
    const isGood = match !== null && from >= field.min && to <= field.max && from <= to && by > 0;
    if (!isGood) throw new HoursError(`${field.name}: ${field.min} to ${field.max}, a range, a list or "*" was expected, found "${item}"`);
    for (let n = from; n <= to; n += by) found.add(n);
  }
  return found;
}

/** NaN if it is neither a number nor a name of the field. */
function numberOf(text: string, { min, names }: Field): number {
  const at = names.indexOf(text.toUpperCase());
  if (at >= 0) return min === 0 ? at : at + 1;
  return /^\d{1,2}$/.test(text) ? Number(text) : Number.NaN;
}
