/** The noise test of the whole in small: searches through `optimize` on drawn markets, in a process of their own. `npm run noise` is the large one. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';

it('a search calls noise no skill, and finds the edge that it says it finds', { timeout: 300_000 }, () => {
  const out = execFileSync(process.execPath, [join(import.meta.dirname, 'run.ts'), '4', '12', '7', '30', '2'], { encoding: 'utf8' });
  const [noise = '', , large = '', planted = '', verdict] = out.trim().split('\n');
  expect(noise).toMatch(
    /^4 searches of 12 strategies of noise: [01] called skill \(garch \d, jumps \d, garch with jumps \d, fat tails \d\)/,
  );
  expect(large).toMatch(
    /^a search of 30 strategies of noise: not shown, [01] of them pass step by step; The best of 30 tries on noise would/,
  );
  const [, edge = '', measured = '', found = ''] = /one edge of (\S+) a span \(measured (\S+)\): (\d) found/.exec(planted) ?? [];
  expect(Number(found)).toBeGreaterThanOrEqual(1);
  // Two studies of 64 spans: an error of 0.1.
  expect(Math.abs(Number(measured) - Number(edge))).toBeLessThan(0.4);
  expect(verdict).toBe('as promised');
});
