/** Opens what a bot needs, in this order: lock of the account, presence in the state folder, store, control interface, and what the store remembers. */
import { Failure } from '../../base/failure/failure.ts';
import type { BotConfig } from '../../config/model.ts';
import { watchdogStart } from '../../config/watchdog-start.ts';
import type { AccountLock } from '../../edge/file/account-lock.ts';
import { RunningMark } from '../../edge/file/beside/running-mark.ts';
import { takePresence, type Presence } from '../../edge/file/beside/presence.ts';
import { openBeatSocket, type BeatSocket } from '../../edge/control/beat-socket.ts';
import { LiveClock } from '../../edge/time/live-clock.ts';
import type { LogOutput } from '../../edge/log/pino-log.ts';
import { StoreError, storeFailure, type Store } from '../../ports/store.ts';
import { stateFolder } from '../setup/state-folder.ts';
import { guardAccount } from './store/account-guard.ts';
import { Bot } from './bot.ts';
import { WatchdogKeeper } from '../watchdog/keeper.ts';
import { watchdogDigest, watchdogSettings } from '../watchdog/settings.ts';
import { openBotSocket, type BotSocket } from './control/bot-socket.ts';
import { Heartbeat } from './life/heartbeat.ts';
import { reportLastDeath } from './store/last-death.ts';
import { openStore, placeOf } from './store/open-store.ts';
import { makeFolder } from './outside/try-folders.ts';
import type { Preflight } from './preflight.ts';
import { addedLines, withAdded } from './added-strategies.ts';
import { withKeptReloads } from './kept-reloads.ts';
import { recover } from './store/recovered.ts';
import type { RunningBot } from './life/running-bot.ts';
import { startLine } from './start-line.ts';

/** Added to the venue's timeout before a bot takes over an expired lease. */
const SETTLE_MARGIN_MS = 2_000;

/**
 * Starts the bot. It trades once local state and venue agree. `hasOwnVenue`: true if the venue is a paper exchange in this process, where
 * a lost store costs nothing. @throws Failure, BaseUrlError */
export async function openBot(config: BotConfig, preflight: Preflight, log: LogOutput, hasOwnVenue = false): Promise<RunningBot> {
  const { credentials } = config;
  if (credentials === null) throw new Failure('credentials-missing', { what: 'expected credentials, found none' });
  log.info('starting', startLine(config));
  requireFolder(stateFolder(config));
  const clock = new LiveClock();
  const { lock, isPresent } = present(config, await guardAccount(config, credentials), log);
  let store: Store | null = null;
  let socket: BotSocket | null = null;
  let heartbeat: Heartbeat | null = null;
  try {
    if (isPresent) heartbeat = await openHeartbeat(config, log);
    store = await openStore(config.store, config.bot, log, { account: lock.account, settleMs: config.venue.timeoutMs + SETTLE_MARGIN_MS });
    socket = await openBotSocket(config, stateFolder(config), log);
    reportLastDeath(stateFolder(config), log, clock.now());
    const read = await recover(store, config.bot, clock.now(), lock.lastEpoch);
    const planned = await withAdded({ config, preflight }, read.snapshot?.added, log);
    const snapshot = await withKeptReloads(planned.config, planned.preflight, read.snapshot, { log, now: clock.now() });
    const recovered = { ...read, snapshot };
    lock.noteEpoch(recovered.ids.epoch);
    const { lastEnd, journalEnd } = recovered;
    const added = addedLines(read.snapshot?.added);
    log.info('recovered', {
      lastEnd,
      ...(Number.isFinite(journalEnd) ? { lastRecord: new Date(journalEnd).toISOString() } : {}),
      ...(added.length > 0 ? { added } : {}),
    });
    return new Bot({
      ...planned.preflight,
      config: planned.config,
      credentials,
      clock,
      lock,
      store,
      socket,
      recovered,
      hasOwnVenue,
      heartbeat,
      log,
    });
  } catch (error) {
    await heartbeat?.end(false);
    await socket?.close();
    await store?.close();
    lock.release();
    throw error instanceof StoreError ? storeFailure(error, placeOf(config.store)) : error;
  }
}

/** @throws Failure if the folder cannot exist. Other faults of a folder are reported by who writes there. */
function requireFolder(folder: string): void {
  try {
    makeFolder(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') return;
    throw new Failure('store-refused', { what: `${folder} cannot be made`, hint: 'name another folder' }, { cause: error });
  }
}

/** Shows this bot to commands from before its store is open until after it is closed. An unusable folder is reported by the store. */
function present(config: BotConfig, lock: AccountLock, log: LogOutput): { readonly lock: AccountLock; readonly isPresent: boolean } {
  const folder = stateFolder(config);
  let presence: Presence | null = null;
  try {
    presence = takePresence(folder);
    if (presence === null) log.warn('presence-failed', { folder, error: 'another process shows itself there' });
  } catch (error) {
    log.warn('presence-failed', { folder, error });
  }
  const release = (): void => {
    presence?.release();
    lock.release();
  };
  return { lock: { ...lock, release }, isPresent: presence !== null };
}

/** Shows this bot to its watchdog, and starts one if that is wanted. Null if there is to be none. A failure is logged: the bot trades without. */
async function openHeartbeat(config: BotConfig, log: LogOutput): Promise<Heartbeat | null> {
  if (watchdogStart(config) === 'off') return null;
  const folder = stateFolder(config);
  try {
    const socket = await openBeatSocket(folder);
    const settings = watchdogSettings(config, true);
    const keeper = new WatchdogKeeper({ settings, socket, log });
    keeper.start();
    const facts = { bot: config.bot, settings: watchdogDigest(settings), namesLegs: config.watchdog.flattenAfterMs > 0 };
    const isWatched = (): boolean => !keeper.isMissing;
    return new Heartbeat({ ...facts, isWatched, socket: closing(socket, () => keeper.stop()), mark: new RunningMark(folder), log });
  } catch (error) {
    log.error('heartbeat-failed', { error, hint: 'this bot has no watchdog' });
    return null;
  }
}

function closing(socket: BeatSocket, before: () => void): Pick<BeatSocket, 'tell' | 'greetWith' | 'close'> {
  return {
    tell: (line) => socket.tell(line),
    greetWith: (lines) => socket.greetWith(lines),
    close() {
      before();
      return socket.close();
    },
  };
}
