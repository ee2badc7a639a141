/** Tells how long after it was typed a command took effect. */
import type { TimesAnswer } from '../../../control/answers.ts';
import type { Flattened } from '../../../domain/messages/forecast.ts';
import type { OperatorResult } from '../../../engine/operator/command.ts';

/** All in milliseconds since it was typed: when it was in effect, and now. `end`: of its flattening. */
interface Timed {
  readonly effectMs: number;
  readonly sinceMs: number;
  readonly isDone: boolean;
  readonly end: Flattened | undefined;
}

export function timesOf({ effectMs, sinceMs, isDone, end }: Timed, result: Extract<OperatorResult, { ok: true }>): TimesAnswer {
  const { orders, flattens } = result;
  const effect = Math.max(0, Math.round(effectMs));
  if (flattens === '') return { effectMs: effect, lastOrderMs: isDone && orders.length > 0 ? Math.round(sinceMs) : null, flatMs: null };
  if (end === undefined) return { effectMs: effect, lastOrderMs: null, flatMs: null };
  return { effectMs: effect, lastOrderMs: effect + end.lastOrderMs, flatMs: end.isFlat ? effect + end.time - end.since : null };
}

export function timesText({ effectMs, lastOrderMs, flatMs }: TimesAnswer): string {
  const order = lastOrderMs === null ? '' : `, its last own order ended after ${seconds(lastOrderMs)}`;
  return `in effect ${effectMs} ms after it was typed${order}${flatMs === null ? '' : `, proven flat after ${seconds(flatMs)}`}`;
}

function seconds(ms: number): string {
  return ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toFixed(1)} s`;
}
