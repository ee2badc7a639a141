/** The state folder of a bot: it has the control socket, and its halts are beside it. */
import type { BotConfig } from '../../config/model.ts';

/** The folder of the embedded store; with Redis a folder with the bot's name beside it. */
export function stateFolder({ store, bot }: Pick<BotConfig, 'store' | 'bot'>): string {
  return store.kind === 'redis' ? `${store.folder}-${bot}` : store.folder;
}
