/** Tells whether the bot of a folder has stopped, and what is left of it, as its files say, for who looks at it from outside. */
import { utc } from '../../setup/utc.ts';
import { NO_HEALTH, type NowRow } from '../../../control/changes.ts';
import { openStoppedBot, type StoppedBot } from '../../bot/store/stopped.ts';
import { runningIn } from '../../bot/outside/reach.ts';

/** `at`: when it was last known, in milliseconds since 1970. `how`: how it ended, in words. `now`: the state in which it ended. */
export interface StoppedState {
  readonly at: number;
  readonly how: string;
  readonly now: NowRow;
}

/** Null while a process has the folder, and without a store in it. */
export function stoppedIn(folder: string): StoppedState | null {
  if (runningIn(folder) !== null) return null;
  try {
    const bot = openStoppedBot(folder);
    if (bot === null) return null;
    const state = stateOf(bot);
    bot.close();
    return state;
  } catch {
    // A bot that starts right now has it.
    return null;
  }
}

function stateOf(bot: StoppedBot): StoppedState {
  const { positions, ...status } = bot.status();
  const { phase, time } = status;
  const at = utc(time);
  const provenAt = status.readAt?.positions ?? 0;
  return {
    at: time,
    how: phase === 'stopped' ? `stopped since ${at}` : `it ended without a stop, and was last seen at ${at}`,
    now: {
      status: { ...status, health: NO_HEALTH },
      positions: positions.map((one) => ({ ...one, provenAt })),
      orders: bot.orders().map((order) => ({ ...order, reason: bot.reasons[order.number] ?? '', updatedAt: time })),
      quotes: [],
    },
  };
}
