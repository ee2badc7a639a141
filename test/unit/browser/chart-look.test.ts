/** Lines of a chart are told apart by their colours, and from the ninth on by dashes too. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

interface Look {
  readonly color: string;
  readonly lineStyle: number;
}
// A path that the compiler does not follow: pages have no types.
const path = '../../../src/browser/chart-look.js';
const { lineLook, longestStep } = (await import(path)) as {
  lineLook(colors: unknown, k: number, options: { title: string }): Look;
  longestStep(times: readonly number[]): number;
};

test('eight lines have colours of their own, which every scheme has; those after them are dashed', () => {
  const css = readFileSync('src/browser/look.css', 'utf8');
  const colors = new Proxy({}, { get: (_, name) => String(name) });
  const looks = Array.from({ length: 16 }, (_, k) => lineLook(colors, k, { title: '' }));
  expect(new Set(looks.slice(0, 8).map(({ color }) => color)).size).toBe(8);
  expect(new Set(looks.map(({ color, lineStyle }) => `${color} ${lineStyle}`)).size).toBe(16);
  for (const { color } of looks) expect(css.split(`--${color}: #`), color).toHaveLength(3);
});

test('a step of more than four times the usual one is a gap in a line', () => {
  const minutes = Array.from({ length: 60 }, (_, k) => 60 * k);
  expect(longestStep(minutes)).toBe(240);
  // A few gaps do not make longer steps usual.
  expect(longestStep([...minutes, 7200, 7260, 10_800])).toBe(240);
  expect(longestStep([0, 60])).toBe(240);
  expect(longestStep([0])).toBe(Infinity);
});
