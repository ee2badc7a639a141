/** Tells whether the bot of a folder has stopped, as its files say, for who looks at it from outside. */
import { openStoppedBot } from '../../bot/store/stopped.ts';
import { runningIn } from '../../bot/outside/reach.ts';

/** When it was last known, in milliseconds since 1970, and how it ended in words; null while a process has the folder, and without a store in it. */
export function stoppedIn(folder: string): { readonly at: number; readonly how: string } | null {
  if (runningIn(folder) !== null) return null;
  try {
    const bot = openStoppedBot(folder);
    if (bot === null) return null;
    const { phase, time } = bot.status();
    bot.close();
    const at = `${new Date(time).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
    return { at: time, how: phase === 'stopped' ? `stopped since ${at}` : `it ended without a stop, and was last seen at ${at}` };
  } catch {
    // A bot that starts right now has it.
    return null;
  }
}
