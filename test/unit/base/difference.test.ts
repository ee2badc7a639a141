/** What differs between plain values: it makes the later of the earlier one, and is small where little differs. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { differenceOf, withDifference } from '../../../src/base/difference.ts';

test('it has the members that differ, and the whole value where the members are others', () => {
  expect(differenceOf({ a: 1, b: { c: 'x', d: [1, 2] } }, { a: 1, b: { c: 'x', d: [1, 3] } })).toEqual({ b: { d: { 1: [3] } } });
  expect(differenceOf([1, 2], [1, 2, 3])).toEqual([[1, 2, 3]]);
  expect(differenceOf({ a: 1 }, { b: 1 })).toEqual([{ b: 1 }]);
  expect(differenceOf({ 0: 'x' }, ['x'])).toEqual([['x']]);
  expect(differenceOf(null, {})).toEqual([{}]);
  expect(differenceOf({ a: [] }, { a: [] })).toBe(null);
});

test('with it, also when it was written as JSON, the earlier value becomes the later one, and is itself as it was', () => {
  const plain = fc.jsonValue({ maxDepth: 3 });
  // Of two independent values little is alike: one is also changed at a member.
  const pair = fc.oneof(
    fc.tuple(plain, plain),
    fc.tuple(fc.array(plain, { minLength: 1 }), plain).map(([list, one]): [unknown, unknown] => [list, [...list.slice(0, -1), one]]),
    fc.tuple(fc.dictionary(fc.string(), plain), plain).map(([some, one]): [unknown, unknown] => [
      { ...some, a: 1 },
      { ...some, a: one },
    ]),
  );
  fc.assert(
    fc.property(pair, ([before, after]) => {
      const written = JSON.stringify(before);
      const difference = JSON.parse(JSON.stringify(differenceOf(before, after))) as ReturnType<typeof differenceOf>;
      expect(JSON.stringify(withDifference(before, difference))).toBe(JSON.stringify(after));
      expect(JSON.stringify(before)).toBe(written);
    }),
  );
});
