/** Opens what a bot needs, in this order: lock of the account, store, control interface, and what the store remembers. */
import { Failure } from '../../base/failure.ts';
import type { BotConfig } from '../../config/model.ts';
import { LiveClock } from '../../edge/time/live-clock.ts';
import type { LogOutput } from '../../edge/log/log.ts';
import type { Store } from '../../ports/store.ts';
import { stateFolder } from '../setup/state-folder.ts';
import { guardAccount } from './account-guard.ts';
import { Bot } from './bot.ts';
import { openDoor, type Door } from './door.ts';
import { reportLastDeath } from './last-death.ts';
import { openStore } from './open-store.ts';
import type { Preflight } from './preflight.ts';
import { recover } from './recovered.ts';
import type { RunningBot } from './running-bot.ts';

/** Added to the venue's timeout before a bot takes over an expired lease. */
const SETTLE_MARGIN_MS = 2_000;

/** Starts the bot. It trades once local state and venue agree. @throws Failure, StoreError, BaseUrlError */
export async function openBot(config: BotConfig, preflight: Preflight, log: LogOutput): Promise<RunningBot> {
  const { credentials } = config;
  if (credentials === null) throw new Failure('credentials-missing', { what: 'expected credentials, found none' });
  const clock = new LiveClock();
  const lock = await guardAccount(config, credentials);
  let store: Store | null = null;
  let door: Door | null = null;
  try {
    store = await openStore(config.store, config.bot, log, { account: lock.account, settleMs: config.venue.timeoutMs + SETTLE_MARGIN_MS });
    // Opened before the halt file is read, so that no halt command in between is lost.
    door = await openDoor(config, stateFolder(config), log);
    reportLastDeath(stateFolder(config), log, clock.now());
    const recovered = await recover(store, config.bot, clock.now(), lock.lastEpoch);
    lock.noteEpoch(recovered.ids.epoch);
    return new Bot({ ...preflight, config, credentials, clock, lock, store, door, recovered, log });
  } catch (error) {
    await door?.close();
    await store?.close();
    lock.release();
    throw error;
  }
}
