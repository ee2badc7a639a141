/** Says who starts the watchdog of a bot, if anybody, and what its times must have in common. */
import type { Problem } from '../base/failure/failure.ts';
import { isRemote } from './schema/base-url.ts';
import type { BotConfig, WatchdogConfig } from './model.ts';

/** `live`, the default, is the bot itself where trading costs money, and nobody elsewhere. */
export function watchdogStart(config: Pick<BotConfig, 'venue' | 'watchdog'>): Exclude<WatchdogConfig['start'], 'live'> {
  const { start } = config.watchdog;
  if (start !== 'live') return start;
  return isRemote(config) ? 'bot' : 'off';
}

/** `place`: the place ("file:line:column") of the value of a key. */
export function watchdogProblems(
  { watchdog: { flattenAfterMs, silenceMs } }: Pick<BotConfig, 'watchdog'>,
  place: (path: readonly (string | number)[]) => string | undefined,
): Problem[] {
  if (flattenAfterMs === 0 || flattenAfterMs >= silenceMs) return [];
  const what = `watchdog.flattenAfterMs is ${flattenAfterMs} ms, less than watchdog.silenceMs, ${silenceMs} ms`;
  const hint = 'first the opening orders are cancelled, then positions are closed: set a longer flattenAfterMs, or 0 for never';
  return [{ what, where: place(['watchdog', 'flattenAfterMs']), hint }];
}
