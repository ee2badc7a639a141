/** `passphrase`: chooses what the dashboard asks for before an act that may raise risk. */
import { Failure } from '../../base/failure/failure.ts';
import { choosePassphrase, PASSPHRASE_LEAST, removePassphrase } from '../../run/monitor/choose-passphrase.ts';
import type { CliContext } from '../shell/cli-context.ts';
import { askedSecret } from '../terminal/question.ts';
import { folderFor, type WhichFlags } from './which-bot.ts';

export async function setPassphrase(flags: WhichFlags & { readonly remove?: true }, context: CliContext): Promise<void> {
  const folder = await folderFor(flags, context);
  const { stderr } = context.io;
  if (flags.remove === true) {
    removePassphrase(folder);
    stderr.write('removed: the dashboard refuses acts that may raise risk\n');
    return;
  }
  const chosen = await askedSecret(`Passphrase of the dashboard, at least ${PASSPHRASE_LEAST} characters: `);
  if (process.stdin.isTTY && (await askedSecret('The same again: ')) !== chosen)
    throw new Failure('passphrase-unfit', { what: 'expected the same passphrase twice' });
  choosePassphrase(folder, chosen);
  stderr.write('chosen: the dashboard asks for it before an act that may raise risk\n');
}
