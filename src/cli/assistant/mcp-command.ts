/** `mcp`: lets an assistant read a bot, try its strategies and propose commands. This process reads no key. */
import { resolve } from 'node:path';
import type { BotConfig } from '../../config/model.ts';
import { assist } from '../../run/assistant/assistant.ts';
import { stateFolder } from '../../run/setup/state-folder.ts';
import { folderFor, type WhichFlags } from '../bot/which-bot.ts';
import { keylessConfigOf, folderToBe, type CliContext } from '../shell/cli-context.ts';

interface McpFlags extends WhichFlags {
  readonly tapes?: string;
  readonly reports?: string;
  readonly readOnly?: true;
}

/** Variables with secrets of the venue, of the keystore and of other processes, by their beginning. */
const OWN = /^TICKWRIGHT_(KEY|SECRET|PASSPHRASE|KEYSTORE|ADMIN_TOKEN|HANDOVER|REDIS)/;

export async function runMcp(flags: McpFlags, context: CliContext): Promise<void> {
  for (const name of Object.keys(process.env)) if (OWN.test(name)) delete process.env[name];
  const env = Object.fromEntries(Object.entries(context.env).filter(([name]) => !OWN.test(name)));
  const config = flags.config === undefined ? null : withoutSecrets(await keylessConfigOf(flags, { ...context, env }));
  const folder = config === null || flags.state !== undefined ? await folderFor(flags, { ...context, env }) : resolve(stateFolder(config));
  await assist({
    folder,
    config,
    tapes: flags.tapes === undefined ? null : folderToBe(flags.tapes, '--tapes'),
    reports: flags.reports === undefined ? null : folderToBe(flags.reports, '--reports'),
    isReadOnly: flags.readOnly === true,
    tell: (line) => void context.io.stderr.write(`${line}\n`),
  });
}

/** The address of Redis may have a password; what reads a bot needs the kind of its store alone. */
function withoutSecrets(config: BotConfig): BotConfig {
  return { ...config, credentials: null, keystore: null, store: { ...config.store, url: '' } };
}
