/** What a person is told: once, with counts, resolved, quiet, acknowledged, escalated, and the same after a restart. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ALERT_RULES, type AlertRule } from '../../../../src/base/tables/alert-rules.ts';
import { happeningOf, type Level } from '../../../../src/monitor/alerts/alert-inputs.ts';
import { Alerts, type AlertSettings } from '../../../../src/monitor/alerts/alerts.ts';
import type { AlertMessage } from '../../../../src/ports/alert-channel.ts';

const NOON = Date.UTC(2026, 10, 28, 12);
const MINUTE = 60_000;
const SETTINGS: AlertSettings = { bot: 'tick', rules: {}, collapseMs: 15 * MINUTE, escalateAfterMs: 10 * MINUTE, isQuiet: () => false };
const KILL: Level = { kind: 'halt', name: 'kill', cause: 'bot', text: 'bot: kill: by anna' };
const LOST: Level = { kind: 'state', name: 'lost', cause: '', text: 'the bot has gone' };
const DISK = { name: 'log-not-written', cause: '', text: 'log-not-written, ENOSPC', isError: false };

function desk(settings: Partial<AlertSettings> = {}, saved?: ReturnType<Alerts['save']>) {
  const told: (AlertMessage & { to: string })[] = [];
  const alerts = new Alerts({ ...SETTINGS, ...settings }, (message, to) => void told.push({ ...message, to }), saved);
  return { alerts, told, titles: () => told.splice(0).map(({ title }) => title) };
}

const rows: Readonly<Record<string, AlertRule>> = ALERT_RULES;
const RULES = Object.keys(rows).filter((name) => rows[name]!.severity !== 'off');

/** Milliseconds until a level that goes on is told, when it is looked at four times a second. */
function toldAfter(level: Level): number {
  const { alerts, told } = desk();
  for (let ms = 0; ms < 60_000 && told.length === 0; ms += 250) alerts.observe([level], NOON + ms);
  return told[0] === undefined ? Infinity : told[0].time - NOON;
}

describe('a level', () => {
  test('is told once when it begins and once when it ends', () => {
    const { alerts, titles, told } = desk();
    for (let s = 0; s < 100; s++) alerts.observe([KILL], NOON + s * 1000);
    expect(titles()).toEqual(['CRITICAL tick: kill switch']);
    alerts.observe([], NOON + 100_000);
    alerts.tick(NOON + 3_600_000);
    expect(told[0]).toMatchObject({
      title: 'RESOLVED tick: kill switch',
      isResolved: true,
      text: 'bot: kill: by anna\nIt ended after 100 s.',
    });
    expect(alerts.open).toEqual([]);
  });

  test('that comes and goes is told at most three times in the time of collapse, and its end after a quiet minute', () => {
    const { alerts, titles } = desk({ escalateAfterMs: Infinity });
    for (let s = 0; s < 800; s++) alerts.observe(s % 20 < 10 ? [KILL] : [], NOON + s * 1000);
    expect(titles()).toEqual(['CRITICAL tick: kill switch', 'RESOLVED tick: kill switch', 'CRITICAL tick: kill switch']);
    alerts.observe([], NOON + 849_000);
    expect(titles()).toEqual([]);
    alerts.observe([], NOON + 850_000);
    expect(titles()).toEqual(['RESOLVED tick: kill switch']);
  });

  test('a bot that died, lived and dies for good is told each time, whatever was told before', () => {
    for (const deathsBefore of [0, 1, 5]) {
      const { alerts, told } = desk({ escalateAfterMs: Infinity });
      const lived = (from: number, to: number): void => {
        for (let ms = from; ms < to; ms += 250) alerts.observe([], NOON + ms);
      };
      const died = (from: number, to: number): void => {
        for (let ms = from; ms < to; ms += 250) alerts.observe([LOST], NOON + ms);
      };
      // Two seconds of death in each twenty before.
      for (let k = 0; k < deathsBefore; k++) {
        died(k * 20_000, k * 20_000 + 2_000);
        lived(k * 20_000 + 2_000, (k + 1) * 20_000);
      }
      const start = deathsBefore * 20_000 + 60_000;
      lived(start - 60_000, start);
      told.splice(0);
      died(start, start + 8_000);
      lived(start + 8_000, start + 9 * MINUTE);
      died(start + 9 * MINUTE, start + 60 * MINUTE);
      const seen = told.map(({ isResolved, time }) => [isResolved ? 'over' : 'gone', time - NOON - start] as const);
      expect(seen.slice(0, 3), `${deathsBefore} before`).toEqual([
        ['gone', 0],
        ['over', deathsBefore === 0 ? 8_000 : 68_000],
        ['gone', 9 * MINUTE],
      ]);
      expect(seen.slice(3).every(([what]) => what === 'gone')).toBe(true);
    }
  });

  test('critical and back before its end was told: it is told once it stays, with the count', () => {
    const { alerts, told } = desk({ escalateAfterMs: Infinity });
    const isDead = (s: number): boolean => s < 8 || (s >= 100 && s < 108) || s >= 150;
    for (let s = 0; s < 200; s++) alerts.observe(isDead(s) ? [LOST] : [], NOON + s * 1000);
    expect(told.map(({ isResolved, time }) => [isResolved, (time - NOON) / 1000])).toEqual([
      [false, 0],
      [true, 8],
      [false, 100],
      [false, 160],
    ]);
    expect(told[3]!.text).toBe('the bot has gone\n3 times since 12:00 UTC');
  });

  test('of a bot that dies and lives all the time is one message in half a minute at most, and its end is told', () => {
    for (const [dead, alive] of [
      [1, 1],
      [8, 20],
      [11, 1],
      [30, 30],
      [11, 59],
      [11, 61],
    ] as const) {
      const { alerts, told } = desk({ escalateAfterMs: Infinity });
      for (let s = 0; s < 600; s++) alerts.observe(s % (dead + alive) < dead ? [LOST] : [], NOON + s * 1000);
      expect(told.length, `${dead} s dead, ${alive} s alive`).toBeLessThanOrEqual(22);
      for (let s = 600; s <= 660; s++) alerts.observe([], NOON + s * 1000);
      expect(told.at(-1)).toMatchObject({ isResolved: true, title: 'RESOLVED tick: the bot is gone or stands still' });
    }
  });

  test('a warning that begins again is told after a minute at the latest', () => {
    const { alerts, told } = desk();
    const away: Level = { kind: 'halt', name: 'clock-skew', cause: 'bot', text: 'x' };
    for (let s = 0; s < 400; s++) alerts.observe(s < 10 || (s >= 20 && s < 30) || s >= 200 ? [away] : [], NOON + s * 1000);
    expect(told.map(({ isResolved, time }) => [isResolved, (time - NOON) / 1000])).toEqual([
      [false, 0],
      [true, 10],
      [false, 20],
      [true, 90],
      [false, 260],
    ]);
  });

  test('the end of a halt is not told while its bot is not heard', () => {
    const { alerts, told, titles } = desk({ escalateAfterMs: Infinity });
    for (let s = 0; s < 40; s++) alerts.observe(s % 20 < 5 ? [KILL] : [], NOON + s * 1000);
    titles();
    const unknown = new Set(['halt', 'trouble'] as const);
    for (let s = 40; s < 1200; s++) alerts.observe([LOST], NOON + s * 1000, unknown);
    expect(titles()).toEqual(['CRITICAL tick: the bot is gone or stands still']);
    alerts.observe([], NOON + 1_200_000);
    expect(told.map(({ title }) => title)).toEqual(['RESOLVED tick: kill switch', 'RESOLVED tick: the bot is gone or stands still']);
  });

  test('two halts of one rule are two causes, and another scope is a third', () => {
    const { alerts, told } = desk();
    const loss = (name: string, cause: string): Level => ({ kind: 'halt', name, cause, text: `${name} ${cause}` });
    alerts.observe([loss('daily-loss', 'bot'), loss('drawdown', 'bot'), loss('drawdown', 'symbol:BTCUSDT')], NOON);
    expect(told).toHaveLength(3);
    alerts.observe([loss('drawdown', 'bot'), loss('drawdown', 'symbol:BTCUSDT')], NOON + 1000);
    expect(told.slice(3).map(({ text }) => text.split('\n')[0])).toEqual(['daily-loss bot']);
  });

  test('that a rule gives time is told only if it lasts', () => {
    const { alerts, titles } = desk();
    const slow: Level = { kind: 'halt', name: 'outcome-unknown', cause: 'symbol:BTCUSDT', text: 'x' };
    alerts.observe([slow], NOON);
    alerts.observe([], NOON + 2_999);
    alerts.observe([slow], NOON + 10_000);
    alerts.observe([slow], NOON + 12_999);
    expect(titles()).toEqual([]);
    alerts.observe([slow], NOON + 13_000);
    expect(titles()).toEqual(['WARNING tick: unknown outcome for three seconds']);
  });

  test.each(RULES)('of the rule %s is told within five seconds, beside a second until it is seen', (rule) => {
    const { halts = [], events = [], troubles } = rows[rule]!;
    for (const name of halts) expect(toldAfter({ kind: 'halt', name, cause: 'x', text: 'x' }), name).toBeLessThanOrEqual(4_000);
    if (troubles === true) expect(toldAfter({ kind: 'trouble', name: 'silent', cause: 'x', text: 'x' })).toBeLessThanOrEqual(3_000);
    for (const name of events) {
      const { alerts, told } = desk();
      alerts.happened({ name, cause: '', text: name, isError: false }, NOON);
      expect(told, name).toHaveLength(1);
    }
  });

  test('goes on while the bot is not heard: nothing is called resolved that is not known', () => {
    const { alerts, titles } = desk();
    alerts.observe([KILL], NOON);
    titles();
    alerts.observe([{ kind: 'state', name: 'lost', cause: '', text: 'gone' }], NOON + 1000, new Set(['halt', 'trouble']));
    expect(titles()).toEqual(['CRITICAL tick: the bot is gone or stands still']);
    alerts.observe([KILL], NOON + 2000);
    expect(titles()).toEqual(['RESOLVED tick: the bot is gone or stands still']);
  });
});

describe('an event', () => {
  test('the last words of a bot are told at each stop, because its monitor ends with it', () => {
    const { alerts, told } = desk();
    for (const s of [0, 22, 60]) {
      alerts.happened({ name: 'orders-left', cause: '', text: 'orders-left, orders 1', isError: false }, NOON + s * 1000);
      alerts.tick(NOON + s * 1000 + 250);
    }
    expect(told.map(({ title }) => title)).toEqual(Array.from({ length: 3 }, () => 'WARNING tick: orders stay at the venue'));
  });

  test('alerts.collapseMs: repetitions within it are one message with their count', () => {
    for (const collapseMs of [15 * MINUTE, MINUTE]) {
      const { alerts, told } = desk({ collapseMs });
      for (let k = 0; k < 90; k++) alerts.happened(DISK, NOON + k * 10_000);
      alerts.tick(NOON + 60 * MINUTE);
      expect(told).toHaveLength(collapseMs === MINUTE ? 16 : 2);
      expect(told.at(-1)!.text).toContain('90 times since 12:00 UTC');
      alerts.tick(NOON + 120 * MINUTE);
      expect(alerts.open, 'it is forgotten then').toEqual([]);
    }
  });

  test('that is critical and happens again after a quiet minute is told at once; what goes on is one message with a count', () => {
    const { alerts, told } = desk({ escalateAfterMs: Infinity });
    const failed = { name: 'bot-failed', cause: '', text: 'bot-failed', isError: true };
    const texts = (): string[] => told.splice(0).map(({ text }) => text);
    for (const seconds of [0, 30, 89]) alerts.happened(failed, NOON + seconds * 1000);
    expect(texts()).toEqual(['bot-failed']);
    alerts.happened(failed, NOON + 149_000);
    expect(texts()).toEqual(['bot-failed\n4 times since 12:00 UTC']);
    // A warning waits for the end of the collapse.
    for (const minutes of [0, 5]) alerts.happened(DISK, NOON + minutes * MINUTE);
    expect(texts()).toEqual([DISK.text]);
  });

  test('of level error that no rule watches is told, others are not', () => {
    const { alerts, titles } = desk();
    alerts.happened({ name: 'something-new', cause: '', text: 'x', isError: true }, NOON);
    alerts.happened({ name: 'heartbeat', cause: '', text: 'x', isError: false }, NOON);
    expect(titles()).toEqual(['WARNING tick: an error in the log']);
  });

  test('of a halt is told once, although the log has errors of it too', () => {
    const { alerts, titles } = desk();
    alerts.observe([{ ...KILL, name: 'late-landing', cause: 'leg:BTCUSDT:LONG' }], NOON);
    for (const event of ['late-landing', 'leg-halted', 'opens-halted']) {
      alerts.happened(happeningOf({ event, level: 'error', time: '2026-01-01T12:00:00.000Z', id: 'a', symbol: 'BTCUSDT' }), NOON);
    }
    expect(titles()).toEqual(['CRITICAL tick: unknown outcome']);
  });
});

test('alerts.rules: a severity differs, and off is not told', () => {
  const { alerts, titles } = desk({ rules: { kill: 'warning', disk: 'off', fill: 'info' } });
  alerts.observe([KILL], NOON);
  alerts.happened(DISK, NOON);
  alerts.happened({ name: 'fill', cause: 'BTCUSDT', text: 'x', isError: false }, NOON);
  expect(titles()).toEqual(['WARNING tick: kill switch', 'INFO tick: a fill']);
});

test('alerts.quietHours: critical alerts pass, the rest becomes one digest at the end', () => {
  const { alerts, told, titles } = desk({ isQuiet: (now) => now < NOON + 60 * MINUTE });
  alerts.happened(DISK, NOON);
  alerts.happened({ name: 'strategy-error', cause: 'a', text: 'x', isError: false }, NOON + 1000);
  alerts.observe([KILL], NOON + 2000);
  alerts.observe([], NOON + 3000);
  expect(titles()).toEqual(['CRITICAL tick: kill switch', 'RESOLVED tick: kill switch']);
  alerts.tick(NOON + 60 * MINUTE);
  expect(told).toMatchObject([
    {
      title: 'WARNING tick: 2 alerts of the quiet hours',
      text: '12:00 UTC WARNING tick: files cannot be written\n12:00 UTC WARNING tick: a strategy threw',
    },
  ]);
});

describe('an escalation', () => {
  test('alerts.escalateAfterMs: a critical alert that nobody acknowledged goes to the second channel once; a warning does not', () => {
    const { alerts, told, titles } = desk();
    alerts.observe([KILL], NOON);
    alerts.happened(DISK, NOON);
    titles();
    alerts.tick(NOON + 10 * MINUTE - 1);
    expect(told).toEqual([]);
    for (let k = 0; k < 3; k++) alerts.tick(NOON + 10 * MINUTE + k);
    expect(told).toMatchObject([{ to: 'escalation', title: 'CRITICAL tick: kill switch (not acknowledged)' }]);
  });

  test('an acknowledged or resolved one is not escalated, and one that came back after it was resolved is', () => {
    const { alerts, told, titles } = desk();
    alerts.observe([KILL], NOON);
    expect(alerts.acknowledge(told[0]!.alert, 'anna')).toBe(true);
    expect(alerts.acknowledge(999, 'anna')).toBe(false);
    alerts.tick(NOON + 11 * MINUTE);
    expect(told.filter(({ to }) => to === 'escalation')).toEqual([]);
    alerts.observe([], NOON + 12 * MINUTE);
    alerts.observe([KILL], NOON + 13 * MINUTE);
    titles();
    alerts.observe([KILL], NOON + 23 * MINUTE);
    expect(told).toMatchObject([{ to: 'escalation' }]);
  });
});

test('after a restart nothing is told twice, and what ended meanwhile is resolved', () => {
  const before = desk();
  before.alerts.observe([KILL], NOON);
  before.alerts.happened(DISK, NOON);
  const after = desk({}, JSON.parse(JSON.stringify(before.alerts.save())) as ReturnType<Alerts['save']>);
  after.alerts.observe([], NOON + 1000, new Set(['halt', 'trouble', 'state']));
  after.alerts.observe([KILL], NOON + 2000);
  after.alerts.happened(DISK, NOON + 2000);
  expect(after.titles()).toEqual([]);
  after.alerts.observe([], NOON + 3000);
  expect(after.titles()).toEqual(['RESOLVED tick: kill switch']);
});

test('whatever comes and goes: the last message says how it is, and the number of messages is bounded', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.boolean(), fc.integer({ min: 1, max: 400 })), { minLength: 1, maxLength: 60 }), (steps) => {
      const { alerts, told } = desk();
      let [now, holds] = [NOON, false];
      for (const [isOn, seconds] of steps) {
        holds = isOn;
        alerts.observe(holds ? [KILL] : [], now);
        for (let s = 0; s < seconds; s += 30) alerts.tick((now += 30_000));
      }
      alerts.tick(now + MINUTE);
      const last = told.filter(({ to }) => to === 'usual').at(-1);
      expect(last === undefined ? false : !last.isResolved).toBe(holds);
      expect(told.filter(({ to }) => to === 'usual').length).toBeLessThanOrEqual(2 * Math.ceil((now - NOON) / MINUTE) + 3);
    }),
    { numRuns: 300 },
  );
});
