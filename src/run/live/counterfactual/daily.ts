/**
 * Measures how well the backtest of each day predicted its trading. Sessions are explained as by `report divergence`, and their amounts are
 * split at 0:00 UTC: what a run had earned at the end of the day, at the prices then, less what it had at its start.
 */
import { Failure } from '../../../base/failure/failure.ts';
import { DAY_MS, dayAt } from '../../../base/time/time-spans.ts';
import type { DayDivergence, DivergenceDays } from '../../../control/divergence-days.ts';
import { formatMoney } from '../../../domain/instrument.ts';
import { usageOf } from '../../../edge/file/session-file.ts';
import { openSession, sessionsOf } from '../../replay/replay.ts';
import { damageOf, readSessions, sessionsPath } from '../facts/read-sessions.ts';
import { CAUSES, type CauseName } from './causes.ts';
import { explained, type DivergenceOptions, type SessionSlice } from './divergence.ts';

export interface DailyOptions extends DivergenceOptions {
  /** First day and the day after the last, as times of 0:00 UTC. Default: all that is recorded. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  /** Time by which a day is over. */
  readonly now: number;
}

interface Sums {
  coveredMs: number;
  sessions: number;
  backtest: number;
  live: number;
  traded: { backtest: number; live: number };
  readonly causes: Map<CauseName, number>;
}

/** `path` as `report divergence --session` takes it. A session that cannot be run again is left out, and a note says why. @throws Failure (session-missing) */
export async function divergenceDays(
  path: string,
  { from = -Infinity, to = Infinity, now, ...options }: DailyOptions,
): Promise<DivergenceDays> {
  const days = new Map<number, Sums>();
  const notes: string[] = [];
  for (const folder of sessionsOf(sessionsPath(path))) {
    try {
      const { startedAt } = openSession(folder).head;
      if (startedAt >= to || usageOf(folder).writtenAt < from) continue;
      const live = await readSessions(folder);
      const { slices, notes: own } = explained(live, options, midnightsIn(live.startedAt, live.endedAt));
      notes.push(...damageOf(live.parts), ...own);
      for (const slice of slices) add(days, slice);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      notes.push(`${folder} is left out: ${error.message}`);
    }
  }
  const wanted = [...days].filter(([day]) => day >= from && day < to).toSorted(([a], [b]) => a - b);
  return { days: wanted.map(([day, sums]) => dayOf(day, sums, now)), notes: [...new Set(notes)] };
}

function midnightsIn(from: number, to: number): number[] {
  const found: number[] = [];
  for (let at = dayAt(from) + DAY_MS; at < to; at += DAY_MS) found.push(at);
  return found;
}

function add(days: Map<number, Sums>, { from, to, backtest, live, traded, sums }: SessionSlice): void {
  const day = dayAt(from);
  const one = days.get(day) ?? { coveredMs: 0, sessions: 0, backtest: 0, live: 0, traded: { backtest: 0, live: 0 }, causes: new Map() };
  days.set(day, one);
  one.coveredMs += Math.max(0, to - from);
  one.sessions++;
  one.backtest += backtest;
  one.live += live;
  one.traded.backtest += traded.backtest;
  one.traded.live += traded.live;
  for (const [cause, amount] of sums) one.causes.set(cause, (one.causes.get(cause) ?? 0) + amount);
}

function dayOf(day: number, { coveredMs, sessions, backtest, live, traded, causes }: Sums, now: number): DayDivergence {
  const most = Math.max(traded.backtest, traded.live);
  const difference = live - backtest;
  const named = [...causes].filter(([, amount]) => amount !== 0).toSorted(([, a], [, b]) => Math.abs(b) - Math.abs(a));
  return {
    day: new Date(day).toISOString().slice(0, 10),
    coveredMs,
    isOver: day + DAY_MS <= now,
    sessions,
    backtest: formatMoney(backtest),
    live: formatMoney(live),
    difference: formatMoney(difference),
    traded: formatMoney(most),
    errorBp: most === 0 ? null : Math.round((Math.abs(difference) / most) * 1e6) / 100,
    causes: named.map(([cause, amount]) => ({ cause, title: CAUSES[cause].title, amount: formatMoney(amount) })),
  };
}
