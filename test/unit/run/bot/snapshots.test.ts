/** When a snapshot is saved (src/run/bot/store/snapshots.ts). */
import { expect, test } from 'vitest';
import { DayProfit, NO_DAYS } from '../../../../src/run/bot/store/day-profit.ts';
import { Snapshots, type SnapshotDeps } from '../../../../src/run/bot/store/snapshots.ts';

test('a snapshot follows at once after money was told, else after five seconds, and not if its check fails', () => {
  let now = 1_000;
  const saved: number[] = [];
  const parts = {
    clock: { now: () => now },
    kernel: { phase: 'reconciling', snapshot: () => ({}), mayKeep: () => now !== 9_000, status: () => ({ equity: 0 }) },
    gate: { position: 0, put: (key: string) => key === 'snapshot' && saved.push(now) },
    ids: { bot: 'tw', saved: () => ({}) },
    businessLog: { reasons: () => ({}), booked: () => ({}) },
    days: new DayProfit(NO_DAYS),
    recorder: null,
    instruments: () => [],
    recovered: { fills: 0, placed: 0, startEquity: 1 },
    status: () => ({}),
  };
  const snapshots = new Snapshots(parts as unknown as SnapshotDeps);
  const record = (kind: string): void => snapshots.count({ kind, seq: 0, time: now, data: {} });
  for (; now < 19_000; now += 100) {
    if (now === 3_000) record('fill');
    if (now === 4_000) record('balance');
    snapshots.saveIfDue();
  }
  expect(saved).toEqual([4_000, 14_000]);
});
