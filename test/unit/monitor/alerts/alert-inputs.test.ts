/** What alerts look at: a silent bot and a silent venue are seen in time, and nothing is seen of one that answers. */
import { expect, test } from 'vitest';
import { botLevels, happeningOf, lostLevel } from '../../../../src/monitor/alerts/alert-inputs.ts';
import { Alerts } from '../../../../src/monitor/alerts/alerts.ts';
import type { HaltAnswer } from '../../../../src/control/answers.ts';
import { ReadModel } from '../../../../src/monitor/model/read-model.ts';
import type { LogRow, StatusRow } from '../../../../src/control/changes.ts';

const NOW = 1_000_000;

function modelOf(status: Partial<StatusRow>): ReadModel {
  const model = new ReadModel(0);
  model.status = { time: NOW, troubles: [], ...status } as unknown as StatusRow;
  model.connection = { state: 'connected', since: 0, heardAt: NOW, cause: '' };
  return model;
}

test('a venue is silent once a request has waited for a second, whatever the time-out is', () => {
  for (const [silentSince, expected] of [
    [0, []],
    [NOW - 999, []],
    [NOW - 1_000, ['silent']],
    [NOW - 60_000, ['silent']],
  ] as const) {
    expect(botLevels(modelOf({ venueSilentSince: silentSince })).map(({ name }) => name)).toEqual(expected);
  }
  expect(botLevels(modelOf({})), 'a bot of an older version').toEqual([]);
});

test('a bot that sends nothing is lost in less than five seconds', () => {
  const model = modelOf({});
  expect(lostLevel(model, NOW, NOW + 3_499)).toBe(null);
  expect(lostLevel(model, NOW, NOW + 3_500)).toMatchObject({ name: 'lost' });
});

test('who halted is in the title of the alert: an operator, the watchdog or the bot itself', () => {
  const halt = (by: string, code = 'operator'): HaltAnswer => ({ scope: 'bot', code, detail: 'd', since: 0, by, ends: 'e' });
  const titles: string[] = [];
  for (const one of [halt('root (command line)'), halt('watchdog'), halt('bot', 'flatten'), halt('bot', 'daily-loss')]) {
    const settings = { bot: 'tick', rules: {}, collapseMs: 0, escalateAfterMs: Infinity, isQuiet: () => false };
    const alerts = new Alerts(settings, ({ title }) => void titles.push(title));
    alerts.observe(botLevels(modelOf({ halts: [one] })), NOW);
    alerts.observe([], NOW + 1);
  }
  expect(titles).toEqual([
    'INFO tick: halted by an operator',
    'RESOLVED tick: halted by an operator',
    'INFO tick: halted by the watchdog',
    'RESOLVED tick: halted by the watchdog',
    'INFO tick: halted by the bot',
    'RESOLVED tick: halted by the bot',
    'CRITICAL tick: loss limit',
    'RESOLVED tick: loss limit',
  ]);
});

test('the title says what is so: a restored store is not lost, and a venue that refuses the key is not away', () => {
  const halt = (code: string): HaltAnswer => ({ scope: 'bot', code, detail: 'd', since: 0, by: 'bot', ends: 'e' });
  const trouble = (cause: string, status: number) => ({ of: 'signed', cause, status, says: '', since: 0, failures: 3 }) as const;
  const titles: string[] = [];
  for (const status of [
    { halts: [halt('journal-restored')] },
    { halts: [halt('journal-lost')] },
    { halts: [halt('journal-away')] },
    { troubles: [trouble('unauthorized', 400)] },
    { troubles: [trouble('forbidden', 403)] },
    { troubles: [trouble('rate-limited', 429)] },
    { troubles: [trouble('unavailable', 503)] },
  ]) {
    const settings = { bot: 'tick', rules: {}, collapseMs: 0, escalateAfterMs: Infinity, isQuiet: () => false };
    const alerts = new Alerts(settings, ({ title }) => void titles.push(title));
    alerts.observe(botLevels(modelOf(status)), NOW);
    alerts.tick(NOW + 2_000);
  }
  expect(titles).toEqual([
    'WARNING tick: the store was restored from a backup',
    'CRITICAL tick: the store is lost',
    'CRITICAL tick: the store does not answer',
    'WARNING tick: the venue refuses the key',
    'WARNING tick: the venue forbids requests',
    'WARNING tick: the venue refuses requests as too many',
    'WARNING tick: the venue is away',
  ]);
});

test('a stop is told in words', () => {
  const says = (liveOrders: number): string =>
    happeningOf({ id: 1, time: NOW, level: 'info', event: 'stopping', liveOrders } as unknown as LogRow).text;
  expect([0, 1, 4].map(says)).toEqual([
    'The bot was asked to stop; it has no order at the venue.',
    'The bot was asked to stop while 1 of its orders was open at the venue.',
    'The bot was asked to stop while 4 of its orders were open at the venue.',
  ]);
});
