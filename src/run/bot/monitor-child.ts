/** The monitor of a bot: a process that is started with it and outlives it when it dies. */
import type { BotConfig } from '../../config/model.ts';
import type { Log } from '../../ports/log.ts';
import { writeMonitorSettings } from '../setup/monitor-settings.ts';
import { stateFolder } from '../setup/state-folder.ts';
import { keepProcess, type Keeper } from './kept-process.ts';
import { makeFolder } from './outside/try-folders.ts';

export interface MonitorChild extends Keeper {
  /** Its address; "" if it has none within `ms`. */
  url(ms: number): Promise<string>;
}

/** The monitor of a bot that is started by this command; null if the configuration wants none. */
export function monitorOf(config: BotConfig, log: Log, command: 'start' | 'run'): MonitorChild | null {
  const { enabled, port } = config.monitor;
  const folder = stateFolder(config);
  try {
    makeFolder(folder);
    writeMonitorSettings(folder, config);
  } catch (error) {
    // The start of the bot says what is wrong with its folder.
    log.debug('monitor-ended', { error });
    return null;
  }
  const isWanted = enabled === 'always' || (enabled === 'start' && (command === 'start' || config.alerts.file !== ''));
  if (!isWanted) return null;
  let onUrl: (url: string) => void = () => undefined;
  const printed = new Promise<string>((resolve) => (onUrl = resolve));
  const args = ['--state', folder, '--port', String(port)];
  const onPrinted = (url: string): void => {
    onUrl(url);
    log.info('dashboard', { url, open: 'tickwright open' });
  };
  const keeper = keepProcess({
    name: 'monitor',
    args,
    folder,
    given: null,
    onPrinted,
    onEnded: (facts) => log.warn('monitor-ended', facts),
  });
  return {
    stop: () => keeper.stop(),
    url: (ms) => Promise.race([printed, new Promise<string>((resolve) => setTimeout(() => resolve(''), ms).unref())]),
  };
}
