/** A map of the entries that were set last, beside a plain list. */
import { expect, test } from 'vitest';
import { RecentMap } from '../../../src/base/collections/recent-map.ts';
import { Random } from '../../../src/base/random.ts';

test('keeps at least the newest entries, fewer than twice as many, the newest last', () => {
  const random = new Random(7);
  const size = 10;
  const map = new RecentMap<number, number>(size);
  let plain: [number, number][] = [];
  for (let k = 0; k < 300; k++) {
    const key = random.below(40);
    plain = [...plain.filter(([one]) => one !== key), [key, k]];
    map.set(key, k);
    const kept = [...map];
    expect(kept.length).toBeLessThan(2 * size);
    expect(kept.length).toBeGreaterThanOrEqual(Math.min(size, plain.length));
    expect(kept).toEqual(plain.slice(-kept.length));
    for (const [one, value] of kept) expect([map.has(one), map.get(one)]).toEqual([true, value]);
    for (const [one] of plain.slice(0, -kept.length)) expect([map.has(one), map.get(one)]).toEqual([false, undefined]);
  }
});

test('keeps an entry whose value is undefined', () => {
  const map = new RecentMap<string, undefined>(2);
  map.set('a', undefined);
  expect([map.has('a'), map.get('a')]).toEqual([true, undefined]);
});
