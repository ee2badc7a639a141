/** Finds how the times of a recording are written, and the times of its first rows. */
import { TapeError } from '../../file/error.ts';
import { dateFormOf, placeOf, timeCells } from './date-form.ts';
import { unreadableTime } from '../lines/import-error.ts';
import type { Input } from '../files/inputs.ts';
import type { CsvLayout, Head } from '../lines/layout.ts';
import { TimeZone } from '../times/time-zone.ts';
import { NO_TIME, TimeReader, type DateForm, type SeenUnit, type TimeReading, type TimeUnit } from '../times/times.ts';

/** What the user said about the times. */
export interface TimeChoice {
  readonly unit: TimeUnit;
  /** Form of the dates. */
  readonly timeFormat?: DateForm | undefined;
  /** Zone of dates that have none. */
  readonly timeZone?: string | undefined;
}

export interface TimesOfSource {
  readonly unit: TimeUnit;
  /** Null: numbers. */
  readonly form: DateForm | null;
  /** Of dates that have none; null: UTC. */
  readonly zone: string | null;
  /** Who says the zone. */
  readonly zoneBy: 'cells' | 'column' | 'user' | 'vendor' | 'nobody';
}

/** How to read the times of this recording. */
export function timeReading({ times, layout }: { readonly times: TimesOfSource; readonly layout: CsvLayout }): TimeReading {
  const { unit, form, zone } = times;
  return {
    unit,
    form,
    zone: zone === null ? null : new TimeZone(zone, layout.kind === 'bars' && !layout.roles.includes('symbol')),
    isSplit: layout.roles.includes('timeOfDay'),
  };
}

/** A zone at the end of a time of the day. */
const ZONE = /(?:Z|UTC|GMT|\d[+-]\d\d:?\d\d|:\d\d(?:\.\d+)? ?(?:GMT|UTC)?[+-]\d\d(?::?\d\d)?)$/;

/** @throws TapeError malformed */
export async function timesOfSource(input: Input, head: Head, layout: CsvLayout, choice: TimeChoice): Promise<TimesOfSource> {
  const { unit, timeFormat, timeZone } = choice;
  const form = timeFormat ?? (await dateFormOf(input, head, layout, unit));
  const field = layout.roles.indexOf('time');
  const [cell = ''] = timeCells(head, layout);
  if (form === null && timeZone !== undefined && head.rows.length > 0) {
    throw new TapeError(
      'malformed',
      `${layout.names[field]}: dates without a zone were expected, found ${JSON.stringify(cell)}, which counts since 1970 in UTC`,
      placeOf(input, head, 0),
      'leave --time-zone out',
    );
  }
  // HistData writes the layout of MetaTrader with its own times.
  const vendor = layout.zone ?? (/(^|[\\/!])DAT_MT_/.test(input.name) ? '-05:00' : undefined);
  const zone = form === null ? null : (timeZone ?? vendor ?? null);
  if (form === null || ZONE.test(cell)) return { unit, form, zone, zoneBy: 'cells' };
  if (timeZone !== undefined) return { unit, form, zone, zoneBy: 'user' };
  if (vendor !== undefined) return { unit, form, zone, zoneBy: 'vendor' };
  return { unit, form, zone, zoneBy: /\b(utc|gmt)\b/i.test(layout.names[field]!) ? 'column' : 'nobody' };
}

export interface FirstTimes {
  /** By row; null where it has none that can be read. */
  readonly times: readonly (number | null)[];
  /** The unit of the first. */
  readonly seen: SeenUnit;
  /** Describes the first time that cannot be read. */
  readonly unreadable: TapeError | null;
}

export function firstTimes(input: Input, head: Head, layout: CsvLayout, times: TimesOfSource): FirstTimes {
  const reading = timeReading({ times, layout });
  const reader = new TimeReader(reading);
  const field = layout.roles.indexOf('time');
  const clock = layout.roles.indexOf('timeOfDay');
  let seen: SeenUnit | null = null;
  let unreadable: TapeError | null = null;
  const read = head.rows.map((row, k) => {
    // A line of another length, and a header between the rows, are told or passed over when the rows are read.
    if (row.length !== layout.names.length || row[field]!.trim() === layout.names[field]!.trim()) return null;
    const time = timeIn(row[field]!, (bytes) => reader.read(bytes, 0, bytes.length));
    if (time === NO_TIME) {
      unreadable ??= unreadableTime(layout.names[field]!, times.form, row[field]!, placeOf(input, head, k));
      return null;
    }
    seen ??= reader.seen;
    if (!reading.isSplit) return time;
    const timeOfDay = timeIn(row[clock]!, (bytes) => reader.readTimeOfDay(bytes, 0, bytes.length));
    return timeOfDay === NO_TIME ? null : reader.joined(time, timeOfDay);
  });
  return { times: read, seen: seen ?? 'ms', unreadable };
}

function timeIn(cell: string, read: (bytes: Uint8Array) => number): number {
  return read(Buffer.from(cell, 'latin1'));
}
