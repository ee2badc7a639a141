/** The listener for webhooks of a bot that starts it: it ends with the bot, because without one nobody hears a signal. */
import { resolve } from 'node:path';
import type { BotConfig } from '../../config/model.ts';
import type { Log } from '../../ports/log.ts';
import { stateFolder } from '../setup/state-folder.ts';
import type { GivenWebhooks } from '../webhooks/webhooks.ts';
import { keepProcess, type Keeper } from './kept-process.ts';

/** Null if the configuration wants none. */
export function webhooksOf(config: BotConfig, log: Log): Keeper | null {
  const { file, start } = config.webhooks;
  if (file === '' || start !== 'bot') return null;
  const folder = resolve(stateFolder(config));
  const given = JSON.stringify({ folder, file: resolve(file) } satisfies GivenWebhooks);
  const onPrinted = (url: string): void => log.info('webhooks-ready', { url });
  return keepProcess({
    name: 'webhooks',
    args: ['--given'],
    folder,
    given,
    onPrinted,
    onEnded: (facts) => log.warn('webhooks-ended', facts),
  });
}
