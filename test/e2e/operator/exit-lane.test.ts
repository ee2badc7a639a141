/** Cancels and closes are sent soon whatever fails beside them. The real figures: `npm run exits`. */
import { expect, it } from 'vitest';
import { exitLatency, FAULT_SETS, quantile } from '../../support/latency/exit-latency.ts';

/** Ten times the promised time, for machines that do other work. */
const WITHIN_MS = 2_500;
const HERE = ['N4 every write hangs', 'N4 every read hangs', 'N7 opens are refused for a minute', 'N7 writes are refused in bursts'];

it.each(FAULT_SETS.filter(({ name }) => HERE.includes(name)))('$name: cancels and closes are sent at once [N4]', async (set) => {
  const { cancels, closes, unsent, faults } = await exitLatency(set, 3_000);
  expect(faults).toBeGreaterThan(0);
  expect(cancels.length).toBeGreaterThan(5);
  expect(closes.length).toBeGreaterThan(1);
  expect(unsent).toBe(0);
  expect(quantile([...cancels, ...closes], 0.99)).toBeLessThan(WITHIN_MS);
});
