/** A rule over the past: what was recorded by the minute tells as often as the live rule did. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Level } from '../../../../src/monitor/alerts/alert-inputs.ts';
import { Alerts, type AlertSettings } from '../../../../src/monitor/alerts/alerts.ts';
import { PastMinute } from '../../../../src/monitor/alerts/past-minute.ts';
import { rehearsed } from '../../../../src/monitor/alerts/rehearse-rule.ts';

const START = Date.UTC(2026, 10, 28);
const SETTINGS: AlertSettings = {
  bot: 'tick',
  rules: { market: 'info' },
  collapseMs: 900_000,
  escalateAfterMs: 600_000,
  isQuiet: () => false,
};
const SPREAD: Level = { kind: 'halt', name: 'max-spread', cause: 'symbol:BTCUSDT', text: 'x' };
const HOURS: Level = { kind: 'halt', name: 'trading-hours', cause: 'bot', text: 'x' };

/** Looks once a second; each spell of a level is [start, seconds]. */
function lived(spells: readonly (readonly [Level, number, number])[], seconds: number) {
  const told: number[] = [];
  const alerts = new Alerts(SETTINGS, ({ time }) => void told.push(time));
  const past = new PastMinute();
  const rows = [];
  for (let s = 0; s < seconds; s++) {
    const now = START + s * 1000;
    const levels = spells.filter(([, from, long]) => s >= from && s < from + long).map(([level]) => level);
    past.observe(levels, now);
    alerts.observe(levels, now);
    rows.push(...past.taken(now));
  }
  return { told, rows: [...rows, ...past.taken(Infinity)] };
}

test('two levels that hold over minutes are told once each, with their ends', () => {
  const { told, rows } = lived(
    [
      [SPREAD, 70, 400],
      [HOURS, 100, 1000],
    ],
    1500,
  );
  const past = rehearsed('market', rows, SETTINGS, 'info');
  expect(told).toHaveLength(4);
  expect(past.map(({ time }) => Math.round((time - START) / 2000))).toEqual(told.map((time) => Math.round((time - START) / 2000)));
});

test('a rule that is off is rehearsed, and other rules are not', () => {
  const { rows } = lived(
    [
      [SPREAD, 5, 30],
      [{ ...SPREAD, name: 'kill' }, 5, 30],
    ],
    100,
  );
  expect(rehearsed('market', rows, { ...SETTINGS, rules: {} }, 'info')).toHaveLength(2);
  expect(rehearsed('disk', rows, SETTINGS, 'warning')).toEqual([]);
});

test('whatever held when, the past tells as often as the live rule', () => {
  const spell = fc.tuple(fc.constantFrom(SPREAD, HOURS), fc.integer({ min: 0, max: 80 }), fc.integer({ min: 1, max: 20 }));
  fc.assert(
    fc.property(fc.array(spell, { maxLength: 5 }), (spells) => {
      // Whole minutes: within one minute the past only knows the first moment and the time that it held.
      const { told, rows } = lived(
        spells.map(([level, from, long]) => [level, from * 60, long * 60] as const),
        8_000,
      );
      expect(rehearsed('market', rows, SETTINGS, 'info')).toHaveLength(told.length);
    }),
    { numRuns: 60 },
  );
});
