/** Who starts a watchdog if the configuration says nothing, and what a start without one says. */
import { expect, it } from 'vitest';
import { warningsOf } from '../../../src/cli/bot/start/start-checks.ts';
import { defaultConfig } from '../../../src/config/defaults.ts';
import type { BotConfig, WatchdogConfig } from '../../../src/config/model.ts';
import { watchdogStart } from '../../../src/config/watchdog-start.ts';
import { watchdogSettings } from '../../../src/run/watchdog/settings.ts';

const PAPER = 'http://127.0.0.1:8420';
const LIVE = 'https://api.example.com';

function configOf(baseUrl: string, start?: WatchdogConfig['start']): BotConfig {
  const config = defaultConfig();
  const watchdog = { ...config.watchdog, ...(start === undefined ? {} : { start }) };
  return { ...config, venue: { ...config.venue, baseUrl }, watchdog };
}

it('a bot starts its watchdog where trading costs money, and none on paper, unless the configuration says otherwise', () => {
  expect([watchdogStart(configOf(LIVE)), watchdogStart(configOf(PAPER)), watchdogStart(configOf(''))]).toEqual(['bot', 'off', 'off']);
  for (const start of ['off', 'bot', 'apart'] as const)
    expect([watchdogStart(configOf(LIVE, start)), watchdogStart(configOf(PAPER, start))], start).toEqual([start, start]);
  // What the watchdog is told is who starts it, not the rule.
  expect(watchdogSettings(configOf(LIVE), true).watchdog.start).toBe('bot');
});

it('a live bot without a watchdog says so at its start', () => {
  const warnsOf = (config: BotConfig, live?: true): boolean =>
    warningsOf(config, live === true ? { live } : {}).some((text) => text.startsWith('no watchdog: '));
  expect([warnsOf(configOf(LIVE), true), warnsOf(configOf(LIVE, 'apart'), true), warnsOf(configOf(PAPER))]).toEqual([false, false, false]);
  expect([warnsOf(configOf(LIVE, 'off'), true), warnsOf(configOf(PAPER, 'off'))]).toEqual([true, false]);
});
