/** Which answers count for the estimate of the venue's clock. */
import { expect, it } from 'vitest';
import { VenueClock } from '../../../../src/edge/time/venue-clock.ts';

const OWN = { now: () => 0, wall: () => 0 };

it('counts answers of one millisecond, also if our clock ticks between them', () => {
  const clock = new VenueClock(OWN);
  for (let k = 0; k < 4; k++) clock.sample(1_000, 400, 400);
  expect(clock.offset).toBe(null);
  clock.sample(1_000, 401, 401);
  expect(clock.offset).toBe(600);
});

it('does not count an answer that a cache repeats', () => {
  const clock = new VenueClock(OWN);
  clock.sample(1_000, 400, 400);
  for (let k = 0; k < 10; k++) clock.sample(1_000, 402 + 500 * k, 403 + 500 * k);
  expect(clock.offset).toBe(null);
});
