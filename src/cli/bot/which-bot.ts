/** Finds the bot that the flags of a command name: `--state FOLDER`, `--config FILE`, or the only one that was started in this folder. */
import { resolve } from 'node:path';
import { Failure } from '../../base/failure/failure.ts';
import type { BotConfig } from '../../config/model.ts';
import { botFolder, theBot } from '../../run/bot/outside/find-bot.ts';
import { stateFolder } from '../../run/setup/state-folder.ts';
import { keylessConfigOf, type CliContext, type ConfigFlags } from '../shell/cli-context.ts';

export interface WhichFlags extends ConfigFlags {
  readonly state?: string;
}

/** The configuration that names the bot; null if no flag or variable gives one. @throws Failure (flag-conflict), and as keylessConfigOf */
export async function configFor(flags: WhichFlags, context: CliContext): Promise<BotConfig | null> {
  if (flags.state !== undefined && flags.config !== undefined) {
    throw new Failure('flag-conflict', { what: '--state and --config both name a bot: give one of them' });
  }
  if (flags.state !== undefined) return null;
  const isNamed = flags.config !== undefined || (flags.set ?? []).length > 0 || context.env['TICKWRIGHT_STORE_FOLDER'] !== undefined;
  return isNamed ? keylessConfigOf(flags, context) : null;
}

/**
 * The state folder of the bot that `config` describes, else of the one that `--state` names, else of the only one in this folder. `acts`: the
 * command changes something, so that of several stopped bots none is guessed.
 * @throws Failure (bot-missing, bot-ambiguous)
 */
export function folderOf({ state }: Pick<WhichFlags, 'state'>, config: BotConfig | null, acts: boolean): string {
  if (config !== null) return resolve(stateFolder(config));
  return state === undefined ? theBot(process.cwd(), acts) : botFolder(state);
}

/** The same for a command that only looks, and takes no variable of the environment for a name. */
export async function folderFor(flags: WhichFlags, context: CliContext): Promise<string> {
  const isConfigured = flags.state === undefined && flags.config !== undefined;
  return folderOf(flags, isConfigured ? await keylessConfigOf(flags, context) : null, false);
}
