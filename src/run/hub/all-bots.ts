/** Looks at all bots of a user at the same time. A bot that hangs delays no other. */
import { findAllBots } from '../bot/outside/find-bot.ts';
import { lookAt, type Look } from './look.ts';

export interface WhichBots {
  /** Where the person is: bots that were started here are found. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** State folders of further bots. */
  readonly named: readonly string[];
}

/** A look at each bot, by folder. Bots that were stopped are left out unless they are named. */
export async function lookAtAll({ cwd, env, named }: WhichBots): Promise<readonly Look[]> {
  const found = findAllBots(cwd, env, named);
  const looks = await Promise.all(found.map(({ folder }) => lookAt(folder)));
  return looks.filter(({ state }, k) => state !== 'stopped' || found[k]!.isNamed);
}
