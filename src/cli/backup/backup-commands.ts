/** `backup` and `restore`. */
import { counted, span } from '../../base/text/figures.ts';
import { bytes, fitted, safeText } from '../terminal/terminal.ts';
import { keylessConfigOf, requireFile, statedConfigOf, type CliContext, type ConfigFlags } from '../shell/cli-context.ts';
import { printJson } from '../shell/print-json.ts';

interface BackupFlags extends ConfigFlags {
  readonly state?: string;
  readonly json?: true;
}

export async function runBackup(flags: BackupFlags, context: CliContext, to: string): Promise<void> {
  const [{ makeBackup }, { folderOf }] = await Promise.all([import('../../run/backup/backup.ts'), import('../bot/which-bot.ts')]);
  const named =
    flags.state === undefined && flags.config !== undefined
      ? { file: flags.config, ...(await statedConfigOf(flags, context, { sendsNothing: true })) }
      : null;
  const config = named?.config ?? null;
  const folder = folderOf(flags, config, true);
  const made = await makeBackup({ folder, config: named, to, now: Date.now() });
  const { stdout, stderr } = context.io;
  const { file, sha256, head } = made;
  if (flags.json === true) return printJson(context.io, 'backup', { ...made, head: { ...head, requests: head.requests.length } });
  stdout.write(
    fitted(`${safeText(file)} (${bytes(made.bytes)}): bot ${head.bot}, which ${head.isRunning ? 'runs' : 'is stopped'}\n`, stdout),
  );
  // Notes, which --quiet leaves out.
  const notes = [
    `  ${heldBy(made)}`,
    `  read back and replayed; its SHA-256:`,
    `    ${sha256}`,
    ...head.files.map(({ path, is }) => `  not in it: ${safeText(path)}${is === undefined ? '' : AS[is]}`),
    ...(named === null ? ['  not in it: the configuration and the files that it names; --config FILE lists them'] : []),
  ];
  stderr.write(`${notes.join('\n')}\n`);
}

const AS = {
  secret: ', whose content is secret',
  folder: ', a folder',
  missing: ', which is not there',
  closes: ', closes of a watchdog that no bot has taken over: start the bot once before a move, or they count as trades of others',
} as const;

export async function runRestore(flags: ConfigFlags & { readonly json?: true }, context: CliContext, file: string): Promise<void> {
  const config = await keylessConfigOf(flags, context);
  const { restoreBackup } = await import('../../run/backup/restore.ts');
  const now = Date.now();
  const done = await restoreBackup({ path: requireFile(file, 'FILE'), config, now, env: context.env });
  const { stdout, stderr } = context.io;
  const { unknownOwnOrders } = config.recovery;
  const { head, place, epoch } = done;
  if (flags.json === true)
    return printJson(context.io, 'restore', { ...done, head: { ...head, requests: head.requests.length }, unknownOwnOrders });
  const fate = { adopt: 'kept and counted', cancel: 'cancelled', halt: 'kept, and a second halt names them' }[unknownOwnOrders];
  stdout.write(fitted(`bot ${head.bot} is restored in ${safeText(place)}\n`, stdout));
  const notes = [
    `  ${heldBy(done)}`,
    `  the backup is ${span(Math.max(0, now - head.madeAt))} old: loss limits, strategy state and profit are as they were then`,
    `  orders placed since then are found at the venue and ${fate} (recovery.unknownOwnOrders: ${unknownOwnOrders}); positions are read there`,
    `  new client ids are of epoch ${epoch.toString(36)}: none is used twice`,
    '  the old bot must not run any more: only a Redis that both use keeps it from trading',
    `  it opens nothing until you have compared it with the venue and typed: tickwright resume`,
  ];
  stderr.write(`${notes.join('\n')}\n`);
}

function heldBy({ records, until, positions, orders }: { records: number; until: number; positions: number; orders: number }): string {
  const time = until === 0 ? '' : `, the last of ${new Date(until).toISOString()}`;
  return `${counted(records, 'record')}${time}; ${counted(positions, 'position')}, ${counted(orders, 'order')}`;
}
