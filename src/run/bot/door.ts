/** Opens the control plane of a bot, before the bot itself is there: a command that comes meanwhile is told to wait. */
import type { BotConfig } from '../../config/model.ts';
import type { RunningControl } from '../../edge/control/server.ts';
import type { Log } from '../../ports/log.ts';
import type { Operable } from './operable.ts';

export interface Door {
  /** From now on calls are answered by this bot. */
  serve(bot: Operable): void;
  close(): Promise<void>;
}

/** A socket that cannot be had is told: the bot trades on, and can be stopped by a signal. */
export async function openDoor(config: BotConfig, folder: string, log: Log): Promise<Door> {
  const [{ startControl }, { answerControl }] = await Promise.all([import('../../edge/control/server.ts'), import('./control.ts')]);
  let bot: Operable | null = null;
  let running: RunningControl | null = null;
  try {
    running = await startControl({
      folder,
      port: config.control.port === 0 ? null : config.control.port,
      handler: (method, name, given) => answerControl(bot, method, name, given),
      now: () => performance.now(),
      onError: (error) => log.error('control-failed', { error }),
    });
    log.info('control-ready', { socket: running.path, ...(running.url === '' ? {} : { url: running.url }) });
  } catch (error) {
    log.error('control-failed', { error, hint: 'the bot cannot be operated while it runs; stop it by a signal' });
  }
  return {
    serve(one) {
      bot = one;
    },
    async close() {
      await running?.close();
    },
  };
}
