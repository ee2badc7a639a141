import { expect, it } from 'vitest';
import fc from 'fast-check';
import { firstIndex } from '../../../src/base/collections/first-index.ts';

it('is what a search one by one finds, and looks at few', () => {
  fc.assert(
    fc.property(fc.nat(50), fc.nat(300), fc.nat(400), (from, length, at) => {
      const to = from + length;
      let looks = 0;
      const found = firstIndex(from, to, (k) => {
        looks++;
        return k >= at;
      });
      expect(found).toBe(Math.max(from, Math.min(to, at)));
      expect(looks).toBeLessThanOrEqual(Math.ceil(Math.log2(length + 1)) + 1);
    }),
  );
});
