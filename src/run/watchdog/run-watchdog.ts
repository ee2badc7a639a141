/** Runs a watchdog until it is stopped, or the bot that started it has ended. */
import { exitCode } from '../../base/failure/exit-codes.ts';
import { Notifier } from '../../edge/systemd/notify.ts';
import { machineNow } from '../../edge/time/machine-clock.ts';
import type { LogOutput } from '../../edge/log/pino-log.ts';
import { untilStopped } from '../setup/signals.ts';
import type { WatchdogSettings } from './settings.ts';
import { Watchdog } from './watchdog.ts';

/** Returns the exit code. @throws Failure, BaseUrlError */
export async function runWatchdog(
  settings: WatchdogSettings,
  log: LogOutput,
  env: Readonly<Record<string, string | undefined>>,
): Promise<number> {
  const stopped = untilStopped();
  const onFailure = (error: unknown): void => log.warn('systemd-not-told', { error });
  const watchdog = new Watchdog(settings, log, new Notifier({ env, now: machineNow, onFailure }));
  process.send?.('ready');
  // Ctrl-C and what PM2 sends to the children of a bot that is stopped are not for its watchdog: the bot says itself when it has ended.
  if (settings.isOwned) process.on('SIGTERM', () => void watchdog.terminate());
  else void stopped.then(() => watchdog.terminate());
  await watchdog.ended;
  return exitCode.done;
}
