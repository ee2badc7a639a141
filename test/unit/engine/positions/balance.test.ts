/** The balance compared with the records of orders: late records are not a loss, a real loss is reported once and exactly. */
import { expect, test } from 'vitest';
import { Random } from '../../../../src/base/random.ts';
import { Balance, type Gap, UNREAD } from '../../../../src/engine/state/account/balance.ts';

const COIN = 100_000_000;
const LAG = 12_000;

/** A venue with random fills whose records lag, read once a second. The amount `stolen` leaves at `at`; the bot is started again at `restartAt`. */
function run(seed: number, stolen: number, at: number, restartAt = -1, equityShare = 1): { gaps: (Gap & { at: number })[] } {
  const random = new Random(seed);
  let watch = new Balance(LAG);
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
    if (now === restartAt) {
      const saved = watch.saved()!;
      watch = new Balance(LAG);
      watch.restore(saved);
    }
    if (now % 1_000 === 0) watch.read(balance, now, now, now, balance * equityShare);
    const judge = (): ReturnType<Balance['judge']> => watch.judge((moment) => now >= moment + LAG);
    let gap = judge();
    if (gap === UNREAD) {
      // The history lags as well.
      watch.recordsRead(now);
      gap = judge();
    }
    if (gap !== null && gap !== UNREAD) gaps.push({ ...gap, at: now });
  }
  return { gaps };
}

test('fills whose records lag as long as lists may are never reported as a loss', () => {
  for (let seed = 1; seed <= 200; seed++) expect(run(seed, 0, -1).gaps, `seed ${seed}`).toEqual([]);
});

test('money that leaves is reported once and exactly in every run, although the bot trades all the time', () => {
  for (let seed = 1; seed <= 200; seed++) {
    const { gaps } = run(seed, 5_000 * COIN, 60_000);
    expect(gaps.length, `seed ${seed}`).toBe(1);
    expect(gaps[0]!.amount, `seed ${seed}`).toBe(5_000 * COIN);
    expect(gaps[0]!.at - 60_000).toBeLessThanOrEqual(2 * LAG);
  }
});

test('400 of 10,000 are never silent, however much is traded at once, also in the first seconds of a start', () => {
  for (const restartAt of [-1, 60_000]) {
    for (let seed = 1; seed <= 40; seed++) {
      const at = Math.max(0, restartAt) + 1_000 * (1 + (seed % 30));
      const { gaps } = run(seed, 400 * COIN, at, restartAt);
      expect([seed, gaps.length > 0], `left at ${at}`).toEqual([seed, true]);
      const sum = gaps.reduce((total, { amount }) => total + amount, 0);
      expect(Math.abs(sum - 400 * COIN), `seed ${seed}`).toBeLessThan(100 * COIN);
    }
  }
});

test('with an equity of a fifth of the balance, a fiftieth of that is large', () => {
  let told = 0;
  for (let seed = 1; seed <= 40; seed++) {
    if (run(seed, 40 * COIN, 60_000 + 1_000 * (seed % 30), -1, 0.2).gaps.length > 0) told++;
    expect(run(seed, 0, -1, -1, 0.2).gaps, `seed ${seed}`).toEqual([]);
  }
  expect(told).toBe(40);
});

test('on a quiet account the amount is exact, and needs two reads', () => {
  const watch = new Balance(LAG);
  const known = (): boolean => true;
  watch.recordsRead(Infinity);
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
  watch.recordsRead(Infinity);
  for (let time = 0; time <= 30_000; time += 1_000) {
    watch.read((time < 10_000 ? 1_000 : 900) * COIN, time, time);
    expect(watch.judge(() => false)).toBe(null);
  }
  expect(watch.judge((moment) => moment < 11_000)).toBe(null);
  expect(watch.judge((moment) => moment < 12_000)).toEqual({ amount: 100 * COIN, before: 1_000 * COIN, after: 900 * COIN });
});

test('the result of a position closed by someone else is told as uncertain, and later differences as certain', () => {
  const watch = new Balance(LAG);
  const known = (): boolean => true;
  watch.recordsRead(Infinity);
  watch.read(1_000 * COIN, 0, 0);
  watch.book(-Infinity, 5_000, 0, 50 * COIN);
  for (const time of [30_000, 31_000]) watch.read(960 * COIN, time, time);
  expect(watch.judge(known)).toMatchObject({ amount: 40 * COIN, isUncertain: true });
  expect(watch.judge(known)).toBe(null);
  for (const time of [32_000, 33_000]) watch.read(940 * COIN, time, time);
  expect(watch.judge(known)).toEqual({ amount: 20 * COIN, before: 960 * COIN, after: 940 * COIN, left: undefined });
});

test('before money counts as gone, all records of orders are read once more, from before the last exact balance on', () => {
  const watch = new Balance(LAG);
  const known = (): boolean => true;
  for (const time of [100_000, 200_000, 300_000, 301_000]) watch.read((time < 300_000 ? 1_000 : 900) * COIN, time, time);
  expect([watch.judge(known), watch.recordsSince]).toEqual([UNREAD, 200_000 - LAG - 60_000]);
  // A read that began earlier may lack the last of them.
  watch.recordsRead(301_000 + LAG - 1);
  expect(watch.judge(known)).toBe(UNREAD);
  watch.recordsRead(301_000 + LAG);
  expect(watch.judge(known)).toMatchObject({ amount: 100 * COIN });
});

test('a loss of orders that the bot does not hold is no money gone, and what really left beside it is exact', () => {
  for (const gone of [0, 30]) {
    const watch = new Balance(LAG);
    const known = (): boolean => true;
    watch.read(1_000 * COIN, 100_000, 100_000);
    watch.read(1_000 * COIN, 200_000, 200_000);
    expect(watch.judge(known)).toBe(null);
    for (const time of [300_000, 301_000]) watch.read((900 - gone) * COIN, time, time);
    expect(watch.judge(known)).toBe(UNREAD);
    watch.bookOthers('x', 250_000, 250_000, -40 * COIN);
    watch.bookOthers('y', 260_000, 260_000, -60 * COIN);
    // Another read of the same records, and one that the balance contained when it was exact.
    watch.bookOthers('x', 250_000, 250_000, -40 * COIN);
    watch.bookOthers('z', 100_000, 200_000 - LAG, -500 * COIN);
    watch.recordsRead(400_000);
    const gap = watch.judge(known);
    if (gone === 0) expect(gap).toBe(null);
    else expect(gap).toMatchObject({ amount: gone * COIN });
  }
});

test('an order that is read again books only what it earned since, and an older record of it nothing', () => {
  const watch = new Balance(LAG);
  watch.recordsRead(Infinity);
  watch.read(1_000 * COIN, 0, 0);
  watch.bookOrder('a', 20_000, 30_000, -10 * COIN);
  watch.bookOrder('a', 20_000, 40_000, -25 * COIN);
  watch.bookOrder('a', 20_000, 30_000, -10 * COIN);
  // The bot knows what an order booked that is forgotten here.
  watch.bookOrder('b', 20_000, 40_000, -45 * COIN, -40 * COIN);
  for (const time of [60_000, 61_000]) watch.read(970 * COIN, time, time);
  expect(watch.judge(() => true)).toBe(null);
  for (const time of [62_000, 63_000]) watch.read(968 * COIN, time, time);
  expect(watch.judge(() => true)).toMatchObject({ amount: 2 * COIN });
});

test('what was booked just before the first balance may be in it or not, until a read is exact', () => {
  for (const first of [1_000, 960]) {
    const watch = new Balance(LAG);
    const known = (): boolean => true;
    watch.recordsRead(Infinity);
    watch.bookOthers('x', 99_000, 99_000, -40 * COIN);
    // Older than any lag: it is in the balance.
    watch.bookOthers('y', 80_000, 80_000, -500 * COIN);
    watch.read(first * COIN, 100_000, 100_000);
    for (const time of [120_000, 121_000]) watch.read(960 * COIN, time, time);
    // A first balance that lagged: more than 1 % is told, as uncertain.
    if (first === 1_000) expect(watch.judge(known)).toMatchObject({ amount: 40 * COIN, isUncertain: true });
    expect(watch.judge(known)).toBe(null);
    for (const time of [140_000, 141_000]) watch.read(920 * COIN, time, time);
    expect(watch.judge(known)).toMatchObject({ amount: 40 * COIN });
  }
});

test('where trades may lie on either side of a read, the amount waits for the reads that contain them', () => {
  const watch = new Balance(LAG);
  const known = (): boolean => true;
  watch.recordsRead(Infinity);
  watch.read(1_000 * COIN, 0, 0);
  watch.bookOrder('a', 100_000, 100_000, -100 * COIN);
  for (let time = 100_000; time < 100_000 + LAG; time += 1_000) {
    watch.read(870 * COIN, time, time);
    expect(watch.judge(known), String(time)).toBe(null);
  }
  watch.read(870 * COIN, 100_000 + LAG, 100_000 + LAG);
  expect(watch.judge(known)).toMatchObject({ amount: 30 * COIN });
});

test('what is saved goes on after JSON: what was open stays open, and a later difference is from when the bot was away', () => {
  const first = new Balance(LAG);
  first.recordsRead(Infinity);
  for (const time of [0, 20_000, 40_000]) first.read(1_000 * COIN, time, time);
  expect(first.judge(() => true)).toBe(null);
  first.book(-Infinity, 41_000, 0, 3 * COIN);
  first.bookOrder('a', 40_000, 41_000, -10 * COIN);
  const saved = first.saved()!;
  expect(JSON.parse(JSON.stringify(saved))).toEqual(saved);
  const second = new Balance(LAG);
  second.recordsRead(Infinity);
  second.restore(saved);
  // Read once more at the start, and another that filled meanwhile.
  second.bookOthers('a', 40_000, 41_000, -10 * COIN);
  second.bookOthers('b', 50_000, 50_000, -20 * COIN);
  for (const time of [100_000, 101_000]) second.read(972 * COIN, time, time);
  expect(second.judge(() => true)).toBe(null);
  for (const time of [102_000, 103_000]) second.read(900 * COIN, time, time);
  expect(second.judge(() => true)).toMatchObject({ amount: 72 * COIN, after: 900 * COIN, left: 990 * COIN });
  for (const time of [104_000, 105_000]) second.read(850 * COIN, time, time);
  expect(second.judge(() => true)).toMatchObject({ amount: 50 * COIN, left: undefined });
});
