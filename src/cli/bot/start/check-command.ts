/** `check`: what a new configuration means for a bot that has the old one. */
import { exitCode } from '../../../base/failure/exit-codes.ts';
import type { BotConfig } from '../../../config/model.ts';
import { type CliContext, configOf, requireFile } from '../../shell/cli-context.ts';
import { fitted, painter, safeText } from '../../terminal/terminal.ts';
import { printJson } from '../../shell/print-json.ts';

export async function runCheck(flags: { readonly json?: true }, context: CliContext, before: string, after: string): Promise<void> {
  // Reading a configuration takes the credentials out of the environment.
  const read = (file: string, name: string): Promise<BotConfig> =>
    configOf({ config: requireFile(file, name) }, { ...context, env: { ...context.env } });
  const [old, next] = [await read(before, 'OLD'), await read(after, 'NEW')];
  const { checkChange } = await import('../../../run/change/check-change.ts');
  const checked = await checkChange(old, next);
  const { stdout } = context.io;
  const hasMoney = checked.effects.some(({ kind }) => kind === 'money');
  if (flags.json === true) printJson(context.io, 'check', checked);
  else {
    const from = {
      running: 'compared with the bot that runs',
      stopped: 'compared with the files of the stopped bot',
      ended: 'compared with the files of a bot that ended without a stop: its positions are up to five seconds older than its end',
      unknown: 'this bot has no state yet',
    };
    const paint = painter(stdout.columns !== undefined, context.env);
    const line = ({ kind, what }: (typeof checked.effects)[number]): string =>
      `${kind === 'money' ? paint('yellow', 'MONEY ') : '      '}${safeText(what)}\n`;
    const lines = checked.effects.length === 0 ? ['nothing becomes different\n'] : checked.effects.map(line);
    stdout.write(fitted(`${from[checked.bot]}; it would start with the new configuration\n${lines.join('')}`, stdout));
  }
  context.exit(hasMoney ? exitCode.partly : exitCode.done);
}
