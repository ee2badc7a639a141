/** The balance compared with the records of orders: late records are not a loss, a real loss is reported once and exactly. */
import { expect, test } from 'vitest';
import { Random } from '../../src/base/random.ts';
import { Balance, type Gap } from '../../src/engine/state/balance.ts';

const COIN = 100_000_000;
const LAG = 12_000;

/** A venue with random fills whose records lag, read once a second. The amount `stolen` leaves at `at`. */
function run(seed: number, stolen: number, at: number): { gaps: (Gap & { at: number })[] } {
  const random = new Random(seed);
  const watch = new Balance(LAG);
  const records: { seenAt: number; from: number; to: number; money: number }[] = [];
  const gaps: (Gap & { at: number })[] = [];
  let balance = 10_000 * COIN;
  for (let now = 0; now < 120_000; now += 250) {
    if (now === at) balance -= stolen;
    if (random.below(2) === 0) {
      const money = (random.below(200) - 110) * COIN;
      balance += money;
      records.push({ seenAt: now + random.below(LAG), from: now - random.below(5_000), to: now, money });
    }
    for (const one of records.filter(({ seenAt }) => seenAt <= now)) {
      watch.book(one.from, one.to, one.money);
      records.splice(records.indexOf(one), 1);
    }
    if (now % 1_000 === 0) watch.read(balance, now, now);
    const gap = watch.judge((moment) => now >= moment + LAG);
    if (gap !== null) gaps.push({ ...gap, at: now });
  }
  return { gaps };
}

test('fills whose records lag as long as lists may are never reported as a loss', () => {
  for (let seed = 1; seed <= 200; seed++) expect(run(seed, 0, -1).gaps, `seed ${seed}`).toEqual([]);
});

test('money that leaves is reported once in every run, although the bot trades all the time', () => {
  for (let seed = 1; seed <= 200; seed++) {
    const { gaps } = run(seed, 5_000 * COIN, 60_000);
    expect(gaps.length, `seed ${seed}`).toBe(1);
    expect(gaps[0]!.at - 60_000).toBeLessThanOrEqual(2 * LAG);
  }
});

test('on a quiet account the amount is exact, and needs two reads', () => {
  const watch = new Balance(LAG);
  const known = (): boolean => true;
  watch.read(1_000 * COIN, 0, 0);
  watch.read(1_000 * COIN, 20_000, 20_000);
  expect(watch.judge(known)).toBe(null);
  watch.read(998 * COIN, 40_000, 40_000);
  expect(watch.judge(known)).toBe(null);
  watch.read(998 * COIN, 41_000, 41_000);
  expect(watch.judge(known)).toEqual({ amount: 2 * COIN, before: 1_000 * COIN, after: 998 * COIN });
  for (const time of [42_000, 43_000, 44_000]) watch.read(998 * COIN, time, time);
  expect(watch.judge(known)).toBe(null);
  // A difference of one coin is ignored; a little more is not.
  watch.read(997 * COIN, 45_000, 45_000);
  watch.read(997 * COIN - 1, 46_000, 46_000);
  watch.read(996 * COIN - 2, 47_000, 47_000);
  watch.read(996 * COIN - 2, 48_000, 48_000);
  expect(watch.judge(known)).toMatchObject({ amount: COIN + 1 });
});

test('nothing is reported while an earlier change is open, and no read is lost meanwhile', () => {
  const watch = new Balance(LAG);
  for (let time = 0; time <= 30_000; time += 1_000) {
    watch.read((time < 10_000 ? 1_000 : 900) * COIN, time, time);
    expect(watch.judge(() => false)).toBe(null);
  }
  expect(watch.judge((moment) => moment < 11_000)).toBe(null);
  expect(watch.judge((moment) => moment < 12_000)).toEqual({ amount: 100 * COIN, before: 1_000 * COIN, after: 900 * COIN });
});

test('the result of a position closed by someone else is not a loss until a read is exact again', () => {
  const watch = new Balance(LAG);
  const known = (): boolean => true;
  watch.read(1_000 * COIN, 0, 0);
  watch.book(-Infinity, 5_000, 0, 50 * COIN);
  for (const time of [30_000, 31_000]) watch.read(960 * COIN, time, time);
  expect(watch.judge(known)).toBe(null);
  for (const time of [32_000, 33_000]) watch.read(940 * COIN, time, time);
  expect(watch.judge(known)).toMatchObject({ amount: 20 * COIN });
});
