/** Profit of a day: the sums are those of `pnl --by day`, also over a restart. */
import { expect, test } from 'vitest';
import { DAY_MS } from '../../../../src/base/time/time-spans.ts';
import type { JournalRecord } from '../../../../src/ports/store.ts';
import { DayProfit, NO_DAYS } from '../../../../src/run/bot/store/day-profit.ts';
import { profitIn } from '../../../../src/run/bot/answers/profit.ts';
import { journalOf } from '../../../support/stores/journal-of.ts';

const DAY = Date.UTC(2026, 10, 27);
const HOUR = DAY_MS / 24;
const who = { symbol: 'BTCUSDT', strategy: 'a', side: 'LONG', size: '0.010', price: '100.0' };
const record = (kind: string, hours: number, data: Record<string, unknown>): JournalRecord => ({
  kind,
  seq: 1,
  time: DAY + hours * HOUR,
  data: { ...who, ...data },
});

const RECORDS = [
  record('fill', 1, { effect: 'OPEN', value: '1', isBooked: true }),
  record('fee', 1, { fee: '0.60' }),
  record('funding', 8, { total: -5_000_000, openedAt: DAY }),
  record('funding', 16, { total: -12_000_000, openedAt: DAY }),
  record('fill', 20, { effect: 'CLOSE', profit: '9', isBooked: true }),
  record('fee', 20, { fee: '0.55', profit: '10.00' }),
  record('exit', 21, { what: 'stop-loss', fee: '0.10', profit: '-3.00' }),
  record('funding', 32, { total: -20_000_000, openedAt: DAY }),
  record('fee', 33, { fee: '0.05', profit: '1' }),
];

/** The figures of both days after all records, with a restart after each record at which `restarts` is true. */
function days(restarts: (k: number) => boolean): unknown[] {
  let one = new DayProfit(NO_DAYS);
  for (const [k, next] of RECORDS.entries()) {
    one.add(next);
    if (restarts(k)) one = new DayProfit(JSON.parse(JSON.stringify(one.saved())) as typeof NO_DAYS);
  }
  return [one.yesterday, one.today];
}

test('the sums of a day are those of pnl by day, with and without restarts', async () => {
  const [yesterday, today] = days(() => false);
  expect(yesterday).toMatchObject({ day: '2026-11-27', profit: '7.00', fees: '1.25', funding: '-0.12', net: '5.63', equity: '' });
  expect(today).toMatchObject({ day: '2026-11-28', profit: '1.00', fees: '0.05', funding: '-0.08', net: '0.87' });
  expect(days(() => true)).toEqual([yesterday, today]);
  const rows = await profitIn(journalOf(RECORDS), 'day', {});
  const shown = rows.slice(0, 2).map(({ profit, fees, funding, net }) => ({ profit, fees, funding, net }));
  expect([yesterday, today]).toMatchObject(shown);
});

test('funding of the position before, shown again by a late list, counts once, as for pnl', async () => {
  const next = (total: number, openedAt: number): JournalRecord => record('funding', 1, { total, openedAt });
  const records = [next(-10_000_000, DAY), next(-5_000_000, DAY + HOUR), next(-10_000_000, DAY), next(-6_000_000, DAY + HOUR)];
  const one = new DayProfit(NO_DAYS);
  for (const each of records) one.add(each);
  expect(one.today).toMatchObject({ funding: '-0.16' });
  expect((await profitIn(journalOf(records), 'day', {}))[0]).toMatchObject({ funding: '-0.16' });
});

test('the equity is compared from its first reading of the day on', () => {
  const one = new DayProfit(NO_DAYS);
  one.see(DAY + HOUR, Number.NaN);
  expect(one.today).toMatchObject({ equity: '', equitySince: 0 });
  one.see(DAY + 2 * HOUR, 10_000e8);
  one.see(DAY + 3 * HOUR, 9_993.1e8);
  expect(one.today).toMatchObject({ equity: '-6.90', equitySince: DAY + 2 * HOUR });
  one.see(DAY + DAY_MS, 9_990e8);
  expect([one.yesterday?.equity, one.today?.equity]).toEqual(['-6.90', '0.00']);
  one.see(DAY + 3 * DAY_MS, 9_990e8);
  expect(one.yesterday).toBeNull();
});

test('the change of the equity is that of the cents that are shown', () => {
  const one = new DayProfit(NO_DAYS);
  one.see(DAY + HOUR, 10_000.009e8);
  one.see(DAY + 2 * HOUR, 10_012.341e8);
  // Shown as 10,000.00 and 10,012.34.
  expect(one.today).toMatchObject({ equity: '12.34' });
});
