/** Scales of the charts: from values to places, and the round values at which ticks stand. */
import { grouped, MONTHS } from '../../../base/text/figures.ts';
import { MINUTE_MS, DAY_MS } from '../../../base/time/time-spans.ts';
import { roundStep } from '../../../statistics/samples/histogram.ts';
import type { Axis, Tick } from './plot.ts';

export interface Scale {
  readonly low: number;
  readonly high: number;
  /** The place of a value: 0 at `low`, 1 at `high`; values beyond are put on the edge. */
  at(value: number): number;
  readonly ticks: readonly Tick[];
}

/** A scale over finite values with a little room on both sides; `text` writes a tick. Equal or no values get a scale too. */
export function scaleOf(values: Iterable<number>, text: (value: number, step: number) => string, most = 6): Scale {
  let least = Infinity;
  let largest = -Infinity;
  for (const value of values) {
    if (!Number.isFinite(value)) continue;
    least = Math.min(least, value);
    largest = Math.max(largest, value);
  }
  if (least > largest) [least, largest] = [0, 1];
  if (least === largest) [least, largest] = [least - (Math.abs(least) || 1) / 10, largest + (Math.abs(largest) || 1) / 10];
  const room = (largest - least) * 0.04;
  const [low, high] = [least - room, largest + room];
  const at = (value: number): number => Math.min(1, Math.max(0, (value - low) / (high - low)));
  const step = roundStep((high - low) / most);
  const first = Math.ceil(low / step);
  const count = Math.floor(high / step) - first + 1;
  const round = Array.from({ length: count }, (_, k) => (first + k) * step);
  return { low, high, at, ticks: round.map((value) => ({ at: at(value), text: text(value, step) })) };
}

/** A scale of time, milliseconds since 1970 in UTC. */
export function timeScale(from: number, to: number): Scale {
  const span = Math.max(1, to - from);
  const at = (value: number): number => Math.min(1, Math.max(0, (value - from) / span));
  const step = TIME_STEPS.find((one) => span / one <= 6) ?? Math.ceil(span / 6 / 86_400_000) * 86_400_000;
  const first = Math.ceil(from / step);
  const count = Math.max(0, Math.floor(to / step) - first + 1);
  const ticks = Array.from({ length: count }, (_, k) => (first + k) * step).map((value) => ({
    at: at(value),
    text: timeText(value, step),
  }));
  return { low: from, high: to, at, ticks };
}

const TIME_STEPS = [
  1_000,
  5_000,
  15_000,
  ...[1, 5, 15, 30, 60, 180, 360, 720].map((minutes) => minutes * MINUTE_MS),
  ...[1, 2, 7, 14, 30, 91, 182, 365].map((days) => days * DAY_MS),
];

function timeText(time: number, step: number): string {
  const date = new Date(time);
  if (step >= 91 * DAY_MS) return `${MONTHS[date.getUTCMonth()] ?? ''} ${date.getUTCFullYear()}`;
  const day = `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()] ?? ''}`;
  const clock = date.toISOString().slice(11, step < MINUTE_MS ? 19 : 16);
  return step >= DAY_MS ? day : clock === '00:00' ? day : clock;
}

/** An axis from a scale. */
export const axisOf = ({ ticks }: Scale, title?: string): Axis => (title === undefined ? { ticks } : { ticks, title });

/** A tick in plain digits: as many decimals as the step has. */
export function plainTick(value: number, step: number): string {
  const decimals = Math.min(10, Math.max(0, -Math.floor(Math.log10(step) + 1e-9)));
  const size = grouped(Math.abs(value).toFixed(decimals));
  return value < 0 && /[1-9]/.test(size) ? `−${size}` : size;
}
