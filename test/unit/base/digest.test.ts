/** The digest behind a backtest's hash: a text counts by its length and code units. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Digest } from '../../../src/base/digest.ts';

test('a text counts by its length and its code units', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary' })), (texts) => {
      const whole = new Digest();
      const byUnits = new Digest();
      for (const text of texts) {
        whole.text(text);
        byUnits.integer(text.length);
        for (let i = 0; i < text.length; i++) byUnits.integer(text.charCodeAt(i));
      }
      expect(whole.hex()).toBe(byUnits.hex());
    }),
  );
});

test('order, sign and the high word of an integer count', () => {
  const hexOf = (...values: number[]): string => {
    const digest = new Digest();
    for (const value of values) digest.integer(value);
    return digest.hex();
  };
  const all = [hexOf(1, 2), hexOf(2, 1), hexOf(1), hexOf(-1), hexOf(1 + 2 ** 32), hexOf(1, 0), hexOf()];
  expect(new Set(all).size).toBe(all.length);
  expect(all.every((hex) => /^[0-9a-f]{32}$/.test(hex))).toBe(true);
});
