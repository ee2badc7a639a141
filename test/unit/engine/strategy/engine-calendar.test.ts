/** `onSchedule`: cron in UTC, in the time of the kernel, over restarts. */
import { defineStrategy, type ScheduleRun, type StrategyContext } from 'tickwright';
import { describe, expect, test } from 'vitest';
import { foldRecords } from '../../../../src/engine/recovery/registry.ts';
import type { StrategyHandlers } from '../../../../src/engine/strategy/definition/types.ts';
import { btc, rig, type Rig } from '../../../support/engine/engine-kit.ts';

interface Calendar extends Rig {
  readonly runs: (ScheduleRun & { readonly now: number })[];
  readonly context: () => StrategyContext;
}

/** A kernel that is not started yet. START is 2023-11-14T22:13:20Z. */
function calendar(schedule: Readonly<Record<string, string>> = {}, handlers: StrategyHandlers = {}): Calendar {
  const runs: (ScheduleRun & { now: number })[] = [];
  let context: StrategyContext | null = null;
  const strategy = defineStrategy({
    name: 'planner',
    create: () => ({
      schedule,
      onStart: (ctx) => void (context = ctx),
      onSchedule(run, ctx) {
        runs.push({ ...run, now: ctx.now });
      },
      ...handlers,
    }),
  });
  return { ...rig({}, { instruments: [btc()], strategies: [{ strategy, instruments: [0] }] }), runs, context: () => context! };
}

function started(schedule: Readonly<Record<string, string>> = {}, handlers: StrategyHandlers = {}): Calendar {
  const r = calendar(schedule, handlers);
  r.kernel.inbox.start();
  return r;
}

/** The next process, `awayMs` after the last. */
function restarted(r: Calendar, awayMs: number, schedule: Readonly<Record<string, string>> = {}): Calendar {
  const fresh = calendar(schedule);
  fresh.clock.time = r.clock.time + awayMs;
  fresh.kernel.restore(foldRecords(null, JSON.parse(JSON.stringify(r.records)) as typeof r.records));
  fresh.kernel.inbox.start();
  return fresh;
}

const DAY = 86_400_000;
const eight = (day: number): number => Date.UTC(2023, 10, 14 + day, 8);
const BRIEF = { name: 'daily', lateMs: 0, missed: 0 };

describe('a declared schedule', () => {
  test('is called at its times, exactly, in order of time and name', () => {
    const r = started({ daily: '0 8 * * *', halves: '*/30 7-8 * * *' });
    r.advance(DAY);
    expect(r.runs.map(({ name, at }) => `${name} ${new Date(at).toISOString().slice(11, 16)}`)).toEqual([
      'halves 07:00',
      'halves 07:30',
      'daily 08:00',
      'halves 08:00',
      'halves 08:30',
    ]);
    for (const { at, now, missed, lateMs } of r.runs) expect([now, missed, lateMs]).toEqual([at, 0, 0]);
  });

  test('after a restart goes on: due times that passed meanwhile are one call', () => {
    const schedule = { daily: '0 8 * * *' };
    const r = started(schedule);
    r.advance(DAY);
    const again = restarted(r, 60_000, schedule);
    expect(again.runs).toEqual([]);
    again.advance(DAY);
    expect(again.runs).toMatchObject([{ ...BRIEF, at: eight(2) }]);
    expect(again.log.events()).not.toContain('schedule-missed');
    const once = restarted(r, DAY, schedule);
    expect(once.runs).toMatchObject([{ at: eight(2), missed: 0 }]);
    const fields = { strategy: 'planner', schedule: 'daily', missed: 0, lateMs: once.clock.time - eight(2) };
    expect(once.log.lines.find(({ event }) => event === 'schedule-missed')).toMatchObject({ fields });
    const late = restarted(r, 3 * DAY, schedule);
    expect(late.runs).toEqual([{ name: 'daily', at: eight(4), lateMs: late.clock.time - eight(4), missed: 2, now: late.clock.time }]);
    expect(late.log.events()).toContain('schedule-missed');
    late.advance(DAY);
    expect(late.runs[1]).toMatchObject({ ...BRIEF, at: eight(5) });
    expect(restarted(late, 0, schedule).runs).toEqual([]);
  });

  test('with another expression counts from the new start, and one that is no longer declared is gone', () => {
    const r = started({ daily: '0 8 * * *', old: '0 9 * * *' });
    const again = restarted(r, 3 * DAY, { daily: '0 10 * * *' });
    expect(again.runs).toEqual([]);
    again.advance(DAY);
    expect(again.runs.map(({ at }) => new Date(at).getUTCHours())).toEqual([10]);
    expect(again.kernel.snapshot().schedules).toMatchObject({ planner: [{ name: 'daily', cron: '0 10 * * *' }] });
  });
});

describe('ctx.schedule', () => {
  test('sets, moves and removes a schedule, and outlives a restart by journal and by snapshot', () => {
    const r = started();
    r.context().schedule('0 8 * * *', 'daily');
    r.context().schedule('0 8 * * *', 'daily');
    r.context().schedule('* * * * *', 'gone');
    r.context().unschedule('gone');
    r.kernel.inbox.runTimers(r.clock.time);
    expect(r.records.map(({ data }) => (data['schedule'] as { cron: string }).cron)).toEqual(['0 8 * * *', '* * * * *', '']);
    const snapshot = r.kernel.snapshot();
    const again = restarted(r, 3_600_000);
    again.advance(DAY);
    expect(again.runs).toMatchObject([{ ...BRIEF, at: eight(1) }]);
    expect(foldRecords(snapshot, []).schedules).toEqual(snapshot.schedules);
    again.kernel.inbox.runTimers(again.clock.time);
    again.context().schedule('0 9 * * *', 'daily');
    again.advance(DAY);
    expect(again.runs.slice(1)).toMatchObject([{ ...BRIEF, at: eight(2) + 3_600_000 }]);
  });

  test('refuses what is no cron expression, and a strategy without onSchedule', () => {
    const r = started();
    expect(() => r.context().schedule('0 25 * * *', 'x')).toThrow(/hour: 0 to 23/);
    const mute = started({}, { onSchedule: undefined as never });
    expect(() => mute.context().schedule('0 8 * * *', 'x')).toThrow(/planner: ctx\.schedule needs the handler onSchedule/);
    expect(() => calendar({ x: 'noon' })).toThrow(/planner: schedule\.x: five fields were expected/);
    expect(() => calendar({ x: '0 8 * * *' }, { onSchedule: undefined as never })).toThrow(/schedule needs the handler onSchedule/);
  });

  test('goes on after a handler that threw', () => {
    const seen: number[] = [];
    const r = started(
      { daily: '0 8 * * *' },
      {
        onSchedule({ at }) {
          seen.push(at);
          throw new Error('broken');
        },
      },
    );
    r.advance(2 * DAY);
    expect(seen).toEqual([eight(1), eight(2)]);
    expect(r.log.events()).toContain('strategy-error');
  });
});
