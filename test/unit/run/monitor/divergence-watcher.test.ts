/** The day after: computed once, kept, told while it was off, and resolved by a day that was not. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { DayDivergence } from '../../../../src/control/divergence-days.ts';
import { Alerts } from '../../../../src/monitor/alerts/alerts.ts';
import type { AlertMessage } from '../../../../src/ports/alert-channel.ts';
import { SILENT_LOG } from '../../../../src/ports/log.ts';
import { dailyDocument } from '../../../../src/run/live/counterfactual/daily-document.ts';
import { documentText } from '../../../../src/report/document/document-text.ts';
import { computeDays, DIVERGENCE_FILE, DivergenceWatcher, readDays } from '../../../../src/run/monitor/alerts/divergence-watcher.ts';

const DAY = 86_400_000;
const MIDNIGHT = Date.UTC(2026, 10, 28);
let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'divergence-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function dayOf(day: number, errorBp: number | null, more: Partial<DayDivergence> = {}): DayDivergence {
  const name = new Date(day).toISOString().slice(0, 10);
  const causes = [{ cause: 'fills', title: 'queue and fills', amount: '-12.34567890' }];
  const money = { backtest: '4.00000000', live: '-8.34567890', difference: '-12.34567890', traded: '1000.00000000' };
  return { day: name, coveredMs: DAY, isOver: true, sessions: 1, ...money, errorBp, causes, ...more };
}

function watcher(errors: ReadonlyMap<number, number | null>, asked: number[] = []): DivergenceWatcher {
  return new DivergenceWatcher({
    folder,
    limitBp: 20,
    log: SILENT_LOG,
    compute({ from, to }) {
      asked.push(from);
      expect(to - from).toBe(DAY);
      const error = errors.get(from);
      return Promise.resolve({ days: error === undefined ? [] : [dayOf(from, error)], notes: [] });
    },
  });
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('each day is computed once, five minutes after its end, and kept over a restart', async () => {
  const asked: number[] = [];
  const errors = new Map([
    [MIDNIGHT - DAY, 3],
    [MIDNIGHT, 123.46],
  ]);
  const first = watcher(errors, asked);
  first.tick(MIDNIGHT + 60_000);
  expect(asked).toEqual([]);
  for (const minutes of [5, 6, 600]) first.tick(MIDNIGHT + minutes * 60_000);
  await settled();
  expect(asked).toEqual([MIDNIGHT - DAY]);
  const second = watcher(errors, asked);
  second.tick(MIDNIGHT + 700 * 60_000);
  second.tick(MIDNIGHT + DAY + 300_000);
  await settled();
  expect(asked).toEqual([MIDNIGHT - DAY, MIDNIGHT]);
  expect(readDays(folder).map(({ day, errorBp }) => [day, errorBp])).toEqual([
    ['2026-11-27', 3],
    ['2026-11-28', 123.46],
  ]);
});

test('alerts.divergenceBp: a day that is off is told with its causes, and a better one resolves it', async () => {
  const said: AlertMessage[] = [];
  const settings = { bot: 'b', rules: {}, collapseMs: 1_000, escalateAfterMs: 1_000, isQuiet: () => false };
  const alerts = new Alerts(settings, (message) => said.push(message));
  const one = watcher(
    new Map<number, number | null>([
      [MIDNIGHT - DAY, 20],
      [MIDNIGHT, 123.46],
      [MIDNIGHT + DAY, null],
      [MIDNIGHT + 2 * DAY, 1],
    ]),
  );
  for (const k of [0, 1, 2, 3]) {
    const now = MIDNIGHT + k * DAY + 300_000;
    one.tick(now);
    await settled();
    alerts.observe(one.levels(), now);
    alerts.tick(now + 10_000);
  }
  expect(said.map(({ isResolved, severity }) => [isResolved, severity])).toEqual([
    [false, 'warning'],
    [true, 'warning'],
  ]);
  expect(said[0]?.text).toContain(
    '2026-11-28: live −8.35, its backtest +4.00, 123.46 bp of 1,000.00 traded; queue and fills −12.35; more than 20 bp',
  );
});

test('a file of another version, or none, is no days, and a failure is logged', async () => {
  writeFileSync(join(folder, DIVERGENCE_FILE), '{"version":9,"days":[1]}');
  expect(readDays(folder)).toEqual([]);
  const lines: unknown[] = [];
  const log = { ...SILENT_LOG, warn: (event: string, fields: unknown) => void lines.push([event, fields]) };
  const one = new DivergenceWatcher({ folder, limitBp: 20, log, compute: () => Promise.reject(new Error('no session')) });
  one.tick(MIDNIGHT + 300_000);
  await settled();
  expect(lines).toEqual([['divergence-failed', { cause: 'no session' }]]);
  expect(one.levels()).toEqual([]);
});

test('a bot that records nothing has no days and no fault, also with an empty folder of sessions', async () => {
  const job = { folder, from: MIDNIGHT - DAY, to: MIDNIGHT };
  expect(await computeDays(job)).toEqual({ days: [], notes: [] });
  mkdirSync(join(folder, 'sessions'));
  expect(await computeDays(job)).toEqual({ days: [], notes: [] });
});

test('the table has a row a day, with the largest causes, and says what was not traded', () => {
  const days = [dayOf(MIDNIGHT, 123.46), dayOf(MIDNIGHT + DAY, null, { causes: [], isOver: false, coveredMs: DAY / 2 })];
  const text = documentText(dailyDocument({ days, notes: ['a session is left out'] }), 120);
  expect(text).toContain('2026-11-28: live −8.35, its backtest +4.00');
  expect(text).toMatch(/2026-11-28 +123\.46 +−12\.35 +−8\.35 +\+4\.00 +1,000\.00 +24\.0[\s\S]*queue and fills −12\.35\n/);
  expect(text).toMatch(/2026-11-29 so far +nothing traded .* 12\.0[\s\S]*none\n/);
  expect(text).toContain('a session is left out');
});
