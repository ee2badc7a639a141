/** `approve`: shows what an assistant proposed, and carries it out once a person has typed the passphrase of the bot at a terminal. */
import { Failure } from '../../base/failure/failure.ts';
import { approve, lookAt } from '../../run/assistant/approve.ts';
import { waiting } from '../../run/assistant/proposals.ts';
import { controlText } from '../bot/control-text.ts';
import { folderFor, type WhichFlags } from '../bot/which-bot.ts';
import { exitOf, showRefusal } from '../bot/show-answer.ts';
import { keylessConfigOf, type CliContext } from '../shell/cli-context.ts';
import { askedSecret } from '../terminal/question.ts';
import { fitted, painter, safeText, widthOf } from '../terminal/terminal.ts';

export async function runApprove(flags: WhichFlags, context: CliContext, id: string | undefined): Promise<void> {
  const { io, env } = context;
  const folder = await folderFor(flags, context);
  if (id === undefined) return listWaiting(folder, context);
  if (!process.stdin.isTTY)
    throw new Failure('proposal-unfit', {
      what: 'expected a person at a terminal, found another input',
      hint: 'type `tickwright approve` at a terminal; the passphrase is taken from nowhere else',
    });
  const place = { folder, config: flags.config === undefined ? null : await keylessConfigOf(flags, context) };
  const { proposal, now } = await lookAt(place, id);
  const { client, why, expiresAt } = proposal;
  const left = Math.max(0, Math.round((expiresAt - Date.now()) / 1_000));
  const lines = [
    `${client} proposes (a name that the assistant gives itself): ${commandOf(proposal)}`,
    `  because: ${why}`,
    'It will do this, and nothing else:',
    ...now.lines.map((line) => `  ${line}`),
    ...(now.forecast.length === 0 ? [] : ['As things stand now, which may change:', ...now.forecast.map((line) => `  ${line}`)]),
    `It expires in ${left} s. Ctrl-C does nothing.`,
  ];
  io.stdout.write(fitted(`${safeText(lines.join('\n'))}\n`, io.stdout));
  const answer = await approve(place, id, await askedSecret('Passphrase of the bot: '));
  const { by, body, isRefused } = answer;
  if (isRefused) showRefusal(answer, io);
  else {
    const paint = painter(io.stdout.columns !== undefined, env);
    io.stdout.write(controlText(proposal.name, body, { isStopped: by === 'stopped', paint, width: widthOf(io.stdout) }));
  }
  context.exit(exitOf(answer));
}

function listWaiting(folder: string, { io }: CliContext): void {
  const now = Date.now();
  const open = waiting(folder).filter(({ expiresAt }) => expiresAt > now);
  if (open.length === 0) io.stderr.write('nothing waits to be approved\n');
  for (const one of open) {
    const left = Math.round((one.expiresAt - now) / 1_000);
    io.stdout.write(fitted(safeText(`${one.id}  ${commandOf(one)}  by ${one.client}, expires in ${left} s\n`), io.stdout));
  }
}

function commandOf({ name, given }: { readonly name: string; readonly given: Readonly<Record<string, string>> }): string {
  return [name, ...Object.values(given)].join(' ');
}
