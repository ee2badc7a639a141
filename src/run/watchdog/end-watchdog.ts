/** Ends the watchdog of a bot from outside, also where the bot is dead and nothing else can. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '../../base/failure/failure.ts';
import { StatusFile, type WatchdogStatus } from './status-file.ts';
import { isWatched } from './watchdog-lock.ts';

const LOOK_MS = 100;
/** Longer than a watchdog waits for its last calls. */
const PATIENCE_MS = 15_000;

/**
 * Takes the bot's state folder. Resolves to the last status of the watchdog once it has ended, to null if none ran.
 * @throws Failure watchdog-lives if it goes on, or the error of node:process if it is of another user
 */
export async function endWatchdog(folder: string, patienceMs = PATIENCE_MS): Promise<WatchdogStatus | null> {
  const file = new StatusFile(folder);
  let told = 0;
  for (let waited = 0; isWatched(folder); waited += LOOK_MS) {
    // Whoever holds the lock writes its number within seconds: an older one may be of another process by now.
    const status = file.read();
    const { pid = null, time = 0 } = status ?? {};
    if (pid !== null && pid !== told && Date.now() - time < PATIENCE_MS) process.kill((told = pid), 'SIGTERM');
    if (waited >= patienceMs) {
      const what = `the watchdog${pid === null ? '' : ` (process ${pid})`} of the bot in ${folder} goes on`;
      throw new Failure('watchdog-lives', { what, hint: 'stop the bot: its watchdog ends with it' });
    }
    await sleep(LOOK_MS);
  }
  return told === 0 ? null : file.read();
}
