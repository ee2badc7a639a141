/**
 * Cron expressions in UTC: minute, hour, day of month, month, day of week, with an optional field of seconds in front. Depends only on the
 * time, so a backtest and a live bot agree. As in cron, if both day fields are restricted, a day needs to match only one.
 */

const HOUR_S = 3_600;
const DAY_S = 86_400;
/** Days after which the calendar repeats. */
const CYCLE_DAYS = 146_097;
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

const SECOND: Field = { name: 'second', min: 0, max: 59, names: [] };
const FIELDS: readonly Field[] = [
  { name: 'minute', min: 0, max: 59, names: [] },
  { name: 'hour', min: 0, max: 23, names: [] },
  { name: 'day of month', min: 1, max: 31, names: [] },
  { name: 'month', min: 1, max: 12, names: MONTHS },
  { name: 'day of week', min: 0, max: 7, names: DAYS },
];

/** The numbers that one expression matches. */
export interface Cron {
  readonly text: string;
  /** Only 0 without a field of seconds. */
  readonly seconds: ReadonlySet<number>;
  readonly minutes: ReadonlySet<number>;
  readonly hours: ReadonlySet<number>;
  readonly days: ReadonlySet<number>;
  readonly months: ReadonlySet<number>;
  readonly weekdays: ReadonlySet<number>;
  /** True if both day fields are restricted, so that either is enough. */
  readonly isEitherDay: boolean;
}

/** An invalid expression, or one that matches no day. */
export class CronError extends Error {
  override readonly name = 'CronError';
}

interface Day {
  readonly year: number;
  readonly month: number;
  readonly date: number;
  readonly weekday: number;
}

/** Converts days since 1970 to the Gregorian calendar. Years start in March here, so that a leap day is the last day. */
export function dayOf(days: number): Day {
  const since = days + 719_468;
  const era = Math.floor(since / 146_097);
  const dayOfEra = since - era * 146_097;
  const year = Math.floor((dayOfEra - Math.floor(dayOfEra / 1_460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365);
  const dayOfYear = dayOfEra - (365 * year + Math.floor(year / 4) - Math.floor(year / 100));
  const march = Math.floor((5 * dayOfYear + 2) / 153);
  const date = dayOfYear - Math.floor((153 * march + 2) / 5) + 1;
  const month = march < 10 ? march + 3 : march - 9;
  return { year: era * 400 + year + (month <= 2 ? 1 : 0), month, date, weekday: (((days + 4) % 7) + 7) % 7 };
}

export function matchesDay(one: Cron, { month, date, weekday }: Day): boolean {
  if (!one.months.has(month)) return false;
  const isDate = one.days.has(date);
  const isWeekday = one.weekdays.has(weekday);
  return one.isEitherDay ? isDate || isWeekday : isDate && isWeekday;
}

/** @throws CronError if it is not an expression, or matches no day. Seconds only if `hasSeconds` is true */
export function parseCron(text: string, hasSeconds = true): Cron {
  const given = text.trim().split(/\s+/);
  const count = text.trim() === '' ? 0 : given.length;
  if (count !== FIELDS.length && !(hasSeconds && count === FIELDS.length + 1))
    throw new CronError(`five fields were expected in "${text}", found ${count}`);
  const parts = given.slice(-FIELDS.length);
  const seconds = count === FIELDS.length ? new Set([0]) : numbersOf(given[0]!, SECOND);
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
  if (!isPossible) throw new CronError(`"${text}" matches no day of any year`);
  return { text: given.join(' '), seconds, minutes, hours, days, months, weekdays, isEitherDay };
}

/** The first matching time after `time`, in milliseconds; Infinity if there is none in the next 400 years. */
export function nextCron(cron: Cron, time: number): number {
  const after = Math.floor(time / 1_000) + 1;
  const first = Math.floor(after / DAY_S);
  for (let day = first; day < first + CYCLE_DAYS; day++) {
    if (!matchesDay(cron, dayOf(day))) continue;
    const second = secondOfDay(cron, day === first ? after - day * DAY_S : 0);
    if (second >= 0) return (day * DAY_S + second) * 1_000;
  }
  return Infinity;
}

/** The first matching second of a day that is not before `from`; −1 if there is none. */
function secondOfDay({ hours, minutes, seconds }: Cron, from: number): number {
  for (let hour = Math.floor(from / HOUR_S); hour < 24; hour++) {
    if (!hours.has(hour)) continue;
    const start = hour * HOUR_S;
    for (let minute = Math.max(0, Math.floor((from - start) / 60)); minute < 60; minute++) {
      if (!minutes.has(minute)) continue;
      const at = start + minute * 60;
      for (let second = Math.max(0, from - at); second < 60; second++) if (seconds.has(second)) return at + second;
    }
  }
  return -1;
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
    if (!isGood) throw new CronError(`${field.name}: ${field.min} to ${field.max}, a range, a list or "*" was expected, found "${item}"`);
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

/** The error in an expression, or null. */
export function faultOfCron(text: unknown): string | null {
  try {
    parseCron(String(text));
    return null;
  } catch (error) {
    if (error instanceof CronError) return error.message;
    throw error;
  }
}
