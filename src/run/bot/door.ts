/** Opens the control socket before the bot is ready. Until then commands are answered with "the bot is starting". */
import type { BotConfig } from '../../config/model.ts';
import type { RunningControl } from '../../edge/control/server.ts';
import type { Log } from '../../ports/log.ts';
import type { Operable } from './operable.ts';

export interface Door {
  /** Answers calls with this bot from now on. */
  serve(bot: Operable): void;
  close(): Promise<void>;
}

/** Opens the socket. A failure is logged only: the bot trades on and can be stopped by a signal. */
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
