/** Who starts the watchdog of a bot, if anybody. */
import { isRemote } from './base-url.ts';
import type { BotConfig, WatchdogConfig } from './model.ts';

/** `live`, the default, is the bot itself where trading costs money, and nobody elsewhere. */
export function watchdogStart(config: Pick<BotConfig, 'venue' | 'watchdog'>): Exclude<WatchdogConfig['start'], 'live'> {
  const { start } = config.watchdog;
  if (start !== 'live') return start;
  return isRemote(config) ? 'bot' : 'off';
}
