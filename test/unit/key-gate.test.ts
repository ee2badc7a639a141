/** The gate of signed requests while the venue refuses the key. */
import { expect, test } from 'vitest';
import { KeyGate } from '../../src/engine/state/key-gate.ts';

/** Times of the probes that leave within `forMs`, each refused after 50 ms. */
function probes(forMs: number, hasOpen: () => boolean): number[] {
  const gate = new KeyGate();
  gate.attach(hasOpen);
  gate.shut(0);
  const times: number[] = [];
  for (let now = 0; now <= forMs; now += 50) {
    if (times.at(-1) === now - 50) gate.ended();
    if (!gate.mayTry(now)) continue;
    gate.tries(now);
    times.push(now);
  }
  return times;
}

test('probes become rarer up to one a minute; with something open none is later than two seconds', () => {
  expect(probes(200_000, () => false)).toEqual([1_000, 3_000, 7_000, 15_000, 31_000, 63_000, 123_000, 183_000]);
  expect(probes(9_000, () => true)).toEqual([1_000, 3_000, 5_000, 7_000, 9_000]);
});

test('what opens during a long pause shortens it', () => {
  let isOpen = false;
  const gate = new KeyGate();
  gate.attach(() => isOpen);
  gate.shut(0);
  for (const now of [1_000, 3_000, 7_000]) {
    expect(gate.mayTry(now)).toBe(true);
    gate.tries(now);
    gate.ended();
  }
  expect(gate.mayTry(9_000)).toBe(false);
  isOpen = true;
  expect(gate.mayTry(9_000)).toBe(true);
});

test('one probe at a time; one without a result counts as lost after five seconds', () => {
  const gate = new KeyGate();
  gate.shut(0);
  gate.tries(1_000);
  expect([gate.mayTry(2_500), gate.mayTry(5_999), gate.mayTry(6_000)]).toEqual([false, false, true]);
  expect(gate.lookAt(2_500)).toBe(2_750);
  gate.open();
  expect([gate.isShut, gate.mayTry(2_500), gate.lookAt(2_500)]).toEqual([false, true, 2_500]);
});
