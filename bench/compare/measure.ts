/** Measures the latencies of a live run, which its backtest then uses. */
import type { Limits } from '../../src/config/files/data-files.ts';
import { limitFor } from '../../src/config/model.ts';
import type { PlannedPoll } from '../../src/engine/polling/schedule.ts';
import { queryGapMs } from '../../src/ports/limiter.ts';
import type { Repeated } from './repeat.ts';
import type { Run } from './runs.ts';

/** Trimmed means in milliseconds. One in ten values exceeds `spread`. */
export interface Measured {
  /** From the order throttle to the exchange. */
  readonly upMs: number;
  /** From the exchange to the bot's step. */
  readonly downMs: number;
  /** From a poll's due time to the exchange, where its bucket was free. A backtest takes `upMs` for it as well. */
  readonly pollMs: number;
  readonly spread: { readonly upMs: number; readonly downMs: number; readonly pollMs: number };
}

export function measure(run: Run, { polls, answers, leftAt }: Repeated, limits: Limits): Measured {
  const up = run.orders.map((order) => order.arrivedAt - (leftAt.get(order.seq) ?? order.madeAt));
  const { down, ask } = pollTimes(answers, polls, limits);
  const upMs = mean(up);
  const spread = { upMs: tenth(up), downMs: tenth(down), pollMs: tenth(ask) };
  return { upMs, downMs: mean(down), pollMs: mean(ask), spread };
}

/** Polls of the market: from due to the exchange, where nothing of the bucket had left just before, and from there to the bot. */
function pollTimes(answers: Repeated['answers'], polls: readonly PlannedPoll[], limits: Limits): { down: number[]; ask: number[] } {
  const down: number[] = [];
  const ask: number[] = [];
  const lastLeft = new Map<string, number>();
  for (const { query, at, sentAt, venueTime } of answers.toSorted((a, b) => a.sentAt - b.sentAt)) {
    const { kind, instrument } = query;
    const poll = polls.find((one) => one.kind === kind && one.instrument === instrument);
    if (poll === undefined) continue;
    const { bucket, phaseMs, periodMs } = poll;
    const late = (venueTime - phaseMs) % periodMs;
    const freeAt = (lastLeft.get(bucket) ?? -Infinity) + queryGapMs(limitFor(limits, bucket));
    lastLeft.set(bucket, sentAt);
    if (kind !== 'quotes' && kind !== 'trades') continue;
    down.push(at - venueTime);
    if (freeAt <= venueTime - late) ask.push(late);
  }
  return { down, ask };
}

/** Mean without the tenth at either end, in whole milliseconds; 1 without values. */
function mean(values: readonly number[]): number {
  const ends = Math.floor(values.length / 10);
  const kept = values.toSorted((a, b) => a - b).slice(ends, values.length - ends);
  if (kept.length === 0) return 1;
  return Math.max(0, Math.round(kept.reduce((sum, value) => sum + value, 0) / kept.length));
}

function tenth(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * 0.9)] ?? 0;
}
