/** Where a bot keeps what is not in its store: the control socket and, beside the folder, its halts. */
import type { BotConfig } from '../../config/model.ts';

/** The folder of the embedded store; with Redis one of the bot's own beside it. */
export function stateFolder({ store, bot }: Pick<BotConfig, 'store' | 'bot'>): string {
  return store.kind === 'redis' ? `${store.folder}-${bot}` : store.folder;
}
