/** The section `universe` of a strategy: its schema, its defaults, and what its lengths must have in common. */
import * as z from 'zod';
import type { Problem } from '../../base/failure/failure.ts';
import { formatDuration } from '../../base/time/duration.ts';
import { MINUTE_MS, DAY_MS } from '../../base/time/time-spans.ts';
import {
  barsReadBy,
  LEAVE_POLICIES,
  type LeavePolicy,
  UNIVERSE_MEASURES,
  type UniverseMeasure,
  type UniverseTerms,
} from '../../domain/universe.ts';
import { millis, SYMBOL, whole, word } from './value-schemas.ts';

/** Most bars that are kept of every candidate: of its window or age, and of the time since the newest moment of choice. */
const MOST_BARS = 20_000;

const POLICIES = Object.keys(LEAVE_POLICIES) as [LeavePolicy, ...LeavePolicy[]];
const MEASURES = Object.keys(UNIVERSE_MEASURES) as [UniverseMeasure, ...UniverseMeasure[]];

export const universeSchema = z.strictObject(
  {
    top: whole(1, 1_000),
    by: word(...MEASURES),
    every: millis(MINUTE_MS, 366 * DAY_MS),
    window: millis(MINUTE_MS, 366 * DAY_MS).optional(),
    bars: millis(1_000, 7 * DAY_MS).optional(),
    minAge: millis(0, 3_660 * DAY_MS).optional(),
    from: z.array(SYMBOL, { error: 'a list of symbols' }).optional(),
    exclude: z.array(SYMBOL, { error: 'a list of symbols' }).optional(),
    leave: word(...POLICIES).optional(),
    poll: millis(1_000).optional(),
  },
  { error: 'a section of keys: top, by and every, and if need be window, bars, minAge, from, exclude, leave, poll' },
);

/** With what is not stated. */
export function universeTerms(given: z.infer<typeof universeSchema>): UniverseTerms {
  const {
    top,
    by,
    every,
    window = 7 * DAY_MS,
    bars = 3_600_000,
    minAge = 0,
    from = [],
    exclude = [],
    leave = 'close',
    poll = MINUTE_MS,
  } = given;
  return { top, by, every, window, bars, minAge, from, exclude, leave, poll };
}

/** Lengths that do not fit each other. */
export function universeProblems(terms: UniverseTerms, key: string, where: string | undefined): Problem[] {
  const { bars, window, every } = terms;
  const length = formatDuration(bars);
  const problem = (what: string, hint: string): Problem => ({ what: `${key}: ${what}`, where, hint });
  const problems = (['window', 'every'] as const).flatMap((name) => {
    const ms = { window, every }[name];
    if (ms % bars === 0) return [];
    return [problem(`${name} is ${formatDuration(ms)}, no multiple of the bars of ${length}`, 'choose shorter `bars`')];
  });
  const count = barsReadBy(terms);
  if (count > MOST_BARS) {
    const what = `window or minAge, and every, want ${count} bars of ${length} of each candidate, at most ${MOST_BARS} are kept`;
    problems.push(problem(what, 'choose longer `bars`'));
  }
  return problems;
}
