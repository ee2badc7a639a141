/** `alert list` and `alert rehearse`: what was told about a bot, and what a rule would have told. */
import type { AlertRuleName } from '../../base/tables/alert-rules.ts';
import { table, words } from '../../report/document/text-table.ts';
import { rehearseRule, toldAlerts } from '../../run/monitor/alerts/past-alerts.ts';
import { folderFor, type WhichFlags as Which } from '../bot/which-bot.ts';
import type { CliContext } from '../shell/cli-context.ts';
import { fitted, safeText, widthOf } from '../terminal/terminal.ts';
import { printJson } from '../shell/print-json.ts';

interface WhichFlags extends Which {
  readonly json?: true;
}

const NIGHT_FROM = 22;
const NIGHT_TO = 6;
/** Messages that are shown of a rehearsal. */
const SHOWN = 10;

export async function runAlertList(flags: WhichFlags & { readonly last: number }, context: CliContext): Promise<void> {
  const { stdout } = context.io;
  const rows = toldAlerts(await folderFor(flags, context), flags.last);
  if (flags.json) return printJson(context.io, 'alert list', { alerts: rows });
  if (rows.length === 0) return void stdout.write('nothing was told yet\n');
  const shown = rows.map(({ time, message, deliveries }) => [
    new Date(time).toISOString(),
    safeText(message.title),
    safeText(deliveries.map(({ channel, fate, cause }) => `${channel} ${fate}${cause === '' ? '' : ` (${cause})`}`).join(', ') || 'nobody'),
  ]);
  stdout.write(table([{ title: 'time' }, words('alert'), words('told')], shown, widthOf(stdout)));
}

export async function runAlertRehearse(
  flags: WhichFlags & { readonly days: number },
  context: CliContext,
  rule: AlertRuleName,
): Promise<void> {
  const { stdout } = context.io;
  const rehearsal = rehearseRule(await folderFor(flags, context), rule, flags.days, Date.now());
  if (flags.json) return printJson(context.io, 'alert rehearse', rehearsal);
  const { messages, from } = rehearsal;
  const nights = messages.filter(({ time }) => {
    const hour = new Date(time).getUTCHours();
    return hour >= NIGHT_FROM || hour < NIGHT_TO;
  });
  stdout.write(`${rule}: ${messages.length} messages since ${new Date(from).toISOString()}, ${nights.length} of them at night\n`);
  for (const { time, title, text } of messages.slice(-SHOWN)) {
    stdout.write(fitted(`${new Date(time).toISOString()}  ${safeText(title)}  ${safeText(text.split('\n')[0] ?? '')}\n`, stdout));
  }
}
