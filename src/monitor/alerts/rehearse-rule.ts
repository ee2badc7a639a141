/** Finds what a rule would have told in the past: its recorded minutes go through the same decisions as a live bot. */
import type { Severity } from '../../base/tables/alert-channels.ts';
import { ALERT_RULES, type AlertRuleName, type PastRow } from '../../base/tables/alert-rules.ts';
import { MINUTE_MS } from '../../base/time/time-spans.ts';
import type { AlertMessage } from '../../ports/alert-channel.ts';
import type { Level } from './alert-inputs.ts';
import { Alerts, type AlertSettings } from './alerts.ts';

/** Levels are looked at with each status and four times a second. */
const SEEN_MS = 2_000;

/** The messages that `rule` would have made of these rows, oldest first. `severity` stands in for one that is off. */
export function rehearsed(
  rule: AlertRuleName,
  rows: readonly PastRow[],
  settings: AlertSettings,
  severity: Severity,
): readonly AlertMessage[] {
  const told: AlertMessage[] = [];
  const others = Object.fromEntries(
    Object.keys(ALERT_RULES).map((name) => [name, name === rule ? severity : 'off']),
  ) as AlertSettings['rules'];
  const alerts = new Alerts(
    { ...settings, rules: others, isQuiet: () => false },
    (message, to) => void (to === 'usual' && told.push(message)),
  );
  for (const batch of minutesOf(rows)) {
    const { minute, levels, events, next } = batch;
    for (const time of timesOf(batch)) {
      alerts.observe(
        levels
          .filter((row) => row.at <= time && time <= endOf(row))
          .map(({ kind, name, cause }) => ({ kind, name, cause, text: `${name} ${cause}`.trim() })),
        time,
      );
      for (const { kind, name, cause, count } of events.filter(({ at }) => at === time)) {
        for (let n = 0; n < count; n++) alerts.happened({ name, cause, text: name, isError: kind === 'error' }, time);
      }
    }
    // A minute without rows is one in which nothing held.
    const last = Math.min(next, minute + MINUTE_MS + 2 * settings.collapseMs);
    for (let time = minute + MINUTE_MS; time < last; time += MINUTE_MS) alerts.observe([], time);
  }
  return told;
}

interface Minute {
  readonly minute: number;
  readonly levels: (PastRow & { readonly kind: Level['kind'] })[];
  readonly events: PastRow[];
  /** The next minute with rows; Infinity for none. */
  next: number;
}

function minutesOf(rows: readonly PastRow[]): Minute[] {
  const minutes: Minute[] = [];
  for (const row of rows) {
    let last = minutes.at(-1);
    if (last?.minute !== row.minute) {
      if (last !== undefined) last.next = row.minute;
      minutes.push((last = { minute: row.minute, levels: [], events: [], next: Infinity }));
    }
    if (row.kind === 'event' || row.kind === 'error') last.events.push(row);
    else last.levels.push(row as PastRow & { readonly kind: Level['kind'] });
  }
  return minutes;
}

/** The moments of a minute at which something begins, ends or happens, in order. */
function timesOf({ minute, levels, events }: Minute): number[] {
  const times = [...levels.flatMap((row) => [row.at, endOf(row) + 1]), ...events.map(({ at }) => at)].filter(
    (time) => time < minute + MINUTE_MS,
  );
  return [...new Set([...times, minute + MINUTE_MS - 1])].sort((a, b) => a - b);
}

/** When a level was last seen in its minute. One that was seen until the end of it goes on. */
function endOf({ minute, at, ms }: PastRow): number {
  return at + ms >= minute + MINUTE_MS - SEEN_MS ? minute + MINUTE_MS : at + ms;
}
