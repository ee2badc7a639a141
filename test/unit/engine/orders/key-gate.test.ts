/** The gate of signed requests while the venue refuses the key. */
import { expect, test } from 'vitest';
import { KeyGate } from '../../../../src/engine/state/key-gate.ts';
import { polledRig, rejection, settleReads } from '../../../support/engine/engine-kit.ts';

/** Times of the probes that leave within `forMs`, each refused after 50 ms. */
function probes(forMs: number, hasOpen: () => boolean): number[] {
  const all = new KeyGate();
  all.attach(hasOpen);
  const gate = all.reads;
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
  const all = new KeyGate();
  all.attach(() => isOpen);
  const gate = all.reads;
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
  const gate = new KeyGate().reads;
  gate.shut(0);
  gate.tries(1_000);
  expect([gate.mayTry(2_500), gate.mayTry(5_999), gate.mayTry(6_000)]).toEqual([false, false, true]);
  expect(gate.lookAt(2_500)).toBe(2_750);
  gate.open();
  expect([gate.isShut, gate.mayTry(2_500), gate.lookAt(2_500)]).toEqual([false, true, 2_500]);
});

test('commands and reads have turns of their own: with something open commands leave every two seconds, and reads between', () => {
  const gate = new KeyGate();
  gate.attach(() => true);
  const sides = [gate.commands, gate.reads] as const;
  for (const side of sides) side.shut(0);
  const times: [number[], number[]] = [[], []];
  for (let now = 0; now <= 9_000; now += 50) {
    for (const [k, side] of sides.entries()) {
      if (times[k]!.at(-1) === now - 50) side.ended();
      if (!side.mayTry(now)) continue;
      side.tries(now);
      times[k]!.push(now);
    }
  }
  expect(times).toEqual([
    [1_000, 3_000, 5_000, 7_000, 9_000],
    [1_500, 4_000, 6_000, 8_000],
  ]);
});

test('a key that may read but not trade shuts commands alone, until one is taken', () => {
  const keyGate = new KeyGate();
  const r = polledRig({}, { keyGate });
  const refuse = (): void => {
    const n = r.ctx().limit(r.ctx().markets[0]!, 'LONG', 'OPEN', 999, 0.01);
    expect(n).toBeGreaterThan(0);
    r.venue.rejected(n, rejection('unauthorized'));
    while (r.kernel.status().haltedAll !== '') pass();
  };
  const pass = (): void => {
    r.advance(100);
    settleReads(r, [], []);
  };
  for (let k = 0; k < 3; k++) {
    expect(keyGate.commands.isShut).toBe(false);
    refuse();
  }
  expect([keyGate.commands.isShut, keyGate.reads.isShut]).toEqual([true, false]);
  for (let k = 0; k < 50; k++) pass();
  expect(keyGate.commands.isShut).toBe(true);
  r.venue.accepted(r.ctx().limit(r.ctx().markets[0]!, 'LONG', 'OPEN', 999, 0.01), 'v1');
  expect(keyGate.commands.isShut).toBe(false);
});
